import { summary } from '@actions/core';
import { maskedWithin } from '../report/markdown/fit.ts';
import { annotationsOf } from '../report/problems/annotations.ts';
import type { FoundProblems } from '../report/problems/error-text.ts';
import { renderProblems } from '../report/problems/problems-text.ts';
import { printAnnotations, printQuoted } from './log.ts';
import type { ActionRun } from './run.ts';

/** Puts problems beside the lines of the change. */
export function annotate({ problems, sourceOf }: FoundProblems, { folder, redact }: ActionRun): void {
  printAnnotations(annotationsOf(problems, { folder, sourceOf, redact }));
}

/** Puts problems beside the lines of the change and, with the lines themselves, into the log. */
export function showProblems(found: FoundProblems, run: ActionRun): void {
  annotate(found, run);
  printQuoted(renderProblems(found.problems, { color: false, sourceOf: found.sourceOf, redact: run.redact }));
}

/** GitHub refuses a summary of more than 1 MiB. */
const mostBytes = 1_000_000;

/** Writes the summary of the job, as long as it may be. */
export async function writeSummary(render: (limit: number) => string): Promise<void> {
  if ((process.env.GITHUB_STEP_SUMMARY ?? '') === '') return;
  await summary.addRaw(fitted(render), true).write();
}

/** Texts are measured in characters and the file in bytes, of which a character has up to three. */
function fitted(render: (limit: number) => string): string {
  const rendered = (limit: number) => ({ text: render(limit) });
  // What comes is masked already.
  const mask = (text: string) => text;
  return maskedWithin(rendered, { limit: mostBytes, mask, sizeOf: (text) => Buffer.byteLength(text) }).text;
}
