import { checkTimeZone } from '../../manifest/check/values.ts';

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

/** Date and time as a clock on a wall shows them. */
interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The milliseconds since 1970 at which a clock in UTC shows this; undefined for a date that no calendar has. */
function utcOf({ year, month, day, hour, minute, second }: WallTime): number | undefined {
  const utc = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(utc);
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? utc : undefined;
}

/**
 * The instants, earliest first, at which a clock in the zone shows what a clock in UTC shows at `utc`: one as a rule,
 * none where clocks are put forward, two where they are put back. Milliseconds since 1970.
 *
 * The offset that holds is one of those a day before and a day after: clocks change less often than that.
 */
function instantsOf(utc: number, zone: string): number[] {
  const offsetAt = offsetsOf(zone);
  const offsets = new Set([offsetAt(utc - dayMs), offsetAt(utc + dayMs)]);
  return [...offsets]
    .map((offset) => utc - offset)
    .filter((instant) => offsetAt(instant) === utc - instant)
    .sort((a, b) => a - b);
}

/** The last wall time before the gap that `utc` falls into and the first one after it, as UTC milliseconds. */
function aroundGap(utc: number, zone: string): { readonly before: number; readonly after: number } {
  const offsetAt = offsetsOf(zone);
  let low = utc - dayMs - offsetAt(utc - dayMs);
  let high = utc + dayMs - offsetAt(utc + dayMs);
  const before = offsetAt(low);
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return { before: high + before, after: high + offsetAt(high) };
}

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offsetsOf(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return shown - Math.floor(instant / 1000) * 1000;
  };
}

/** The seconds, or why the number is not one of seconds: the end of a sentence that begins "X is N". */
export type EpochSeconds = { readonly seconds: number } | { readonly problem: string };

/** Seconds since 1970 have at most so many digits until the year 5138; more are milliseconds. */
const mostSeconds = 99_999_999_999;

/** Reads a count of seconds since 1970 (specification, "Task", scheduledFor). Milliseconds are told from it by size. */
export function readEpochSeconds(text: string): EpochSeconds {
  if (!/^-?\d+$/.test(text)) return { problem: ': expected whole seconds since 1970, such as 1796112000' };
  const value = Number(text);
  if (value < 0) return { problem: ', which is before 1970: expected whole seconds since 1970, such as 1796112000' };
  if (value <= mostSeconds) return { seconds: value };
  const seconds = Math.floor(value / 1000);
  if (seconds > mostSeconds) return { problem: ', which is too large: expected whole seconds since 1970' };
  return { problem: `, which is in milliseconds: write it in seconds, ${seconds}` };
}
