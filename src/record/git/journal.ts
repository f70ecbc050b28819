import { appendFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentformError, reasonOf } from '../../errors.ts';
import { appendFlags, readPlainFile, requireNoLinks } from '../../files/plain-file.ts';
import { makeFolder, replaceFile } from '../../files/whole-file.ts';
import { isJsonObject } from '../../json/json.ts';
import { keyAt } from '../record-text.ts';

/** Bytes of the largest journal that is read: an apply of a thousand large records writes a part of that. */
const journalSizeLimit = 256 * 1024 * 1024;

/** The wanted text at a place, and the text that it replaces; undefined: none. */
export interface StagedText {
  readonly place: string;
  readonly before: string | undefined;
  readonly text: string | undefined;
}

/**
 * Saved but not yet shared texts, as lines of a file: a run that is killed leaves it to the next one on this machine. A
 * line that was cut off by the kill was not saved.
 */
export class RecordJournal {
  readonly path: string;
  #queue: Promise<void> = Promise.resolve();
  /** Lines that wait for the flush under way, and are then written together. */
  #waiting: string[] = [];
  #written: Promise<void> | undefined;

  readonly #root: string;

  constructor(root: string, place: string) {
    this.#root = root;
    this.path = join(root, place);
  }

  /** In the order in which they were saved, one place perhaps several times. */
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
      // A line feed first: a run that was killed may have left the beginning of a line, which must not swallow these.
      const lines = `\n${this.#waiting.splice(0).join('')}`;
      this.#written = undefined;
      await this.#makeFolder();
      await appendFile(this.path, lines, { flag: appendFlags, mode: 0o600, flush: true });
    });
    return this.#written;
  }

  /** Contains exactly these entries; without any there is no file. */
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

function lineOf({ place, before, text }: StagedText): string {
  return `${JSON.stringify({ place, before, text })}\n`;
}

function entryOf(line: string): StagedText[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  if (!isJsonObject(value) || typeof value.place !== 'string') return [];
  const { place, before, text } = value;
  return [{ place, before: asText(before), text: asText(text) }];
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The journals of a project and branch: of each environment that is asked for one. */
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

  /** Each holds what is staged in its environment, and nothing else. */
  async rewrite(staged: readonly StagedText[]): Promise<void> {
    await Promise.all(
      [...this.#journals].map(([environment, journal]) =>
        journal.rewrite(staged.filter((one) => keyAt(one.place)?.environment === environment)),
      ),
    );
  }
}

/**
 * Saved but not yet shared texts, over the shared ones. Others share too: when their state arrives, a staged text stays
 * unless its place has another text than the one it replaces, and not one of ours: a push may have arrived although its
 * response, or the run, was lost. Otherwise that is a clash, the only thing that two runs can disagree on.
 */
export class StagedRecords {
  readonly #shared = new Map<string, string>();
  readonly #staged = new Map<string, StagedText>();
  /** By place, every text that was staged since the last that is known to be shared. */
  readonly #ours = new Map<string, Set<string | undefined>>();

  /** The text at a place as this run sees it. */
  text(place: string): string | undefined {
    const staged = this.#staged.get(place);
    return staged === undefined ? this.#shared.get(place) : staged.text;
  }

  /** Every place below a folder that holds a text, sorted. */
  places(folder: string): string[] {
    const shared = [...this.#shared.keys()].filter((place) => !this.#staged.has(place));
    const staged = [...this.#staged.values()].flatMap(({ place, text }) => (text === undefined ? [] : [place]));
    return [...shared, ...staged].filter((place) => place.startsWith(folder)).sort();
  }

  stage(place: string, text: string | undefined): StagedText {
    const earlier = this.#staged.get(place);
    const staged = { place, before: earlier === undefined ? this.#shared.get(place) : earlier.before, text };
    this.#put(staged);
    return staged;
  }

  /** Takes over the staged texts of an earlier run, one after the other; shared ones are done. */
  restore(staged: StagedText): void {
    this.#put(staged);
    this.#follow(staged.place);
  }

  #put(staged: StagedText): void {
    const { place, text } = staged;
    this.#staged.set(place, staged);
    this.#ours.set(place, (this.#ours.get(place) ?? new Set()).add(text));
  }

  /** The shared text at a place is the current one: done if it is staged, and to be replaced if it is of ours. */
  #follow(place: string): void {
    const staged = this.#staged.get(place);
    const shared = this.#shared.get(place);
    if (staged === undefined) return;
    if (staged.text === shared) this.#staged.delete(place);
    else if (this.#ours.get(place)?.has(shared)) this.#staged.set(place, { ...staged, before: shared });
  }

  /** Everything below a folder is shared as given. */
  setShared(folder: string, texts: ReadonlyMap<string, string>): void {
    for (const place of [...this.#shared.keys()]) if (place.startsWith(folder)) this.#shared.delete(place);
    for (const [place, text] of texts) this.#shared.set(place, text);
    for (const { place } of this.staged()) if (place.startsWith(folder)) this.#follow(place);
  }

  /** These texts were shared. Texts that were staged at their places since then will replace them. */
  settle(changes: readonly StagedText[]): void {
    for (const { place, text } of changes) {
      if (text === undefined) this.#shared.delete(place);
      else this.#shared.set(place, text);
      this.#follow(place);
      const staged = this.#staged.get(place);
      if (staged === undefined) this.#ours.delete(place);
      else this.#ours.set(place, new Set([staged.text]));
    }
  }

  /** No place is known. */
  clear(): void {
    for (const known of [this.#shared, this.#staged, this.#ours]) known.clear();
  }

  /** By place. */
  staged(): StagedText[] {
    return [...this.#staged.values()].sort((one, other) => (one.place < other.place ? -1 : 1));
  }

  /** Drops texts that are already in place. Not during a sharing, which may change it. */
  dropSame(): void {
    for (const { place, text } of this.staged()) if (this.#shared.get(place) === text) this.#staged.delete(place);
  }

  clashes(): StagedText[] {
    return this.staged().filter(({ place, before }) => this.#shared.get(place) !== before);
  }

  drop(place: string): void {
    this.#staged.delete(place);
  }
}
