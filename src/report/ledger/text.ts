import { type FieldResult, isNotTaken, type Ledger, type LedgerEntry, type MissingParts } from '../../apply/events.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import type { Change } from '../../schemas/plan-types.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, formatNumber } from '../../text/wording.ts';
import { endedAlike } from '../alike.ts';
import type { Part } from '../blocks.ts';
import { changePart, conflictPart } from '../changes.ts';
import { sentencesOf } from '../notices.ts';
import { createPaint, type Paint, painted } from '../terminal/paint.ts';
import { partLines } from '../terminal/text.ts';
import { endingText, headLines, outcomeCounts, publishBlocks, publishCounts, unsharedLines } from './publish.ts';

export interface LedgerTextOptions {
  readonly color: boolean;
  readonly width: number;
  /** The plan was shown before: it says why a resource is blocked. */
  readonly isBelowPlan?: boolean;
}

interface Style {
  readonly paint: Paint;
  readonly width: number;
}

type Outcome = LedgerEntry['outcome'];

/** The order of the groups: successes first, then entries that need attention, which are next to the prompt. */
const groups = [
  { outcome: 'applied', title: 'Applied', sign: '✓', brush: 'create' },
  { outcome: 'waiting', title: 'Waiting', sign: '·', brush: 'faint' },
  { outcome: 'not attempted', title: 'Not attempted', sign: '·', brush: 'warning' },
  { outcome: 'failed', title: 'Failed', sign: '✗', brush: 'failed' },
  { outcome: 'unknown', title: 'Unknown: the write may have succeeded', sign: '?', brush: 'conflict' },
] as const satisfies readonly { outcome: Outcome; title: string; sign: string; brush: keyof Paint }[];

/** The end of an apply for a person: every resource by outcome, what the read-back showed, and the counts. */
export function renderLedgerText(given: Ledger, { color, width, isBelowPlan = false }: LedgerTextOptions): string {
  const style: Style = { paint: createPaint(color), width: Math.max(40, width) };
  const ledger = isBelowPlan ? { ...given, entries: given.entries.map(withoutReasons) } : given;
  return joinLineBlocks([
    ...groups.map((group) => groupLines(ledger, group, style)),
    unchangedLines(ledger, style),
    ...publishingBlocks(ledger, style),
    outdatedLines(ledger, style),
    unsharedLines(ledger, style),
    closingLines(ledger, style),
  ]);
}

/** Answers that did not count. */
function outdatedLines({ outdated = [] }: Ledger, { paint, width }: Style): string[] {
  return sentencesOf(outdated).flatMap((text) =>
    wrapProse(visibleLine(`! ${text}`), { width, indent: 2 }).map(paint.warning),
  );
}

function withoutReasons(entry: LedgerEntry): LedgerEntry {
  return entry.action === 'blocked' ? { ...entry, reasons: [] } : entry;
}

/** `Apply: 3 applied, 1 failed, 2 not attempted. 1 dashboard edit undone.`, or `Rollback: 0 restored, 1 refused.` */
export function ledgerCounts({ entries, isRollback }: Ledger): string {
  const outcomes: readonly Outcome[] = ['applied', 'failed', 'unknown', 'not attempted', 'waiting', 'unchanged'];
  const undone = entries.reduce((sum, entry) => sum + (entry.undone?.length ?? 0), 0);
  const edits = undone === 0 ? '' : ` ${counted(undone, 'dashboard edit')} undone.`;
  if (!isRollback) return `Apply: ${outcomeCounts(entries, outcomes)}.${edits}`;
  const words = entries.map(({ outcome, refused }) => ({
    outcome: outcome === 'applied' ? 'restored' : refused ? 'refused' : outcome,
  }));
  const restoring = ['restored', 'failed', 'unknown', 'refused', 'not attempted', 'unchanged'];
  return `Rollback: ${outcomeCounts(words, restoring)}.${edits}`;
}

/** The action, for the header of an entry. */
function outcomeTextOf(entry: LedgerEntry): string {
  const { outcome, sent, published } = entry;
  if (outcome !== 'applied') return '';
  if (!sent) return sentText(entry);
  const draft = published === undefined ? '' : `; published: ${published ? 'yes' : 'no'}`;
  return `${doneText(entry)}, ${sentText(entry)}${draft}`;
}

function doneText({ action, mayReplace }: LedgerEntry): string {
  if (action !== 'create') return 'updated';
  return mayReplace ? 'created, or replaced if an agent was there' : 'created';
}

