import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ignoredFolders } from '../manifest/project/find-files.ts';

/** The maximum number of folders to watch. If there are more, the project folder is probably wrong. */
const maxFolders = 10_000;

/**
 * The time to wait for the end of a series of edits, in milliseconds. An editor writes a file in several steps, and a
 * branch switch writes many files.
 */
const quiet = 50;

/** The maximum time to wait for the end of a series, because another program may write a log file without a pause. */
const longestSeries = 1_000;

/** The time until a removed folder is looked for again, in milliseconds. A clone or a switch may create it again. */
const untilFound = 500;

/** Watches a folder and its subfolders for edits, except ignored folders. Watches at most `maxFolders`. */
export class FolderWatch {
  readonly #root: string;
  readonly #signal: AbortSignal;
  /**
   * The watchers by path, each with the identity of its folder. If a folder is deleted and created again, a new watcher
   * is needed.
   */
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly made: string }>();
  #isEdited = false;
  #wake: () => void = () => {};

  /** Starts watching. Aborting the signal ends `edited`, but only `close` stops the watching. */
  constructor(root: string, signal: AbortSignal) {
    this.#root = root;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    this.#watchFolders();
  }

  /**
   * Waits for an edit since the last call, and then for the end of the series of edits. If the series takes too long,
   * the next call reports its remaining edits. Returns false if aborted.
   */
  async edited(): Promise<boolean> {
    while (!this.#isEdited && !this.#signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await (this.#isWatching ? woken : Promise.race([woken, pause(untilFound)]));
      if (this.#isWatching) continue;
      this.#watchFolders();
      this.#isEdited ||= this.#isWatching;
    }
    const end = performance.now() + longestSeries;
    while (this.#isEdited && !this.#signal.aborted && performance.now() < end) {
      this.#isEdited = false;
      await pause(quiet);
    }
    this.#watchFolders();
    return !this.#signal.aborted;
  }

  /** Whether the folder existed when its subfolders were last looked for. */
  get #isWatching(): boolean {
    return this.#watchers.has(this.#root);
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watchFolders(): void {
    const folders = new Set([this.#root]);
    // The loop also visits the folders that it adds.
    for (const folder of folders) {
      for (const name of foldersIn(folder)) if (folders.size < maxFolders) folders.add(join(folder, name));
    }
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#unwatchFolder(folder);
    for (const folder of folders) this.#watchFolder(folder);
  }

  #watchFolder(folder: string): void {
    try {
      const { ino, birthtimeMs } = statSync(folder);
      const made = `${ino} ${birthtimeMs}`;
      const known = this.#watchers.get(folder);
      if (known?.made === made) return;
      known?.watcher.close();
      const watcher = watch(folder, () => this.#note());
      watcher.on('error', () => this.#note());
      this.#watchers.set(folder, { watcher, made });
    } catch {
      // The folder was removed. If it is the watched folder itself, `edited` looks for it again.
      this.#unwatchFolder(folder);
    }
  }

  #unwatchFolder(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }

  #note(): void {
    this.#isEdited = true;
    this.#wake();
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && !ignoredFolders.has(entry.name) ? [entry.name] : []));
  } catch {
    return [];
  }
}
