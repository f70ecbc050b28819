/** A text in quotes, on one line and shortened. */
export function quote(text: string): string {
  const line = JSON.stringify(shorten(text, 60)).slice(1, -1).replaceAll('\\"', '"');
  return `'${line}'`;
}

/** The text, cut with an ellipsis where it is longer; never in the middle of a surrogate pair. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The words of a list that a person types, apart by commas or white space. */
export function listedWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(parts: readonly string[]): string {
  return joinedWith('and', parts);
}

/** `a`, `a or b`, `a, b or c`. */
export function joinWithOr(parts: readonly string[]): string {
  return joinedWith('or', parts);
}

function joinedWith(last: 'and' | 'or', parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}

/** A count with thousands separators: `2,310`. A short one does not load the locale, which is 20 ms of a start. */
export function formatNumber(value: number): string {
  if (!Number.isSafeInteger(value) || value < 1000) return value < 1000 ? String(value) : value.toLocaleString('en-US');
  // Loading the language detection takes 15 ms.
  return `${formatNumber(Math.floor(value / 1000))},${String(value % 1000).padStart(3, '0')}`;
}

/** The number and its noun: `1 setting`, `2,310 settings`. */
export function counted(value: number, noun: string): string {
  return `${formatNumber(value)} ${value === 1 ? noun : pluralOf(noun)}`;
}

/** `3 applied, 1 failed`: the number of each, without those that are 0; the first `always` are shown anyway. */
export function listCounts(counts: readonly (readonly [number, string])[], always = 1): string {
  const told = counts.filter(([count], index) => count > 0 || index < always);
  return told.map(([count, word]) => `${formatNumber(count)} ${word}`).join(', ');
}

/** A displayed version: the beginning of a commit's id, or another version in full. */
export function shortVersion(version: string): string {
  return /^[0-9a-f]{13,}$/.test(version) ? version.slice(0, 12) : version;
}

/** At most `most` of the parts, then how many more there are. */
export function listSome(parts: readonly string[], most: number): string {
  if (parts.length <= most) return joinWithAnd(parts);
  return `${parts.slice(0, most).join(', ')} and ${formatNumber(parts.length - most)} more`;
}

/** The text as a word of a command line, quoted if a shell needs it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,-][\w./:=@%+,-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function pluralOf(noun: string): string {
  return /(?:s|x|ch)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
