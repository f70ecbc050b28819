import { createReadStream } from 'node:fs';

/** The text of a file that the user named. It may be a pipe or a device: at most so many bytes are read. */
export async function readText(path: string, mostBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of createReadStream(path, { end: mostBytes })) {
    pieces.push(piece);
    size += piece.length;
  }
  if (size > mostBytes) throw new Error(`it is too large: at most ${Math.floor(mostBytes / 2 ** 20)} MiB are read`);
  return Buffer.concat(pieces).toString('utf8');
}
