import { appendFile, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { isJsonObject } from '../kinds/json.ts';
import type { StagedText } from './staged-records.ts';

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

  constructor(path: string) {
    this.path = path;
  }

  async read(): Promise<StagedText[]> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw new AgentformError('record-unreadable', `the journal ${this.path} cannot be read: ${reasonOf(error)}`);
    });
    const last = new Map<string, StagedText>();
    for (const entry of text.split('\n').flatMap(entryOf)) last.set(entry.place, entry);
    return [...last.values()];
  }

  append(entry: StagedText): Promise<void> {
    this.#waiting.push(lineOf(entry));
    this.#written ??= this.#inTurn(async () => {
      const lines = this.#waiting.splice(0).join('');
      this.#written = undefined;
      await mkdir(dirname(this.path), { recursive: true });
      await appendFile(this.path, lines, { mode: 0o600, flush: true });
    });
    return this.#written;
  }

  /** Holds these entries and nothing else; without any there is no file. */
  rewrite(entries: readonly StagedText[]): Promise<void> {
    return this.#inTurn(async () => {
      if (entries.length === 0) return rm(this.path, { force: true });
      const beside = `${this.path}.tmp`;
      const file = await open(beside, 'w', 0o600);
      try {
        await file.writeFile(entries.map(lineOf).join(''));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, this.path);
    });
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
