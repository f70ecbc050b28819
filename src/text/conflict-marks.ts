const marks = ['<<<<<<< ', '=======', '>>>>>>> '] as const;

/** The offset of the first mark that a merge of git left where it found a conflict; undefined if it left none. */
export function conflictMarkIn(text: string): number | undefined {
  let first: number | undefined;
  let from = 0;
  for (const mark of marks) {
    const at = lineWith(text, mark, from);
    if (at === undefined) return undefined;
    first ??= at;
    from = at + mark.length;
  }
  return first;
}

/**
 * The offset of the first line that may be a mark of a partly resolved conflict. It says something only of a text that
 * cannot be read: a heading may be underlined like that.
 */
export function strayMarkIn(text: string): number | undefined {
  const found = /^(?:<{7} |={7}\r?$|>{7} )/m.exec(text);
  return found?.index;
}

/** The offset of the first line from there on that begins with the mark. */
function lineWith(text: string, mark: string, from: number): number | undefined {
  if (from === 0 && text.startsWith(mark)) return 0;
  const at = text.indexOf(`\n${mark}`, from);
  return at < 0 ? undefined : at + 1;
}

/** How to take one side of a file whole; git knows the sides only until the merge is committed. */
export function conflictCommands(place: string): string {
  const path = /^[\w./-]+$/.test(place) ? place : `'${place.replaceAll("'", "'\\''")}'`;
  return `while the merge is open, run \`git checkout --ours -- ${path}\` or \`git checkout --theirs -- ${path}\``;
}
