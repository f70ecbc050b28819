/** A text, or the pieces of a very large one. */
export type Pieces = string | Iterable<string>;

export function joined(pieces: Pieces): string {
  return typeof pieces === 'string' ? pieces : [...pieces].join('');
}

/** The size of a write. For a longer text, Node allocates three times its size. */
const portion = 1024 * 1024;

/** The portions of a text for writing. Pieces are divided between them, and any other text at line feeds. */
export function* portionsOf(pieces: Pieces): Generator<string> {
  if (typeof pieces === 'string') {
    for (let at = 0, end = 0; at < pieces.length; at = end) {
      end = pieces.indexOf('\n', at + portion) + 1 || pieces.length;
      yield pieces.slice(at, end);
    }
    return;
  }
  let waiting: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < portion) continue;
    yield waiting.join('');
    waiting = [];
    length = 0;
  }
  if (length > 0) yield waiting.join('');
}
