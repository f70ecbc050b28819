import { dirname, join, resolve } from 'node:path';
import { setOutput } from '@actions/core';
import { AgentformError, reasonOf } from '../errors.ts';
import { requireNoLinks } from '../files/plain-file.ts';
import { makeFolder, replaceFile } from '../files/whole-file.ts';
import type { Inputs } from './inputs.ts';
import type { ActionRun } from './run.ts';
import { runUrl } from './run-link.ts';

/** What it takes of a run. */
interface PageRun extends Pick<ActionRun, 'redact'> {
  readonly inputs: Pick<Inputs, 'html'>;
}

/**
 * Writes the page, if the workflow asks for one, and tells later steps its path. What a pull request put in its place is
 * replaced, and no link that it made is followed. Only with the output is the file known to be this run's.
 */
export async function writePage({ inputs, redact }: PageRun, render: () => string): Promise<void> {
  if (inputs.html === undefined) return;
  const workspace = resolve(process.env.GITHUB_WORKSPACE || '.');
  const path = join(workspace, inputs.html);
  try {
    requireNoLinks(workspace, dirname(path));
    await makeFolder(dirname(path));
    await replaceFile(path, redact(render()));
  } catch (cause) {
    throw new AgentformError('file-unwritable', `cannot write ${inputs.html}: ${reasonOf(cause)}`, { cause });
  }
  setOutput('html-path', path);
}

/** Where the page is to be found, as Markdown; empty if there is none. */
export function aboutPage({ inputs }: Pick<PageRun, 'inputs'>): string {
  const url = runUrl();
  return inputs.html === undefined || url === undefined
    ? ''
    : ` As a page, side by side: the [artifacts of the run](${url}#artifacts).`;
}
