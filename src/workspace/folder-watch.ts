import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Folders without files of a project. */
const ignored: ReadonlySet<string> = new Set(['node_modules', '.git', '.agentform']);

/** The maximum number of folders to watch: more means a wrong project folder. */
const mostFolders = 10_000;

/** An editor writes a file in several steps, and a branch switch writes many files. In milliseconds. */
const quiet = 50;

/** Watches a folder and every folder in it for edits. */
export class FolderWatch {
  readonly #root: string;
  readonly #watchers = new Map<string, FSWatcher>();
  #isEdited = false;
  #wake: () => void = () => {};

  constructor(root: string) {
    this.#root = root;
    this.#watchNewFolders();
  }

  /** Waits for an edit since the last call, and then until there are no more for a moment. False once aborted. */
  async edited(signal: AbortSignal): Promise<boolean> {
    while (!this.#isEdited && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    while (this.#isEdited && !signal.aborted) {
      this.#isEdited = false;
      await pause(quiet);
    }
    this.#watchNewFolders();
    return !signal.aborted;
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watchNewFolders(): void {
    const folders = [this.#root];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      if (this.#watchers.size >= mostFolders) return;
      if (!this.#watchers.has(folder)) this.#watchFolder(folder);
      for (const name of foldersIn(folder)) folders.push(join(folder, name));
    }
  }

  #watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, () => this.#note());
      watcher.on('error', () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // It was removed meanwhile, which the folder around it reports.
    }
  }

  /** A folder that was removed may come back under the same name. */
  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    this.#note();
  }

  #note(): void {
    this.#isEdited = true;
    this.#wake();
  }
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && !ignored.has(entry.name) ? [entry.name] : []));
  } catch {
    return [];
  }
}
