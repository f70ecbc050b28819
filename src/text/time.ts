/** The reader's clock: `2026-12-01 09:00:00`, in the zone of the process (TZ). Undefined for what is no time. */
export function localTime(seconds: number): string | undefined {
  const date = dateOf(seconds);
  if (date === undefined) return undefined;
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`;
}

/** ISO 8601 in UTC: `2026-12-01T08:00:00Z`. Undefined for what is no time. */
export function isoTime(seconds: number): string | undefined {
  return dateOf(seconds)?.toISOString().replace('.000Z', 'Z');
}

/** The name of the reader's zone. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function dateOf(seconds: number): Date | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
