import deepDiff from 'deep-diff';
import { canonicalJson, type Json } from './json.ts';

// No other file uses deep-diff.

/**
 * The maximum number of elements. The limit is needed because deep-diff takes quadratic time for the members of an
 * object.
 */
const maxElements = 2_000;

interface ListDifferences {
  readonly removed: readonly Json[];
  readonly added: readonly Json[];
}

/**
 * Finds the elements that only one of two lists has. Ignores the order. If an element occurs more often in one list,
 * returns the extra occurrences. Undefined if the lists together have more than 2,000 elements.
 */
export function listDifferences(from: readonly Json[], to: readonly Json[]): ListDifferences | undefined {
  if (from.length + to.length > maxElements) return undefined;
  const [before, after] = [elementsOf(from), elementsOf(to)];
  const keys = (deepDiff.diff(keysOf(before), keysOf(after)) ?? []).map(({ path = [] }) => String(path[0]));
  const having = (elements: ReadonlyMap<string, Json>) =>
    keys.map((key) => elements.get(key)).filter((element) => element !== undefined);
  return { removed: having(before), added: having(after) };
}

/** Maps unique keys to the elements. The nth of several equal elements has the same key in every list. */
function elementsOf(list: readonly Json[]): Map<string, Json> {
  const counts = new Map<string, number>();
  return new Map(
    list.map((element) => {
      const text = canonicalJson(element);
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      return [`${count} ${text}`, element];
    }),
  );
}

/** Returns an object with the keys as member names, because deep-diff compares lists by position. */
function keysOf(elements: ReadonlyMap<string, Json>): Record<string, string> {
  return Object.fromEntries([...elements.keys()].map((key) => [key, '']));
}
