/** A text in quotes, on one line and shortened. */
export function quote(text: string): string {
  const line = JSON.stringify(shorten(text, 60)).slice(1, -1).replaceAll('\\"', '"');
  return `'${line}'`;
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** `a`, `a or b`, `a, b or c`. */
export function listOf(words: readonly string[], last = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
