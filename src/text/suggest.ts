const maxLength = 100;

/** The candidate that a misspelt name most likely means. Undefined if no candidate is similar. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxLength) return undefined;
  const wanted = name.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase();
    // Names that differ only in their digits, such as `client-099` and `client-299`, are different names, not
    // misspellings.
    if (wanted !== lower && wanted.replace(/\d+/g, '#') === lower.replace(/\d+/g, '#')) continue;
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = distanceBetween(wanted, lower);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns a suggestion such as `; did you mean 'title'?`, or an empty text if no candidate is similar. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const candidate = nearest(name, candidates);
  return candidate === undefined ? '' : `; did you mean '${candidate}'?`;
}

/** Computes the Levenshtein distance, but counts a swap of adjacent characters as a single edit. */
function distanceBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
