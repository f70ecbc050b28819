import { CsvError, type Options } from 'csv-parse';
import { Utf8Check, type WrongByte } from './encoding.ts';
import { visible } from './visible.ts';
import { formatNumber, quote, shorten } from './wording.ts';

/**
 * The parser options for every table. The parser accepts rows with too many or too few fields, because the caller
 * reports such rows. Without the list of line endings, the parser would accept only the ending of the first line, and
 * could join other rows.
 */
export const csvOptions: Options = {
  bom: true,
  relax_column_count: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
};

/** The maximum number of columns, which is far more than any table needs. */
const maxFields = 1000;

/** The error for bytes that end the reading of a table. */
export class WrongBytes extends Error {
  readonly rule: 'csv-encoding' | 'csv-syntax';
  /** The offset of the first wrong byte in the file. */
  readonly offset: number;

  constructor(message: string, { rule, offset }: Pick<WrongBytes, 'rule' | 'offset'>) {
    super(message);
    this.rule = rule;
    this.offset = offset;
  }
}

interface TableCheckOptions {
  /**
   * Whether another program also reads the table. Such a program may accept only the line ending of the first row, and
   * would then join other rows.
   */
  readonly isSent?: boolean;
}

/**
 * Checks the pieces of a table in order, before the parser splits the pieces into fields. Throws `WrongBytes`, or a
 * `CsvError` with the code CSV_RECORD_INCONSISTENT_COLUMNS for a row with far too many fields. Without this check,
 * parsing a few megabytes of commas would take gigabytes of memory.
 */
export class TableCheck {
  readonly #encoding = new Utf8Check();
  readonly #isSent: boolean;
  #offset = 0;
  #fields = 1;
  #isQuoted = false;
  #isAfterReturn = false;
  #lineEnd: string | undefined;

  constructor({ isSent = false }: TableCheckOptions = {}) {
    this.#isSent = isSent;
  }

  take(piece: Buffer): void {
    refuse(this.#encoding.take(piece));
    for (const byte of piece) {
      const isAfterReturn = this.#isAfterReturn;
      this.#isAfterReturn = byte === carriageReturn && !this.#isQuoted;
      if (byte === lineFeed && !this.#isQuoted) this.#endLine(isAfterReturn ? 'CRLF' : 'LF');
      else if (isAfterReturn) this.#endLine('CR');
      if (byte === quoteMark) this.#isQuoted = !this.#isQuoted;
      else if (byte === comma && !this.#isQuoted) this.#fields += 1;
      if (this.#fields > maxFields) throw new CsvError('CSV_RECORD_INCONSISTENT_COLUMNS', 'too many fields');
      this.#offset += 1;
    }
  }

  /** Checks the end of the table. Call this after the last piece. */
  end(): void {
    refuse(this.#encoding.end());
  }

  #endLine(found: string): void {
    this.#fields = 1;
    this.#lineEnd ??= found;
    if (!this.#isSent || found === this.#lineEnd) return;
    const message = `this line ends with ${found}, but the lines before it end with ${this.#lineEnd}; save the file with one kind of line ending`;
    throw new WrongBytes(message, { rule: 'csv-syntax', offset: this.#offset - 1 });
  }
}

function refuse(wrong: WrongByte | undefined): void {
  if (wrong === undefined) return;
  const { found, offset } = wrong;
  throw new WrongBytes(`not UTF-8: ${found}; save the table as CSV in UTF-8`, { rule: 'csv-encoding', offset });
}

const [quoteMark, comma, lineFeed, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d];

const stumbles: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened in this row and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'this row has text after a closing quote; double every quote inside quotes',
  INVALID_OPENING_QUOTE:
    'an unquoted field of this row contains a quote; quote the whole field, and double the quotes inside it',
  CSV_RECORD_INCONSISTENT_COLUMNS: `this row has more than ${formatNumber(maxFields)} fields`,
  CSV_MAX_RECORD_SIZE: 'this row is too long; check for an opening quote that is never closed',
};

/** Explains why the rest of a table cannot be read. */
export function stumbleMessage({ code }: { readonly code: string }): string {
  return stumbles[code] ?? 'this row is not valid CSV; check its quotes';
}

/** Whether a row is empty. Spreadsheets keep rows whose cells were cleared. */
export function isEmptyRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** The errors that spreadsheets show in a cell, in the languages in which they differ from English. */
const formulaErrors: ReadonlySet<string> = new Set(
  [
    '#N/A #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! #BUSY! #ERROR! #GETTING_DATA',
    '#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #VALEUR! #NOM? #NOMBRE! #NUL!',
    '#N/D #¡REF! #¡VALOR! #¿NOMBRE? #¡NUM! #¡NULO! #¡DIV/0! #VALOR! #NOME? #NÚM! #NULO! #RIF! #VALORE! #NULLO!',
    '#N/B #VERW! #WAARDE! #NAAM? #DEEL/0! #GETAL! #LEEG! #ADR! #ARG! #NAZWA? #LICZBA! #DZIEL/0! #N/D! #ZERO!',
    '#ССЫЛКА! #ЗНАЧ! #ИМЯ? #Н/Д #ДЕЛ/0! #ЧИСЛО! #ПУСТО!',
  ].flatMap((names) => names.split(' ')),
);

/** Describes the loss if a spreadsheet saved something other than the value of a cell. */
export function lossIn(cell: string): string | undefined {
  if (formulaErrors.has(cell) || /^Err:\d{3}$/.test(cell))
    return 'a spreadsheet could not calculate this cell; correct its formula';
  if (/^#{3,}$/.test(cell)) return 'the column was too narrow for this value; widen it, and save the table again';
  if (!/^\d(?:[.,]\d+)?E\+\d\d+$/i.test(cell)) return undefined;
  return 'a spreadsheet rounded this number; give the column the format Text, and enter the number again';
}

const delimiters = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' } as const;

/** Describes a problem with the whole first row: a spreadsheet directive, or a separator other than a comma. */
export function headerMessage(cells: readonly string[]): string | undefined {
  const [first = ''] = cells;
  if (/^sep=/i.test(first)) {
    const line = quote(shorten(cells.join(','), 20));
    return `the first line, ${line}, is only understood by spreadsheets; delete this line, and separate the columns with commas`;
  }
  const text = cells.join(',');
  for (const [delimiter, name] of Object.entries(delimiters)) {
    if (text.split(delimiter).length > cells.length)
      return `the columns are separated by ${name}; save the table with commas`;
  }
  return undefined;
}

/** Writes a table as CSV (RFC 4180). Escapes cells that a spreadsheet would treat as formulas. */
export function csvText(columns: readonly string[], rows: Iterable<readonly unknown[]>): string {
  const lines = [columns.join(',')];
  for (const row of rows) lines.push(row.map(cellOf).join(','));
  return [...lines, ''].join('\r\n');
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = harmless(visible(String(value)));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Adds an apostrophe before a text that looks like a formula, so that spreadsheets do not execute the formula. The text
 * may come from strangers, for example from titles and chats. Plain numbers, such as phone numbers, are harmless.
 */
function harmless(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\n]/.test(text) && !/^[+-]?\d+$/.test(text) ? `'${text}` : text;
}
