import { canonicalJson, type Json } from '../json/json.ts';
import { equalsAbsent } from '../kinds/compare.ts';
import type { Campaign } from '../kinds/definition.ts';
import type { Desired } from '../kinds/desired.ts';
import { type FieldPath, fieldPathOf } from '../kinds/field-path.ts';
import { comparedAs, defaultAt, kindNamed } from '../kinds/kind.ts';
import { PathMap } from '../kinds/path-map.ts';
import type { Secrecy } from '../kinds/sensitive.ts';
import {
  type FormRule,
  foldedReadBack,
  foldedText,
  formBetween,
  formRulesAt,
  withAndWithoutEscapes,
} from '../kinds/service-forms.ts';
import { linesOf } from '../kinds/text-merge.ts';
import { leavesOf, treeOf } from '../kinds/tree.ts';
import type { FieldState } from '../plan/fields/field-state.ts';
import { elementOf, type ResourceState, settingsBeside } from '../plan/fields/resource-state.ts';
import type { KindName } from '../schemas/fields.ts';
import { mask } from '../secrets/secret.ts';
import { lineEdits } from '../text/line-edits.ts';
import type { FieldResult, MissingParts } from './events.ts';

/** The values that decide the results of a write. */
export interface Write {
  /** The state before the write, and the read-back. */
  readonly before: ResourceState;
  readonly after: ResourceState;
  /** The places of the sent changes, and of the removals among them. */
  readonly changed: PathMap<FieldPath>;
  readonly unset: PathMap<FieldPath>;
  /** The managed fields that were not in the request. */
  readonly notSent: PathMap<FieldPath>;
  readonly secrecy: Secrecy;
}

const longestShown = 120;

/**
 * The result for each managed field, according to the read-back. A different value only counts as normalised if a rule
 * explains the equality. Otherwise it was not accepted.
 */
export function fieldResults(write: Write): PathMap<FieldResult> {
  const managed = write.after.fields.filter((field) => !field.isMarker && isManaged(field, write));
  return new PathMap(managed.map((field) => [field.path, resultOf(field, write)]));
}

/**
 * Whether the field is declared; released and still live; or a live element of a declared list that was sent without
 * it.
 */
function isManaged(field: FieldState, { after, unset }: Write): boolean {
  if (field.wanted !== undefined) return true;
  if (isChanged(field, unset)) return !(field.readable && field.liveIsUnset);
  return field.live !== undefined && after.declaredLists.has(fieldPathOf(after.kind, field.path));
}

function resultOf(field: FieldState, write: Write): FieldResult {
  // The key of an element that only live has comes from the service.
  const path = field.wanted === undefined ? write.secrecy.redact(field.text) : field.text;
  if (!field.readable) return { path, result: 'unverifiable' };
  if (field.wanted !== undefined && isStored(field)) return { path, result: 'stored' };
  const shown = { path, readBack: shownReadBack(field) };
  const rules = serviceForm(field, write.after.kind);
  if (rules !== undefined) return { ...shown, result: 'normalised', rules };
  if (write.notSent.has(field.path)) return { ...shown, result: 'lost' };
  if (keptWhatItHad(field, write)) return { ...shown, result: 'ignored' };
  const missing = field.sensitive ? undefined : missingParts(field, write);
  return { ...shown, result: 'another value', ...(missing !== undefined && { missing }) };
}

/** Whether the value was read back as sent, or unchanged in the recorded read-back form. */
function isStored(field: FieldState): boolean {
  return field.readsAsWanted || (field.wantedIsLast && field.liveIsLast);
}

/** Whether a field reads as sent, or in an equal form. */
export function readsAsSent(field: FieldState, kind: KindName): boolean {
  return field.liveIsWanted || serviceForm(field, kind) !== undefined;
}

function serviceForm({ path, wanted, live }: FieldState, kind: KindName): readonly FormRule[] | undefined {
  if (wanted?.value === undefined || live?.value === undefined) return undefined;
  const context = { rules: formRulesAt(kind, path), field: comparedAs(kind, path) };
  return formBetween({ sent: wanted.value, readBack: live.value }, context);
}

/** Whether the field kept its value from before the write, or without one, is unset or has its default. */
function keptWhatItHad(field: FieldState, { before, after }: Write): boolean {
  if (field.live === undefined) return true;
  // An element that should have been removed but exists was kept.
  if (field.wanted === undefined && elementOf(after.kind, field.path) !== undefined) return true;
  const earlier = before.byPath.get(field.path);
  if (earlier?.live !== undefined) return earlier.live.key === field.live.key;
  return equalsAbsent(field.live.value ?? null, defaultAt(after.kind, field.path));
}

/**
 * Sent text or items that are missing in any form; undefined if nothing is missing, or for other values than prose and
 * lists.
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
  // If one line became another, the ledger already shows both.
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

function foldedItem(item: Json, form: typeof foldedText, rules: readonly FormRule[]): string {
  return typeof item === 'string' ? form(item, rules).trimEnd() : canonicalJson(item);
}

interface MissingLine {
  readonly line: number;
  readonly part: string;
  /** Whether no part of it exists. */
  readonly isWhole: boolean;
}

function missingLines(
  sent: readonly string[],
  readBack: readonly string[],
  rules: readonly FormRule[],
): readonly MissingLine[] {
  const foldedLines = sent.map((line) => foldedText(line, rules));
  const there = readBack.map((line) => foldedReadBack(line, rules));
  return lineEdits(foldedLines, there).flatMap(({ start, end, lines }) =>
    foldedLines.slice(start, end).flatMap((form, index): MissingLine[] => {
      const part = missingEnd(form, lines[index] ?? '');
      return part.trim() === '' ? [] : [{ line: start + index + 1, part, isWhole: part === form }];
    }),
  );
}

/** For a line that was cut off, the part after the cut. */
function missingEnd(sent: string, readBack: string): string {
  return sent.startsWith(readBack) ? sent.slice(readBack.length) : sent;
}

function isChanged(field: FieldState, changed: PathMap<FieldPath>): boolean {
  return changed.along(field.path).length > 0;
}

function shownReadBack(field: FieldState): string {
  if (field.live === undefined) return 'nothing';
  if (field.sensitive) return mask;
  return shortened(canonicalJson(field.live.value ?? null));
}

function shortened(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** Settings in the read-back of a create that the manifest does not declare, because the agent already existed. */
export function takenOver(desired: Desired, campaign: Campaign): FieldResult[] {
  const { kind, sections } = desired;
  const live = kindNamed(kind).live?.(campaign, []);
  if (live === undefined) return [];
  const declared = leavesOf(kind, treeOf(kind, sections)).map(([path]) => path);
  const paths = settingsBeside(kind, leavesOf(kind, treeOf(kind, live.sections)), declared);
  return paths.map((path) => ({ path, result: 'took over' }));
}
