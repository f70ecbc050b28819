import { canonicalJson, type Json, type JsonObject, withoutUndefined } from '../json/json.ts';
import { equalsAbsent } from '../kinds/compare.ts';
import type { Campaign } from '../kinds/definition.ts';
import type { Desired } from '../kinds/desired.ts';
import { type FieldPath, fieldAt, fieldPathOf } from '../kinds/field-path.ts';
import { comparedAs, kindNamed, schemaAt } from '../kinds/kind.ts';
import { leavesOf } from '../kinds/leaves.ts';
import { PathMap, pathSet } from '../kinds/path-map.ts';
import {
  type FormRule,
  foldedReadBack,
  foldedText,
  formBetween,
  formRulesAt,
  withAndWithoutEscapes,
} from '../kinds/service-forms.ts';
import { linesOf } from '../kinds/text-merge.ts';
import { notice } from '../notices/notice.ts';
import { type FieldChange, unsetPaths } from '../plan/fields/field-changes.ts';
import type { FieldState } from '../plan/fields/field-state.ts';
import { elementOf, type ResourceState, settingsBeside, shownPath } from '../plan/fields/resource-state.ts';
import { isLiveEdit } from '../plan/pending.ts';
import type { KindName } from '../schemas/fields.ts';
import type { Waited } from '../schemas/notices-types.ts';
import { mask } from '../secrets/secret.ts';
import { lineEdits } from '../text/line-edits.ts';
import { type FieldResult, isNotTaken, type MissingParts, type SentSettings, type UndoneEdit } from './events.ts';
import type { ResourceOutcome } from './resource-apply.ts';

/** A write, with the resource states before and after the write. The states determine the result of each field. */
export interface Write {
  readonly before: ResourceState;
  readonly after: ResourceState;
  readonly unset: PathMap<FieldPath>;
  /** The paths of fields that the request left out, because these fields are sent only when they change. */
  readonly notSent: PathMap<FieldPath>;
}

const maxShownLength = 120;

/** A different value counts as normalised only if a rule explains it. */
export function fieldResults(write: Write): PathMap<FieldResult> {
  const managed = write.after.fields.filter((field) => !field.isMarker && isManaged(field, write));
  return new PathMap(managed.map((field) => [field.path, resultOf(field, write)]));
}

/**
 * Returns whether a field needs a result. A field needs a result if it is declared, or if it was unset but the service
 * may still have a value. An undeclared live element of a declared list also needs a result.
 */
function isManaged(field: FieldState, { after, unset }: Write): boolean {
  if (field.wanted !== undefined) return true;
  if (unset.along(field.path).length > 0) return !(field.readable && field.liveIsUnset);
  return field.live !== undefined && after.declaredLists.has(fieldPathOf(after.kind, field.path));
}

function resultOf(field: FieldState, write: Write): FieldResult {
  // If an element exists only on the service, its key comes from the service and may contain a secret.
  const path = field.wanted === undefined ? write.after.redact(field.text) : shownPath(write.after, field.path);
  if (!field.readable) return { path, result: 'unverifiable' };
  // The read-back equals the sent value, or the form that the record already has.
  const isStored = field.readsAsWanted || (field.wantedIsLast && field.liveIsLast);
  if (field.wanted !== undefined && isStored) return { path, result: 'stored' };
  const shown = { path, readBack: shownReadBack(field) };
  const formRules = serviceForm(field, write.after.kind);
  if (formRules !== undefined) return { ...shown, result: 'normalised', rules: formRules };
  if (write.notSent.has(field.path)) return { ...shown, result: 'lost' };
  if (keptWhatItHad(field, write)) return { ...shown, result: 'ignored' };
  const missing = isMasked(field) ? undefined : missingParts(field, write);
  return { ...shown, result: 'another value', ...(missing !== undefined && { missing }) };
}

/** Returns whether the read-back of a field equals the sent value, or is the service's form of the sent value. */
export function readsAsSent(field: FieldState, kind: KindName): boolean {
  return field.liveIsWanted || serviceForm(field, kind) !== undefined;
}

function serviceForm({ path, wanted, live }: FieldState, kind: KindName): readonly FormRule[] | undefined {
  if (wanted?.value === undefined || live?.value === undefined) return undefined;
  const context = { rules: formRulesAt(kind, path), field: comparedAs(kind, path) };
  return formBetween({ sent: wanted.value, readBack: live.value }, context);
}

/**
 * Returns whether the service ignored a change. If so, the field is absent or keeps its earlier value. If there was no
 * earlier value, the field may also have its default.
 */
function keptWhatItHad(field: FieldState, { before, after }: Write): boolean {
  if (field.live === undefined) return true;
  // The list element still exists, although the write removed it.
  if (field.wanted === undefined && elementOf(after.kind, field.path) !== undefined) return true;
  const earlier = before.byPath.get(field.path);
  if (earlier?.live !== undefined) return earlier.live.key === field.live.key;
  return equalsAbsent(field.live.value ?? null, schemaAt(after.kind, field.path)?.default);
}

/**
 * Finds the lines or items of the sent value that are missing in the read-back. Returns undefined if no line or item is
 * missing, if the only line was replaced, or if the value is neither prose nor a list.
 */
