import { canonicalJson, isJsonObject, type JsonObject, memberIn, withoutUndefined } from '../json/json.ts';
import { fieldAt, formatPath, isElement, parsePath } from '../kinds/field-path.ts';
import { isKindName } from '../kinds/kind.ts';
import { mergeTexts } from '../kinds/text-merge.ts';
import type { Change } from '../schemas/plan-types.ts';
import { capitalised, counted, formatNumber, listSome, present, shorten } from '../text/wording.ts';
import type { ChangePart, ConflictPart, ConflictSide, Inline } from './blocks.ts';
import { type ChangeView, viewChange } from './change-view.ts';
import { diffLines } from './text-diff/text-diff.ts';
import { markWords, plainWords } from './text-diff/words.ts';
import {
  inSentence,
  isLongText,
  isPlural,
  isSensitive,
  isShort,
  type PlainValue,
  plainSides,
  plainValue,
  type SettingName,
  settingName,
  type ValueWords,
  valueLines,
} from './values.ts';

export interface ChangeOptions {
  readonly kind: string;
  /** Whether the resource is created, so that its settings have no earlier values. */
  readonly isNew?: boolean | undefined;
  /** Whether several resources share the change. Their texts may then differ around the change. */
  readonly isShared?: boolean | undefined;
  /** The name of the new side, if the change depends on an answer. */
  readonly after?: string | undefined;
  readonly about?: string | undefined;
  readonly note?: string | undefined;
  readonly marker?: string | undefined;
  readonly sameAs?: Inline | undefined;
  /** Words to show instead of the values, if the values of the resources that share the change differ. */
  readonly instead?: string | undefined;
  readonly findings?: ReadonlyMap<number, string> | undefined;
  /** Whether the part is for a terminal, which shows the path and exact values instead of words. */
  readonly isExact?: boolean | undefined;
}

const deepest = 3;

/** Splits a change into a part for each changed member, such as `Skill calendar: instructions`. */
export function changeParts(change: Change, options: ChangeOptions, depth = 0): ChangePart[] {
  const isSplit = options.sameAs === undefined && options.instead === undefined && depth < deepest;
  const members = isSplit ? memberChanges(change, options.kind) : [];
  if (members.length === 0) return [changePart(change, options)];
  const inner = { ...options, about: undefined };
  return members.flatMap((member, index) => changeParts(member, index === 0 ? options : inner, depth + 1));
}

/** Returns the changed members of an object. The key of a list element is omitted, because the path contains it. */
function memberChanges(change: Change, kind: string): Change[] {
  const { from, to, ...rest } = change;
  const isObject = (side: unknown): side is JsonObject => isJsonObject(side) && !isSensitive(side);
  const sides = [from, to].filter((side) => side !== undefined);
  if (!isKindName(kind) || !sides.every(isObject)) return [];
  const steps = parsePath(change.path);
  const key = isElement(kind, steps) ? fieldAt(kind, steps)?.mapKey : undefined;
  const names = new Set(sides.flatMap((side) => Object.keys(side)).filter((name) => name !== key));
  return [...names].flatMap((name): Change[] => {
    const [old, now] = [memberIn(from, name), memberIn(to, name)];
    if (old !== undefined && now !== undefined && canonicalJson(old) === canonicalJson(now)) return [];
    const path = formatPath(kind, [...steps, name]);
    const op = now === undefined && rest.op === 'set' ? 'unset' : rest.op;
    return [{ ...rest, op, path, ...withoutUndefined({ from: old, to: now }) }];
  });
}

export function sameAsIn(what: 'text' | 'change' | 'changes', card: Inline): Inline[] {
  return [`the same ${what} as in `, card];
}

function changePart(change: Change, options: ChangeOptions): ChangePart {
  const { isNew = false, isShared, after, note, marker, sameAs, instead, findings = new Map() } = options;
  const { op, path, cause, from, source } = change;
  const isAdded = isNew || (from === undefined && cause !== 'unverified');
  const view = viewChange(change, isShared);
  return {
    type: 'change',
    path,
    op,
    isAdded,
    cause,
    view,
    ...(options.isExact ? { name: path, whole: [] } : inWords(change, view, options)),
    source,
    after,
    marker,
    note,
    findings,
    sameAs: instead === undefined ? sameAs && sameAsIn(isAdded ? 'text' : 'change', sameAs) : [instead],
  };
}

