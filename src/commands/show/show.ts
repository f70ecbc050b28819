import { undefinedIfExpected } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import type { Host } from '../../session/host.ts';
import { type PlanResult, placeFinder } from '../../session/plans/plan-result.ts';
import { readSavedPlan } from '../../session/plans/saved-plan.ts';

interface ShowOptions {
  /** The path of the saved plan. */
  readonly plan: string;
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
}

/** Reads a saved plan to show it again, with places in the manifests if the project is available. */
export async function show(host: Pick<Host, 'env'>, options: ShowOptions): Promise<PlanResult> {
  const plan = await readSavedPlan(options.plan);
  // A plan can be shown without the project.
  const found = await placesFor(plan, host, options).catch(undefinedIfExpected);
  return { plan, shown: plan, sourceOf: () => undefined, placeOf: () => undefined, warnings: [], ...found };
}

/** Finds the manifest places and warnings for a plan, without secrets. */
async function placesFor(
  plan: Plan,
  { env }: Pick<Host, 'env'>,
  options: ShowOptions,
): Promise<Pick<PlanResult, 'sourceOf' | 'placeOf' | 'warnings'>> {
  const project = await loadProject(options.project);
  const resolution = await resolveProject(project, { environment: plan.environment, secrets: 'names', env });
  const isPlanned = new Set(plan.resources.map(addressOf));
  const files = new Set(resolution.all.filter((one) => isPlanned.has(addressOf(one))).map(({ file }) => file));
  const warnings = resolution.problems.filter(
    ({ severity, at }) => severity === 'warning' && at !== undefined && files.has(at.file),
  );
  return { sourceOf: project.sourceOf, placeOf: placeFinder(resolution), warnings };
}
