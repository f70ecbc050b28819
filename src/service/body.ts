import type { Dispatcher } from 'undici';
import { errors } from 'undici';

/** A body as text, or what is wrong with it. */
export type Body = { readonly text: string } | { readonly flaw: 'cut off' | 'too large' | 'not UTF-8' };

/**
 * Reads a body to its end. It never throws: once there is a status, the status says more than a connection that broke
 * after it. Invalid UTF-8 is a flaw, because replacing it would show as a change that nobody made.
 */
export async function readBody(body: Dispatcher.ResponseData['body']): Promise<Body> {
  try {
    return decodeText(await body.bytes());
  } catch (error) {
    return { flaw: error instanceof errors.ResponseExceededMaxSizeError ? 'too large' : 'cut off' };
  }
}

function decodeText(bytes: Uint8Array): Body {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { flaw: 'not UTF-8' };
  }
}
