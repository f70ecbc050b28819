import { annotationsOf } from '../report/annotations.ts';
import type { FoundProblems } from '../report/failure-text.ts';
import { renderProblems } from '../report/problems-text.ts';
import { sayAnnotations, sayQuoted } from './log.ts';
import type { ActionRun } from './run.ts';

/** Puts problems beside the lines of the change. */
export function annotate({ problems, sourceOf }: FoundProblems, { folder, redact }: ActionRun): void {
  sayAnnotations(annotationsOf(problems, { folder, sourceOf, redact }));
}

/** Puts problems beside the lines of the change and, with the lines themselves, into the log. */
export function tellProblems(found: FoundProblems, run: ActionRun): void {
  annotate(found, run);
  sayQuoted(renderProblems(found.problems, { color: false, sourceOf: found.sourceOf, redact: run.redact }));
}
