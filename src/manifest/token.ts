import type { Problem, Span } from './problem.ts';
import type { SourceFile } from './source-file.ts';
import type { Node } from './tree.ts';

const form = /^\$\{secret\.([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** The name of the secret that a token refers to; undefined if the token is not exactly one reference. */
export function secretOfToken(token: Node | undefined): string | undefined {
  return token?.type === 'scalar' && typeof token.value === 'string' ? form.exec(token.value)?.[1] : undefined;
}

/**
 * A token stands in a file only as a reference. What stands there instead is never repeated, and no code frame of the
 * file shows it.
 */
export function checkToken(token: Node, key: Span, source: SourceFile): Problem[] {
  if (secretOfToken(token) !== undefined) return [];
  source.hide(token.at);
  const message =
    'a token is only ever written as ${secret.NAME}, with its value in the process variable NAME; a literal token does not belong in a file';
  return [{ severity: 'error', rule: 'token-literal', message, at: key, hideSource: true }];
}
