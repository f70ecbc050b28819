import { isLongEnough, secretFinder } from '../../secrets/redact.ts';
import { secretReference } from '../../secrets/reference.ts';
import type { Secret } from '../../secrets/secret.ts';
import { escapeText } from '../../yaml/interpolate.ts';

/** Writes texts so that a manifest which holds them means them. */
export interface LiteralText {
  /** Escapes, and puts a reference in the place of every secret that is known by name. */
  readonly write: (text: string) => string;
  /** Whether a written text still tells a secret, in another form. */
  readonly exposes: (written: string) => boolean;
}

/** The secrets are by the names of their process variables. Short ones occur in any text by chance and are left. */
export function literalText(secrets: ReadonlyMap<string, Secret>): LiteralText {
  const telling = [...secrets].filter(([, secret]) => isLongEnough(secret));
  const names = new Map(telling.map(([name, secret]) => [secret.reveal(), name]));
  const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`(${longestFirst.map(escapePattern).join('|')})`);
  const write = (text: string) =>
    text
      .split(pattern)
      .map((piece, index) => (index % 2 === 1 ? secretReference(names.get(piece) ?? '') : escapeText(piece)))
      .join('');
  return {
    write: telling.length === 0 ? escapeText : write,
    exposes: secretFinder(telling.map(([, secret]) => secret)),
  };
}

/** The text as a part of a regex, with or without the flag `u`. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
