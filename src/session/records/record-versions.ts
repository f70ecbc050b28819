import { isDeepStrictEqual } from 'node:util';
import type { AppliedField, ResourceRecord } from '../../schemas/record-types.ts';
import { shorten } from '../../text/wording.ts';

/** A field of a record version that differs from the previous one. */
export interface RecordedChange {
  readonly path: string;
  /** As applied; a sensitive value as its fingerprint. Absent where that version does not have the field. */
  readonly from?: AppliedField;
  readonly to?: AppliedField;
}

/** The fields whose applied values differ, by path. The service's form of a value is not a difference. */
export function changedValues(
  before: Pick<ResourceRecord, 'fields'> | undefined,
  after: Pick<ResourceRecord, 'fields'> | undefined,
  isEqual: (from: AppliedField, to: AppliedField) => boolean = isSameValue,
): RecordedChange[] {
  const [old, now] = [before?.fields ?? {}, after?.fields ?? {}];
  const paths = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return paths.flatMap((path) => {
    const [from, to] = [old[path], now[path]];
    if (from !== undefined && to !== undefined && isEqual(from, to)) return [];
    return [{ path, ...(from && { from }), ...(to && { to }) }];
  });
}

function isSameValue(from: AppliedField, to: AppliedField): boolean {
  return from.fingerprint === to.fingerprint && isDeepStrictEqual(from.value, to.value);
}

/** A change in a line: `settings.title: "Front desk" → "Reception"`; of a text with lines, the first that differs. */
export function recordedChangeText({ path, from, to }: RecordedChange): string {
  if (from?.fingerprint !== undefined || to?.fingerprint !== undefined) return `${path}: a sensitive value`;
  if (from === undefined) return `${path}: added, ${valueText(to?.value)}`;
  if (to === undefined) return `${path}: removed, was ${valueText(from.value)}`;
  const line = firstDifference(from.value, to.value);
  const [before, after] = line === undefined ? [from.value, to.value] : [line.from, line.to];
  const place = line === undefined ? '' : `, line ${line.number}`;
  return `${path}${place}: ${pairText(jsonOf(before), jsonOf(after))}`;
}

/** Undefined for what has no lines. */
function firstDifference(from: unknown, to: unknown) {
  if (typeof from !== 'string' || typeof to !== 'string' || !`${from}${to}`.includes('\n')) return undefined;
  const [old, now] = [from.split('\n'), to.split('\n')];
  const index = old.findIndex((line, at) => line !== now[at]);
  const at = index < 0 ? old.length : index;
  return { number: at + 1, from: old[at] ?? '', to: now[at] ?? '' };
}

/** The beginning of a long value; for two values, the part around their first difference. */
const mostShown = 40;
const mostBefore = 10;

function pairText(from: string, to: string): string {
  const first = firstUnlike(from, to);
  const start =
    from.length > mostShown || to.length > mostShown ? characterStart(from, Math.max(0, first - mostBefore)) : 0;
  const shown = (text: string) => `${start === 0 ? '' : '…'}${shorten(text.slice(start), mostShown)}`;
  return `${shown(from)} → ${shown(to)}`;
}

function firstUnlike(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Not in the middle of a character with two units. */
function characterStart(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function valueText(value: unknown): string {
  return shorten(jsonOf(value), mostShown);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
