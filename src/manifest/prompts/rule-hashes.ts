/**
 * Hashes of what a rule says, each equal for rules that are equal in that way, and nearly always different for others. So
 * the words of a rule are taken apart only where another rule has one of its hashes, which is seldom. They are over letters
 * and digits alone: `9 am` and `9 a.m.` are the same.
 */
export interface RuleHashes {
  readonly whole: number;
  /** Without its numbers, in digits or in words; undefined for a rule that has none. */
  readonly withoutNumbers: number | undefined;
  /** Without halves of days, and words that change nothing in what a rule says, such as `always`. */
  readonly withoutFillers: number;
  /** The rule has no more words, numbers and signs than this. */
  readonly mostTokens: number;
  /** Whether it has a word or a number for sure. */
  readonly hasWord: boolean;
}

/** The hashes of a stretch of a text in lower case. */
export function hashesOf(text: string, start = 0, end = text.length): RuleHashes {
  let [whole, withoutNumbers, withoutFillers, word] = [0, 0, 0, 0];
  let mostTokens = 0;
  let hasNumber = false;
  let hasWord = false;
  let before = 0;
  for (let index = start; index <= end; index += 1) {
    const code = index < end ? text.charCodeAt(index) : space;
    const sort = sortOf(code);
    if (sort === letter) {
      word = mixed(word, code);
      whole = mixed(whole, code);
    } else {
      if (word !== 0) {
        const meaning = meanings.get(word);
        if (meaning === 'number') hasNumber = true;
        if (meaning === undefined || meaning === 'filler') withoutNumbers = mixed(withoutNumbers, word);
        if (meaning === undefined || meaning === 'number') withoutFillers = mixed(withoutFillers, word);
        word = 0;
      }
      if (sort === digit) {
        whole = mixed(whole, code);
        withoutFillers = mixed(withoutFillers, code);
        hasNumber = true;
      }
    }
    if (sort !== other && (sort !== before || sort === sign)) mostTokens += 1;
    hasWord ||= sort === letter || sort === digit;
    before = sort;
  }
  return { whole, withoutNumbers: hasNumber ? withoutNumbers : undefined, withoutFillers, mostTokens, hasWord };
}

const space = 32;

/** Small integers are what maps look up fastest. */
function mixed(hash: number, code: number): number {
  return (Math.imul(hash ^ code, 0x9e3779b1) >>> 3) ^ code;
}

const [unknown, other, letter, digit, sign] = [0, 1, 2, 3, 4] as const;

/** By code unit; told by a regex when one is met for the first time. */
const sorts = new Uint8Array(0x10000);

/** Halves of a character beyond 16 bits are signs, which may be tokens and are in no hash. */
function sortOf(code: number): number {
  if (sorts[code] === unknown) {
    const character = String.fromCharCode(code);
    if (/\d/.test(character)) sorts[code] = digit;
    else if (/[\p{L}\p{M}]/u.test(character)) sorts[code] = letter;
    else sorts[code] = /[$€£\uFFFC\uFFFD\ud800-\udfff]/.test(character) ? sign : other;
  }
  return sorts[code] ?? other;
}

export const numberWords: ReadonlyMap<string, string> = new Map([
  ['two', '2'],
  ['three', '3'],
  ['four', '4'],
  ['five', '5'],
  ['six', '6'],
  ['seven', '7'],
  ['eight', '8'],
  ['nine', '9'],
  ['ten', '10'],
  ['eleven', '11'],
  ['twelve', '12'],
  ['fifteen', '15'],
  ['twenty', '20'],
  ['thirty', '30'],
  ['forty', '40'],
  ['forty-five', '45'],
  ['fifty', '50'],
  ['sixty', '60'],
  ['ninety', '90'],
]);

/** Words that change nothing in what a rule says. */
export const fillers: ReadonlySet<string> = new Set(['do', 'does', 'always', 'please', 'also']);

/** By its hash, a word that some hash leaves out; `a.m.` is two of them, or the end of one. */
const meanings: ReadonlyMap<number, 'number' | 'half' | 'filler'> = new Map([
  ...['a', 'p', 'm', 'am', 'pm'].map((word) => [hashOfWord(word), 'half'] as const),
  ...[...numberWords.keys()].flatMap((word) => word.split('-')).map((word) => [hashOfWord(word), 'number'] as const),
  ...[...fillers].map((word) => [hashOfWord(word), 'filler'] as const),
]);

function hashOfWord(word: string): number {
  let hash = 0;
  for (const character of word) hash = mixed(hash, character.charCodeAt(0));
  return hash;
}
