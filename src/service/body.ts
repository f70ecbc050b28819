import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { type Dispatcher, errors } from 'undici';
import { errorCodeOf } from '../errors.ts';

/** How it is wrong, to stand behind "a body that is". */
export type BodyProblem =
  | 'cut off'
  | 'too large'
  | 'not UTF-8'
  | 'compressed in an unknown way'
  | 'not what its content-encoding says';

/** A body as text, or what is wrong with it. */
export type Body = { readonly text: string } | { readonly problem: BodyProblem };

export interface BodyForm {
  /** The header `content-encoding`, as undici gives it. */
  readonly coding: string | string[] | undefined;
  /** Largest size after each step of decompression; undici bounds what comes over the line. */
  readonly maxBytes: number;
}

/**
 * Reads a body to its end. It never throws: once there is a status, the status says more than a connection that broke
 * after it. Invalid UTF-8 is a problem, because replacing it would show as a change that nobody made.
 */
export async function readBody(body: Dispatcher.ResponseData['body'], form: BodyForm): Promise<Body> {
  try {
    return await decompressed(await body.bytes(), form);
  } catch (error) {
    return { problem: error instanceof errors.ResponseExceededMaxSizeError ? 'too large' : 'cut off' };
  }
}

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const decompressions: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['identity', async (bytes) => bytes],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['deflate', decompressDeflate],
]);

/** The name means a zlib stream (RFC 9110, 8.4.1.2); some servers leave out its head, which begins with the method, 8. */
function decompressDeflate(...[bytes, options]: Parameters<Decompress>): ReturnType<Decompress> {
  const hasHead = ((bytes[0] ?? 0) & 0x0f) === 8;
  return (hasHead ? promisify(inflate) : promisify(inflateRaw))(bytes, options);
}

/** More than anybody uses; each costs the time of a whole body. */
const mostCodings = 3;

/** Answers are asked for uncompressed; a gateway may compress them all the same. The coding applied last is undone first. */
async function decompressed(bytes: Uint8Array, { coding, maxBytes }: BodyForm): Promise<Body> {
  const names = [coding ?? []].flat().join(',').toLowerCase().split(',');
  const codings = names.map((name) => name.trim()).filter((name) => name !== '');
  if (codings.length > mostCodings) return { problem: 'compressed in an unknown way' };
  let decoded = bytes;
  for (const name of codings.reverse()) {
    const decompress = decompressions.get(name);
    if (decompress === undefined) return { problem: 'compressed in an unknown way' };
    try {
      if (decoded.length > 0) decoded = await decompress(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      return { problem: problems.get(errorCodeOf(error) ?? '') ?? 'not what its content-encoding says' };
    }
  }
  return decodeText(decoded);
}

/** The codes of zlib that say more. */
const problems: ReadonlyMap<string, BodyProblem> = new Map([
  ['ERR_BUFFER_TOO_LARGE', 'too large'],
  ['Z_BUF_ERROR', 'cut off'],
]);

function decodeText(bytes: Uint8Array): Body {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: 'not UTF-8' };
  }
}
