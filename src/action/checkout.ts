import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { AgentformError } from '../errors.ts';
import { isInside } from '../git/repository.ts';

/**
 * Throws `run-refused` where the way to the project leads through a link. It may lead to another project, while the base
 * commit is asked about this one: the other's hosts would get this one's tokens.
 */
export function refuseLinks(project: string): void {
  const path = resolve(project);
  const top = topOf(path);
  for (let way = path; way !== top; way = dirname(way)) {
    if (lstatSync(way, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    const shown = relative(top, way).split(sep).join('/');
    throw new AgentformError(
      'run-refused',
      `${shown} is a link, and the action does not follow links to a project; name the folder itself in the input project`,
    );
  }
}

/** The folder that the workflow made: the checkout, or for a path elsewhere the outermost repository around it. */
function topOf(path: string): string {
  const checkouts = [process.cwd(), process.env.GITHUB_WORKSPACE ?? ''].flatMap((folder) =>
    folder === '' ? [] : resolve(folder),
  );
  const checkout = checkouts.find((folder) => isInside(folder, path));
  return checkout ?? foldersAbove(path).findLast((folder) => existsSync(join(folder, '.git'))) ?? dirname(path);
}

/** The nearest first. */
function foldersAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...foldersAbove(parent)];
}
