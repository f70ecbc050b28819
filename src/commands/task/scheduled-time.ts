import { Temporal } from 'temporal-polyfill';
import { isoTime } from '../../text/time.ts';
import type { MeantValue } from '../../yaml/fix.ts';
import { checkTimeZone } from '../../yaml/values.ts';

/** A point in time, or the problem as the end of a sentence that begins "X is 'text'". */
type ScheduledTime =
  | {
      readonly seconds: number;
      /**
       * The time with its zone, such as `2026-12-01 09:00:00 Europe/Berlin`. This member is absent for seconds since
       * 1970.
       */
      readonly wall?: string;
      /** A note on how an ambiguous time was understood. */
      readonly notice?: string;
    }
  | (MeantValue & {
      readonly problem: string;
      /** The time zone, if it causes the problem. */
      readonly zone?: string;
    });

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.0+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?|[A-Za-z][\w+-]*(?:\/[\w+-]+)*)?$/;

const examples =
  "'2026-12-01 09:00 Europe/Berlin', 2026-12-01T09:00:00+01:00 or whole seconds since 1970, such as 1796112000";

/**
 * Parses the scheduled time of a task: a local time with an IANA zone, ISO 8601 with an offset, or seconds since 1970.
 * A local time that the clock skips is a problem. If a local time occurs twice, uses the earlier time and adds a note.
 */
export function readScheduledTime(text: string): ScheduledTime {
  const trimmed = text.trim();
  if (/^-?\d{9,20}$/.test(trimmed)) return readEpochSeconds(trimmed);
  const match = pattern.exec(trimmed);
  if (match === null) return { problem: `: expected ${examples}` };
  const [, year, month, day, hour, minute, second = '0', zone] = match;
  const wall = wallTime([year, month, day, hour, minute, second]);
  if (wall === undefined) return { problem: ': there is no such date or time' };
  if (zone === undefined) {
    return {
      problem: `: expected a time zone or an offset, as in '${trimmed} Europe/Berlin' or '${trimmed}+01:00'`,
    };
  }
  const offset = zoneOffset(zone);
  if (offset === 'impossible') return { problem: `: no time zone has the offset ${zone}` };
  const time =
    offset === undefined
      ? inZone(wall, zone)
      : { seconds: secondsOf(wall.toZonedDateTime('UTC')) - offset, wall: wallText(wall, zone) };
  const outside = 'seconds' in time ? rangeProblem(time.seconds) : undefined;
  return outside === undefined ? time : { problem: outside };
}

/** Checks that a date has the same range as whole seconds, so that every suggested number of seconds is valid. */
function rangeProblem(seconds: number): string | undefined {
  if (seconds < 0) return ', which is before 1970';
  return seconds > maxSeconds ? ', which is after 16 November 5138' : undefined;
}

/** Makes a local time from its parts. Returns undefined if the date or time does not exist. */
function wallTime(parts: readonly (string | undefined)[]): Temporal.PlainDateTime | undefined {
  const [year, month, day, hour, minute, second] = parts.map(Number);
  try {
    return new Temporal.PlainDateTime(year ?? 0, month ?? 0, day ?? 0, hour, minute, second);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Converts `Z`, `UTC` or an offset such as `+01`, `+0100` or `+01:00` to seconds. Returns `impossible` for an offset
 * that no zone has, and undefined for any other zone.
 */
function zoneOffset(zone: string): number | 'impossible' | undefined {
  if (/^(Z|UTC)$/i.test(zone)) return 0;
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (match === null) return undefined;
  const [, sign, hours, minutes = '0'] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return 'impossible';
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
}

function inZone(wall: Temporal.PlainDateTime, zone: string): ScheduledTime {
  const found = checkTimeZone(zone);
  if (found !== undefined) return { ...found, problem: `, with the time zone '${zone}': ${found.message}`, zone };
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(zone, { disambiguation: 'later' });
  // A time within a gap was moved out of the gap, so `earlier` differs from `wall`.
  if (!earlier.toPlainDateTime().equals(wall)) return { problem: gapProblem(earlier, zone) };
  const seconds = secondsOf(earlier);
  const read = { seconds, wall: wallText(wall, zone) };
  if (earlier.equals(later)) return read;
  const used = isoTime(seconds);
  return {
    ...read,
    notice: `clocks in ${zone} show ${clock(earlier)} twice on that day; the earlier time, ${used}, is used`,
  };
}

function wallText(wall: Temporal.PlainDateTime, zone: string): string {
  return `${wall.toString({ smallestUnit: 'second' }).replace('T', ' ')} ${zone.toUpperCase() === 'Z' ? 'UTC' : zone}`;
}

/** Returns the problem with a time that the clock skips. `before` is shortly before the gap. */
function gapProblem(before: Temporal.ZonedDateTime, zone: string): string {
  const end = before.getTimeZoneTransition('next') ?? before;
  const start = end.subtract({ nanoseconds: 1 }).toPlainDateTime().round('minute');
  return `: clocks in ${zone} go from ${clock(start)} to ${clock(end)} on that day, so this time does not exist`;
}

function clock(time: Temporal.ZonedDateTime | Temporal.PlainDateTime): string {
  return time.toPlainTime().toString({ smallestUnit: 'minute' });
}

function secondsOf(time: Temporal.ZonedDateTime): number {
  return time.epochMilliseconds / 1000;
}

/** The maximum number of seconds since 1970, reached on 16 November 5138. Larger numbers are probably milliseconds. */
const maxSeconds = 99_999_999_999;

/**
 * Parses seconds since 1970 (specification, "Task", scheduledFor). Rejects larger numbers, which are probably
 * milliseconds. The problem is the end of a sentence that begins "X is N".
 */
export function readEpochSeconds(text: string): { readonly seconds: number } | { readonly problem: string } {
  if (!/^-?\d+$/.test(text)) return { problem: ': expected whole seconds since 1970, such as 1796112000' };
  const value = Number(text);
  if (value < 0) return { problem: ', which is before 1970: expected whole seconds since 1970, such as 1796112000' };
  if (value <= maxSeconds) return { seconds: value };
  const seconds = Math.floor(value / 1000);
  if (seconds > maxSeconds) return { problem: ', which is too large: expected whole seconds since 1970' };
  return { problem: `, which is in milliseconds: expected seconds, such as ${seconds}` };
}
