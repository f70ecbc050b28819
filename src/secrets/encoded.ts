import { mask } from './secret.ts';

/**
 * What may be base64, base64url or hexadecimal digits, with slashes escaped as some JSON has them. A
 * plain `{8,}` would take memory for each character, and some megabytes of them are too many.
 */
const run = /[\w+/\\-]{8}[\w+/\\-]*={0,2}/g;
const hexadecimal = /[0-9a-f]{12}[0-9a-f]*/gi;

/** As mail folds lines of them; only the last one may be shorter. */
const shortestLine = 40;
const lastLine = /\r?\n[\w+/\\-]+={0,2}/y;

type Holds = (text: string) => boolean;

/** How often a text may be percent-encoded: a URL in a URL in a URL. */
const mostTimes = 3;

/**
 * The text with a mask in the place of each stretch that decodes to something that holds a secret: base64 and base64url
 * at any alignment, hexadecimal digits, percent-encoding of any of the characters, and base64 that is percent-encoded. A
 * stretch is left out whole, because half of one would still tell half of the secret. Takes time in proportion to the text.
 */
export function withoutEncoded(text: string, holdsSecret: Holds): string {
  const hide = (stretch: string) => (decodings(stretch).some(holdsSecret) ? mask : stretch);
  return hideFolded(hidePercentEncoded(text, hide, holdsSecret), hide).replace(run, hide);
}

function hidePercentEncoded(text: string, hide: (stretch: string) => string, holdsSecret: Holds): string {
  if (!text.includes('%')) return text;
  return text.replace(/\S+/g, (word) => {
    const decoded = percentDecoded(word);
    const isHeld = decoded !== word && [decoded, decoded.replaceAll('+', ' ')].some(holdsSecret);
    return isHeld || (decoded !== word && decoded.replace(run, hide) !== decoded) ? mask : word;
  });
}

/** Lines that follow each other are one stretch, with the last line behind them. */
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

/** What the stretch may stand for. In a longer one, nobody knows where the encoded text begins. */
function decodings(stretch: string): string[] {
  const plain = stretch.replace(/[\s\\]+/g, '');
  const digits = [...plain.matchAll(hexadecimal)].flatMap(([found]) => [found, found.slice(1)]);
  return [
    ...[0, 1, 2, 3].map((start) => Buffer.from(plain.slice(start), 'base64').toString('utf8')),
    ...digits.map((found) => Buffer.from(found, 'hex').toString('utf8')),
  ];
}

function percentDecoded(word: string): string {
  let decoded = word;
  for (let times = 0; times < mostTimes && decoded.includes('%'); times += 1) {
    decoded = decoded.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
      return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8');
    });
  }
  return decoded;
}