function inWords(
  change: Change,
  view: ChangeView,
  { kind, isNew = false, isShared, sameAs, about }: ChangeOptions,
): Pick<ChangePart, 'name' | 'values' | 'about' | 'whole'> {
  const { path, from, to } = change;
  const name = nameOf(kind, path);
  const isLong = [from, to].some((side) => isLongText(side) || isLongTree(side));
  const isOfLines = sameAs !== undefined || isLong || view.layout === 'elements';
  // The lines around a difference may vary between the members of a group.
  const isHidden = isSensitive(to) && to.reference === undefined;
  const isWhole =
    to !== undefined && !isHidden && view.layout !== 'elements' && !(isShared && view.layout === 'difference');
  return {
    name: name.title,
    values: isOfLines ? undefined : valuesOf(onOrOff(change, kind), name, isNew),
    about: aboutOf(view, about),
    whole: isWhole ? valueLines(to) : [],
  };
}

function nameOf(kind: string, path: string): SettingName {
  return settingName(kind, path) ?? { title: path };
}

/** Replaces the values of a list element with `true`, so that the element is shown as `on` or `not set`. */
function onOrOff(change: Change, kind: string): Change {
  if (!isKindName(kind) || !isElement(kind, parsePath(change.path))) return change;
  const { from, to, ...rest } = change;
  return { ...rest, ...(from !== undefined && { from: true }), ...(to !== undefined && { to: true }) };
}

/** Returns whether a list or object is too long or too deep for a sentence. */
function isLongTree(value: unknown): boolean {
  if (typeof value !== 'object' || isShort(value) || isSensitive(value)) return false;
  return !Array.isArray(value) || value.some((one) => typeof one === 'object') || isLongText(plainValue(value).text);
}

function valuesOf({ op, from, to, cause, knowledge }: Change, words: ValueWords, isNew: boolean): ChangePart['values'] {
  if (isNew || cause === 'unverified') return { to: plainValue(to, words) };
  const sides = plainSides({ from, to }, words);
  // If the live value is unknown, `from` is the value that the last apply sent.
  const isKnown = knowledge !== 'blind' || from === undefined;
  const before = isKnown ? sides.from : ({ text: `${sides.from.text} (last applied)`, isAside: true } as const);
  if (op === 'release') return { from: before };
  return { from: before, to: op === 'unset' && to !== undefined ? asDefault(sides.to) : sides.to };
}

function asDefault<Value extends { readonly text: string; readonly isAside?: boolean }>(value: Value): Value {
  return value.isAside ? value : { ...value, text: `${value.text} (the default)` };
}

function aboutOf({ summary }: ChangeView, more: string | undefined): string | undefined {
  return summary === undefined || more === undefined ? (summary ?? more) : `${summary} (${more})`;
}

/** Summarises a change, as in `Voice: warm-1 → calm-3` or `Instructions: 3 lines reworded`. */
function summaryOf(part: ChangePart): string {
  const { name, values, about, view, cause, op, sameAs } = part;
  if (op === 'release') return `${name} no longer managed`;
  if (cause === 'drift') return undoneSummary(part, maxPerSide);
  if (sameAs !== undefined || values === undefined) {
    const quoted = onlyLine(view);
    if (quoted !== undefined) return `${name} ${quoted}`;
    return about === undefined ? name : `${name}: ${about}`;
  }
  const { from, to } = values;
  if (to === undefined) return name;
  // Both sides get quotes if one side needs them.
  const isProse = [from, to].some((one) => one?.isProse);
  const shortened = ({ text, isAside }: PlainValue, max = maxPerSide) =>
    inSentence({ text: shorten(text, max), isProse: isProse && !isAside });
  if (from === undefined || from.isAside) return `${name}: ${shortened(to, 60)}`;
  if (from.text.length > maxPerSide && to.text.length > maxPerSide) return `${name} reworded`;
  return `${name}: ${shortened(from)} → ${shortened(to)}`;
}

/** The maximum length of each value in one line, in characters. */
const maxPerSide = 40;

