import { CsvError } from 'csv-parse';
import { formatNumber } from './wording.ts';

/** Many more than any list of ours has columns. */
const mostFields = 1000;

/** What a row is said to have where it has more. */
export const tooManyFields = `this row has more than ${formatNumber(mostFields)} fields`;

/**
 * Is told the pieces of a CSV in their order, and throws a `CsvError` with the code CSV_RECORD_INCONSISTENT_COLUMNS where a
 * row has far too many fields: millions of commas are a few megabytes, and gigabytes once a parser has taken them apart.
 */
export function fieldCounter(): (piece: Buffer) => void {
  let [fields, isQuoted] = [1, false];
  return (piece) => {
    for (let index = 0; index < piece.length; index += 1) {
      const byte = piece[index];
      if (byte === quote) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (byte === lineFeed || byte === carriageReturn) fields = 1;
      else if (byte === comma) fields += 1;
      if (fields > mostFields) throw new CsvError('CSV_RECORD_INCONSISTENT_COLUMNS', tooManyFields);
    }
  };
}

const [quote, comma, lineFeed, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d];
