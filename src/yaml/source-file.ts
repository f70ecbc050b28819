import { secretPattern } from '../secrets/secret.ts';
import { lineIn, lineStartsOf } from '../text/lines.ts';
import { urlPassword } from '../text/wording.ts';
import type { Span } from './problem.ts';

/** A file with its text. Converts offsets to lines and columns. */
export class SourceFile {
  /** The path relative to the project folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
  hasHidden = false;
  readonly #hidden: Stretch[] = [];
  #lineStarts: readonly number[] | undefined;
  #shown: { readonly hidden: number; readonly text: string } | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  span(offset: number, end: number): Span {
    this.#lineStarts ??= lineStartsOf(this.text);
    const starts = this.#lineStarts;
    const line = lineIn(starts, offset);
    return { file: this.path, line: line + 1, column: offset - (starts[line] ?? 0) + 1, offset, end };
  }

  hide(span: Span): void {
    this.#hidden.push([span.offset, span.end]);
    this.hasHidden = true;
  }

  /** The text for code frames, with literal credentials and hidden ranges masked. The length is preserved. */
  shown(): string {
    if (this.#shown?.hidden !== this.#hidden.length) {
      this.#shown = { hidden: this.#hidden.length, text: masked(this.text, this.#hidden) };
    }
    return this.#shown.text;
  }
}

type Stretch = readonly [start: number, end: number];

/**
 * Matches a member that has a literal value and the name of a credential. A regex is used because a file with a syntax
 * error has no tree.
 */
const literalCredential = new RegExp(
  String.raw`(?<![\w-])([\w-]*(?:token|secret|password|api[-_]?key)['"]?[ \t]*:[ \t]+)` +
    String.raw`(?!['"]?${secretPattern}['"]?[ \t]*(?:[,}#\r\n]|$))([^\s#][^\r\n]*)`,
  'gi',
);

/** Matches the base URL of a service, or the address of a git remote. */
const address = /(?<![\w-])((?:base[-_]?url|remote)['"]?[ \t]*:[ \t]+)(\S+)/gi;

/**
 * Whether an address may contain a query or user information. In `git@host:path`, the part before the @ is a user name.
 */
function addressMayHoldCredential(key: string, value: string): boolean {
  const start = /^remote/i.test(key) ? value.indexOf('://') : 0;
  return value.includes('?') || (start >= 0 && value.includes('@', start));
}

/** Masks all credentials in one pass, because a file may contain many credentials. */
function masked(text: string, hidden: readonly Stretch[]): string {
  const addresses = [...text.matchAll(address)].filter(([, key = '', value = '']) =>
    addressMayHoldCredential(key, value),
  );
  const found = [...text.matchAll(literalCredential), ...addresses];
  const named = found.map(({ index, 0: all, 1: key = '' }) => [index + key.length, index + all.length] as const);
  const passwords = [...text.matchAll(urlPassword)].map(
    ({ index, 0: all, 1: before = '' }) => [index + before.length, index + all.length - 1] as const,
  );
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of [...named, ...passwords, ...hidden].sort(([one], [other]) => one - other)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    parts.push(text.slice(at, from), text.slice(from, end).replace(/[^\s]/g, '*'));
    at = end;
  }
  return parts.join('') + text.slice(at);
}