/** Summarises an undone edit, as in `Voice back to warm-1` or `Apps back to the version in the files (2 added)`. */
function undoneSummary({ name, values, about, view }: ChangePart, max = Infinity): string {
  const to = values?.to;
  if (to?.isAside && !to.isHidden) return `${name} ${to.text} again`;
  // A shortened text may omit the difference.
  if (to !== undefined && !to.isHidden && to.text.length <= max) return `${name} back to ${inSentence(to)}`;
  const quoted = values === undefined ? onlyLine(view) : undefined;
  return `${name} ${quoted ?? `back to the version in the files${about === undefined ? '' : ` (${about})`}`}`;
}

/** Describes the effect of undoing dashboard edits, such as `Voice back to warm-1`. */
export function undoneText(changes: readonly Change[], kind: string): string {
  const parts = changes.flatMap((change) => changeParts({ ...change, cause: 'drift' }, { kind }));
  return firstSummaries(parts.map((part) => undoneSummary(part))).join('; ');
}

/** Describes the effect of keeping dashboard edits, such as `Voice stays warm-2`. */
export function keptText(changes: readonly Change[], kind: string): string {
  const parts = changes.flatMap(({ from: live, to: wanted, ...change }) => {
    const sides = withoutUndefined({ from: wanted, to: live });
    return changeParts({ ...change, ...sides, op: 'set' }, { kind });
  });
  const summaries = parts.map((part) => {
    const { name, values, view } = part;
    const [stays, asItIs] = isPlural(name) ? ['stay', 'as they are'] : ['stays', 'as it is'];
    if (values?.to !== undefined && !values.to.isHidden) return `${name} ${stays} ${inSentence(values.to)}`;
    return `${name} ${onlyLine(view) ?? `${stays} ${asItIs} in the dashboard`}`;
  });
  return firstSummaries(summaries).join('; ');
}

const maxQuoted = 80;

/** Quotes the only line that was added or removed, as in `without “Whitening is 20% off in December.”`. */
function onlyLine({ layout, lines }: ChangeView): string | undefined {
  if (layout !== 'difference') return undefined;
  const edited = lines.filter(({ sign, text }) => /[-+>]/.test(sign) && text.trim() !== '');
  const reworded = edited.filter(({ old }) => old !== undefined);
  const alone = edited.filter(({ edits }) => edits === undefined);
  const [line, ...others] = alone;
  const text = plainWords(line?.text ?? '');
  if (line === undefined || line.sign === '>' || others.length > 0 || text.length > maxQuoted) return undefined;
  const more = reworded.length === 0 ? '' : `, ${counted(reworded.length, 'line')} reworded`;
  return `${line.sign === '-' ? 'without' : 'with'} “${text}”${more}`;
}

/** Summarises changes. Conflicts come first, and are named without values. */
export function summaryOfAll(parts: Iterable<ChangePart>, conflicts: readonly string[] = []): string {
  return [...conflicts, ...firstSummaries(Array.from(parts, summaryOf))].join('; ');
}

function firstSummaries(summaries: readonly string[]): string[] {
  const shown = summaries.length <= 4 ? summaries : summaries.slice(0, 3);
  const more = summaries.length - shown.length;
  return [...shown, ...(more > 0 ? [`${formatNumber(more)} more`] : [])];
}

interface ConflictOptions {
  readonly kind: string;
  readonly id?: string | undefined;
  /** The answer letters, if there is a question. If there are only two letters, no version merges both edits. */
  readonly letters?: readonly string[] | undefined;
  readonly edited?: string | undefined;
  /** Whether the live value may come from a failed apply instead of the dashboard. */
  readonly isUnclear?: boolean | undefined;
  /** The reason why no command can copy the live value into the manifest. */
  readonly refusal?: string | undefined;
}

export function conflictPart(change: Change, options: ConflictOptions): ConflictPart {
  const { path, op, source, lastApplied } = change;
  const { kind, id, isUnclear } = options;
  const words = nameOf(kind, path);
  const isText = [change.from, change.to, lastApplied].some(isLongText);
  return {
    type: 'conflict',
    id,
    name: words.title,
    path,
    op,
    about: `${isUnclear ? 'different' : 'edited'} in the dashboard and in the files${overlapText(change)}`,
    source,
    before: isLongText(lastApplied)
      ? undefined
      : { title: isUnclear ? 'Last applied' : 'Before the two edits', value: plainValue(lastApplied, words) },
    sides: versionsOf(change, isText, options),
  };
}

