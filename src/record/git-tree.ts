import { gitOutput, runGit } from './git-command.ts';
import type { GitRepository } from './git-repository.ts';

/** Every file below a folder of a commit, with its text, by path: two processes however many files there are. */
export async function filesIn(
  { root: cwd }: GitRepository,
  commit: string,
  folder: string,
): Promise<Map<string, string>> {
  const listing = await gitOutput(['ls-tree', '-r', '-z', '--full-tree', commit, '--', `${folder}/`], { cwd });
  const entries = listing.split('\0').flatMap((line) => {
    const [, type, oid, path] = /^\d+ (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    return type === 'blob' && oid !== undefined && path !== undefined ? [{ oid, path }] : [];
  });
  if (entries.length === 0) return new Map();
  const { stdout } = await runGit(['cat-file', '--batch'], {
    cwd,
    input: entries.map(({ oid }) => `${oid}\n`).join(''),
  });
  return withTexts(entries, stdout);
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
