import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { addressOf, type Desired, inOrganization } from '../../kinds/desired.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import type { Project } from '../../manifest/project/project.ts';
import { exceptionProblems, unmended } from '../../manifest/resolve/policies.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { validateProject } from '../../manifest/resolve/validate-project.ts';
import { assignRecords } from '../../plan/moves.ts';
import { orphansOf } from '../../plan/orphans.ts';
import { asOffline, makePlan } from '../../plan/plan.ts';
import { planResource } from '../../plan/resource-plan.ts';
import type { PolicyInput } from '../../plan/verdicts/policies.ts';
import type { TestsInput } from '../../plan/verdicts/tests.ts';
import { withWritten } from '../../plan/written.ts';
import { policiesIn, withBase } from '../../policy/policy.ts';
import { withProjectAt } from '../../session/base/base-project.ts';
import { formerAtBase, heldTo, rulesOf, testProblems } from '../../session/base/base-rules.ts';
import { environmentNamed } from '../../session/environment.ts';
import { ManifestsInvalid } from '../../session/errors.ts';
import { type KeyedResolution, keyedOffline } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';
import { identitiesOf } from '../../session/identities.ts';
import { type PlanResult, placesOf } from '../../session/plans/plan-result.ts';
import { withPromptWarnings } from '../../session/plans/prompt-warnings.ts';
import { declaredRecord } from '../../session/records/records.ts';
import { isEverything, requireMatches, type Selection, selector } from '../../session/selection.ts';
import { runTests } from '../../testing/run-tests.ts';
import { hasErrors, levelOf, type Problem } from '../../yaml/problem.ts';

export interface OfflinePlanOptions extends Selection {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly environment?: string | undefined;
  /** A commit, whose manifests the present ones are compared with. */
  readonly base: string;
  readonly skipPolicies?: boolean | undefined;
  readonly skipTests?: boolean | undefined;
}

type OfflineHost = Pick<Host, 'env' | 'allowedSecrets' | 'readable' | 'cache' | 'now'>;

/** What a change of manifests asks for, without the service and without a secret. Every manifest is checked first. */
export async function planOffline(host: OfflineHost, options: OfflinePlanOptions): Promise<PlanResult> {
  const loaded = await loadProject(options.project, host);
  const environment = environmentNamed(loaded, options.environment);
  return withProjectAt(loaded.root, options.base, async (base) => {
    const rules = await rulesOf(base, loaded, { environments: [environment], env: host.env });
    const project = heldTo(loaded, rules);
    const { problems: found } = await validateProject(project, { env: host.env });
    const resolution = await resolveOffline(project, environment, { host, selection: options });
    const isTested = project.testsRequired.has(environment);
    const formerOf = formerAtBase(rules, environment, resolution.all);
    const judging = withBase(resolution.tests, rules.tests, formerOf);
    const own = [
      ...exceptionProblems(resolution.policies, host.now()),
      ...unmended(rules.broken, resolution.policies),
      ...(isTested ? testProblems(rules, { environment, resolution, tests: judging }) : []),
    ];
    const problems = [...found, ...own];
    if (hasErrors(problems)) throw new ManifestsInvalid({ problems, sourceOf: project.sourceOf });
    if (hasErrors(resolution.problems)) throw new ManifestsInvalid({ ...resolution, sourceOf: project.sourceOf });
    requireMatches(options, { ...resolution, environment, removed: project.removed });
    const before = await manifestsAt(base.folder, { file: project.file, environment, host });
    const policies = {
      policies: policiesIn(withBase(resolution.policies, rules.policies, formerOf), environment),
      now: host.now(),
      viewOf: resolution.policyView,
      isSkipped: options.skipPolicies === true,
    };
    const tests = isTested
      ? { ...runTests(judging, { environment, desired: resolution.desired }), isSkipped: options.skipTests === true }
      : undefined;
    const plan = await offlinePlan({ project, environment, resolution, policies, tests }, before.desired, options);
    const warnings = [...problems, ...before.problems];
    return { plan: asOffline(plan, base.commit), warnings, sourceOf: project.sourceOf, placeOf: placesOf(resolution) };
  });
}

