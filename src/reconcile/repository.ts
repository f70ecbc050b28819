import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The folder that paths are told relative to, and the way from there to the project. */
export interface ProjectPlace {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Absolute: the top of the repository that the project is in, or else the working directory. */
  readonly base: string;
  /** Relative to the base, with forward slashes; empty if they are the same. */
  readonly folder: string;
}

/** Where a project is, for code hosts and other readers that know the repository. The path is as for loadProject. */
export function placeOfProject(project: string): ProjectPlace {
  const root = projectFolder(resolve(project));
  const base = repositoryOf(root) ?? workingFolder(root);
  return { root, base, folder: relative(base, root).split(sep).join('/') };
}

function projectFolder(path: string): string {
  return existsSync(path) && !statSync(path).isDirectory() ? dirname(path) : path;
}

/** The nearest folder with `.git`, which is a file in worktrees and submodules. */
export function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

function workingFolder(root: string): string {
  const way = relative(process.cwd(), root);
  return way.split(sep)[0] === '..' || isAbsolute(way) ? root : process.cwd();
}
