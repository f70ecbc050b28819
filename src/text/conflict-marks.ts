/** The first mark of a conflict. Prompts of programming agents show blocks that begin with `<<<<<<< SEARCH` and end with REPLACE. */
const firstMark = /^<{7} (?!SEARCH\b)/m;
const laterMarks = ['\n=======', '\n>>>>>>> '] as const;

/** The offset of the first mark that a merge of git left where it found a conflict; undefined if it left none. */
export function conflictMarkIn(text: string): number | undefined {
  const first = firstMark.exec(text)?.index;
  let from = first ?? text.length;
  for (const mark of laterMarks) {
    from = text.indexOf(mark, from);
    if (from < 0) return undefined;
  }
  return first;
}

/**
 * The offset of the first line that may be a mark of a partly resolved conflict. It is meaningful only for an
 * unreadable text: a heading may be underlined like that.
 */
export function strayMarkIn(text: string): number | undefined {
  const found = /^(?:<{7} |={7}\r?$|>{7} )/m.exec(text);
  return found?.index;
}

/** How to take one side of a file whole; git knows the sides only until the merge is committed. */
export function conflictCommands(place: string): string {
  const path = /^[\w./-]+$/.test(place) ? place : `'${place.replaceAll("'", "'\\''")}'`;
  return `while the merge is open, run \`git checkout --ours -- ${path}\` or \`git checkout --theirs -- ${path}\``;
}
