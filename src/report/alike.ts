/** What is told in the same words is told once: the items by what is said of them, in the order of the first of each. */
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

/** More that ended alike are told together; so few are told one by one, each with its id. */
const mostApart = 3;

/** Entries of a ledger by what is told of them. What was not attempted needs no ids, so it is always a list of names. */
export function endedAlike<Entry extends { readonly outcome: string }>(
  entries: readonly Entry[],
  wordsOf: (entry: Entry) => string,
): Entry[][] {
  return alike(entries, (entry) => `${entry.outcome} ${wordsOf(entry)}`).flatMap((group) => {
    const isTogether = group.length > mostApart || group.every(({ outcome }) => outcome === 'not attempted');
    return isTogether ? [group] : group.map((entry) => [entry]);
  });
}
