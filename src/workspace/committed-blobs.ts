import {
  type CommittedFiles,
  type FileReading,
  fileReadingOf,
  type ProjectFiles,
  textLimit,
} from '../manifest/project/project-files.ts';
import type { FactStore } from '../manifest/project/trace.ts';

/** The work tree, and the known facts about its files. */
export interface WorkTree {
  readonly files: ProjectFiles;
  readonly facts: FactStore;
}

interface CommitInput {
  /** The id of each file's blob, by path. */
  readonly blobs: ReadonlyMap<string, string>;
  /** Reads blobs in the given order. Undefined if the total size of the blobs is too large. */
  readonly read: (blobs: readonly string[]) => Promise<readonly Buffer[] | undefined>;
  /**
   * The work tree, if any. Files that the work tree contains unchanged are read from there, with the line endings of a
   * checkout.
   */
  readonly now?: WorkTree | undefined;
}

type WorkTreeDigests = ReturnType<CommittedFiles['known']>;

/**
 * Reads the files of a project at a commit without a checkout. Files that the work tree contains unchanged are read
 * from there. All other files are fetched together. Before a fetch, a requested file appears to be missing, so callers
 * repeat their work after each fetch.
 */
export class CommittedBlobs implements CommittedFiles {
  readonly #input: CommitInput;
  readonly #bytes = new Map<string, Buffer>();
  readonly #wanted = new Set<string>();
  readonly #same = new Map<string, WorkTreeDigests>();
  #names: { readonly exact: ReadonlySet<string>; readonly folded: ReadonlySet<string> } | undefined;
  /**
   * Whether the result needs a real checkout. A checkout is needed if the blobs are too large, or if a case-insensitive
   * file system would find a requested name.
   */
  isDoubtful = false;

  constructor(input: CommitInput) {
    this.#input = input;
  }

  get paths(): Iterable<string> {
    return this.#input.blobs.keys();
  }

  has(path: string): boolean {
    if (this.#input.blobs.has(path)) return true;
    this.#names ??= namesIn(this.paths);
    if (this.#names.exact.has(path)) return true;
    this.isDoubtful ||= this.#names.folded.has(folded(path));
    return false;
  }

  read(path: string, limit: number): FileReading {
    if (!this.has(path)) return { failure: 'does not exist' };
    const { now } = this.#input;
    if (now !== undefined && this.known(path) !== undefined) return now.files.read(path, limit);
    const bytes = this.#bytes.get(path);
    if (bytes !== undefined) return fileReadingOf(path, bytes, limit);
    this.want([path]);
    return { failure: 'does not exist' };
  }

  known(path: string): WorkTreeDigests {
    if (this.#same.has(path)) return this.#same.get(path);
    const { blobs, now } = this.#input;
    const blob = blobs.get(path);
    const found = blob === undefined ? undefined : now?.files.digestsOf(path, now.facts);
    const known = found?.blob === blob ? found : undefined;
    this.#same.set(path, known);
    return known;
  }

  /** Adds files to the next fetch. */
  want(paths: readonly string[]): void {
    const { blobs } = this.#input;
    for (const path of paths)
      if (blobs.has(path) && !this.#bytes.has(path) && this.known(path) === undefined) this.#wanted.add(path);
  }

  get lacksAny(): boolean {
    return this.#wanted.size > 0;
  }

  async fetch(): Promise<void> {
    const { blobs, read } = this.#input;
    const paths = [...this.#wanted];
    const found = await read(paths.map((path) => blobs.get(path) ?? ''));
    this.isDoubtful ||= found === undefined;
    for (const [index, bytes] of (found ?? []).entries()) {
      const path = paths[index] ?? '';
      const current = this.#input.now?.files.read(path, textLimit).source;
      this.#bytes.set(path, withLineEndingsOf(current?.text, bytes));
    }
    this.#wanted.clear();
  }
}

/**
 * Converts a committed file with LF line endings to CRLF if the file in the work tree has CRLF, as a checkout on Windows
 * does. Git is not asked whether it converts the file, because a different line ending alone is not a change.
 */
export function withLineEndingsOf(current: string | Buffer | undefined, committed: Buffer): Buffer {
  if (current?.includes('\r\n') !== true || committed.includes('\r')) return committed;
  return Buffer.from(committed.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

/**
 * Collects all names of files and folders, both in their original form and in the form in which case-insensitive file
 * systems compare names.
 */
function namesIn(paths: Iterable<string>) {
  const exact = new Set<string>();
  for (const path of paths) {
    for (let name = path; name !== '' && !exact.has(name); name = name.slice(0, Math.max(0, name.lastIndexOf('/')))) {
      exact.add(name);
    }
  }
  return { exact, folded: new Set([...exact].map(folded)) };
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
