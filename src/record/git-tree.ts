import { AgentformError, reasonOf } from '../errors.ts';
import { tooLarge } from '../files/plain-file.ts';
import { gitOutput, gitReason, runGit } from './git-command.ts';
import type { GitRepository } from './git-repository.ts';
import { recordSizeLimit } from './record-place.ts';

/**
 * Every file below a folder of a commit, with its text, by path: two processes however many files there are. Throws
 * `record-unreadable` if one is a link, or larger than a record may be.
 */
export async function filesIn(
  { root: cwd }: GitRepository,
  commit: string,
  folder: string,
): Promise<Map<string, string>> {
  const listing = await gitOutput(['ls-tree', '-r', '-z', '--long', '--full-tree', commit, '--', `${folder}/`], {
    cwd,
  });
  const entries = listing.split('\0').flatMap((line) => {
    const [, mode, oid, size, path] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    if (oid === undefined || path === undefined) return [];
    if (mode === '120000') throw unreadable(path, commit, 'it is a link, and links are not followed');
    if (Number(size) > recordSizeLimit)
      throw unreadable(path, commit, reasonOf(tooLarge(Number(size), recordSizeLimit)));
    return [{ oid, path }];
  });
  if (entries.length === 0) return new Map();
  const { code, stdout, stderr } = await runGit(['cat-file', '--batch'], {
    cwd,
    input: entries.map(({ oid }) => `${oid}\n`).join(''),
  });
  if (code !== 0) throw unreadable(folder, commit, gitReason(stderr));
  return withTexts(entries, stdout);
}

function unreadable(path: string, commit: string, why: string): AgentformError {
  const message = `${path} of commit ${commit} cannot be read: ${why}; remove it from the branch of the records`;
  return new AgentformError('record-unreadable', message, { facts: { place: path, commit } });
}

/** Each answer is a line `OID blob SIZE`, the content, and a line feed. */
function withTexts(entries: readonly { readonly path: string }[], output: Buffer): Map<string, string> {
  const texts = new Map<string, string>();
  let at = 0;
  for (const { path } of entries) {
    const end = output.indexOf('\n', at);
    const size = Number(/ blob (\d+)$/.exec(output.toString('utf8', at, end))?.[1]);
    if (!Number.isInteger(size)) throw new Error(`git cat-file has no content for ${path}`);
    texts.set(path, output.toString('utf8', end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return texts;
}
