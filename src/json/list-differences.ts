import deepDiff from 'deep-diff';
import { canonicalJson, type Json } from './json.ts';

// Only this file uses deep-diff.

/** deep-diff takes quadratic time for the members of a map. */
const maxElements = 2_000;

interface ListDifferences {
  readonly removed: readonly Json[];
  readonly added: readonly Json[];
}

/**
 * Finds the elements that only one of two lists has. Ignores the order, and counts how often each list contains an
 * element. Undefined if the lists together have more than 2,000 elements.
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

/** Returns the keys as the members of an object, because deep-diff compares lists by position. */
function keysOf(elements: ReadonlyMap<string, Json>): Record<string, string> {
  return Object.fromEntries([...elements.keys()].map((key) => [key, '']));
}
