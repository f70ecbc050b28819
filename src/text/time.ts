/** Formats Unix seconds in the reader's zone (TZ): `2026-12-01 09:00:00`. Undefined for an invalid time. */
export function localTime(seconds: number): string | undefined {
  const date = dateOf(seconds);
  if (date === undefined) return undefined;
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`;
}

/** Formats Unix seconds as ISO 8601 in UTC: `2026-12-01T08:00:00Z`. Undefined for an invalid time. */
export function isoTime(seconds: number): string | undefined {
  return dateOf(seconds)?.toISOString().replace('.000Z', 'Z');
}

/**
 * Parses a day or a time: `2026-12-24`, `2026-12-24T18:00+01:00`. A day means the beginning of that day. The default
 * zone is UTC. Undefined for any other text, including days that do not exist.
 */
export function readTime(text: string): Date | undefined {
  const [, day, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const date = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Whether the text is a day of the calendar, such as `2026-12-24`. */
export function isDay(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Formats an ISO 8601 time without seconds: `2026-12-01 08:00 UTC`. Undefined for an invalid time. */
export function utcMinutes(time: string): string | undefined {
  const minute = minuteOf(time);
  return minute && `${minute} UTC`;
}

/** Formats a time in UTC, for a column whose header names the zone: `2026-12-01 08:00`. */
export function minuteOf(time: string | undefined): string | undefined {
  return isoTime(Date.parse(time ?? '') / 1000)
    ?.slice(0, 16)
    .replace('T', ' ');
}

/** Formats the day of a time in UTC: `25 Nov 2026`. Undefined for an invalid time. */
export function dayOf(time: string | undefined): string | undefined {
  return time === undefined ? undefined : partsOfTime(time)?.day;
}

/** Formats a time in UTC: `26 Nov 2026, 11:05 UTC`. Undefined for an invalid time. */
export function momentOf(time: string | undefined): string | undefined {
  const parts = time === undefined ? undefined : partsOfTime(time);
  return parts && `${parts.day}, ${parts.clock} UTC`;
}

/** Formats a time in the near future or past, without its year: `27 Nov 09:00 UTC`. */
export function shortMomentOf(time: string): string | undefined {
  const parts = partsOfTime(time);
  return parts && `${parts.day.replace(/ \d+$/, '')} ${parts.clock} UTC`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function partsOfTime(time: string): { readonly day: string; readonly clock: string } | undefined {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return { day, clock: date.toISOString().slice(11, 16) };
}

/** Returns the name of the local time zone. If `TZ` names no time zone, Node uses UTC, but does not return this name. */
export function localZone(): string {
  const { timeZone }: { readonly timeZone?: string } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === undefined || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}

const duration = /^(\d{1,9})(ms|s|m|h|d)$/;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts a duration such as `500ms`, `8s`, `2m` or `1d` to milliseconds. Undefined for any other text. */
export function milliseconds(text: string): number | undefined {
  const [, count, unit = ''] = duration.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 1);
}

/** Formats milliseconds as seconds, rounded up: `0.3 s`, `30 s`. */
export function seconds(ms: number): string {
  return `${ms < 10_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000)} s`;
}

function dateOf(seconds: number): Date | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Whether a period has ended. Returns false if the period has no end or the current time is unknown. */
export function isOver({ until }: { readonly until?: string }, now: Date | undefined): boolean {
  return until !== undefined && now !== undefined && Date.parse(until) <= now.getTime();
}
