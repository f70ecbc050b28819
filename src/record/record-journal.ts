import { appendFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { appendFlags, readPlainFile, requireNoLinks } from '../files/plain-file.ts';
import { replaceFile } from '../files/whole-file.ts';
import { isJsonObject } from '../kinds/json.ts';
import type { StagedText } from './staged-records.ts';

/** Bytes of the largest journal that is read: an apply of a thousand large records writes a part of that. */
const journalSizeLimit = 256 * 1024 * 1024;

/**
 * What was saved and is not yet shared, as lines of a file: a run that is killed leaves it to the next one on this
 * machine. A line that was cut off by the kill was not saved.
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

  async read(): Promise<StagedText[]> {
    const last = new Map<string, StagedText>();
    for (const entry of this.#text().split('\n').flatMap(entryOf)) last.set(entry.place, entry);
    return [...last.values()];
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

  /** Holds these entries and nothing else; without any there is no file. */
  rewrite(entries: readonly StagedText[]): Promise<void> {
    return this.#inTurn(async () => {
      if (entries.length === 0) return rm(this.path, { force: true });
      await this.#makeFolder();
      await replaceFile(this.path, entries.map(lineOf).join(''), { mode: 0o600 });
    });
  }

  async #makeFolder(): Promise<void> {
    requireNoLinks(this.#root, dirname(this.path));
    await mkdir(dirname(this.path), { recursive: true });
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

function lineOf({ place, base, text }: StagedText): string {
  return `${JSON.stringify({ place, base, text })}\n`;
}

function entryOf(line: string): StagedText[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  if (!isJsonObject(value) || typeof value.place !== 'string') return [];
  const { place, base, text } = value;
  return [{ place, base: asText(base), text: asText(text) }];
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
