/** One record of a CSV file. */
export interface CsvRecord {
  /** Where it begins, from 1; a quoted field may go over several lines. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Why a text is not CSV, and in which line. */
export class CsvProblem extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Beyond it, in characters, a quote that was never closed is likelier than such a record. */
const longestRecord = 16 * 1024 * 1024;

interface Field {
  readonly value: string;
  /** Where its separator begins. */
  readonly end: number;
}

/**
 * Parses CSV (RFC 4180; lines may also end in LF or CR alone) piece by piece, so that a file of any length can be read.
 * Empty lines are no records.
 */
export class CsvParser {
  #rest = '';
  #line = 1;

  /** The records that are complete with this text. Throws a CsvFlaw. */
  push(text: string): CsvRecord[] {
    this.#rest += text;
    return this.#take({ isLast: false });
  }

  /** The last record, if the file does not end in a line break. Throws a CsvFlaw. */
  end(): CsvRecord[] {
    return this.#take({ isLast: true });
  }

  #take({ isLast }: { readonly isLast: boolean }): CsvRecord[] {
    const text = this.#rest;
    const records: CsvRecord[] = [];
    let start = 0;
    while (start < text.length) {
      const found = this.#recordAt(text, start, isLast);
      if (found === undefined) break;
      if (found.fields.length > 1 || found.fields[0] !== '') records.push({ line: this.#line, fields: found.fields });
      this.#line += found.lines;
      start = found.end;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > longestRecord) throw this.#flaw('a record is too long; a quote may not be closed');
    return records;
  }

  /** Undefined if text that is still to come may belong to the record. */
  #recordAt(text: string, start: number, isLast: boolean) {
    const fields: string[] = [];
    let lines = 1;
    for (let at = start; ; ) {
      const field = text[at] === '"' ? this.#quotedAt(text, at, isLast) : plainAt(text, at);
      if (field === undefined) return undefined;
      const { value, end } = field;
      fields.push(value);
      if (text[at] === '"') lines += lineBreaksIn(value);
      at = end + 1;
      if (text[end] === ',') continue;
      if (text[end] === '"') throw this.#flaw('a quote is in the middle of a field');
      // What ends here may go on, and an LF may follow a CR.
      if (!isLast && (end === text.length || (text[end] === '\r' && at === text.length))) return undefined;
      return { fields, lines, end: text[end] === '\r' && text[at] === '\n' ? at + 1 : at };
    }
  }

  #quotedAt(text: string, start: number, isLast: boolean): Field | undefined {
    for (let from = start + 1; ; ) {
      const quote = text.indexOf('"', from);
      if (quote < 0 && isLast) throw this.#flaw('a quote is not closed');
      if (quote < 0 || (quote + 1 === text.length && !isLast)) return undefined;
      if (text[quote + 1] !== '"') return this.#closedAt(text, start, quote);
      from = quote + 2;
    }
  }

  #closedAt(text: string, start: number, quote: number): Field {
    const next = text[quote + 1];
    if (next !== undefined && !/[,\r\n]/.test(next)) throw this.#flaw('text follows a closing quote');
    return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
  }

  #flaw(message: string): CsvProblem {
    return new CsvProblem(this.#line, message);
  }
}

const separator = /[",\r\n]/g;

function plainAt(text: string, start: number): Field {
  separator.lastIndex = start;
  const end = separator.exec(text)?.index ?? text.length;
  return { value: text.slice(start, end), end };
}

function lineBreaksIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
