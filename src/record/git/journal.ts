import { appendFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentformError, reasonOf } from '../../errors.ts';
import { appendFlags, readPlainFile, requireNoLinks } from '../../files/plain-file.ts';
import { makeFolder, replaceFile } from '../../files/whole-file.ts';
import { isJsonObject } from '../../json/json.ts';
import { keyAt } from '../record-text.ts';

/** The maximum size of a journal in bytes, more than an apply of a thousand large records writes. */
const journalSizeLimit = 256 * 1024 * 1024;

/** The wanted text of a record file, and the text that it replaces; undefined: none. */
export interface StagedText {
  readonly file: string;
  readonly before: string | undefined;
  readonly text: string | undefined;
}

/**
 * Saved but not yet shared texts, as lines of a file. A killed run leaves the file to the next run on this machine. A
 * line that the kill cut off was not saved.
 */
export class RecordJournal {
  readonly path: string;
  #queue: Promise<void> = Promise.resolve();
  /** Lines that wait for the current flush, and are then written together. */
  #waiting: string[] = [];
  #written: Promise<void> | undefined;

  readonly #root: string;

  constructor(root: string, file: string) {
    this.#root = root;
    this.path = join(root, file);
  }

  /** The saves in their order. A file may occur several times. */
  async read(): Promise<StagedText[]> {
    return this.#text().split('\n').flatMap(entryOf);
  }

  #text(): string {
    try {
      requireNoLinks(this.#root, dirname(this.path));
      return readPlainFile(this.path, journalSizeLimit)?.text ?? '';
    } catch (cause) {
      const why = reasonOf(cause);
      throw new AgentformError('record-unreadable', `the journal ${this.path} cannot be read: ${why}`, { cause });
    }
  }

  append(entry: StagedText): Promise<void> {
    this.#waiting.push(lineOf(entry));
    this.#written ??= this.#inTurn(async () => {
      // Begins with a line feed, because a killed run may have left the beginning of a line.
      const lines = `\n${this.#waiting.splice(0).join('')}`;
      this.#written = undefined;
      await this.#makeFolder();
      await appendFile(this.path, lines, { flag: appendFlags, mode: 0o600, flush: true });
    });
    return this.#written;
  }

  /** Rewrites the file with exactly these entries, or removes it without entries. */
  rewrite(entries: readonly StagedText[]): Promise<void> {
    return this.#inTurn(async () => {
      if (entries.length === 0) return rm(this.path, { force: true });
      await this.#makeFolder();
      await replaceFile(this.path, entries.map(lineOf).join(''), { mode: 0o600 });
    });
  }

  async #makeFolder(): Promise<void> {
    requireNoLinks(this.#root, dirname(this.path));
    await makeFolder(dirname(this.path));
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(write).catch((cause: unknown) => {
      const why = reasonOf(cause);
      throw new AgentformError('file-unwritable', `the journal ${this.path} cannot be written: ${why}`, { cause });
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

function lineOf({ file, before, text }: StagedText): string {
  return `${JSON.stringify({ file, before, text })}\n`;
}

function entryOf(line: string): StagedText[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  if (!isJsonObject(value) || typeof value.file !== 'string') return [];
  const { file, before, text } = value;
  return [{ file, before: asText(before), text: asText(text) }];
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The journals of a project and branch, one for each environment. */
export class RecordJournals {
  readonly #root: string;
  readonly #folder: string;
  /** By environment. */
  readonly #journals = new Map<string, RecordJournal>();

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  of(environment: string): RecordJournal {
    const journal =
      this.#journals.get(environment) ?? new RecordJournal(this.#root, `${this.#folder}/${environment}.journal`);
    this.#journals.set(environment, journal);
    return journal;
  }

  /** Rewrites each journal with the staged texts of its environment. */
  async rewrite(staged: readonly StagedText[]): Promise<void> {
    await Promise.all(
      [...this.#journals].map(([environment, journal]) =>
        journal.rewrite(staged.filter((one) => keyAt(one.file)?.environment === environment)),
      ),
    );
  }
}

/**
 * Saved but not yet shared texts, on top of the shared ones. When the shared state of other runs arrives, a staged text
 * stays if its file has the text that it replaces, or one of ours: a push may have arrived although its response was
 * lost. Otherwise it is a clash, the only thing that two runs can disagree on.
 */
export class StagedRecords {
  readonly #shared = new Map<string, string>();
  readonly #staged = new Map<string, StagedText>();
  /** Every text that was staged since the last known shared one, by file. */
  readonly #ours = new Map<string, Set<string | undefined>>();

  /** The text of a file as this run sees it. */
  text(file: string): string | undefined {
    const staged = this.#staged.get(file);
    return staged === undefined ? this.#shared.get(file) : staged.text;
  }

  /** Every file with a text below a folder, sorted. */
  files(folder: string): string[] {
    const shared = [...this.#shared.keys()].filter((file) => !this.#staged.has(file));
    const staged = [...this.#staged.values()].flatMap(({ file, text }) => (text === undefined ? [] : [file]));
    return [...shared, ...staged].filter((file) => file.startsWith(folder)).sort();
  }

  stage(file: string, text: string | undefined): StagedText {
    const earlier = this.#staged.get(file);
    const staged = { file, before: earlier === undefined ? this.#shared.get(file) : earlier.before, text };
    this.#put(staged);
    return staged;
  }

  /** Takes over the staged texts of an earlier run, one after the other, except shared ones. */
  restore(staged: StagedText): void {
    this.#put(staged);
    this.#follow(staged.file);
  }

  #put(staged: StagedText): void {
    const { file, text } = staged;
    this.#staged.set(file, staged);
    this.#ours.set(file, (this.#ours.get(file) ?? new Set()).add(text));
  }

  /** Handles the current shared text of a file: a staged text equal to it is done, and one of ours is replaced. */
  #follow(file: string): void {
    const staged = this.#staged.get(file);
    const shared = this.#shared.get(file);
    if (staged === undefined) return;
    if (staged.text === shared) this.#staged.delete(file);
    else if (this.#ours.get(file)?.has(shared)) this.#staged.set(file, { ...staged, before: shared });
  }

  /** Sets the shared texts below a folder. */
  setShared(folder: string, texts: ReadonlyMap<string, string>): void {
    for (const file of [...this.#shared.keys()]) if (file.startsWith(folder)) this.#shared.delete(file);
    for (const [file, text] of texts) this.#shared.set(file, text);
    for (const { file } of this.staged()) if (file.startsWith(folder)) this.#follow(file);
  }

  /** Marks these texts as shared. Texts that were staged for their files since then will replace them. */
  settle(changes: readonly StagedText[]): void {
    for (const { file, text } of changes) {
      if (text === undefined) this.#shared.delete(file);
      else this.#shared.set(file, text);
      this.#follow(file);
      const staged = this.#staged.get(file);
      if (staged === undefined) this.#ours.delete(file);
      else this.#ours.set(file, new Set([staged.text]));
    }
  }

  /** Forgets all files. */
  clear(): void {
    for (const known of [this.#shared, this.#staged, this.#ours]) known.clear();
  }

  /** By file. */
  staged(): StagedText[] {
    return [...this.#staged.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
  }

  /** Drops texts that are already shared. Not to be called while texts are being shared, because a retry may change what is shared. */
  dropSame(): void {
    for (const { file, text } of this.staged()) if (this.#shared.get(file) === text) this.#staged.delete(file);
  }

  clashes(): StagedText[] {
    return this.staged().filter(({ file, before }) => this.#shared.get(file) !== before);
  }

  drop(file: string): void {
    this.#staged.delete(file);
  }
}
