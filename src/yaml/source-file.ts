import { secretPattern } from '../secrets/secret.ts';
import { lineIn, lineStartsOf } from '../text/lines.ts';
import { urlPassword } from '../text/wording.ts';
import type { Span } from './problem.ts';

/** A file with its text. Converts offsets to lines and columns. */
export class SourceFile {
  /** The path relative to the project folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Whether any range was hidden because it may be a credential. */
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

export type SourceFiles = (file: string) => SourceFile | undefined;

/** Converts a range of a text to a location in a file. */
export type SpanFinder = (start: number, end: number) => Span;

/**
 * Makes a function that finds the locations of ranges in a YAML scalar or a table cell. If the exact location is
 * unknown, the function returns `at`.
 */
export function spanFinderInYaml(at: Span, text: string, sources: SourceFiles): SpanFinder {
  let offsets: Int32Array | undefined | null = null;
  return (start, end) => {
    const source = sources(at.file);
    if (source === undefined) return at;
    if (offsets === null) offsets = offsetsInYaml(source.text, at, text);
    const first = offsets?.[start];
    if (offsets === undefined || first === undefined) return at;
    const last = offsets[Math.max(start, end - 1)] ?? first;
    return source.span(first, Math.max(first, last) + 1);
  };
}

/**
 * Returns the offset in the file for each character of a value. Because YAML folds white space and escapes characters,
 * reads the value and the file in parallel. Undefined if the value does not match the file.
 */
function offsetsInYaml(file: string, { offset, end }: Span, value: string): Int32Array | undefined {
  const style = file[offset] ?? '';
  const isQuoted = style === '"' || style === "'";
  let at = isQuoted ? offset + 1 : offset;
  if (style === '|' || style === '>') at = file.indexOf('\n', offset) + 1;
  const offsets = new Int32Array(value.length + 1);
  for (let index = 0; index < value.length; index += 1) {
    const wanted = value[index] ?? '';
    let found = characterAt(file, at, style);
    if (isSpace(wanted)) {
      offsets[index] = at;
      if (isSpace(found.text)) at += found.length;
      continue;
    }
    while (at < end && (isSpace(found.text) || found.text === '')) {
      at += found.length;
      found = characterAt(file, at, style);
    }
    if (found.text !== wanted || at >= end) return undefined;
    offsets[index] = at;
    at += found.length;
  }
  offsets[value.length] = Math.min(at, end);
  return offsets;
}

/**
 * The source of one character of a scalar: the character itself, or the escape that represents it. An escaped line
 * break produces no character.
 */
function characterAt(file: string, at: number, style: string): { readonly text: string; readonly length: number } {
  const text = file[at] ?? '';
  if (style === "'" && text === "'" && file[at + 1] === "'") return { text, length: 2 };
  if (style !== '"' || text !== '\\') return { text, length: 1 };
  const kind = file[at + 1] ?? '';
  const digits = { x: 2, u: 4 }[kind];
  if (digits === undefined) return { text: escapes.get(kind) ?? kind.trim(), length: 2 };
  const code = Number.parseInt(file.slice(at + 2, at + 2 + digits), 16);
  return { text: String.fromCharCode(code), length: 2 + digits };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  [' ', ' '],
  ['_', '\u00a0'],
  ['0', '\0'],
]);

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}
