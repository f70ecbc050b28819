import { gitOutput } from './git-command.ts';
import type { GitRepository } from './git-repository.ts';

export interface NewCommit {
  /** The ref that holds the commit from then on. */
  readonly ref: string;
  /** Undefined for the first commit of a branch. */
  readonly parent: string | undefined;
  /** Texts by path; undefined removes the file. */
  readonly changes: ReadonlyMap<string, string | undefined>;
  readonly message: string;
  readonly author: GitAuthor;
}

export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

/** Writes a commit with these changes on top of its parent, in one process; no work tree and no index is involved. */
export async function writeCommit({ root: cwd }: GitRepository, commit: NewCommit): Promise<string> {
  const output = await gitOutput(['fast-import', '--quiet', '--force', '--date-format=now'], {
    cwd,
    input: importStream(commit),
  });
  return output.trim();
}

function importStream({ ref, parent, changes, message, author }: NewCommit): string {
  const lines = [
    'feature done',
    `commit ${ref}`,
    'mark :1',
    `committer ${plain(author.name)} <${plain(author.email)}> now`,
    dataOf(message),
    ...(parent === undefined ? [] : [`from ${parent}`]),
    ...[...changes].map(([path, text]) =>
      text === undefined ? `D ${quoted(path)}` : `M 100644 inline ${quoted(path)}\n${dataOf(text)}`,
    ),
    '',
    'get-mark :1',
    'done',
  ];
  return `${lines.join('\n')}\n`;
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

/** A name must not end the line that it stands in. */
function plain(text: string): string {
  return text.replace(/[<>\p{Cc}]/gu, '').trim();
}
