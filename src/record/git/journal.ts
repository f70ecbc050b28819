import { appendFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentformError, reasonOf } from '../../errors.ts';
import { appendFlags, readPlainFile, requireNoLinks } from '../../files/plain-file.ts';
import { makeFolder, replaceFile } from '../../files/whole-file.ts';
import { asText, cached, isJsonObject, jsonIn } from '../../json/json.ts';
import { recordKeyAt } from '../record-text.ts';

/** The maximum size of a journal in bytes. An apply of a thousand large records writes less. */
const journalSizeLimit = 256 * 1024 * 1024;

/** A new text of a record file, and the text that it replaces. The text of a missing file is undefined. */
export interface StagedText {
  readonly file: string;
  readonly before: string | undefined;
  readonly text: string | undefined;
}

/**
 * A local file with the saves that are not published yet, one per line. If the run is killed, the next run on this
 * machine continues with these saves. The save in an incomplete last line was never reported as done.
 */
export class RecordJournal {
  readonly path: string;
  #queue: Promise<void> = Promise.resolve();
  /** Lines to write together after the current flush. */
  #waiting: string[] = [];
  #written: Promise<void> | undefined;

  readonly #root: string;

  constructor(root: string, file: string) {
    this.#root = root;
    this.path = join(root, file);
  }

  /** Reads the saves in order. A record file may occur several times. */
  async read(): Promise<StagedText[]> {
    return this.#text().split('\n').flatMap(stagedIn);
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
      // Starts with a line feed, because a killed run may have left an incomplete line.
      const lines = `\n${this.#waiting.splice(0).join('')}`;
      this.#written = undefined;
      await this.#makeFolder();
      await appendFile(this.path, lines, { flag: appendFlags, mode: 0o600, flush: true });
    });
    return this.#written;
  }

  /** Replaces the journal's content. Removes the file if there are no entries. */
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

function stagedIn(line: string): StagedText[] {
  const value = jsonIn(line);
  if (!isJsonObject(value) || typeof value.file !== 'string') return [];
  const { file, before, text } = value;
  return [{ file, before: asText(before), text: asText(text) }];
}

/** The journals of a project and branch, one for each environment. */
export class RecordJournals {
  readonly #root: string;
  readonly #folder: string;
  readonly #journals = new Map<string, RecordJournal>();

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  of(environment: string): RecordJournal {
    const open = () => new RecordJournal(this.#root, `${this.#folder}/${environment}.journal`);
    return cached(this.#journals, environment, open);
  }

  /** Leaves all journals as they are. Their staged texts were dropped, and are read again if needed. */
  clear(): void {
    this.#journals.clear();
  }

  /** Rewrites every journal in use with the staged texts of its environment. */
  async rewrite(staged: readonly StagedText[]): Promise<void> {
    await Promise.all(
      [...this.#journals].map(([environment, journal]) =>
        journal.rewrite(staged.filter((one) => recordKeyAt(one.file)?.environment === environment)),
      ),
    );
  }
}

/**
 * Staged texts on top of the published texts. A staged text is saved but not published. After a fetch, a staged text is
 * dropped if it equals the published text. A text remains staged if the file still has the text that it replaces. The
 * text also remains staged if the file has a text that this run staged earlier. A push may succeed although its
 * response is lost. In all other cases, another run has changed the same record. This is a clash.
 */
export class StagedRecords {
  /** The published texts by file, each decoded on demand. */
  readonly #shared = new Map<string, () => string>();
  readonly #staged = new Map<string, StagedText>();
  /** Clashing texts of earlier runs, which stay in their journals. This run sees the published texts instead. */
  readonly #apart = new Map<string, StagedText>();
  /** All texts that this run staged since the last published text, by file. */
  readonly #ours = new Map<string, Set<string | undefined>>();

  text(file: string): string | undefined {
    const staged = this.#staged.get(file);
    return staged === undefined ? this.#published(file) : staged.text;
  }

  #published(file: string): string | undefined {
    return this.#shared.get(file)?.();
  }

  /** Returns the sorted paths of all files in a folder, except files that were removed. */
  files(folder: string): string[] {
    const shared = [...this.#shared.keys()].filter((file) => !this.#staged.has(file));
    const staged = [...this.#staged.values()].flatMap(({ file, text }) => (text === undefined ? [] : [file]));
    return [...shared, ...staged].filter((file) => file.startsWith(folder)).sort();
  }

  stage(file: string, text: string | undefined): StagedText {
    const earlier = this.#staged.get(file);
    const staged = { file, before: earlier === undefined ? this.#published(file) : earlier.before, text };
    this.#put(staged);
    return staged;
  }

  /** Takes over a staged text of an earlier run, in journal order. Drops the text if it is already published. */
  restore(staged: StagedText): void {
    this.#put(staged);
    this.#follow(staged.file);
  }

  #put(staged: StagedText): void {
    const { file, text } = staged;
    this.#staged.set(file, staged);
    this.#ours.set(file, (this.#ours.get(file) ?? new Set()).add(text));
  }

  /**
   * Compares the staged text of a file with the published text. Drops the staged text if they are equal. If this run
   * staged the published text earlier, the staged text now replaces that text.
   */
  #follow(file: string): void {
    const staged = this.#staged.get(file);
    const shared = this.#published(file);
    if (staged === undefined) return;
    if (staged.text === shared) this.#staged.delete(file);
    else if (this.#ours.get(file)?.has(shared)) this.#staged.set(file, { ...staged, before: shared });
  }

  /** Sets the published texts in a folder. */
  setShared(folder: string, texts: ReadonlyMap<string, () => string>): void {
    for (const file of [...this.#shared.keys()]) if (file.startsWith(folder)) this.#shared.delete(file);
    for (const [file, text] of texts) this.#shared.set(file, text);
    for (const { file } of this.staged()) if (file.startsWith(folder)) this.#follow(file);
  }

  /** Marks texts as published. Texts that were staged later remain until the next commit is published. */
  settle(changes: readonly StagedText[]): void {
    for (const { file, text } of changes) {
      if (text === undefined) this.#shared.delete(file);
      else this.#shared.set(file, () => text);
      this.#follow(file);
      const staged = this.#staged.get(file);
      if (staged === undefined) this.#ours.delete(file);
      else this.#ours.set(file, new Set([staged.text]));
    }
  }

  clearStaged(): void {
    for (const known of [this.#staged, this.#apart, this.#ours]) known.clear();
  }

  /** Returns the staged texts, one for each file. */
  staged(): StagedText[] {
    return [...this.#staged.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
  }

  /**
   * Drops staged texts that equal the published texts. Must not be called during a push, because the push may change
   * the published texts.
   */
  dropSame(): void {
    for (const { file, text } of this.staged()) if (this.#published(file) === text) this.#staged.delete(file);
  }

  clashes(): StagedText[] {
    return this.staged().filter(({ file, before }) => this.#published(file) !== before);
  }

  drop(file: string): void {
    this.#staged.delete(file);
  }

  /** Leaves the clashing texts of a folder to the next run that locks its environment. */
  leaveClashes(folder: string): void {
    for (const clash of this.clashes()) {
      if (!clash.file.startsWith(folder)) continue;
      this.#apart.set(clash.file, clash);
      this.drop(clash.file);
    }
  }

  unpublished(): StagedText[] {
    return [...this.#apart.values(), ...this.staged()];
  }
}
