/** Groups items by a key, in the order of the first item of each group, so that equal ones are shown once. */
export function alike<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** More entries with the same result are shown together; this many are shown one by one, each with its id. */
const mostApart = 3;

/**
 * Groups ledger entries that say the same. Resources that were not attempted need no ids, so they are always a list of
 * names.
 */
export function endedAlike<Entry extends { readonly outcome: string }>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Entry[][] {
  return alike(entries, (entry) => `${entry.outcome} ${keyOf(entry)}`).flatMap((group) => {
    const isTogether = group.length > mostApart || group.every(({ outcome }) => outcome === 'not attempted');
    return isTogether ? [group] : group.map((entry) => [entry]);
  });
}
