import fc from 'fast-check';

const surrogates = { from: 0xd800, count: 0x800 };

/**
 * Any code point except half of a surrogate pair, for the `unit` of `fc.string`. fast-check's own `unit: 'binary'`
 * generates the same values, but spends a second in every test file to build a map of a million code points.
 */
export const codePoint = fc.nat({ max: 0x10ffff - surrogates.count }).map(charAt, placeOf);

function charAt(place: number): string {
  return String.fromCodePoint(place < surrogates.from ? place : place + surrogates.count);
}

function placeOf(char: unknown): number {
  const [only, ...more] = typeof char === 'string' ? char : '';
  const code = only?.codePointAt(0);
  if (code === undefined || more.length > 0) throw new Error('not one code point');
  if (code < surrogates.from) return code;
  if (code < surrogates.from + surrogates.count) throw new Error('half a surrogate pair');
  return code - surrogates.count;
}
