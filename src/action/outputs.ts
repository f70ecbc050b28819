import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setOutput } from '@actions/core';
import { type DriftResult, hasDrift } from '../commands/drift/drift.ts';
import { savePlan } from '../commands/plan/plan.ts';
import { AgentformError, reasonOf } from '../errors.ts';
import { requireNoLinks } from '../files/plain-file.ts';
import { makeFolder, replaceFile } from '../files/whole-file.ts';
import { planJson } from '../report/json.ts';
import { countReverts } from '../report/wording.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { hasPendingChanges } from '../session/plans/exit-code.ts';
import type { CommentSubject } from './github/marker.ts';
import { runUrl } from './github/run-link.ts';
import type { Inputs } from './inputs.ts';
import type { ActionRun } from './run.ts';

/** Sets the outputs of the plan for later steps of the job. */
export function setPlanOutputs(plan: Plan): void {
  const { create, update, blocked, drift } = plan.summary;
  const revert = countReverts(plan.resources);
  setOutput('changes', hasPendingChanges(plan));
  const counts = { create, update: update - revert, revert, blocked, drift };
  for (const [name, count] of Object.entries(counts)) setOutput(name, count);
  setOutput('digest', plan.digest);
}

/** The apply's actions, and the number of settings that moved; `changes` also counts possible moves. */
export function setDriftOutputs({ plan, drift }: DriftResult): void {
  setPlanOutputs(plan);
  setOutput('changes', hasDrift(drift));
  setOutput('drift', drift.summary.moves);
}

/** Saves a plan that can be applied; one with failed reads or without any is incomplete. */
export async function savePlanFile(plan: Plan, { environment, project }: CommentSubject): Promise<void> {
  if (plan.summary.failed > 0 || plan.offline !== undefined) return;
  const name = ['agentform', project, environment].join('-').replace(/[^\w.-]+/g, '-');
  const path = join(process.env.RUNNER_TEMP ?? tmpdir(), `${name}.plan.json`);
  await savePlan(plan, path, planJson(plan));
  setOutput('plan-path', path);
}

/** The members of a run that it uses. */
interface PageRun extends Pick<ActionRun, 'redact'> {
  readonly inputs: Pick<Inputs, 'html'>;
}

/**
 * Writes the page, if the workflow asks for one, and sets its path as an output. A file of the pull request in its
 * place is replaced, and its links are not followed. Only with the output is the file known to be this run's.
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

/** The address where the workflow keeps the page; undefined if there is none. */
export function pageAddress({ inputs }: Pick<PageRun, 'inputs'>): string | undefined {
  const url = runUrl();
  return inputs.html === undefined || url === undefined ? undefined : `${url}#artifacts`;
}