interface ResolvedProject {
  readonly project: Project;
  readonly environment: string;
  readonly resolution: KeyedResolution;
  readonly policies: PolicyInput;
  readonly tests: TestsInput | undefined;
}

/** The same planning as with a service, with what was declared before in the place of what was applied last. */
async function offlinePlan(resolved: ResolvedProject, before: readonly Desired[], selection: OfflinePlanOptions) {
  const { environment, resolution, project, policies, tests } = resolved;
  const secrecy = secrecyOf([]);
  const declaredBefore = new Map(before.map((desired) => [addressOf(desired), { record: declaredRecord(desired) }]));
  const assigned = assignRecords(declaredBefore, { manifests: resolution.all, removed: project.removed });
  const wanted = resolution.desired.map((desired) => inOrganization(desired, new Map()));
  const orphans = orphansOf(
    assigned.orphans.map(({ record }) => record),
    wanted.filter((desired) => !assigned.records.has(addressOf(desired))),
    { ...assigned, elsewhere: resolution.elsewhere },
  );
  const shrunkPrompts = levelOf('prompt-shrunk', project.lint);
  const planning = { unverified: 'set', shrunkPrompts, secrecy, orphans, offline: true } as const;
  const planned = wanted.map((desired) => {
    const record = assigned.records.get(addressOf(desired))?.record;
    const renamedFrom = assigned.former.get(addressOf(desired))?.record.name;
    const observation = { desired, ...(record && { record }), ...(renamedFrom !== undefined && { renamedFrom }) };
    return withWritten(planResource(observation, planning), resolution);
  });
  const isSelected = selector(selection);
  return makePlan({
    environment,
    selected: await withPromptWarnings(planned, { ...resolution, redact: secrecy.redact }),
    orphans: isEverything(selection) ? orphans : [],
    removals: assigned.removals.map(({ record }) => record).filter((record) => isSelected(addressOf(record))),
    identities: identitiesOf(resolved, { records: new Map(), organizations: new Map(), env: {} }),
    // Whether what is new in the manifests is new on the service is not known, and neither is what was applied.
    limits: { creates: Number.POSITIVE_INFINITY },
    sources: new Map(),
    policies,
    tests,
  });
}

async function resolveOffline(
  project: Project,
  environment: string,
  { host, selection }: { readonly host: OfflineHost; readonly selection: Selection },
): Promise<KeyedResolution> {
  const { env, allowedSecrets } = host;
  const select = selector(selection);
  return keyedOffline(await resolveProject(project, { environment, secrets: 'form', select, env, allowedSecrets }));
}

interface Before {
  readonly desired: readonly Desired[];
  /** That some of it could not be used. */
  readonly problems: readonly Problem[];
}

/** The manifests of the base; unusable ones count as absent, and are reported. */
async function manifestsAt(
  folder: string | undefined,
  { file, environment, host }: { readonly file: string; readonly environment: string; readonly host: OfflineHost },
): Promise<Before> {
  if (folder === undefined || !existsSync(join(folder, file))) return { desired: [], problems: [] };
  try {
    const project = await loadProject(join(folder, file));
    if (!project.environments.includes(environment)) return { desired: [], problems: [] };
    const { env } = host;
    const { desired, problems } = await keyedOffline(
      await resolveProject(project, { environment, secrets: 'form', env }),
    );
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    return { desired, problems: errors === 0 ? [] : [unusable('some manifests')] };
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    return { desired: [], problems: [unusable(file)] };
  }
}

function unusable(what: string): Problem {
  const message = `${what} of the base commit have errors, so what they declare is shown as new`;
  return { severity: 'warning', rule: 'base-unusable', message };
}