function missingParts({ path, wanted, live }: FieldState, { after: { kind } }: Write): MissingParts | undefined {
  const [sent, readBack] = [wanted?.value, live?.value];
  const ruleSets = withAndWithoutEscapes(formRulesAt(kind, path));
  if (Array.isArray(sent) && Array.isArray(readBack)) {
    const missing = fewest(ruleSets.map((rules) => missingItems(sent, readBack, rules)));
    if (missing.length === 0) return undefined;
    return { noun: 'item', count: missing.length, first: shortened(canonicalJson(missing[0])) };
  }
  if (typeof sent !== 'string' || typeof readBack !== 'string' || !ruleSets[0]?.includes('white-space'))
    return undefined;
  const lines = linesOf(sent);
  const missing = fewest(ruleSets.map((rules) => missingLines(lines, linesOf(readBack), rules)));
  const [first] = missing;
  // If the only line was replaced, the ledger already shows the new line.
  if (first === undefined || (lines.length === 1 && first.isWhole)) return undefined;
  return { noun: 'line', count: missing.length, line: first.line, first: shortened(JSON.stringify(first.part)) };
}

function fewest<Part>(ruleSets: readonly (readonly Part[])[]): readonly Part[] {
  return ruleSets.reduce((one, other) => (other.length < one.length ? other : one));
}

function missingItems(sent: readonly Json[], readBack: readonly Json[], rules: readonly FormRule[]): readonly Json[] {
  const there = new Set(readBack.map((item) => foldedItem(item, foldedReadBack, rules)));
  return sent.filter((item) => !there.has(foldedItem(item, foldedText, rules)));
}

function foldedItem(item: Json, fold: typeof foldedText, rules: readonly FormRule[]): string {
  return typeof item === 'string' ? fold(item, rules).trimEnd() : canonicalJson(item);
}

interface MissingLine {
  readonly line: number;
  /** The end of the line if the read-back has only its beginning, and otherwise the whole line. */
  readonly part: string;
  /** Whether `part` is the whole line. */
  readonly isWhole: boolean;
}

function missingLines(
  sent: readonly string[],
  readBack: readonly string[],
  formRules: readonly FormRule[],
): readonly MissingLine[] {
  const foldedLines = sent.map((line) => foldedText(line, formRules));
  const there = readBack.map((line) => foldedReadBack(line, formRules));
  return lineEdits(foldedLines, there).flatMap(({ start, end, lines }) =>
    foldedLines.slice(start, end).flatMap((folded, index): MissingLine[] => {
      const stored = lines[index] ?? '';
      const part = folded.startsWith(stored) ? folded.slice(stored.length) : folded;
      return part.trim() === '' ? [] : [{ line: start + index + 1, part, isWhole: part === folded }];
    }),
  );
}

function isMasked({ sensitive, live }: FieldState): boolean {
  return sensitive || live?.maskedAs !== undefined;
}

function shownReadBack(field: FieldState): string {
  if (field.live === undefined) return 'nothing';
  if (isMasked(field)) return mask;
  return shortened(canonicalJson(field.live.value ?? null));
}

function shortened(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}

/** Returns the undeclared settings in the read-back of a create. These settings show that the agent already existed. */
export function takenOver(desired: Desired, campaign: Campaign): FieldResult[] {
  const { kind, sections } = desired;
  const live = kindNamed(kind).live?.(campaign, []);
  if (live === undefined) return [];
  const declared = leavesOf(kind, sections).map(([path]) => path);
  const paths = settingsBeside(kind, leavesOf(kind, live.sections), declared);
  return paths.map((path) => ({ path, result: 'took over' }));
}

/** Determines the outcome of a write from the results of its fields. */
export function verdictOn(
  results: readonly FieldResult[],
  waited: Waited = { ms: 0 },
): Pick<ResourceOutcome, 'outcome' | 'reasons' | 'failure'> {
  const pathsOf = (wrong: readonly FieldResult[]) => [...new Set(wrong.map(({ path }) => path))];
  const notTaken = results.filter(isNotTaken);
  if (notTaken.length === 0) return { outcome: 'applied' };
  const otherwise = pathsOf(notTaken.filter(({ result }) => result === 'another value'));
  const ignored = pathsOf(notTaken.filter(({ result }) => result !== 'another value'));
  const failure = { code: 'not-stored', facts: { ignored, otherwise } };
  return { outcome: 'failed', reasons: [notice('not-stored', { ignored, otherwise, waited })], failure };
}

interface SentWrite {
  readonly kind: KindName;
  readonly changes: readonly FieldChange[];
  readonly body: JsonObject;
  /** The fields that have a result. */
  readonly judged: readonly FieldPath[];
}

/**
 * Counts the settings that a request sends, including unsets, and the settings that it changes. Unverified settings
 * that are only resent do not count as changed.
 */
export function sentSettings({ kind, changes, body, judged }: SentWrite): SentSettings {
  const made = changes.filter(({ change }) => change.op !== 'release');
  const unset = unsetPaths(made);
  const isInBody = (path: FieldPath) => (fieldAt(kind, path)?.name ?? path[1] ?? '') in body;
  const declared = pathSet(judged.filter((path) => unset.along(path).length === 0 && isInBody(path)));
  const alone = made.filter(({ path }) => declared.within(path).length === 0);
  const changed = made.filter(({ change }) => change.cause !== 'unverified');
  return { changed: changed.length, sent: declared.values().length + alone.length };
}

/** Returns the edits on the service that the write undid. Edits that the service kept are left out. */
export function undoneEdits(changes: readonly FieldChange[], results: readonly FieldResult[]): UndoneEdit[] {
  const notTaken = new Set(results.filter(isNotTaken).map(({ path }) => path));
  return changes
    .filter(({ change }) => isLiveEdit(change) && change.op !== 'release' && !notTaken.has(change.path))
    .map(({ change: { path, from, to } }) => ({
      path,
      ...withoutUndefined({ lost: from, now: to }),
    }));
}
