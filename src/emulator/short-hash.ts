import { createHash } from 'node:crypto';

/** Twelve hexadecimal digits that stand for the text, so that a token never has to be kept or shown. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
