import type { Problem } from '../manifest/problem.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { Host } from './host.ts';
import { writeOutput } from './output-file.ts';
import { type PlaceOf, placesOf } from './places.ts';
import { prepare } from './prepare.ts';
import { refuseIncomplete } from './saved-plan.ts';
import { type Session, type SessionOptions, withSession } from './session.ts';

export interface PlanRunOptions extends SessionOptions {
  readonly allowCreates?: number | undefined;
  readonly allowOlder?: boolean | undefined;
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
export function plan(host: Host, options: PlanRunOptions): Promise<PlanResult> {
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
  await writeOutput(path, text);
}