/** Undefined for what was stored as sent, and for what is only counted. */
export function fieldText({ result, readBack, rules = [], missing }: FieldResult): string | undefined {
  const value = readBack === undefined ? '' : ` ${readBack}`;
  switch (result) {
    case 'normalised':
      return `normalised (${rules.join(', ')}); the service stored${value === '' ? ' a different form' : value}`;
    case 'another value':
      return `another value; ${missing === undefined ? '' : `${missingText(missing)}; `}the service stored${value}`;
    case 'ignored':
      return `ignored; the service kept${value === '' ? ' its value' : value}`;
    case 'lost':
      return `lost; it was not sent, and the service changed it${value === '' ? '' : ` to${value}`}`;
    case 'took over':
      return `took over; the agent had${value === '' ? ' a value' : value}, and no manifest declares it`;
    case 'stored':
    case 'unverifiable':
      return undefined;
  }
}

/** `5 lines are missing, from line 4: "…"`: what of a text or list the service did not store. */
function missingText({ noun, count, line, first }: MissingParts): string {
  const verb = count === 1 ? 'is' : 'are';
  const place = line === undefined ? '' : count === 1 ? `, line ${line}` : `, from line ${line}`;
  return `${counted(count, noun)} ${verb} missing${place}: ${first}`;
}

/** A write changes the draft; callers meet it only after a publish. Undefined where no draft changed. */
export function publishSentence({ environment, entries, canPublish }: Ledger): string | undefined {
  const drafts = entries.filter((entry) => kindOf(entry)?.hasDrafts && entry.sent && entry.outcome === 'applied');
  if (drafts.length === 0) return undefined;
  const published = drafts.filter((entry) => entry.published === true).length;
  const advice = canPublish ? `Run ${commandIn(environment, 'publish')}, or publish` : 'Publish';
  if (drafts.length === 1) {
    const state = published === 1 ? 'The draft of a published agent changed' : 'The draft changed but is not published';
    return `${state}. ${advice} it in the dashboard.`;
  }
  const state = `${formatNumber(published)} of these agents ${published === 1 ? 'is' : 'are'} published`;
  return `${formatNumber(drafts.length)} drafts changed; ${state}. ${advice} them in the dashboard.`;
}

/**
 * The content of an applied resource's request: `1 setting changed, 24 sent`, because a request always has all of them.
 */
export function sentText(entry: LedgerEntry): string {
  const { kind, action, renamedFrom } = entry;
  if (action === 'forget') return 'record dropped; the service keeps it';
  const rename = renamedFrom === undefined ? '' : `renamed from ${addressOf({ kind, name: renamedFrom })}, `;
  return `${rename}${requestText(entry)}`;
}

function requestText({ action, sent, settings, undone = [] }: LedgerEntry): string {
  if (settings === undefined) return sent ? 'sent' : 'recorded, nothing sent';
  if (action === 'create') return `${counted(settings.sent, 'setting')} sent`;
  if (settings.changed === 0) return `${counted(settings.sent, 'setting')} sent again, no known changes`;
  const changed = settings.changed - undone.length;
  const edits = undone.length === 0 ? [] : [`${counted(undone.length, 'dashboard edit')} undone`];
  if (changed <= 0) return [...edits, `${counted(settings.sent, 'setting')} sent`].join(', ');
  return [`${counted(changed, 'setting')} changed`, ...edits, `${formatNumber(settings.sent)} sent`].join(', ');
}

/** The loss of each reverted edit, as a change. */
export function undoneChanges({ undone = [] }: LedgerEntry): Change[] {
  return undone.map(({ path, lost, now }) => ({
    op: now === undefined ? 'unset' : 'set',
    path,
    ...(lost !== undefined && { from: lost }),
    ...(now !== undefined && { to: now }),
    cause: 'drift',
    knowledge: 'compared',
  }));
}

function groupLines({ entries: all }: Ledger, group: (typeof groups)[number], style: Style): string[] {
  const members = all.filter(({ outcome }) => outcome === group.outcome);
  if (members.length === 0) return [];
  const title = style.paint.strong(`${group.title} (${formatNumber(members.length)})`);
  return [title, ...entriesAlike(members).flatMap((entries) => entryLines(entries, group, style))];
}

/** Entries by their texts; conflicts are decided one by one. */
export function entriesAlike(entries: readonly LedgerEntry[]): LedgerEntry[][] {
  return endedAlike(entries, (entry) => {
    const { refused, reasons, conflicts = [], undone, fields, warnings } = entry;
    const whose = conflicts.length > 0 ? addressOf(entry) : undefined;
    return JSON.stringify([whose, refused, reasons, outcomeTextOf(entry), undone, fields, warnings]);
  });
}

