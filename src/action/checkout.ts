import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AgentformError } from '../errors.ts';
import type { ReadableFiles } from '../manifest/index.ts';
import { placeOfProject } from '../reconcile/repository.ts';
import { gitReason, runGit } from '../record/git-command.ts';
import { recordsFolder } from '../record/record-place.ts';

/**
 * The files of the project that git tracks. What an earlier step left in the checkout, such as an `.npmrc` with a token,
 * is no part of the commit, and a manifest may name any file. Throws `run-refused` where the project has none to tell.
 */
export async function trackedFiles(project: string): Promise<ReadableFiles> {
  refuseLinks(resolve(project));
  const { root } = placeOfProject(project);
  const otherwise =
    'is not tracked by git, and the action reads no other file: commit it, or `git add` it in an earlier step';
  // That there is no such folder is told as every command tells it.
  if (!existsSync(root)) return { paths: new Set(), otherwise };
  const { code, stdout, stderr } = await runGit(['ls-files', '-z', '--recurse-submodules'], { cwd: root });
  if (code !== 0) {
    throw new AgentformError(
      'run-refused',
      `the action reads only files that git tracks, and git cannot list them (${gitReason(stderr)}); check out with actions/checkout`,
    );
  }
  return { paths: new Set(stdout.toString('utf8').split('\0')), otherwise };
}

/**
 * Throws `run-refused` for a record that is no part of the change: what was applied last is then told by whoever could
 * leave a file in the checkout.
 */
export function requireTrackedRecords(root: string, environment: string, { paths }: ReadableFiles): void {
  const folder = `${recordsFolder}/${environment}`;
  if (!existsSync(join(root, folder))) return;
  const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const records = found
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.json'));
  const untracked = records.find((path) => !paths.has(path));
  if (untracked === undefined) return;
  throw new AgentformError(
    'run-refused',
    `the record ${untracked} is not tracked by git, and until a change is merged only records that it holds count; commit it`,
  );
}

/**
 * A link in place of a folder leads to another project, while the base commit is asked about this one: its hosts would
 * get this project's tokens.
 */
function refuseLinks(path: string): void {
  for (let way = path, top = topOf(path); way !== top; way = dirname(way)) {
    if (lstatSync(way, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    const shown = relative(top, way).split(sep).join('/');
    throw new AgentformError(
      'run-refused',
      `${shown} is a link, and the action takes no project through one; name the folder itself with the input project`,
    );
  }
}

/** The folder that the workflow made: the checkout, or for a path elsewhere the outermost repository around it. */
function topOf(path: string): string {
  const workspaces = [process.cwd(), process.env.GITHUB_WORKSPACE ?? ''];
  const repositories = ancestors(path).filter((folder) => existsSync(join(folder, '.git')));
  const top = workspaces.find((workspace) => workspace !== '' && isInside(workspace, path)) ?? repositories.at(-1);
  return top === undefined ? dirname(path) : resolve(top);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}
