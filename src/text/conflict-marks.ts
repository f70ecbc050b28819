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

/** The offset of the first line from there on that begins with the mark. */
function lineWith(text: string, mark: string, from: number): number | undefined {
  if (from === 0 && text.startsWith(mark)) return 0;
  const at = text.indexOf(`\n${mark}`, from);
  return at < 0 ? undefined : at + 1;
}

/** How a conflict in a file is settled; for a file whose both sides are as good, by a command alone. */
export function conflictCommands(place: string): string {
  const path = /^[\w./-]+$/.test(place) ? place : `'${place.replaceAll("'", "'\\''")}'`;
  return `\`git checkout --ours -- ${path}\` or \`git checkout --theirs -- ${path}\``;
}
