import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { summary, setOutput as writeOutput } from '@actions/core';
import { type DriftResult, hasDrift } from '../commands/drift/drift.ts';
import { savePlan } from '../commands/plan/plan.ts';
import { AgentformError, reasonOf } from '../errors.ts';
import { requireNoLinks } from '../files/plain-file.ts';
import { makeFolder, replaceFile } from '../files/whole-file.ts';
import { isOnlyDrift } from '../plan/pending.ts';
import { hasPendingChanges } from '../plan/plan.ts';
import { storeDefinitions } from '../record/store-table.ts';
import { planJson } from '../report/json.ts';
import { maskedWithin } from '../report/markdown/fit.ts';
import { annotationsOf } from '../report/problems/annotations.ts';
import { renderProblems } from '../report/problems/problems-text.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { FoundProblems } from '../yaml/problem.ts';
import { runUrl } from './github/event.ts';
import { subjectDigest } from './github/marker.ts';
import type { Inputs } from './inputs.ts';
import { logNotice, printAnnotations, printQuoted, warning } from './log.ts';
import type { ActionRun, StartedRun } from './run.ts';

/** Sets an output for later steps. Throws `file-unwritable` if the runner's file cannot be written. */
export function setOutput(name: string, value: unknown): void {
  try {
    writeOutput(name, value);
  } catch (cause) {
    throw new AgentformError('file-unwritable', `cannot write the output ${name}: ${reasonOf(cause)}`, { cause });
  }
}

/** Sets the plan's outputs for later steps of the job. */
export function setPlanOutputs(plan: Plan): void {
  const { create, update, blocked, drift } = plan.summary;
  const revert = plan.resources.filter(isOnlyDrift).length;
  setOutput('changes', hasPendingChanges(plan));
  const counts = { create, update: update - revert, revert, blocked, drift };
  for (const [name, count] of Object.entries(counts)) setOutput(name, count);
  setOutput('digest', plan.digest);
}

/**
 * Sets the same outputs as for a plan, but `changes` and `drift` describe the drift. `changes` includes possible drift.
 */
export function setDriftOutputs({ plan, drift }: DriftResult): void {
  setPlanOutputs(plan);
  setOutput('changes', hasDrift(drift));
  setOutput('drift', drift.summary.moves);
}

/**
 * Saves a plan, and sets its path as an output. Skips an offline plan, and a plan with failed reads. Each subject has a
 * separate path, so that a later step of the job does not replace the plan of an earlier step.
 */
export async function savePlanFile(plan: Plan, { subject }: Pick<StartedRun, 'subject'>): Promise<void> {
  const { environment, project } = subject;
  if (plan.summary.failed > 0 || plan.offline !== undefined) return;
  const name = ['agentform', project, environment, subjectDigest(subject, environment)]
    .join('-')
    .replace(/[^\w.-]+/g, '-');
  const path = join(process.env.RUNNER_TEMP ?? tmpdir(), `${name}.plan.json`);
  await savePlan(plan, path, planJson(plan));
  setOutput('plan-path', path);
}

interface PageRun extends Pick<StartedRun, 'redact'> {
  readonly inputs: Pick<Inputs, 'html'>;
}

/**
 * Writes the requested page, and sets its path as an output. Replaces any file at that path, even one from the pull
 * request, and follows no links. Only the output proves that this run wrote the page.
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

/** Returns the address of the page in the workflow run, or undefined if there is no page. */
export function pageAddress({ inputs }: Pick<PageRun, 'inputs'>): string | undefined {
  const url = runUrl();
  return inputs.html === undefined || url === undefined ? undefined : `${url}#artifacts`;
}

/** Annotates the lines of problems in files. */
export function annotate({ problems, sourceOf }: FoundProblems, { folder, redact }: StartedRun): void {
  printAnnotations(annotationsOf(problems, { folder, sourceOf, redact }));
}

/** Annotates the lines of problems in files, and logs the problems with these lines. */
export function showProblems(found: FoundProblems, run: StartedRun): void {
  annotate(found, run);
  printQuoted(renderProblems(found.problems, { color: false, sourceOf: found.sourceOf, redact: run.redact }));
}

/** The maximum size of a summary in bytes. GitHub refuses more than 1 MiB. */
const maxBytes = 1_000_000;

/** Writes the job summary within GitHub's limit. If writing fails, logs a warning. */
export async function writeSummary(render: (limit: number) => string): Promise<void> {
  if ((process.env.GITHUB_STEP_SUMMARY ?? '') === '') return;
  try {
    await summary.addRaw(fittedText(render), true).write();
  } catch (error) {
    // The log and the outputs have the result too, so the step does not fail.
    warning(`the job summary could not be written: ${reasonOf(error)}`);
  } finally {
    // Otherwise, the next call would write the same text again.
    summary.emptyBuffer();
  }
}

function fittedText(render: (limit: number) => string): string {
  // The text is masked already.
  const mask = (text: string) => text;
  return maskedWithin(render, { limit: maxBytes, mask, sizeOf: (text) => Buffer.byteLength(text) });
}

/** Logs a notice after a command that stored records as files in the checkout. */
export function noteRecordFiles({ record }: ActionRun): void {
  if (!storeDefinitions[record.store].isInProject) return;
  logNotice(
    'The records are files in this checkout and are lost when the job ends, unless a later step commits them. ' +
      'With `record: { store: git }` in agentform.yaml they are kept on a branch.',
  );
}
