import { checkTimeZone } from '../time-zone.ts';
import { readEpochSeconds } from './epoch-seconds.ts';
import { aroundGap, instantsOf, utcOf, type WallTime } from './zone-time.ts';

/** A point in time, or why the text is none: the end of a sentence that begins "X is 'text'". */
export type ScheduledTime =
  | { readonly seconds: number /** What was decided for the writer. */; readonly notice?: string }
  | { readonly problem: string };

const form =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.0+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?|[A-Za-z][\w+-]*(?:\/[\w+-]+)*)?$/;

const examples =
  "'2026-12-01 09:00 Europe/Berlin', 2026-12-01T09:00:00+01:00 or whole seconds since 1970, such as 1796112000";

/**
 * Reads when a task is to be done: a wall time with an IANA zone, ISO 8601 with an offset, or seconds since 1970.
 *
 * A wall time that clocks skip is a problem. Of one that comes twice the earlier is taken, and that is said.
 */
export function readScheduledTime(text: string): ScheduledTime {
  const trimmed = text.trim();
  if (/^-?\d{9,}$/.test(trimmed)) return readEpochSeconds(trimmed);
  const match = form.exec(trimmed);
  if (match === null) return { problem: `: expected ${examples}` };
  const [, year, month, day, hour, minute, second = '0', zone] = match;
  const wall = wallTime([year, month, day, hour, minute, second]);
  const utc = utcOf(wall);
  if (utc === undefined) return { problem: ': there is no such date or time' };
  if (zone === undefined) {
    return { problem: `: whose clock? Add a time zone or an offset: '${trimmed} Europe/Berlin' or '${trimmed}+01:00'` };
  }
  const offset = offsetOf(zone);
  if (offset === undefined) return inZone(utc, zone);
  return offset === 'impossible'
    ? { problem: `: the offset ${zone} is not one that exists` }
    : { seconds: (utc - offset) / 1000 };
}

function wallTime(parts: readonly (string | undefined)[]): WallTime {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return { year, month, day, hour, minute, second };
}

/** Of `Z`, `+01`, `+0100` and `+01:00`, in milliseconds; undefined for the name of a zone. */
function offsetOf(zone: string): number | 'impossible' | undefined {
  if (/^(Z|UTC)$/i.test(zone)) return 0;
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (match === null) return undefined;
  const [, sign, hours, minutes = '0'] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return 'impossible';
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function inZone(utc: number, zone: string): ScheduledTime {
  const complaint = checkTimeZone(zone);
  if (complaint !== undefined)
    return { problem: `, with the time zone '${zone}': ${complaint.message}${complaint.hint ?? ''}` };
  const [first, second] = instantsOf(utc, zone);
  if (first === undefined) return { problem: gapProblem(utc, zone) };
  if (second === undefined) return { seconds: first / 1000 };
  const notice = `clocks in ${zone} show ${clock(utc)} twice on that day; the earlier one, ${isoOf(first)}, is taken`;
  return { seconds: first / 1000, notice };
}

function gapProblem(utc: number, zone: string): string {
  const { before, after } = aroundGap(utc, zone);
  return `: clocks in ${zone} go from ${clock(before)} to ${clock(after)} on that day, so that there is no such time`;
}

function clock(utc: number): string {
  return new Date(utc).toISOString().slice(11, 16);
}

/** An instant in milliseconds as ISO 8601 in UTC, to the second. */
export function isoOf(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
