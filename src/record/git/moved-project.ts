import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { gitOutput } from '../../git/command.ts';
import type { GitRepository } from '../../git/repository.ts';
import { commandIn } from '../../kinds/desired.ts';
import { joinWithOr, listSome, shellWord } from '../../text/wording.ts';

// A record branch stores records under the project's path, so the records of a moved project stay under its former
// path.

/**
 * Returns the projects that this checkout lacks. Does not return projects that only a sparse checkout leaves out. Paths
 * are relative to the top of the repository, and are empty or end with a slash.
 */
export async function projectsLeft(
  { root: cwd, top, prefix }: GitRepository,
  projects: readonly string[],
): Promise<string[]> {
  const absent = projects.filter((path) => path !== prefix && !existsSync(join(top, path, projectFile)));
  if (absent.length === 0) return [];
  const files = absent.map((path) => `:(top,literal)${path}${projectFile}`);
  const listed = await gitOutput(['ls-files', '-t', '-z', '--full-name', '--', ...files], { cwd });
  const leftOut = new Set(listed.split('\0').flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : [])));
  return absent.filter((path) => !leftOut.has(`${path}${projectFile}`));
}

const projectFile = 'agentform.yaml';

interface OnBranch {
  /** The branch as messages show it. */
  readonly shown: string;
  /** The folder of this project. */
  readonly own: string;
}

/** Returns the error for a project without records, if the records of its resources are in folders without a project. */
export function movedProject(folders: readonly string[], { shown, own }: OnBranch): AgentformError {
  const moves = folders
    .slice(0, maxMoves)
    .map((folder) => commandIn(undefined, `record move --to git --folder ${shellWord(folder)}`));
  const named = listSome(folders, maxMoves);
  const deleted = folders.length === 1 ? `the folder ${named}` : 'these folders';
  return new AgentformError(
    'record-elsewhere',
    `${shown} has no records of this project (${own}), so its agents would count as new. The branch has records of ` +
      `resources with the same names in ${named}, where this checkout has no agentform.yaml. If the project was moved ` +
      `from there, run ${joinWithOr(moves)}. If it was moved there, update this checkout with \`git pull\`. If this is a ` +
      `new project, set a separate \`branch\` under \`record\` in agentform.yaml, or delete ${deleted} on the branch`,
    { facts: { folders: [...folders] } },
  );
}

const maxMoves = 3;

/** Formats the path of a project, from the top of the repository. */
export function folderShown(prefix: string): string {
  return prefix === '' ? '.' : prefix.slice(0, -1);
}

/**
 * Returns the prefix of a project's former folder in the repository. Throws `usage` for a folder that cannot be a
 * former one. A folder with an agentform.yaml belongs to another project, which needs its records.
 */
export async function formerPrefix(folder: string, repository: GitRepository): Promise<string> {
  const normal = posix.normalize(`${folder}/`);
  const found = normal === './' ? '' : normal;
  const why = await reasonAgainst(found, repository);
  if (why === undefined) return found;
  throw new AgentformError('usage', `--folder is ${JSON.stringify(folder)}, but ${why}`);
}

async function reasonAgainst(found: string, repository: GitRepository): Promise<string | undefined> {
  if (found.startsWith('/') || found.startsWith('../'))
    return 'it is outside the repository; name a path from the top of the repository';
  if (found === repository.prefix) return 'it is the folder of this project; name the former folder';
  if ((await projectsLeft(repository, [found])).length > 0) return undefined;
  return `its ${projectFile} is the project of these records; name the former folder of this project`;
}
