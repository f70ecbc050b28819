import { isDeepStrictEqual } from 'node:util';
import type { AppliedField, ResourceRecord } from '../schemas/record-types.ts';
import { shorten } from '../text/wording.ts';

/** What one version of a record holds of a field otherwise than the one before it. */
export interface RecordedChange {
  readonly path: string;
  /** As applied; of a sensitive value, its fingerprint. Absent where that version does not have the field. */
  readonly from?: AppliedField;
  readonly to?: AppliedField;
}

/** The fields whose applied values differ, by path. How the service reads a value back is no difference. */
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

/** A change in a line: `settings.title: "Front desk" → "Reception"`; of a long text, the first line that differs. */
export function recordedChangeText({ path, from, to }: RecordedChange): string {
  if (from?.fingerprint !== undefined || to?.fingerprint !== undefined) return `${path}: a sensitive value`;
  if (from === undefined) return `${path}: added, ${valueText(to?.value)}`;
  if (to === undefined) return `${path}: removed, was ${valueText(from.value)}`;
  const line = firstDifference(from.value, to.value);
  return line === undefined
    ? `${path}: ${valueText(from.value)} → ${valueText(to.value)}`
    : `${path}, line ${line.number}: ${valueText(line.from)} → ${valueText(line.to)}`;
}

/** Undefined for what has no lines. */
function firstDifference(from: unknown, to: unknown) {
  if (typeof from !== 'string' || typeof to !== 'string' || !`${from}${to}`.includes('\n')) return undefined;
  const [old, now] = [from.split('\n'), to.split('\n')];
  const index = old.findIndex((line, at) => line !== now[at]);
  const at = index < 0 ? old.length : index;
  return { number: at + 1, from: old[at] ?? '', to: now[at] ?? '' };
}

/** Of a longer value, only the beginning. */
const mostShown = 40;

function valueText(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'nothing', mostShown);
}
