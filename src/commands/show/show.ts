import { AgentformError } from '../../errors.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import type { Host } from '../../session/host.ts';
import { type PlaceOf, type PlanResult, placesOf } from '../../session/plan-result.ts';
import { readSavedPlan } from '../../session/saved-plan.ts';

export interface ShowOptions {
  /** The saved plan. */
  readonly plan: string;
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
}

/** A saved plan, to be shown again. Where its manifests say what is only known if the project is at hand. */
export async function show(host: Pick<Host, 'env'>, options: ShowOptions): Promise<PlanResult> {
  const { plan, warnings } = await readSavedPlan(options.plan);
  return {
    plan,
    warnings,
    sourceOf: () => undefined,
    placeOf: () => undefined,
    ...(await placesFor(plan, host, options)),
  };
}

/** Needs no secret. A plan can be shown without the project that it was made from, or long after it was changed. */
async function placesFor(
  plan: Plan,
  { env }: Pick<Host, 'env'>,
  options: ShowOptions,
): Promise<(Pick<PlanResult, 'sourceOf'> & { readonly placeOf: PlaceOf }) | undefined> {
  try {
    const project = await loadProject(options.project);
    const resolution = await resolveProject(project, { environment: plan.environment, secrets: 'form', env });
    return { sourceOf: project.sourceOf, placeOf: placesOf(resolution) };
  } catch (error) {
    if (error instanceof AgentformError) return undefined;
    throw error;
  }
}
