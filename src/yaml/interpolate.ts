import { isSecretName, referenceName, referredSecret } from '../secrets/secret.ts';
import type { Node } from './tree.ts';

/** `${var.NAME}`, `${secret.NAME}`, or an entry of a secret: `${secret.NAME[entry]}`, `${secret.NAME[var.NAME]}`. */
export interface Reference {
  readonly type: 'var' | 'secret';
  readonly name: string;
  /** The literal text, and its place. */
  readonly text: string;
  readonly index: number;
}

/** A piece of a text: literal, a reference, or an invalid reference. */
export type Piece =
  | { readonly type: 'literal'; readonly text: string }
  | Reference
  | { readonly type: 'malformed'; readonly text: string; readonly index: number };

/**
 * Splits a text at its references. `${var.NAME}` and `${secret.NAME}` are references, `$${` is a literal `${`, and
 * nothing else is special: `${name}` and `$5` are literal.
 */
export function splitText(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of referencesIn(text)) {
    if (match.index > end) pieces.push({ type: 'literal', text: text.slice(end, match.index) });
    pieces.push(pieceOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ type: 'literal', text: text.slice(end) });
  return pieces;
}

/** The text with each reference and escape replaced by another character, so that offsets stay. */
export function withoutReferences(text: string, filler: string): string {
  let masked = '';
  let end = 0;
  for (const { 0: reference, index } of referencesIn(text)) {
    masked += text.slice(end, index) + filler.repeat(reference.length);
    end = index + reference.length;
  }
  return end === 0 ? text : masked + text.slice(end);
}

/** Whether interpolation would change the text. */
export function isSpecial(text: string): boolean {
  return text.includes('${');
}

/** The text with escapes, so that interpolation gives the original text. */
export function escapeText(text: string): string {
  return text.replace(/\$\{(?=(?:var|secret)\.)|(?<=\$)\$\{/g, () => '$${');
}

/** A reference is read up to the possible start of the next one, so no text is read twice. */
const special = /\$\$\{|\$\{(var|secret)\.([^}\s$]*)(\}?)/y;

/** The references and escapes of a text. Runs the regex only at `${`, because it is slow at every character. */
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

function pieceOf(match: RegExpExecArray): Piece {
  const [text, source, name = '', end] = match;
  if (source === undefined) return { type: 'literal', text: '${' };
  const isName = source === 'var' ? wholeName.test(name) : isSecretName(name);
  if (end === '' || !isName) return { type: 'malformed', text, index: match.index };
  return { type: source === 'var' ? 'var' : 'secret', name, text, index: match.index };
}

/** The name of the secret that a value refers to; undefined if the value is not exactly one reference. */
export function secretOf(node: Node | undefined): string | undefined {
  return node?.type === 'scalar' && typeof node.value === 'string' ? referredSecret(node.value) : undefined;
}
