import { visibleLine } from '../../../text/visible.ts';
import { counted, formatNumber, joinWithAnd, listSome } from '../../../text/wording.ts';
import { type RowRange, rangeText } from './decisions.ts';

/** A CSV of tasks without errors, before it is uploaded. */
export interface ShownUpload {
  readonly file: string;
  readonly environment: string;
  readonly rows: number;
  readonly batches: number;
  readonly types: Readonly<Record<string, number>>;
  readonly past: { readonly rows: number; readonly first: number | undefined };
  readonly dryRun: boolean;
  readonly before: number;
}

/** How an upload ended. */
export interface UploadEnd {
  readonly upload: ShownUpload;
  readonly sent: number;
  readonly before: number;
  readonly undecided: readonly RowRange[];
  readonly failed: (RowRange & { readonly outcome: 'clear' | 'unclear'; readonly message: string }) | undefined;
  readonly interrupted: boolean;
  readonly messages: readonly { readonly message: string; readonly requests: number }[];
  readonly ledger: string | undefined;
  /** The command line of this upload without `--resume` and what goes with it, to be typed again. */
  readonly command: string;
}

/** What is about to be uploaded. */
export function renderUpload({ file, environment, rows, batches, types, past, dryRun, before }: ShownUpload): string {
  const kinds = joinWithAnd(Object.entries(types).map(([type, count]) => `${formatNumber(count)} ${type}`));
  const verb = dryRun ? 'to be validated by' : 'for';
  const queued = before === 0 ? '' : `; ${formatNumber(before)} of them are already queued`;
  const late =
    past.rows === 0
      ? ''
      : `warning: ${counted(past.rows, 'row')} of ${visibleLine(file)} ${past.rows === 1 ? 'is' : 'are'} scheduled in the past; the first is row ${formatNumber(past.first ?? 0)}\n`;
  return `${late}${counted(rows, 'task')} (${kinds}) ${verb} ${environment} in ${counted(batches, 'request')}${queued}\n`;
}

/** How the upload ended, with what to do next. Rows count from 1, without the header. */
export function renderUploadEnd(given: UploadEnd): string {
  const end = { ...given, command: visibleLine(given.command) };
  const lines = [
    ...doneLines(end),
    ...failedLines(end),
    ...undecidedLines(end),
    ...decisionLines(end),
    ...interruptedLines(end),
  ];
  return `${lines.join('\n')}\n`;
}

function doneLines({ upload, sent, before, messages }: UploadEnd): string[] {
  const { rows, dryRun, environment } = upload;
  const verb = dryRun ? 'would be queued' : `${areOrIs(rows)} queued`;
  const earlier = before === 0 ? '' : `, ${formatNumber(before)} of them earlier`;
  return [
    `${formatNumber(sent + before)} of ${counted(rows, 'task')} ${verb} in ${environment}${earlier}.`,
    ...saidLines(messages),
  ];
}

const shownMessages = 5;

/** What the service said speaks of one request each, so that it is said of how many. */
function saidLines(messages: UploadEnd['messages']): string[] {
  const [first, ...others] = messages;
  if (first === undefined) return [];
  if (others.length === 0) {
    const each = first.requests === 1 ? '' : ` to each of ${formatNumber(first.requests)} requests`;
    return [`The service says${each}: ${visibleLine(first.message)}`];
  }
  const shown = messages.slice(0, shownMessages).map(({ message, requests }) => {
    return `  to ${counted(requests, 'request')}: ${visibleLine(message)}`;
  });
  const left = messages.length - shown.length;
  return ['The service says:', ...shown, ...(left === 0 ? [] : [`  and ${counted(left, 'other message')}`])];
}

function failedLines({ upload, failed, command }: UploadEnd): string[] {
  if (failed === undefined) return [];
  const why = visibleLine(failed.message);
  if (upload.dryRun) return [`The service rejected ${rowsText(failed)}: ${why}`];
  if (failed.outcome === 'clear') {
    return [`The upload stopped, and ${rowsAre(failed)} not queued: ${why}`, `To continue: ${command} --resume`];
  }
  return [`It is unclear whether ${rowsAre(failed)} queued: ${why}`];
}

function undecidedLines({ undecided }: UploadEnd): string[] {
  if (undecided.length === 0) return [];
  const count = undecided.reduce((sum, { firstRow, lastRow }) => sum + lastRow - firstRow + 1, 0);
  const rows = `${listSome(undecided.map(rowsText), 5)} ${areOrIs(count)}`;
  const left = count === 1 ? 'it was' : 'they were';
  return [`It is still unclear whether ${rows} queued; ${left} left out.`];
}

function interruptedLines({ upload, interrupted, command }: UploadEnd): string[] {
  if (!interrupted) return [];
  return upload.dryRun ? ['Interrupted.'] : [`Interrupted. To continue: ${command} --resume`];
}

/** Two requests may have ended differently, so that each has its own command. */
function decisionLines({ upload, undecided, failed, command }: UploadEnd): string[] {
  if (upload.dryRun) return [];
  const unclear = [...undecided, ...(failed?.outcome === 'unclear' ? [failed] : [])];
  if (unclear.length === 0) return [];
  const shown = unclear.sort((a, b) => a.firstRow - b.firstRow).slice(0, shownDecisions);
  const left = unclear.length - shown.length;
  const commands = shown.flatMap((range) => [
    `  if ${rowsAre(range)} there:     ${command} --resume --assume-queued ${rangeText(range)}`,
    `  if ${rowsAre(range)} not there: ${command} --resume --assume-not-queued ${rangeText(range)}`,
  ]);
  return [
    'Rows with an unclear outcome are not sent again automatically. Row numbers start at 1, without the header.',
    'Check the service, then run:',
    ...commands,
    ...(left === 0 ? [] : [`  and the same for ${counted(left, 'other range')}`]),
  ];
}

const shownDecisions = 20;

/** `5001-10000`, as `--assume-queued` takes it. */
/** `rows 5,001 to 10,000 are` */
function rowsAre(range: RowRange): string {
  return `${rowsText(range)} ${areOrIs(range.lastRow - range.firstRow + 1)}`;
}

function areOrIs(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** `rows 5,001 to 10,000` */
function rowsText({ firstRow, lastRow }: RowRange): string {
  if (firstRow === lastRow) return `row ${formatNumber(firstRow)}`;
  return `rows ${formatNumber(firstRow)} to ${formatNumber(lastRow)}`;
}
