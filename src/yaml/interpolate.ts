import { isSecretName, referenceName, referredSecret } from '../secrets/secret.ts';
import { isText, type Node } from './tree.ts';

/**
 * A reference to a variable, a secret or an entry of a secret: `${var.NAME}`, `${secret.NAME}`, `${secret.NAME[entry]}`
 * or `${secret.NAME[var.NAME]}`.
 */
export interface Reference {
  readonly type: 'var' | 'secret';
  readonly name: string;
  /** The reference as written. */
  readonly text: string;
  readonly index: number;
}

/** A piece of a text: a literal, a reference, or an invalid reference. */
export type TextPiece =
  | { readonly type: 'literal'; readonly text: string }
  | Reference
  | { readonly type: 'malformed'; readonly text: string; readonly index: number };

/**
 * Splits a text at `${var.`, `${secret.` and the escape `$${`. Any other text, such as `${name}` or `$5`, is literal.
 */
export function splitText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of referencesIn(text)) {
    if (match.index > end) pieces.push({ type: 'literal', text: text.slice(end, match.index) });
    pieces.push(pieceOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ type: 'literal', text: text.slice(end) });
  return pieces;
}

/** Replaces references and escapes with filler of the same length, to preserve offsets. */
export function withoutReferences(text: string, filler: string): string {
  let masked = '';
  let end = 0;
  for (const { 0: reference, index } of referencesIn(text)) {
    masked += text.slice(end, index) + filler.repeat(reference.length);
    end = index + reference.length;
  }
  return end === 0 ? text : masked + text.slice(end);
}

/** Whether a text may contain references or escapes. */
export function isSpecial(text: string): boolean {
  return text.includes('${');
}

/** The names of the variables in a text. A name is repeated if the text repeats it. */
export function variableNamesIn(text: string): string[] {
  return isSpecial(text) ? splitText(text).flatMap((piece) => (piece.type === 'var' ? [piece.name] : [])) : [];
}

/** Whether a text contains no references. */
export function isLiteral(text: string): boolean {
  return splitText(text).every(({ type }) => type === 'literal');
}

/** Escapes a text so that interpolation returns the original text. */
export function escapeText(text: string): string {
  return text.replace(/\$\{(?=(?:var|secret)\.)|(?<=\$)\$\{/g, () => '$${');
}

/**
 * Makes a function that replaces values with their references and escapes all other text. If values overlap, the longest
 * one is replaced. With `wholeWords`, a value inside a word is not replaced. Neither is a value after `$`, because `$${`
 * is an escape.
 */
export function referringTo(
  references: ReadonlyMap<string, string>,
  { wholeWords = false } = {},
): (text: string) => string {
  if (references.size === 0) return escapeText;
  const longestFirst = [...references.keys()].sort((one, other) => other.length - one.length);
  const anyValue = `(${longestFirst.map(escapePattern).join('|')})`;
  const pattern = new RegExp(wholeWords ? `(?<![\\p{L}\\p{N}$])${anyValue}(?![\\p{L}\\p{N}])` : anyValue, 'u');
  const isValue = (index: number) => index % 2 === 1;
  return (text) =>
    text
      .split(pattern)
      .map((piece, index) => (isValue(index) ? references.get(piece) : escapeText(piece)))
      .join('');
}

/** Escapes a text for a regular expression, with or without the flag `u`. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A match ends before the next possible reference, so that no character is scanned twice. */
const special = /\$\$\{|\$\{(var|secret)\.([^}\s$]*)(\}?)/y;

/** Finds references and escapes. Runs the regex only at `${`, because testing every position would be slow. */
function referencesIn(text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (let at = text.indexOf('${'), end = 0; at >= 0; at = text.indexOf('${', end)) {
    special.lastIndex = text[at - 1] === '$' ? at - 1 : at;
    const match = special.exec(text);
    if (match !== null) found.push(match);
    end = match === null ? at + 2 : special.lastIndex;
  }
  return found;
}

const wholeName = new RegExp(`^${referenceName}$`);

function pieceOf(match: RegExpExecArray): TextPiece {
  const [text, source, name = '', end] = match;
  if (source === undefined) return { type: 'literal', text: '${' };
  const isName = source === 'var' ? wholeName.test(name) : isSecretName(name);
  if (end === '' || !isName) return { type: 'malformed', text, index: match.index };
  return { type: source === 'var' ? 'var' : 'secret', name, text, index: match.index };
}

/** The name of the secret, if the value is exactly one reference to a secret. */
export function secretOf(node: Node | undefined): string | undefined {
  return isText(node) ? referredSecret(node.value) : undefined;
}
