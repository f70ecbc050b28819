/** Counts the steps of several matches that share one limit. */
export interface MatchCost {
  steps: number;
}

/** One element of a wildcard pattern: a test for a single character, or `anyText`. */
export type WildcardToken = ((character: string) => boolean) | typeof anyText;

/** Represents `*`, which matches any text, including the empty text. */
export const anyText = Symbol('any text');

/** Whether the pattern can match more than one text. */
export function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/** Parses a pattern: `*` matches any text and `?` any character, as in a shell. Other characters match themselves. */
export function parseWildcard(pattern: string): WildcardToken[] {
  return [...pattern].map((character) => {
    if (character === '*') return anyText;
    return character === '?' ? () => true : (found) => found === character;
  });
}

/**
 * Whether the whole text matches. Retries only the last `*`, because it can match all text that an earlier `*` could
 * match. The time is therefore at most proportional to the product of the lengths. Adds the steps to `cost`.
 */
export function matchesWildcard(tokens: readonly WildcardToken[], text: string, cost?: MatchCost): boolean {
  const characters = [...text];
  let next = 0;
  let position = 0;
  let retry: { readonly token: number; position: number } | undefined;
  for (let character = characters[0]; character !== undefined; character = characters[position]) {
    if (cost !== undefined) cost.steps += 1;
    const token = tokens[next];
    if (token === anyText) {
      next += 1;
      retry = { token: next, position };
    } else if (token?.(character)) {
      next += 1;
      position += 1;
    } else if (retry !== undefined) {
      retry.position += 1;
      next = retry.token;
      position = retry.position;
    } else return false;
  }
  while (tokens[next] === anyText) next += 1;
  return next === tokens.length;
}

const parsed = new Map<string, WildcardToken[]>();

/**
 * Whether a text equals or matches one of the patterns. Caches parsed patterns, because ten thousand names may be
 * checked against a few patterns.
 */
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
 * Removes the given characters from the end of a text. A regex such as `/\n+$/` would take quadratic time for a text
 * that contains many of these characters in the middle.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
