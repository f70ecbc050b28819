/** A stretch of a text and what is to stand in its place; both ends are the same where something is put in. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the splices made; they do not overlap. What is put in at one place stays in the given order. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const splice of inOrder(splices)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** The splices, each once; undefined if two want different things of the same stretch. */
export function mergedSplices(splices: readonly Splice[]): Splice[] | undefined {
  const distinct = new Map(splices.map((splice) => [JSON.stringify([splice.start, splice.end, splice.text]), splice]));
  const ordered = inOrder([...distinct.values()]);
  const clash = ordered.some((splice, index) => {
    const next = ordered[index + 1];
    return next !== undefined && next.start < splice.end;
  });
  return clash ? undefined : ordered;
}

function inOrder(splices: readonly Splice[]): Splice[] {
  return [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
}
