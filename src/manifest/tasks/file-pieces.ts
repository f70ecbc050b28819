import type { FileHandle } from 'node:fs/promises';

const pieceSize = 256 * 1024;

/** A file from its beginning, piece by piece. The handle stays open: a stream that ends early would close it. */
export async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
