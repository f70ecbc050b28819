/** Date and time as a clock on a wall shows them. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The milliseconds since 1970 at which a clock in UTC shows this; undefined for a date that no calendar has. */
export function utcOf({ year, month, day, hour, minute, second }: WallTime): number | undefined {
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
export function instantsOf(utc: number, zone: string): number[] {
  const offsetAt = offsetsOf(zone);
  const offsets = new Set([offsetAt(utc - dayMs), offsetAt(utc + dayMs)]);
  return [...offsets]
    .map((offset) => utc - offset)
    .filter((instant) => offsetAt(instant) === utc - instant)
    .sort((a, b) => a - b);
}

/** The last wall time before the gap that `utc` falls into and the first one after it, as UTC milliseconds. */
export function aroundGap(utc: number, zone: string): { readonly before: number; readonly after: number } {
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
