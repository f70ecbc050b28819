/** Quotes a text, shortened and on one line, with the passwords in its URLs masked. */
export function quote(text: string): string {
  const shown = shorten(text.replace(urlPassword, '$1***@'), 60);
  const line = JSON.stringify(shown).slice(1, -1).replaceAll('\\"', '"');
  return `'${line}'`;
}

export const urlPassword = /(:\/\/[^\s/@:'"]{0,200}:)([^\s/@'"]{1,1000})@/g;

/** Cuts a text to at most `length` code units, including an ellipsis. Never splits a surrogate pair. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Leaves out parts that are undefined, false or empty. For `'a'`, `''`, `false` and `undefined`, returns `['a']`. */
export function present<Part>(...parts: readonly (Part | '' | false | undefined)[]): Part[] {
  return parts.filter((part): part is Part => part !== undefined && part !== false && part !== '');
}

/** Splits a typed list into words at commas and white space. */
export function listedWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** Formats a list: `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Formats alternatives: `a`, `a or b`, `a, b or c`. */
export function joinWithOr(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}

/** Formats a count with thousands separators: `2,310`. Small numbers avoid the locale, which takes 20 ms to load. */
export function formatNumber(value: number): string {
  if (!Number.isSafeInteger(value) || value < 1000) return value < 1000 ? String(value) : value.toLocaleString('en-US');
  return `${formatNumber(Math.floor(value / 1000))},${String(value % 1000).padStart(3, '0')}`;
}

/** Formats a number with its noun: `1 setting`, `2,310 settings`. */
export function counted(value: number, noun: string): string {
  const plural = /(?:s|x|ch)$/.test(noun) ? `${noun}es` : `${noun}s`;
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}

export function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

export function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}

export function itOrThem(count: number): string {
  return count === 1 ? 'it' : 'them';
}

/** Lists counts: `3 applied, 1 failed`. Omits zeros, except among the first `always` counts. */
export function listCounts(counts: readonly (readonly [number, string])[], always = 1): string {
  const shown = counts.filter(([count], index) => count > 0 || index < always);
  return shown.map(([count, word]) => `${formatNumber(count)} ${word}`).join(', ');
}

/** Shortens a commit id. Returns any other version unchanged. */
export function shortVersion(version: string): string {
  return /^[0-9a-f]{13,}$/.test(version) ? version.slice(0, 12) : version;
}

/**
 * Lists at most `max` of the parts, and gives the number of other parts. If only one part is left over, lists that part
 * instead, because a number would not be shorter.
 */
export function listSome(parts: readonly string[], max: number): string {
  if (parts.length <= max + 1) return joinWithAnd(parts);
  return `${parts.slice(0, max).join(', ')} and ${formatNumber(parts.length - max)} more`;
}

/** Formats a text as a word of a command line, quoted if a shell needs it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,-][\w./:=@%+,-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Lists names in at most `max` parts, and gives the number of other names: `clinic-001 to clinic-120, front-desk and 12
 * more`. Names that contain commas are separated by semicolons.
 */
export function listNames(names: readonly string[], max = 20): string {
  const ranges = rangesOf(names);
  const shown = ranges.length > max ? ranges.slice(0, max) : ranges;
  const left = ranges.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  const parts = [...shown.map(({ text }) => text), ...(left > 0 ? [`${formatNumber(left)} more`] : [])];
  return names.some((name) => name.includes(',')) ? parts.join('; ') : joinWithAnd(parts);
}

/**
 * Groups names into parts, sorted by the text before the number, and then by number. Three or more names with
 * consecutive numbers are one part. If a name has several numbers, the number that differs in the most names decides.
 */
function rangesOf(names: readonly string[]): { readonly text: string; readonly count: number }[] {
  const readings = names.map(readingsOf);
  const counts = new Map<string, number>();
  for (const { pattern } of readings.flat()) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  const countOf = ({ pattern }: NumberedName) => counts.get(pattern) ?? 0;
  const numbered = readings
    .map((all) => all.reduce((best, one) => (countOf(one) > countOf(best) ? one : best)))
    .sort((one, other) => byTexts(one.pattern, other.pattern) || byNumber(one, other));
  const runs: Run[] = [];
  for (const name of numbered) {
    const run = runs.at(-1);
    if (run !== undefined && follows(name, run)) run.last = name;
    else runs.push({ first: name, last: name });
  }
  const inOrder = runs.sort(
    (one, other) => byTexts(one.first.start, other.first.start) || byNumber(one.first, other.first),
  );
  return inOrder.flatMap(({ first, last }) => {
    const count = last.number - first.number + 1;
    if (count > 2) return [{ text: `${first.name} to ${last.name}`, count }];
    return [first, ...(count === 2 ? [last] : [])].map(({ name }) => ({ text: name, count: 1 }));
  });
}

interface NumberedName {
  readonly name: string;
  /** The text before the number. */
  readonly start: string;
  /** The name without the number. `width` is the digit count if the number has leading zeros, or 0 if it has none. */
  readonly pattern: string;
  readonly width: number;
  readonly number: number;
}

interface Run {
  readonly first: NumberedName;
  last: NumberedName;
}

/**
 * The maximum number of digits. JavaScript cannot represent longer numbers exactly, so two different names could look
 * equal.
 */
const maxDigits = 15;

/** The maximum count of numbers in a name to try. More would take quadratic time for a name full of numbers. */
const maxNumbers = 4;

/** Returns the numbers of a name, each with the rest of the name as its pattern. The last number comes first. */
function readingsOf(name: string): [NumberedName, ...NumberedName[]] {
  const found = [...name.matchAll(/\d+/g)].filter(([digits]) => digits.length <= maxDigits);
  const [last, ...others] = found
    .slice(-maxNumbers)
    .reverse()
    .map(({ 0: digits, index }): NumberedName => {
      const start = name.slice(0, index);
      // No name contains the character \0, so a pattern never equals a name without numbers.
      const pattern = `${start}\0${name.slice(index + digits.length)}`;
      return { name, start, pattern, width: digits.startsWith('0') ? digits.length : 0, number: Number(digits) };
    });
  return last === undefined ? [{ name, start: name, pattern: name, width: 0, number: -1 }] : [last, ...others];
}

function byTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function byNumber(one: NumberedName, other: NumberedName): number {
  return one.number - other.number || byTexts(one.name, other.name);
}

/** Whether a name continues a run. `clinic-010` follows `clinic-009`, and `clinic-10` follows `clinic-9`. */
function follows(name: NumberedName, { last }: Run): boolean {
  if (name.pattern !== last.pattern || name.number !== last.number + 1) return false;
  const digits = String(name.number).length;
  return name.width === last.width || (name.width === 0 && last.width === digits);
}
