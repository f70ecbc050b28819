import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { gitOutput, gitReason, runGit } from '../../git/command.ts';
import { findRepository } from '../../git/repository.ts';
import type { ReadableFiles } from '../../manifest/project/project-files.ts';
import { recordsFolder } from '../../record/record-text.ts';

/**
 * The files of the project folder that git tracks. What an earlier step of a workflow left in the checkout, such as an
 * `.npmrc` with a token, is no part of the commit, and a manifest may name any file of the folder.
 */
export async function trackedFiles(root: string): Promise<ReadableFiles> {
  const otherwise =
    'is not tracked by git, and the action reads only tracked files: commit it, or run `git add` in an earlier step';
  // That there is no such folder is told as every command tells it.
  if (!existsSync(root)) return { paths: new Set(), otherwise };
  const repository = await findRepository(root);
  const listed = 'problem' in repository ? undefined : await runGit(listing, { cwd: root });
  if (listed?.code === 0) return { paths: new Set(listed.stdout.toString('utf8').split('\0')), otherwise };
  const why = 'problem' in repository ? repository.problem : gitReason(listed?.stderr ?? '');
  throw new AgentformError(
    'run-refused',
    `the action reads only files tracked by git, but git cannot list them (${why}); check out with actions/checkout`,
  );
}

const listing = ['ls-files', '-z', '--recurse-submodules'];

/** The files of the project folder that git tracks and a sparse checkout leaves out; none without one. */
export async function filesLeftOut(root: string): Promise<ReadonlySet<string>> {
  const asked = await runGit(['config', '--type=bool', 'core.sparseCheckout'], { cwd: root });
  if (asked.stdout.toString('utf8').trim() !== 'true') return new Set();
  const listed = await gitOutput(['ls-files', '-t', '-z'], { cwd: root });
  const paths = listed.split('\0').flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []));
  return new Set(paths.filter((path) => !existsSync(join(root, path))));
}

/** Throws `run-refused` for a record that git does not track: nobody could have reviewed what it says was applied. */
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
    `the record ${untracked} is not tracked by git, and before a merge only committed records are used; commit it`,
  );
}
