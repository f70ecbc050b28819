import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setOutput } from '@actions/core';
import { type DriftResult, hasDrift } from '../commands/drift/drift.ts';
import { savePlan } from '../commands/plan/plan.ts';
import { planJson } from '../report/json.ts';
import { countReverts } from '../report/plan/wording.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { hasPendingChanges } from '../session/plans/exit-code.ts';
import type { CommentPlace } from './marker.ts';

/** Tells later steps of the job what the plan comes to. */
export function setPlanOutputs(plan: Plan): void {
  const { create, update, blocked, drift } = plan.summary;
  const revert = countReverts(plan.resources);
  setOutput('changes', hasPendingChanges(plan));
  const counts = { create, update: update - revert, revert, blocked, drift };
  for (const [name, count] of Object.entries(counts)) setOutput(name, count);
  setOutput('digest', plan.digest);
}

/** What an apply would do about it, and how many settings moved; `changes` counts those too that only may have. */
export function setDriftOutputs({ plan, drift }: DriftResult): void {
  setPlanOutputs(plan);
  setOutput('changes', hasDrift(drift));
  setOutput('drift', drift.summary.moves);
}

/** Saves a plan that an apply can take; one with failed reads, or without any, says too little for that. */
export async function savePlanFile(plan: Plan, { environment, project }: CommentPlace): Promise<void> {
  if (plan.summary.failed > 0 || plan.offline !== undefined) return;
  const part = plan.shard === undefined ? [] : [`shard-${plan.shard.number}-of-${plan.shard.of}`];
  const name = ['agentform', project, environment, ...part].join('-').replace(/[^\w.-]+/g, '-');
  const path = join(process.env.RUNNER_TEMP ?? tmpdir(), `${name}.plan.json`);
  await savePlan(plan, path, planJson(plan));
  setOutput('plan-path', path);
}
