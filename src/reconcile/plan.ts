import type { Problem } from '../manifest/problem.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { Host } from './host.ts';
import { requireWritable, savedPlanForm, writeOutput } from './output-file.ts';
import { type PlaceOf, placesOf } from './places.ts';
import { prepare } from './prepare.ts';
import { refuseIncomplete } from './saved-plan.ts';
import { type Session, type SessionOptions, withSession } from './session.ts';

export interface PlanRunOptions extends SessionOptions {
  readonly allowCreates?: number | undefined;
  readonly allowOlder?: boolean | undefined;
  /** Where the plan is to be saved: found out to be writable before anything is read. */
  readonly out?: string | undefined;
}

export interface PlanResult {
  readonly plan: Plan;
  readonly warnings: readonly Problem[];
  /** The text of a file of the project, for code frames. */
  readonly sourceOf: (file: string) => string | undefined;
  /** Where the manifests say what the plan names. */
  readonly placeOf: PlaceOf;
}

/** Plans and writes nothing to the service or the record. */
export async function plan(host: Host, options: PlanRunOptions): Promise<PlanResult> {
  if (options.out !== undefined) await requireWritable(options.out, savedPlanForm);
  return withSession(host, { ...options, readsAhead: true }, async (session) => {
    const run = await prepare(session, options, host);
    return resultOf(session, run.plan);
  });
}

/** A plan with what the manifests' lint says beside it. */
export function resultOf({ warnings, project, resolution }: Session, made: Plan): PlanResult {
  return { plan: made, warnings, sourceOf: project.sourceOf, placeOf: placesOf(resolution) };
}

/** Saves a plan for `apply --plan`. */
export async function savePlan(plan: Plan, path: string, text: string): Promise<void> {
  refuseIncomplete(plan, path);
  await writeOutput(path, savedPlanForm, text);
}