/** The first of several equal entries represents all of them. */
function entryLines(entries: readonly LedgerEntry[], { sign, brush }: (typeof groups)[number], style: Style): string[] {
  const [entry] = entries;
  if (entry === undefined) return [];
  const { paint } = style;
  return [
    ...headLines(entries, { sign: paint[brush](sign), about: aboutEntries(entries) }, style),
    ...(entry.reasons === undefined ? [] : sentence(endingText(entry), style)),
    ...differencesBelow(entry, entry.conflicts ?? [], style),
    ...differencesBelow(entry, undoneChanges(entry), style),
    ...entry.fields.flatMap((field) => fieldLines(field, style)),
    ...unverifiableLines(entry, style),
    ...sentencesOf(entry.warnings).flatMap((warning) => sentence(`warning: ${warning}`, style, paint.warning)),
  ];
}

/** The parentheses after the names: the id of one, how many several are, and what was done. */
export function aboutEntries(entries: readonly LedgerEntry[]): string {
  const [first] = entries;
  const done = first === undefined ? '' : outcomeTextOf(first);
  if (entries.length > 1) return done === '' ? '' : `each of ${formatNumber(entries.length)}: ${done}`;
  return [first?.id ?? '', done].filter((part) => part !== '').join(', ');
}

function differencesBelow(entry: LedgerEntry, changes: readonly Change[], style: Style): string[] {
  return partsOf(entry, changes)
    .flatMap((part) => partLines(part, { ...style, full: false }))
    .map((line) => `  ${line}`.trimEnd());
}

const keepOrTake = ['A', 'B'].map((letter) => ({ letter, title: '', text: '', isDefault: false }));

/** The changes of an entry as blocks. */
export function partsOf({ kind }: Pick<LedgerEntry, 'kind'>, changes: readonly Change[]): Part[] {
  return changes.map((change) =>
    change.cause === 'conflict'
      ? conflictPart(change, { kind, answers: keepOrTake })
      : changePart(change, { kind, isPlain: true }),
  );
}

function fieldLines(field: FieldResult, style: Style): string[] {
  const text = fieldText(field);
  if (text === undefined) return [];
  const isFailure = isNotTaken(field);
  return sentence(`${field.path}: ${text}`, style, isFailure ? style.paint.failed : style.paint.plain);
}

function unverifiableLines({ fields }: LedgerEntry, style: Style): string[] {
  const count = fields.filter(({ result }) => result === 'unverifiable').length;
  if (count === 0) return [];
  return sentence(
    `${counted(count, 'setting')} cannot be read back to verify ${count === 1 ? 'it' : 'them'}`,
    style,
    style.paint.faint,
  );
}

function unchangedLines({ entries }: Ledger, { paint }: Style): string[] {
  const count = entries.filter(({ outcome }) => outcome === 'unchanged').length;
  return count === 0 ? [] : [paint.faint(`· ${formatNumber(count)} unchanged`)];
}

/** The publish result, or that only a publish reaches callers. */
function publishingBlocks(ledger: Ledger, style: Style): string[][] {
  return ledger.publishing === undefined ? [draftLines(ledger, style)] : publishBlocks(ledger.publishing, style);
}

function draftLines(ledger: Ledger, { paint, width }: Style): string[] {
  const text = publishSentence(ledger);
  return text === undefined ? [] : wrapProse(text, { width, indent: 0 }).map(paint.warning);
}

function closingLines(ledger: Ledger, { paint, width }: Style): string[] {
  const { entries, publishing = [] } = ledger;
  const good = ['applied', 'waiting', 'unchanged', 'published', 'already published'];
  const isClean =
    ledger.unshared === undefined && [...entries, ...publishing].every(({ outcome }) => good.includes(outcome));
  const counts = [ledgerCounts(ledger), ...(ledger.publishing === undefined ? [] : [publishCounts(publishing)])];
  const text = `${ledger.interrupted ? 'Interrupted. ' : ''}${counts.join(' ')}`;
  return wrapProse(text, { width, indent: 0 }).map((line) =>
    paint.strong((isClean ? paint.create : paint.failed)(line)),
  );
}

function sentence(text: string, { paint, width }: Style, brush = paint.plain): string[] {
  const lines = wrapProse(visibleLine(text), { width, indent: 6, hanging: 2 });
  return lines.map((line) => painted(line, brush));
}
