import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { filesBelow, pathUnder } from '../../files/plain-file.ts';
import { gitOutput, gitReason, runGit } from '../../git/command.ts';
import { findRepository, repositoryTopOf } from '../../git/repository.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { ReadableFiles } from '../../manifest/project/project-files.ts';
import { recordsFolder } from '../../record/record-text.ts';
import { environmentNamed } from '../environment.ts';
import type { Host } from '../host.ts';

/** The location of a project, its settings for records and `requires`, and the environment to run in. */
export type LocatedProject = Pick<Project, 'root' | 'file' | 'record' | 'requires'> & { readonly environment: string };

/**
 * Loads a project to find its location and environment. Throws the same errors as `loadProject`, and
 * `environment-unknown`.
 */
export async function locateProject(
  host: Pick<Host, 'readable'>,
  options: { readonly project: string; readonly environment?: string | undefined },
): Promise<LocatedProject> {
  const project = await loadProject(options.project, host);
  return { ...project, environment: environmentNamed(project, options.environment) };
}

interface ProjectLocation {
  /** Absolute path of the project folder. */
  readonly root: string;
  /**
   * Absolute path of the repository. Outside git, the working directory if the project is inside it, otherwise `root`.
   */
  readonly top: string;
  /** The project folder relative to `top`, with forward slashes. Empty if both are the same folder. */
  readonly folder: string;
}

/**
 * Locates a project in its repository, so that paths can be written as code hosts show them. Accepts the same path as
 * `loadProject`.
 */
export function locationOfProject(project: string): ProjectLocation {
  const root = projectFolder(resolve(project));
  const top = repositoryTopOf(root) ?? workingFolder(root);
  return { root, top, folder: pathUnder(top, root) };
}

function projectFolder(path: string): string {
  return existsSync(path) && !statSync(path).isDirectory() ? dirname(path) : path;
}

function workingFolder(root: string): string {
  const fromFolder = relative(process.cwd(), root);
  return fromFolder.split(sep)[0] === '..' || isAbsolute(fromFolder) ? root : process.cwd();
}

/**
 * Lists the files of the project folder that git tracks. A manifest may name any file in the folder, but must not read
 * untracked files, such as an `.npmrc` with a token. Throws `run-refused` if git cannot list the files.
 */
export async function trackedFiles(root: string): Promise<ReadableFiles> {
  const otherwise =
    'is not tracked by git, and the action reads only tracked files; commit it, or run `git add` in an earlier step';
  // A missing folder is reported later.
  if (!existsSync(root)) return { paths: new Set(), otherwise };
  const repository = await findRepository(root);
  const listed = 'problem' in repository ? undefined : await runGit(listing, { cwd: root });
  if (listed?.code === 0) return { paths: new Set(listed.stdout.toString('utf8').split('\0')), otherwise };
  const why = 'problem' in repository ? repository.problem : gitReason(listed?.stderr ?? '');
  throw new AgentformError(
    'run-refused',
    `the action reads only files tracked by git, but git cannot list them (${why}); add actions/checkout as an earlier step`,
  );
}

const listing = ['ls-files', '-z', '--recurse-submodules'];

/** Returns the tracked files of the project folder that a sparse checkout leaves out. */
export async function filesLeftOut(root: string): Promise<ReadonlySet<string>> {
  const asked = await runGit(['config', '--type=bool', 'core.sparseCheckout'], { cwd: root });
  if (asked.stdout.toString('utf8').trim() !== 'true') return new Set();
  const listed = await gitOutput(['ls-files', '-t', '-z'], { cwd: root });
  const paths = listed.split('\0').flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []));
  return new Set(paths.filter((path) => !existsSync(join(root, path))));
}

/** Throws `run-refused` if a record file is untracked, because its values were never reviewed. */
export function requireTrackedRecords(root: string, environment: string, { paths }: ReadableFiles): void {
  const folder = `${recordsFolder}/${environment}`;
  if (!statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory()) return;
  const records = filesBelow(join(root, folder)).filter((path) => path.endsWith('.json'));
  const untracked = records.map((path) => `${folder}/${path}`).find((path) => !paths.has(path));
  if (untracked === undefined) return;
  throw new AgentformError(
    'run-refused',
    `the record ${untracked} is not tracked by git, and before a merge only committed records are used; commit the record`,
  );
}
