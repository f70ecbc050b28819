import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ignoredFolders } from '../manifest/project/find-files.ts';
import { FolderWatch } from '../workspace/folder-watch.ts';
import { LiveProject, projectFile, type ServerContext } from './live-project.ts';
import { foldersAround, type OpenDocuments, pathBelow } from './positions.ts';

/** The maximum number of folders to search. A project elsewhere is found when one of its files is opened. */
const maxFolders = 20_000;

interface ProjectsInput {
  readonly documents: OpenDocuments;
  readonly context: ServerContext;
  readonly listener: ConstructorParameters<typeof LiveProject>[3];
}

/** The projects in the opened folders and around open documents. */
export class Projects {
  readonly #input: ProjectsInput;
  readonly #byRoot = new Map<string, LiveProject>();
  readonly #folders = new Set<string>();
  readonly #watches = new Map<string, AbortController>();

  constructor(input: ProjectsInput) {
    this.#input = input;
  }

  get all(): readonly LiveProject[] {
    return [...this.#byRoot.values()];
  }

  /** Finds the project in the nearest folder around a file. */
  of(path: string): LiveProject | undefined {
    for (const folder of foldersAround(path)) {
      const known = this.#byRoot.get(folder);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  addFolder(folder: string): void {
    this.#folders.add(folder);
    this.#addProjects(folder);
  }

  /** Closes a folder. Projects that are also in another open folder stay. */
  removeFolder(folder: string): void {
    this.#folders.delete(folder);
    this.#watches.get(folder)?.abort();
    this.#watches.delete(folder);
    for (const [root, project] of this.#byRoot) {
      if (!isIn(folder, root) || [...this.#folders].some((other) => isIn(other, root))) continue;
      project.close();
      this.#byRoot.delete(root);
      this.#input.listener.gone(root);
    }
  }

  editedDocument(path: string): void {
    if (basename(path) === projectFile) this.#add(dirname(path));
    else if (this.of(path) === undefined) {
      const root = foldersAround(path).find((folder) => existsSync(join(folder, projectFile)));
      if (root !== undefined) this.#add(root);
    }
    for (const project of this.all) {
      const below = pathBelow(project.root, path);
      if (below !== undefined) project.editedDocument(below);
    }
  }

  /** Notes that a file or folder on the disk changed. */
  editedFile(path: string): void {
    if (path.split(/[\\/]/).some((name) => ignoredFolders.has(name))) return;
    if (basename(path) === projectFile && existsSync(path)) this.#add(dirname(path));
    this.#addProjects(path);
    this.#edited(path);
  }

  drop(root: string): void {
    this.#byRoot.delete(root);
  }

  /** Watches an open folder, for editors that do not watch files. Calls `edited` after each series of edits. */
  watch(folder: string, edited: () => void): void {
    if (this.#watches.has(folder)) return;
    const stopped = new AbortController();
    this.#watches.set(folder, stopped);
    void this.#watching(folder, stopped.signal, edited);
  }

  close(): void {
    for (const stopped of this.#watches.values()) stopped.abort();
    for (const project of this.all) project.close();
  }

  async #watching(folder: string, signal: AbortSignal, edited: () => void): Promise<void> {
    const watch = new FolderWatch(folder, signal);
    try {
      while (await watch.edited()) {
        this.#addProjects(folder);
        for (const project of this.all) project.edited();
        edited();
      }
    } finally {
      watch.close();
    }
  }

  #addProjects(folder: string): void {
    for (const root of projectsBelow(folder)) this.#add(root);
  }

  #add(root: string): void {
    if (this.#byRoot.has(root)) return;
    const { documents, context, listener } = this.#input;
    const project = new LiveProject(root, documents, context, listener);
    this.#byRoot.set(root, project);
    project.edited();
  }

  /**
   * Marks all projects that an edit affects as edited. A deleted folder may contain several projects, and several
   * projects may use the same file.
   */
  #edited(path: string): void {
    for (const project of this.all) {
      if (pathBelow(project.root, path) !== undefined || isIn(path, project.root)) project.edited();
    }
  }
}

/** Whether a path is a folder itself, or is below it. */
function isIn(folder: string, path: string): boolean {
  return path === folder || pathBelow(folder, path) !== undefined;
}

function projectsBelow(top: string): string[] {
  const roots: string[] = [];
  const folders = [top];
  for (const folder of folders) {
    if (folders.length > maxFolders) break;
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory() && !ignoredFolders.has(entry.name)) folders.push(join(folder, entry.name));
        else if (entry.name === projectFile && !entry.isDirectory()) roots.push(folder);
      }
    } catch {
      // A file, or a folder that cannot be read, has no project to check.
    }
  }
  return roots;
}
