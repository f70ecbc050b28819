import { contentEnd, lineStart } from '../text/lines.ts';
import { nearest } from '../text/suggest.ts';
import type { Fix, FixAction, Problem, Span, TextEdit } from './problem.ts';
import type { SourceFile } from './source-file.ts';

/** The properties of a problem that contain a wrong text and its fixes. */
export type Suggestion = Pick<Problem, 'found' | 'fixes'>;

/** A text in a YAML file. The location is absent if the text comes from a variable or another file. */
interface FoundText {
  readonly at: Span | undefined;
  readonly found: string;
}

/** Suggests the candidate that is most similar to a text. Empty if no candidate is similar. */
export function meantBy(text: FoundText, candidates: Iterable<string>): Suggestion {
  const meant = nearest(text.found, candidates);
  return meant === undefined ? {} : suggested(text, meant);
}

export function suggested(text: FoundText, meant: string, action: FixAction = 'replace'): Suggestion {
  return { found: text.found, fixes: [replacement(text, meant, action)] };
}

/** A correction that a value check suggests: a similar valid value, or the correct form of the checked value. */
export interface MeantValue {
  readonly meant?: string;
  readonly corrected?: string;
}

export function valueMeant(text: FoundText, { meant, corrected }: MeantValue): Suggestion {
  if (meant !== undefined) return suggested(text, meant);
  return corrected === undefined ? {} : suggested(text, corrected, 'write');
}

export function renaming({ at, found }: FoundText, text: string): Fix {
  const isThere = at !== undefined && spanLength(at) === found.length;
  return { action: 'replace', text, edits: isThere ? [{ at, text }] : [] };
}

/** Makes the fix that replaces a string. Adds quotes if the old string had them or the new string may need them. */
function replacement({ at, found }: FoundText, text: string, action: FixAction): Fix {
  const length = at === undefined ? -1 : spanLength(at);
  // A text that contains escapes, spans several lines or is not in this file cannot be edited by offsets.
  const [isPlain, isQuoted] = [length === found.length, length === found.length + 2];
  if (at === undefined || !(isPlain || isQuoted)) return { action, text, edits: [] };
  return { action, text, edits: [{ at, text: isPlain && isPlainText(text) ? text : JSON.stringify(text) }] };
}

/** Makes the fix that quotes a plain scalar. */
export function quoting(at: Span, text: string): Fix {
  return { action: 'quote', text, edits: spanLength(at) === text.length ? [{ at, text: JSON.stringify(text) }] : [] };
}

/** Makes the fix that removes the quotes from a number or boolean. */
export function unquoting({ at, found }: FoundText, text: string): Fix {
  const isThere = at !== undefined && [found.length, found.length + 2].includes(spanLength(at));
  return { action: 'unquote', text, edits: isThere ? [{ at, text }] : [] };
}

/** Makes the edits that append an item to a list. Empty if the list has no items. */
export function addingItem(items: readonly { readonly at: Span }[], source: SourceFile, text: string): TextEdit[] {
  const last = items.at(-1)?.at;
  if (last === undefined) return [];
  const before = source.text.slice(lineStart(source.text, last.offset), last.offset);
  if (!/^\s*-\s+$/.test(before)) return [{ at: source.span(last.end, last.end), text: `, ${JSON.stringify(text)}` }];
  // The position after any comment on the last item's line.
  const end = contentEnd(source.text, last.end);
  const lineBreak = source.text[end] === '\r' ? '\r\n' : '\n';
  return [{ at: source.span(end, end), text: `${lineBreak}${before}${JSON.stringify(text)}` }];
}

function spanLength({ offset, end }: Span): number {
  return end - offset;
}

/** Whether a text definitely needs no quotes, even inside `{ }` and `[ ]`. */
function isPlainText(text: string): boolean {
  return /^(?!(?:true|false|null)$)[A-Za-z./][\w./@+-]*$/i.test(text) || /^(?:ext|pbx):\d+$/.test(text);
}