function versionsOf(change: Change, isText: boolean, options: ConflictOptions): ConflictSide[] {
  const { op, path, from, to, lastApplied, mergeable } = change;
  const { kind, letters, edited = 'Edited in the dashboard.', refusal } = options;
  const [keep, take, both] = letters ?? [];
  const name = nameOf(kind, path);
  const sideWith = (value: unknown) => sideOf({ from: lastApplied, value, isText }, name);
  const [wanted, isDefault] = [sideWith(to), op === 'unset' && to !== undefined];
  const words = versionWords(name, options);
  const said = present(edited, words.live.loss, refusal && `${capitalised(refusal)}.`);
  const live = { letter: keep, title: words.live.title, ...sideWith(from), outcome: said.join(' '), isLive: true };
  const proposed = {
    letter: take,
    title: words.proposed.title,
    ...wanted,
    ...(isDefault && wanted.value && { value: asDefault(wanted.value) }),
    outcome: present('From the files.', words.proposed.loss).join(' '),
    isLive: false,
  };
  const isJoinable =
    letters !== undefined && letters.length !== 2 && typeof from === 'string' && typeof to === 'string';
  const outcome = mergeable
    ? 'The two edits are in different lines, so agentform joins them. You lose nothing.'
    : 'Someone must combine the two texts in the files and make a new plan. You lose nothing.';
  const joined = { letter: both, title: 'Use both', lines: [], outcome, isLive: false };
  return [live, proposed, ...(isJoinable ? [joined] : [])];
}

interface VersionWords {
  readonly title: string;
  /** What is lost by choosing the version. Without a question, nothing is chosen. */
  readonly loss?: string;
}

function versionWords(
  { title }: SettingName,
  { letters, isUnclear }: ConflictOptions,
): { readonly live: VersionWords; readonly proposed: VersionWords } {
  if (letters === undefined) return { live: { title: 'Live' }, proposed: { title: 'In the files' } };
  const one = isPlural(title) ? 'ones' : 'one';
  const edit = isUnclear ? `live ${one}` : 'dashboard edit';
  return {
    live: { title: `Keep the live ${one}`, loss: `You lose the proposed ${one}.` },
    proposed: { title: `Take the proposed ${one}`, loss: `You lose the ${edit}.` },
  };
}

function sideOf(
  { from, value, isText }: { readonly from: unknown; readonly value: unknown; readonly isText: boolean },
  words: ValueWords,
): Pick<ConflictSide, 'value' | 'lines'> {
  if (value === undefined) return { value: { sign: '+', text: 'not set' }, lines: [] };
  if (isText) return { lines: wholeDifference(from, value) ?? viewChange({ from, to: value }).lines };
  const [before, after] = [from, value].map((side) => plainValue(side, words).text);
  const plain = { sign: '+', text: after ?? '' } as const;
  const [, marked] = markWords([{ sign: '-', text: before ?? '' }, plain]);
  const isAlike = marked?.edits !== undefined && before !== after;
  return { value: isAlike ? marked : plain, lines: [] };
}

const maxWhole = 12;

/** Compares two short texts completely. Returns only the new text if the texts have little in common. */
function wholeDifference(from: unknown, to: unknown): ConflictSide['lines'] | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  const [before, after] = [valueLines(from), valueLines(to)];
  if (Math.max(before.length, after.length) > maxWhole) return undefined;
  const { lines } = diffLines(before, after, maxWhole);
  const removed = lines.filter(({ sign }) => sign === '-').length;
  return removed > after.length ? after.map((text) => ({ sign: ' ', text })) : markWords(lines);
}

/** Says whether two edits to a text overlap, and at which lines. Returns an empty text if this is unknown. */
function overlapText({ mergeable, lastApplied, from, to }: Change): string {
  if (mergeable) return ', in different lines';
  if (![lastApplied, from, to].every((value) => typeof value === 'string' && value.includes('\n'))) return '';
  const { overlaps } = mergeTexts({ lastApplied: String(lastApplied), ours: String(to), theirs: String(from) });
  if (overlaps.length === 0) return '';
  const lines = overlaps.map(({ line }) => formatNumber(line));
  return `, both at ${lines.length === 1 ? 'line' : 'lines'} ${listSome(lines, 5)} of the text in the files`;
}
