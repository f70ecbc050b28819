import { addressOf, type Desired } from '../../kinds/desired.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { desiredOfAll } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { validateProject } from '../../manifest/resolve/validate-project.ts';
import type { Decisions } from '../../plan/decisions.ts';
import { asOffline } from '../../plan/plan.ts';
import { type PlannedResource, planResource, withSources } from '../../plan/resource-plan.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import { judgingRules, restrictedTo, rulesOf, withValidProjectAt } from '../../session/base/base-rules.ts';
import { type CommittedProject, openCommit } from '../../session/base/committed-project.ts';
import { environmentNamed } from '../../session/environment.ts';
import { keyedOffline } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';
import { identitiesOf } from '../../session/identities.ts';
import { type OriginOptions, planOriginOf } from '../../session/plans/plan-origin.ts';
import { type PlanResult, placeFinder } from '../../session/plans/plan-result.ts';
import { withPromptWarnings } from '../../session/plans/prompt-warnings.ts';
import { type PlannedSession, planOf } from '../../session/prepare.ts';
import { matchResources } from '../../session/records/matched-resources.ts';
import { declaredRecord } from '../../session/records/records.ts';
import { declaredRollout } from '../../session/rollout.ts';
import { requireMatches, type Selection, selectedResources } from '../../session/selection.ts';
import { requireValid, type SessionOptions } from '../../session/session.ts';
import { hasErrors, levelOf, type Problem } from '../../yaml/problem.ts';

interface OfflinePlanOptions extends Selection, OriginOptions, Pick<SessionOptions, 'project' | 'environment'> {
  readonly decisions?: Decisions;
  /** The commit to compare the manifests with. */
  readonly base: string;
}

type OfflineHost = Pick<Host, 'env' | 'allowedSecrets' | 'readable' | 'cache' | 'openedBase' | 'now'>;

/** Plans manifest changes without the service or secrets. Checks all manifests first. */
export async function planOffline(host: OfflineHost, options: OfflinePlanOptions): Promise<PlanResult> {
  const loaded = await loadProject(options.project, host);
  const environment = environmentNamed(loaded, options.environment);
  const openedBase = await openCommit(loaded.root, options.base, host.openedBase);
  const found = await withValidProjectAt(loaded, openedBase, async (baseProject) => ({
    commit: baseProject.commit,
    baseRules: await rulesOf(baseProject, loaded, { environments: [environment], env: host.env }),
    before: await manifestsAt(baseProject, environment, host),
  }));
  const { commit, baseRules, before } = found ?? { commit: openedBase.id, before: nothing };
  const project = restrictedTo(loaded, baseRules);
  const { sourceOf } = project;
  const { problems: own } = await validateProject(project, { env: host.env });
  const { env, allowedSecrets } = host;
  const selection = selectedResources(options);
  const resolving = { environment, secrets: 'names', select: selection.includes, env, allowedSecrets } as const;
  const resolution = await keyedOffline(await resolveProject(project, resolving));
  const judging = judgingRules(baseRules, { project, environment, resolution }, host.now());
  const problems = [...own, ...judging.problems];
  requireValid(problems, { project });
  requireValid(resolution.problems, { project });
  requireMatches(options, { ...resolution, environment, removed: project.removed });
  const offline = { project, environment, resolution, selection, ...judging, formerRollouts: baseRules?.rollouts };
  const made = await offlinePlan(offline, before.desired, { ...options, host });
  const earlier = commit === openedBase.id && found !== undefined ? [] : [earlierUsed(loaded.file, found?.commit)];
  const warnings = [...problems, ...before.problems, ...earlier];
  const plan = asOffline(made, commit);
  return { plan, shown: plan, warnings, sourceOf, placeOf: placeFinder(resolution) };
}

/** Makes a plan with the base's declarations in place of records and live values. */
async function offlinePlan(
  session: PlannedSession,
  before: readonly Desired[],
  options: Pick<OfflinePlanOptions, 'decisions' | 'planFrom'> & { readonly host: OfflineHost },
): Promise<Plan> {
  const { project, resolution } = session;
  const declaredBefore = new Map(before.map((desired) => [addressOf(desired), { record: declaredRecord(desired) }]));
  const matched = matchResources(session, declaredBefore);
  const secrecy = secrecyOf([]);
  const shrunkPrompts = levelOf('prompt-shrunk', project.lint);
  const planning = { unverified: 'set', shrunkPrompts, secrecy, orphans: matched.leftOver, offline: true } as const;
  const { redact } = secrecy;
  const selected: PlannedResource[] = [];
  for (const one of matched.declared) {
    const desired = matched.desiredOf(one);
    const record = matched.records.get(addressOf(desired))?.record;
    const renamedFrom = matched.former.get(addressOf(desired))?.record.name;
    const observation = { desired, ...(record && { record }), ...(renamedFrom !== undefined && { renamedFrom }) };
    const planned = withSources(planResource(observation, planning), resolution);
    selected.push({ ...planned, ...(await withPromptWarnings(planned, { ...resolution, redact })) });
  }
  const run = {
    matched,
    isNew: true,
    secrecy,
    selected,
    identities: identitiesOf(session, { records: new Map(), organizations: new Map(), env: {} }),
    // An offline plan cannot know which resources are new, so creates are not limited.
    limits: { creates: Number.POSITIVE_INFINITY },
    sources: new Map(),
    rollout: declaredRollout(session, options.host.now()),
    origin: await planOriginOf(project, { ...options, redact }),
  };
  return planOf(session, run, { ...options, isJudged: true });
}

/** The manifests of a base without a valid project. */
const nothing = { desired: [], problems: [] };

/** Resolves the base's manifests. Reports unusable manifests and treats them as absent. */
async function manifestsAt(baseProject: CommittedProject, environment: string, { env }: OfflineHost) {
  const project = await baseProject.load();
  if (!project?.environments.includes(environment)) return nothing;
  const resolution = await keyedOffline(await resolveProject(project, { environment, secrets: 'names', env }));
  return { desired: desiredOfAll(resolution), problems: hasErrors(resolution.problems) ? [unusable] : [] };
}

const unusable: Problem = {
  severity: 'warning',
  rule: 'base-unusable',
  message: 'some manifests of the base commit have errors, so the plan shows their resources as new',
};

/** Says that the plan uses an earlier commit than the base, or no commit. */
function earlierUsed(file: string, commit: string | undefined): Problem {
  const shown =
    commit === undefined
      ? 'no earlier commit has a valid one, so the plan shows all resources as new'
      : `the plan compares with commit ${commit.slice(0, 12)}, the newest earlier commit with a valid one`;
  return {
    severity: 'warning',
    rule: 'base-unusable',
    message: `${file} in the base commit has errors; ${shown}`,
  };
}
