import { textLimit } from '../project-files.ts';

/** Longest text of one line that stands in the manifest itself, in characters. */
const longestInline = 160;

/** The text without what the comparison rules `line-ends` and `trailing-space` pass over. */
export function tidyText(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

/** Whether people would put the text into a file of its own. */
export function isLongText(text: string): boolean {
  return text.length > longestInline || text.includes('\n');
}

/**
 * Whether a text file gives the text back: a mark at its beginning is dropped, half a character cannot be encoded, and
 * control characters do not survive editors and git.
 */
export function fitsTextFile(text: string): boolean {
  return !text.startsWith('\ufeff') && !/(?![\n\t])\p{Cc}|\p{Surrogate}/u.test(text) && isReadable(text);
}

/** Whether the text is short enough for a file that a manifest includes. */
export function isReadable(text: string): boolean {
  return Buffer.byteLength(text) < textLimit;
}
