/** A text, or the pieces of one that may be as large as everything else in memory. */
export type Pieces = string | Iterable<string>;

export function joined(pieces: Pieces): string {
  return typeof pieces === 'string' ? pieces : [...pieces].join('');
}

/** The amount that is worth a write. Node allocates three times the size for the bytes of a longer text. */
const portion = 1024 * 1024;

/** The text for writing it: one in pieces is divided between them, any other at line feeds. */
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
