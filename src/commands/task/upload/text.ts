import { renderJson } from '../../../report/json.ts';
import { sentenceOf } from '../../../report/notices.ts';
import { visibleLine } from '../../../text/visible.ts';
import { counted, formatNumber, isOrAre, joinWithAnd, shellWord } from '../../../text/wording.ts';
import type { RowRange } from './csv-reading.ts';
import type { CheckedUpload, UploadResult, UploadStep } from './upload.ts';

/** The result of an upload, with the arguments of the commands to suggest. */
export interface UploadEnd extends UploadResult {
  /** The arguments of the command that continues the upload. */
  readonly command: readonly string[];
  /** The options with which another command uses the same account. */
  readonly account: readonly string[];
}

/** Replaces a secret value in the displayed command. */
export const hiddenValue = 'VALUE';

export function renderUpload({
  file,
  environment,
  rows,
  fromRow,
  batches,
  types,
  past,
  repeats,
  warnings,
  dryRun,
}: CheckedUpload): string {
  const kinds = joinWithAnd(Object.entries(types).map(([type, count]) => `${formatNumber(count)} ${type}`));
  const verb = dryRun ? 'to be validated in' : 'for';
  const start = fromRow === 1 ? '' : `, starting at row ${formatNumber(fromRow)} of ${formatNumber(rows)}`;
  const late =
    past.rows === 0
      ? ''
      : `warning: ${counted(past.rows, 'row')} of ${visibleLine(file)} ${isOrAre(past.rows)} scheduled in the past; the first is row ${formatNumber(past.first ?? 0)}\n`;
  const repeated =
    repeats <= warnings.length
      ? ''
      : `warning: ${counted(repeats, 'row')} of ${visibleLine(file)} repeat earlier rows; only the first ${warnings.length} are shown\n`;
  const tasks = counted(rows - fromRow + 1, 'task');
  return `${repeated}${late}${tasks} (${kinds}) ${verb} ${environment} in ${counted(batches, 'request')}${start}\n`;
}

/** Renders the result. If the upload stopped early, also shows why, and how to continue. */
export function renderUploadEnd(end: UploadEnd): string {
  const lines = [doneLine(end), ...saidLines(end.messages), ...stopLines(end)];
  return `${lines.join('\n')}\n`;
}

export function renderUploadJson(end: UploadEnd): string {
  const { upload, accepted, failed, unclear, notSent, messages } = end;
  const { environment, file, dryRun, rows, fromRow } = upload;
  const ranges = { accepted, failed, unclear, notSent };
  const head = { environment, file, dryRun, rows, fromRow };
  const remedies = continuationsOf(end).map((one) => one.arguments);
  return renderJson({ ...head, ...ranges, reason: end.reason && { ...end.reason, remedies }, messages });
}

/**
 * A command that continues an upload. If it is unclear whether rows were queued, `if` describes when to use the
 * command.
 */
interface Continuation {
  readonly if?: 'queued' | 'not queued';
  readonly arguments: readonly string[];
}

/** Returns the commands that continue an upload. Returns an empty list for a complete upload or a dry run. */
function continuationsOf({ upload, failed, unclear, notSent, command }: UploadEnd): Continuation[] {
  if (upload.dryRun) return [];
  const from = ({ firstRow }: RowRange) => ({ arguments: [...command, '--from-row', String(firstRow)] });
  const next = failed ?? notSent;
  if (unclear === undefined) return next === undefined ? [] : [from(next)];
  const after: Continuation[] = notSent === undefined ? [] : [{ if: 'queued', ...from(notSent) }];
  return [{ if: 'not queued', ...from(unclear) }, ...after];
}

function doneLine({ upload, accepted }: UploadEnd): string {
  const { rows, fromRow, dryRun, environment } = upload;
  const [count, all] = [accepted === undefined ? 0 : sizeOf(accepted), rows - fromRow + 1];
  const verb = dryRun ? 'would be queued' : `${isOrAre(all)} queued`;
  const range = accepted === undefined || count === rows ? '' : `: ${rowsText(accepted)}`;
  return `${formatNumber(count)} of ${counted(all, 'task')} ${verb} in ${environment}${range}.`;
}

const shownMessages = 5;

/** Returns the service's messages, each with the number of responses that contained it. */
function saidLines(messages: UploadEnd['messages']): string[] {
  const [first, ...others] = messages;
  if (first === undefined) return [];
  if (others.length === 0) {
    const each = first.requests === 1 ? '' : ` in each of ${formatNumber(first.requests)} responses`;
    return [`The service says${each}: ${visibleLine(first.message)}`];
  }
  const shown = messages.slice(0, shownMessages).map(({ message, requests }) => {
    return `  in ${counted(requests, 'response')}: ${visibleLine(message)}`;
  });
  const left = messages.length - shown.length;
  return ['The service says:', ...shown, ...(left === 0 ? [] : [`  and ${counted(left, 'other message')}`])];
}

