interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

interface WholeOption extends Bounds {
  readonly name: string;
  readonly describe: string;
}

/**
 * An option that takes a whole number. It is shown as a number and read as text: read as a number, what is none would
 * be NaN, and the complaint could not say what was given.
 */
export function wholeOption({ name, describe, ...bounds }: WholeOption) {
  return {
    number: true,
    string: true,
    requiresArg: true,
    describe,
    coerce: (given: unknown) => wholeNumber(name, given, bounds),
  } as const;
}

function wholeNumber(name: string, given: unknown, bounds: Bounds): number {
  if (Array.isArray(given)) throw new Error(givenTwice(name));
  const { least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER } = bounds;
  const text = String(given).trim();
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const shown = /^[+-]?[\d.]+$/.test(text) ? text : JSON.stringify(text);
  throw new Error(`--${name} takes a whole number${rangeText(bounds)}, not ${shown}`);
}

function rangeText({ least, most }: Bounds): string {
  const from = least === undefined ? '' : ` from ${least}`;
  return most === undefined ? from : `${from} to ${most}`;
}

/** An option that takes one value and is given twice is a mistake: neither the first nor the last is what was meant. */
export function givenTwice(name: string): string {
  return `--${name} was given more than once`;
}
