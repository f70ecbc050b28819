import type { Problem, Span } from './problem.ts';
import { secretOf } from './secret-reference.ts';
import type { SourceFile } from './source-file.ts';
import type { Node } from './tree.ts';

/**
 * A token stands in a file only as a reference. What stands there instead is never repeated, and no code frame of the
 * file shows it.
 */
export function checkToken(token: Node, key: Span, source: SourceFile): Problem[] {
  if (secretOf(token) !== undefined) return [];
  source.hide(token.at);
  const message =
    'a token is only ever written as ${secret.NAME}, with its value in the process variable NAME; a literal token does not belong in a file';
  return [{ severity: 'error', rule: 'token-literal', message, at: key, hideSource: true }];
}
