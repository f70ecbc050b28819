/** Items with the same sentences are shown once: the items by their sentences, in the order of the first of each. */
export function alike<Item>(items: readonly Item[], wordsOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const words = wordsOf(item);
    const group = groups.get(words);
    if (group === undefined) groups.set(words, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** More entries with the same result are shown together; this many are shown one by one, each with its id. */
const mostApart = 3;

/**
 * Entries of a ledger by their texts. Resources that were not attempted need no ids, so they are always a list of
 * names.
 */
export function endedAlike<Entry extends { readonly outcome: string }>(
  entries: readonly Entry[],
  wordsOf: (entry: Entry) => string,
): Entry[][] {
  return alike(entries, (entry) => `${entry.outcome} ${wordsOf(entry)}`).flatMap((group) => {
    const isTogether = group.length > mostApart || group.every(({ outcome }) => outcome === 'not attempted');
    return isTogether ? [group] : group.map((entry) => [entry]);
  });
}
