import { secretForm } from '../kinds/reference.ts';
import type { Span } from './problem.ts';

/** The text of one file and the way from offsets to lines and columns. */
export class SourceFile {
  /** Relative to the project folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly #hidden: Array<readonly [start: number, end: number]> = [];
  #lineStarts: readonly number[] | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  span(offset: number, end: number): Span {
    const starts = this.#starts();
    const line = lastAtOrBelow(starts, offset);
    return { file: this.path, line: line + 1, column: offset - (starts[line] ?? 0) + 1, offset, end };
  }

  /** From now on `shown` masks this stretch. */
  hide(span: Span): void {
    this.#hidden.push([span.offset, span.end]);
  }

  /** The text as code frames may show it: same length, with literal credentials masked. */
  shown(): string {
    const text = this.text.replace(literalCredential, (_match, key: string, value: string) => key + blank(value));
    return this.#hidden.reduce(
      (shown, [start, end]) => shown.slice(0, start) + blank(shown.slice(start, end)) + shown.slice(end),
      text,
    );
  }

  #starts(): readonly number[] {
    this.#lineStarts ??= [0, ...[...this.text.matchAll(/\r\n|\n/g)].map((match) => match.index + match[0].length)];
    return this.#lineStarts;
  }
}

/**
 * A member whose name says that it holds a credential, with a value that is not a reference. It works on text because
 * a file with a syntax error has no tree to look into.
 */
const literalCredential = new RegExp(
  String.raw`(?<![\w-])([\w-]*(?:token|secret|password|api[-_]?key)['"]?[ \t]*:[ \t]+)` +
    String.raw`(?!['"]?${secretForm}['"]?[ \t]*(?:[,}#\r\n]|$))([^\s#][^\r\n]*)`,
  'gi',
);

function blank(text: string): string {
  return text.replace(/[^\s]/g, '*');
}

function lastAtOrBelow(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
