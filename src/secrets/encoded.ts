import { mask } from './secret.ts';

/**
 * Possible base64, base64url or hexadecimal digits, with slashes escaped as in some JSON. A plain `{8,}` would take
 * memory for each character, and some megabytes of them are too many.
 */
const run = /[\w+/\\-]{8}[\w+/\\-]*={0,2}/g;
const hexadecimal = /[0-9a-f]{12}[0-9a-f]*/gi;

/** Folded into lines as in mail; only the last one may be shorter. */
const shortestLine = 40;
const lastLine = /\r?\n[\w+/\\-]+={0,2}/y;

type Holds = (text: string) => boolean;

/** How often a text may be escaped: a URL in a URL in a URL, or JSON that quotes JSON. */
const mostTimes = 3;

/**
 * The text with a mask in place of each range that decodes to something with a secret: base64 and base64url at any
 * alignment, hexadecimal digits, and any characters escaped as in URLs, JSON (`\\/`, `\\u003d`) or HTML; also escaped
 * base64. A range is masked completely, because a half would still reveal half of the secret. Linear in the length of
 * the text.
 */
export function withoutEncoded(text: string, holdsSecret: Holds): string {
  const hide = (stretch: string) => (decodings(stretch).some(holdsSecret) ? mask : stretch);
  return hideFolded(hideEscaped(text, hide, holdsSecret), hide).replace(run, hide);
}

function hideEscaped(text: string, hide: (stretch: string) => string, holdsSecret: Holds): string {
  if (!/[%\\&]/.test(text)) return text;
  const hasSecret = (plain: string) => [plain, plain.replaceAll('+', ' ')].some(holdsSecret);
  const hideWord = (word: string) => {
    const plain = unescaped(word);
    return plain !== word && (hasSecret(plain) || plain.replace(run, hide) !== plain) ? mask : word;
  };
  const hideLine = (line: string) => {
    const plain = unescaped(line);
    return plain !== line && hasSecret(plain) ? mask : line;
  };
  // A secret of several words is in none of them.
  return text.replace(/\S+/g, hideWord).replace(/.+/g, hideLine);
}

/** Consecutive lines are one range, including the last line. */
function hideFolded(text: string, hide: (stretch: string) => string): string {
  const shown: string[] = [];
  let [start, end] = [0, 0];
  const close = () => {
    lastLine.lastIndex = end;
    if (end > start && lastLine.test(text)) end = lastLine.lastIndex;
    shown.push(hide(text.slice(start, end)));
  };
  for (const { index, 0: found } of text.matchAll(run)) {
    if (found.length < shortestLine) continue;
    const between = text.slice(end, index);
    if (end === start || !/^\r?\n$/.test(between)) {
      close();
      shown.push(text.slice(end, index));
      start = index;
    }
    end = index + found.length;
  }
  close();
  return shown.join('') + text.slice(end);
}

/** The possible decodings of the range. In a longer one, the beginning of the encoded text is unknown. */
function decodings(stretch: string): string[] {
  const plain = stretch.replace(/[\s\\]+/g, '');
  const digits = [...plain.matchAll(hexadecimal)].flatMap(([found]) => [found, found.slice(1)]);
  return [
    ...[0, 1, 2, 3].map((start) => Buffer.from(plain.slice(start), 'base64').toString('utf8')),
    ...digits.map((found) => Buffer.from(found, 'hex').toString('utf8')),
  ];
}

/** Escapes of URLs, of byte strings, of JSON and JavaScript, and of HTML; what is itself escaped is read again. */
function unescaped(part: string): string {
  let plain = part;
  for (let times = 0; times < mostTimes && /[%\\&]/.test(plain); times += 1) {
    const next = entitiesRead(
      plain
        .replace(/(?:%[0-9a-f]{2})+|(?:\\x[0-9a-f]{2})+/gi, bytesRead)
        .replace(/(?:\\u[0-9a-f]{4})+/gi, unitsRead)
        .replace(/\\u\{([0-9a-f]{1,6})\}/gi, (_, digits: string) => character(Number.parseInt(digits, 16)))
        .replace(/\\([/"'\\])/g, '$1'),
    );
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** Bytes that are not UTF-8 become one character each. */
function bytesRead(found: string): string {
  const read = Buffer.from(found.replace(/%|\\x/gi, ''), 'hex');
  const text = read.toString('utf8');
  return text.includes('\ufffd') && found.startsWith('\\') ? read.toString('latin1') : text;
}

function unitsRead(found: string): string {
  return Buffer.from(found.replace(/\\u/gi, ''), 'hex').swap16().toString('utf16le');
}

function entitiesRead(text: string): string {
  if (!text.includes('&')) return text;
  return text
    .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex?: string, decimal?: string) =>
      character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&quot;/gi, '"')
    .replace(/&apos;/gi, "'")
    .replace(/&amp;/gi, '&');
}

/** No character has such a large number. */
function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
