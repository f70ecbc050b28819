import { summary } from '@actions/core';
import { reasonOf } from '../errors.ts';
import { maskedWithin } from '../report/markdown/fit.ts';
import { annotationsOf } from '../report/problems/annotations.ts';
import type { FoundProblems } from '../report/problems/error-text.ts';
import { renderProblems } from '../report/problems/problems-text.ts';
import { printAnnotations, printQuoted, warning } from './log.ts';
import type { ActionRun } from './run.ts';

/** Annotates the lines of the change with problems. */
export function annotate({ problems, sourceOf }: FoundProblems, { folder, redact }: ActionRun): void {
  printAnnotations(annotationsOf(problems, { folder, sourceOf, redact }));
}

/** Annotates the lines of the change with problems, and logs them with their lines. */
export function showProblems(found: FoundProblems, run: ActionRun): void {
  annotate(found, run);
  printQuoted(renderProblems(found.problems, { color: false, sourceOf: found.sourceOf, redact: run.redact }));
}

/** GitHub refuses a summary of more than 1 MiB. */
const mostBytes = 1_000_000;

/** Writes the summary of the job, as long as it may be. A failure to write it is a warning. */
export async function writeSummary(render: (limit: number) => string): Promise<void> {
  if ((process.env.GITHUB_STEP_SUMMARY ?? '') === '') return;
  try {
    await summary.addRaw(fitted(render), true).write();
  } catch (error) {
    // It only repeats what the log and the outputs have: a failure to write it does not change the result.
    warning(`the summary of the job could not be written: ${reasonOf(error)}`);
  } finally {
    // Text that could not be written is not written again by the next call.
    summary.emptyBuffer();
  }
}

/** Texts are measured in characters and the file in bytes, of which a character has up to three. */
function fitted(render: (limit: number) => string): string {
  const rendered = (limit: number) => ({ text: render(limit) });
  // The text is already masked.
  const mask = (text: string) => text;
  return maskedWithin(rendered, { limit: mostBytes, mask, sizeOf: (text) => Buffer.byteLength(text) }).text;
}