/** Returns why the upload stopped, what happened to the remaining rows, and which commands continue the upload. */
function stopLines(end: UploadEnd): string[] {
  const left = end.notSent === undefined ? [] : [`Not sent: ${rowsText(end.notSent)}.`];
  const commands = commandLines(end);
  const numbering = commands.length === 0 ? [] : ['Row numbers start at 1, without the header and empty rows.'];
  const isHidden = commands.length > 0 && end.command.some((word) => word.endsWith(`=${hiddenValue}`));
  const hidden = isHidden ? [`Replace ${hiddenValue} with the secret value of the query parameter.`] : [];
  return [...reasonLines(end), ...left, ...commands, ...hidden, ...numbering];
}

function reasonLines({ upload, failed, unclear, reason }: UploadEnd): string[] {
  const why = reason === undefined ? '' : visibleLine(sentenceOf(reason));
  if (reason?.facts.why === 'interrupted') return ['Interrupted.'];
  if (unclear !== undefined) return [`It is unclear whether ${requestText(unclear)} queued: ${why}`];
  if (failed === undefined) return why === '' ? [] : [`The upload stopped: ${why}`];
  if (upload.dryRun) return [`The dry run stopped, and ${requestText(failed)} not validated: ${why}`];
  return [`The upload stopped, and ${requestText(failed)} not queued: ${why}`];
}

function commandLines(end: UploadEnd): string[] {
  const { unclear, notSent } = end;
  const commands = continuationsOf(end);
  if (unclear === undefined) return commands.map((one) => `To continue: ${commandText(one.arguments)}`);
  const [task, they] = sizeOf(unclear) === 1 ? ['task is', 'it is'] : ['tasks are', 'they are'];
  const inbox = commandText(['inbox', ...end.account]);
  return [
    `The service does not list its tasks. Look in the dashboard or, once the ${task} due, in \`${inbox}\`. Then run:`,
    ...commands.reverse().map((one) => `${`  if ${they} ${one.if}:`.padEnd(25)} ${commandText(one.arguments)}`),
    ...(notSent === undefined ? [`If ${they} queued, the upload is complete.`] : []),
  ];
}

function commandText(words: readonly string[]): string {
  return visibleLine(`agentform ${words.map(shellWord).join(' ')}`);
}

/** Returns the subject and verb of a sentence: `rows 5,001 to 10,000 are`. */
function requestText(rows: RowRange): string {
  return `${rowsText(rows)} ${isOrAre(sizeOf(rows))}`;
}

/** Names a range of rows: `rows 5,001 to 10,000`. */
export function rowsText({ firstRow, lastRow }: RowRange): string {
  if (firstRow === lastRow) return `row ${formatNumber(firstRow)}`;
  return `rows ${formatNumber(firstRow)} to ${formatNumber(lastRow)}`;
}

function sizeOf({ firstRow, lastRow }: RowRange): number {
  return lastRow - firstRow + 1;
}

export interface UploadProgress {
  readonly show: (step: UploadStep) => void;
  /** Removes the progress line before other output. */
  readonly clear: () => void;
  /** Ends the progress line without removing it. */
  readonly leave: () => void;
}

const barWidth = 24;
const pauseMs = 100;
/**
 * The time in milliseconds after which a check without a terminal prints progress: about one line for each tenth of the
 * file.
 */
const quietMs = 2_000;

/**
 * Shows progress as a bar on a terminal. Always prints the rows of each request, because after a kill, nothing else
 * shows which rows were sent. `clock` returns the current time in milliseconds.
 */
export function progressBar(stream: NodeJS.WriteStream, clock: () => number): UploadProgress {
  let isShown = false;
  let last = Number.NEGATIVE_INFINITY;
  const end = (text: string) => {
    if (isShown) stream.write(text);
    isShown = false;
  };
  return {
    show: (step) => {
      if (step.phase === 'check' && step.done < step.total && clock() - last < pauseMs) return;
      last = clock();
      isShown = true;
      const filled = Math.round(shareOf(step) * barWidth);
      stream.write(`\r\u001b[2K${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${stepText(step)}`);
    },
    clear: () => end('\r\u001b[2K'),
    leave: () => end('\n'),
  };
}

/** Shows progress as lines, for output that is not a terminal. */
export function progressLines(stream: NodeJS.WriteStream, clock: () => number): UploadProgress {
  const started = clock();
  let last = -1;
  return {
    show: (step) => {
      const tenth = Math.floor(shareOf(step) * 10);
      if (step.phase === 'check' && (tenth === last || (last < 0 && clock() - started < quietMs))) return;
      last = tenth;
      stream.write(`${stepText(step)}\n`);
    },
    clear: () => {},
    leave: () => {},
  };
}

function stepText(step: UploadStep): string {
  if (step.phase === 'check') return `checking ${Math.floor(shareOf(step) * 100)} %`;
  return `${step.dryRun ? 'validating' : 'sending'} ${rowsText(step)} of ${formatNumber(step.rows)}`;
}

function shareOf(step: UploadStep): number {
  if (step.phase === 'send') return (step.firstRow - 1) / step.rows;
  return step.total === 0 ? 1 : Math.min(1, step.done / step.total);
}
