import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { reasonOf } from '../../errors.ts';
import { findRepository, type GitRepository, isOutsideGit, repositoryOf } from '../../git/repository.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import type { Project } from '../../manifest/project/project.ts';
import { environmentNamed } from '../environment.ts';
import type { Host } from '../host.ts';

/** Where a project is, and which of its environments a run is about. */
export interface LocatedProject {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** Name of the project file in it. */
  readonly file: string;
  readonly environment: string;
  readonly record: Project['record'];
  readonly requires: Project['requires'];
}

/** Finds a project before anything is done with it. Throws as every command does where there is none. */
export async function locateProject(
  host: Pick<Host, 'readable'>,
  options: { readonly project: string; readonly environment?: string | undefined },
): Promise<LocatedProject> {
  const project = await loadProject(options.project, host);
  const environment = environmentNamed(project, options.environment);
  const { root, file, record, requires } = project;
  return { root, file, environment, record, requires };
}

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

function workingFolder(root: string): string {
  const way = relative(process.cwd(), root);
  return way.split(sep)[0] === '..' || isAbsolute(way) ? root : process.cwd();
}

/** The commit that the project folder is at; undefined outside git, or without git. */
export async function currentCommit(root: string): Promise<string | undefined> {
  return (await repositoryAround(root))?.head;
}

/** Why git does not answer about a project that is in a repository; undefined where it does, and outside git. */
export async function gitRefusal(root: string): Promise<string | undefined> {
  if (isOutsideGit(root)) return undefined;
  const found = await findRepository(root).catch((error: unknown) => ({ problem: reasonOf(error) }));
  return 'problem' in found ? found.problem : undefined;
}

/** The repository that the project is in; undefined outside git, or without git. */
export async function repositoryAround(root: string): Promise<GitRepository | undefined> {
  const repository = await findRepository(root).catch(() => undefined);
  return repository === undefined || 'problem' in repository ? undefined : repository;
}
