/** Steps of matching, for a limit on many of them. */
export interface MatchEffort {
  steps: number;
}

/** One place of a wildcard pattern: a matching character, or any number of characters. */
export type WildcardToken = ((character: string) => boolean) | typeof anyText;

/** `*`: any text, the empty one too. */
export const anyText = Symbol('any text');

/** Whether the pattern may stand for more than one text. */
export function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/** `*` and `?` stand for any text and any character, as in a shell; everything else for itself. */
export function parseWildcard(pattern: string): WildcardToken[] {
  return [...pattern].map((character) => {
    if (character === '*') return anyText;
    return character === '?' ? () => true : (found) => found === character;
  });
}

/**
 * Whether the whole text matches. Only the last `*` is ever tried again, because it can match whatever an earlier one
 * could. So the product of the lengths bounds the time, whatever the pattern. The steps that it took are added to the
 * effort.
 */
export function matchesWildcard(tokens: readonly WildcardToken[], text: string, effort?: MatchEffort): boolean {
  let next = 0;
  let position = 0;
  let retry: { readonly token: number; position: number } | undefined;
  while (position < text.length) {
    if (effort !== undefined) effort.steps += 1;
    const token = tokens[next];
    if (token === anyText) {
      next += 1;
      retry = { token: next, position };
    } else if (token?.(characterAt(text, position))) {
      next += 1;
      position += characterAt(text, position).length;
    } else if (retry !== undefined) {
      retry.position += characterAt(text, retry.position).length;
      next = retry.token;
      position = retry.position;
    } else return false;
  }
  while (tokens[next] === anyText) next += 1;
  return next === tokens.length;
}

/** One of two code units that belong together. */
function characterAt(text: string, position: number): string {
  const unit = text[position] ?? '';
  return unit >= '\ud800' && unit <= '\udbff' ? String.fromCodePoint(text.codePointAt(position) ?? 0) : unit;
}

const parsed = new Map<string, WildcardToken[]>();

/** Whether a text is one of these or matches one that has wildcards. Ten thousand names meet the same few patterns. */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some(
    (pattern) => pattern === text || (hasWildcard(pattern) && matchesWildcard(tokensOf(pattern), text)),
  );
}

function tokensOf(pattern: string): WildcardToken[] {
  const tokens = parsed.get(pattern) ?? parseWildcard(pattern);
  parsed.set(pattern, tokens);
  return tokens;
}

/**
 * The text without these characters at its end. A regex such as `/\n+$/` would restart at each of them, which takes
 * quadratic time on a text with many of them in the middle.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
