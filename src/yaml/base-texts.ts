import { createHash } from 'node:crypto';
import { mayAllow } from './allow-comments.ts';
import type { Span } from './problem.ts';
import type { SourceFile } from './source-file.ts';

/** The file of a path, if it was read. */
type Sources = (file: string) => SourceFile | undefined;

/** A text as it is written, and the way from its stretches to those of files. */
interface ComparedText {
  readonly written: string;
  readonly places: () => (start: number, end: number) => Span;
}

/**
 * The texts of the base commit, which decide what `agentform-allow` comments may silence: a rule that is an error there
 * is allowed only on lines that the base has in the same file.
 */
export class BaseTexts {
  /** The rules that are errors at the base. */
  readonly rules: ReadonlySet<string>;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #lines = new Map<string, ReadonlySet<string>>();

  /** The texts by path: every file with such a comment, and the patches. */
  constructor(rules: Iterable<string>, texts: ReadonlyMap<string, string>) {
    this.rules = new Set(rules);
    this.#texts = texts;
  }

  /** A digest of all that decides. */
  get digest(): string {
    const hash = createHash('sha256');
    for (const part of [...this.rules].sort()) hash.update(`${part}\0`);
    for (const [path, text] of this.#texts) hash.update(`\0${path}\0${text}\0`);
    return hash.digest('base64url');
  }

  /** The lines of a text, from 0, that are new or changed in the files that it comes from; only a text with comments is compared. */
  changedLines({ written, places }: ComparedText, source: Sources): ReadonlySet<number> {
    const changed = new Set<number>();
    if (!mayAllow(written)) return changed;
    const placed = places();
    const isSame = this.#comparison(source);
    let start = 0;
    for (const [line, text] of written.split('\n').entries()) {
      if (!isSame(placed(start, start + Math.max(1, text.length)))) changed.add(line);
      start += text.length + 1;
    }
    return changed;
  }

  /** Whether the base has the lines that a stretch of a file is in. Many stretches may be in one line, which is long. */
  #comparison(source: Sources): (span: Span) => boolean {
    const files = new Map<string, readonly string[] | undefined>();
    const known = new Map<string, boolean>();
    return ({ file, line, offset, end }) => {
      const read = source(file);
      if (!files.has(file)) files.set(file, read?.text.split('\n'));
      const last = read?.span(Math.max(offset, end - 1), end).line ?? line;
      const key = `${line} ${last} ${file}`;
      const isSame = known.get(key) ?? this.#hasAll(file, files.get(file)?.slice(line - 1, last));
      known.set(key, isSame);
      return isSame;
    };
  }

  #hasAll(file: string, lines: readonly string[] | undefined): boolean {
    const text = this.#texts.get(file);
    if (lines === undefined || text === undefined) return false;
    const there = this.#lines.get(file) ?? new Set(text.split('\n').map(plain));
    this.#lines.set(file, there);
    return lines.every((line) => there.has(plain(line)));
  }
}

/** Line ends and indentation change nothing that a person has looked at. */
function plain(line: string): string {
  return line.trim();
}
