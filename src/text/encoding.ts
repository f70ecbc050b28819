import { isUtf8 } from 'node:buffer';

/** The first position at which a file is not plain text in UTF-8. */
export interface WrongByte {
  /** The offset in bytes from the beginning of the file. */
  readonly offset: number;
  /** A description of the content at the offset, such as `the byte 0xE9 ('é' in Windows-1252)`. */
  readonly found: string;
  /** The format in which to save a file that is a document of another program, such as Word. */
  readonly saveAs?: string;
}

/** Decodes a UTF-8 file and drops its byte order mark. Throws `NotUtf8` for other encodings. */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes) || isUtf16(bytes) || documentIn(bytes) !== undefined) {
    const check = new Utf8Check();
    const wrong = check.take(bytes) ?? check.end() ?? { offset: 0, found: 'text in UTF-16' };
    const lines = bytes.toString('utf8', 0, wrong.offset).split('\n');
    throw new NotUtf8(wrong, { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 });
  }
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * The error for a file that is not UTF-8. The message names the position, and completes a sentence that begins with the
 * file name.
 */
export class NotUtf8 extends Error {
  readonly line: number;
  readonly column: number;
  readonly found: string;

  constructor({ found, saveAs }: WrongByte, { line, column }: { readonly line: number; readonly column: number }) {
    super(
      saveAs === undefined
        ? `line ${line}, column ${column} has ${found}; save the file as UTF-8`
        : `it is ${found}; save it as ${saveAs} in UTF-8`,
    );
    this.found = found;
    this.line = line;
    this.column = column;
  }
}

/** Checks whether a file of any size is UTF-8, piece by piece. */
export class Utf8Check {
  /** The first bytes of a character that continues in the next piece. */
  #carry: Buffer = Buffer.alloc(0);
  /** The offset of `#carry` in the file. */
  #offset = 0;
  #isFirst = true;

  take(piece: Buffer): WrongByte | undefined {
    const bytes = this.#carry.length === 0 ? piece : Buffer.concat([this.#carry, piece]);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst && isUtf16(bytes)) return { offset: 0, found: 'text in UTF-16' };
    const document = isFirst ? documentIn(bytes) : undefined;
    if (document !== undefined) return { offset: 0, ...document };
    const whole = bytes.subarray(0, endOfWholeCharacters(bytes));
    if (!isUtf8(whole)) return this.#wrongIn(whole);
    this.#offset += whole.length;
    this.#carry = bytes.subarray(whole.length);
    return undefined;
  }

  /** Checks the end of the file. Call this after the last piece. */
  end(): WrongByte | undefined {
    return this.#carry.length === 0 ? undefined : this.#wrongIn(this.#carry);
  }

  #wrongIn(bytes: Buffer): WrongByte {
    const at = firstWrong(bytes);
    const isSurrogate = bytes[at] === 0xed && isTail(bytes[at + 1], 0xa0) && isTail(bytes[at + 2], 0x80);
    const found = isSurrogate ? 'half of a surrogate pair (CESU-8)' : describeByte(bytes[at] ?? 0);
    return { offset: this.#offset + at, found };
  }
}

function isTail(byte = 0, min: number): boolean {
  return byte >= min && byte < 0xc0;
}

/** The first bytes of documents, and a name inside an archive that tells what the archive is. */
const documents: ReadonlyArray<readonly [start: string, name: string, found: string, saveAs: string]> = [
  ['PK\x03\x04', 'word/', 'a Word document', 'plain text'],
  ['PK\x03\x04', 'xl/', 'an Excel workbook', 'CSV'],
  ['PK\x03\x04', 'opendocument.text', 'an OpenDocument text', 'plain text'],
  ['PK\x03\x04', '', 'a ZIP archive, such as a Word document or an Excel workbook', 'plain text or CSV'],
  ['\xd0\xcf\x11\xe0', '', 'a document of an old version of Word or Excel', 'plain text or CSV'],
  ['%PDF-', '', 'a PDF document', 'plain text'],
  ['{\\rtf', '', 'an RTF document', 'plain text'],
];

/** Recognises a document of another program. For such a file, the advice to save it as UTF-8 would be misleading. */
export function documentIn(bytes: Buffer): Pick<WrongByte, 'found' | 'saveAs'> | undefined {
  for (const [start, name, found, saveAs] of documents) {
    if (bytes.toString('latin1', 0, start.length) === start && bytes.includes(name)) return { found, saveAs };
  }
  return undefined;
}

/** Guesses from a byte order mark, or from zeros among the first four bytes, whether a file is UTF-16. */
function isUtf16(bytes: Buffer): boolean {
  const [first = 1, second = 1, third = 1, fourth = 1] = bytes;
  const mark = bytes.subarray(0, 2).toString('hex');
  const isBare = (first === 0) !== (second === 0) && first * second === 0 && third * fourth === 0;
  return mark === 'fffe' || mark === 'feff' || (isBare && bytes.length >= 4 && (third === 0) === (first === 0));
}

/**
 * Returns the offset of an incomplete character at the end. If the last character is complete, returns the length of
 * the input.
 */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >> 6 === 0b10) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/**
 * Finds the offset of the first byte that is not UTF-8. The decoder replaces such a byte with U+FFFD. A valid file may
 * also contain U+FFFD, but encoded as three bytes.
 */
function firstWrong(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let offset = 0;
  for (let from = 0; ; from += 1) {
    const next = text.indexOf('\ufffd', from);
    offset += Buffer.byteLength(text.slice(from, next < 0 ? text.length : next));
    if (next < 0 || bytes.readUIntBE(offset, Math.min(3, bytes.length - offset)) !== 0xefbfbd) return offset;
    offset += 3;
    from = next;
  }
}

/**
 * The Windows-1252 characters for the bytes 0x80 to 0x9F. All other bytes mean the same as in Latin-1. This table is
 * needed because Node decodes all bytes as Latin-1.
 */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Describes a byte, and adds its Windows-1252 character if the character is visible. Most files that are not UTF-8 come
 * from Windows programs.
 */
function describeByte(byte: number): string {
  const character = windows1252[byte - 0x80] ?? String.fromCharCode(byte);
  const shown = /\p{Cc}/u.test(character) ? '' : ` ('${character}' in Windows-1252)`;
  return `the byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}${shown}`;
}
