import { formatNumber } from '../text/wording.ts';

/** Deeper than any manifest may be, and nothing that walks a value of this depth overflows its stack. */
export const maxDepth = 100;

/** More values than any answer needs, and few enough that as many objects and complaints about them fit in memory. */
const mostValues = 50_000;

/**
 * What is too much about a JSON text, as a clause; undefined if nothing is. It looks at the text before it is parsed,
 * once from end to end: a few megabytes of brackets become gigabytes of objects.
 */
export function excessOf(json: string): string | undefined {
  const excess = excessIn(json, mostValues);
  if (excess === 'depth') return `nested more than ${maxDepth} levels deep`;
  return excess === 'values' ? `of more than ${formatNumber(mostValues)} values` : undefined;
}

/** The same for a number of values of the caller's. */
export function excessIn(json: string, most: number): 'depth' | 'values' | undefined {
  let [depth, values] = [0, 1];
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === quote) index = endOfText(json, index);
    else if (unit === openBracket || unit === openBrace) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return 'depth';
    } else if (unit === closeBracket || unit === closeBrace) depth -= 1;
    else if (unit === comma) values += 1;
    if (values > most) return 'values';
  }
  return undefined;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the quote is that ends a text, or the end of all. */
function endOfText(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json.charCodeAt(index) !== quote) {
    index += json.charCodeAt(index) === backslash ? 2 : 1;
  }
  return index;
}
