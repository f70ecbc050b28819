/** Header values as undici gives them: names in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * How long the service asks to wait, in milliseconds: Retry-After as seconds or as a date (RFC 9110, 10.2.3).
 * A date is read against the answer's own Date, so that a clock which is wrong here does no harm. Undefined without the
 * header, or if it says nothing sensible.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = first(headers['retry-after'])?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,12}(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse makes a date of nearly anything; those of HTTP begin with the day of the week.
  const until = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const now = Date.parse(first(headers.date) ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

function first(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
