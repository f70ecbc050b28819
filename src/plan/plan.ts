import { cached, withoutUndefined } from '../json/json.ts';
import { addressOf, byAddress } from '../kinds/desired.ts';
import { parsePath } from '../kinds/field-path.ts';
import { isKindName, rankOf } from '../kinds/kind.ts';
import type { Identity } from '../kinds/shared-targets.ts';
import { notice } from '../notices/notice.ts';
import type { AssumedSettings, Change, Plan, RequiresVerdict, ResourcePlan, Summary } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { Redact } from '../secrets/redact.ts';
import { present } from '../text/wording.ts';
import { type Decisions, decisionNaming, leavingOut } from './decisions.ts';
import { planDigest } from './digests.ts';
import { inSchemaOrder } from './fields/field-changes.ts';
import { actionCounts, conflictsOf, isPlanned, isUnclearEdit, plannedAction } from './pending.ts';
import { leftEdits, questionsOf } from './questions.ts';
import type { Orphan } from './records/orphans.ts';
import { blockedFor, forgetPlan, noCoverage, orphanPlan, type PlannedResource } from './resource-plan.ts';
import { waitingReason } from './verdicts/blocks.ts';
import {
  type FromCommit,
  failedTests,
  type Limits,
  olderCheckout,
  sharedTargetNotices,
  type TestsInput,
  testCounts,
  tooManyCreates,
} from './verdicts/guards.ts';
import { type Judgement, judge, type PolicyInput } from './verdicts/policies.ts';
import { type RequiresInput, requiresVerdicts, withRequires } from './verdicts/requires.ts';
import { plannedSteps, type RolloutInput, withSteps } from './verdicts/waiting.ts';

export interface PlanInput {
  readonly environment: string;
  readonly selected: readonly PlannedResource[];
  /** Further selected resources that have no changes or notices. Omitted if there are no such resources. */
  readonly settled?: readonly SettledResource[];
  /** The targets of every manifest in the project. */
  readonly identities: readonly Identity[];
  /** The records without a manifest that the plan lists. */
  readonly orphans: readonly Orphan[];
  /** The selected records that an apply drops. By default, no records are dropped. */
  readonly removals?: readonly ResourceRecord[];
  readonly limits: Limits;
  /** Redacts secrets in titles that come from records. By default, nothing is redacted. */
  readonly redact?: Redact;
  /** The current time, which decides whether a hold has ended. Omitted in an offline run, which ignores holds. */
  readonly now?: Date | undefined;
  /** The commit from which each resource was applied, keyed by address. Empty if the run allows older commits. */
  readonly sources: ReadonlyMap<string, FromCommit>;
  readonly policies?: PolicyInput | undefined;
  readonly tests?: TestsInput | undefined;
  readonly requires?: RequiresInput | undefined;
  readonly rollout?: RolloutInput | undefined;
  /** The changes since the commit of `--changed-since`. The plan then covers only changed resources. */
  readonly changedSince?: Plan['changedSince'] | undefined;
  /** The project's name, the time, and the commit, author and pull request of the manifests, where known. */
  readonly origin?: PlanOrigin | undefined;
}

/** A resource without changes or notices, reduced to the values that a plan needs. */
export type SettledResource = Pick<PlannedResource, 'planned' | 'assumed' | 'judged'>;

/** Makes the plan of a run from the given values alone. Sorts resources by kind and name. */
export function makePlan(input: PlanInput): Plan {
  const { environment, now, redact, limits, sources, policies, tests, settled = [] } = input;
  const declared: readonly SettledResource[] = [...input.selected, ...settled];
  const waits = new Map(input.selected.map(({ planned, observation }) => [addressOf(planned), observation.waitsFor]));
  const planned = input.selected.map((one) => one.planned);
  const selected = withDifferingVariables([
    ...withoutStopped(environment, planned, waits),
    ...settled.map((one) => one.planned),
  ]);
  const listed = input.orphans.filter(({ isRemoved }) => !isRemoved);
  const orphans = listed.map((orphan) => orphanPlan(orphan, now, redact));
  const removals = (input.removals ?? []).map((record) => forgetPlan(record, now, redact));
  const found = [...selected, ...removals, ...orphans].sort(compareAddresses);
  const judgement = policies ? judged(found, declared, { ...input, policies }) : { ...notJudged, resources: found };
  const { resources: allowed, refusals, verdicts } = judgement;
  const { resources: inSteps, rollout } = input.rollout ? withSteps(allowed, input.rollout) : { resources: allowed };
  const requires = input.requires === undefined ? [] : requiresOf(inSteps, input, input.requires);
  const required = requires.length === 0 ? inSteps : withRequires(inSteps, requires);
  const resources = withoutStopped(environment, required, waits);
  return assemblePlan({
    ...input.origin,
    environment,
    policies: verdicts,
    requires,
    rollout,
    tests: tests && testCounts(tests),
    assumed: assumedSettings(declared, resources),
    changedSince: input.changedSince,
    refusals: [
      ...refusals,
      ...(tests === undefined ? [] : failedTests(environment, tests)),
      ...sharedTargetNotices(input.identities),
      ...tooManyCreates(resources, limits),
      ...olderCheckout(resources, sources),
    ],
    resources,
  });
}

const notJudged = { refusals: [], verdicts: [] } as const;

function judged(
  found: readonly ResourcePlan[],
  declared: readonly SettledResource[],
  { environment, policies, rollout }: Pick<PlanInput, 'environment' | 'rollout'> & { readonly policies: PolicyInput },
): Judgement {
  const manifests = new Map(declared.map(({ planned, judged }) => [addressOf(planned), judged]));
  const resources = found.map((planned) => {
    const address = addressOf(planned);
    return { planned, hasManifest: manifests.has(address), judged: manifests.get(address) };
  });
  const steps = rollout && plannedSteps(found, rollout);
  return judge(environment, resources, { ...policies, ...(steps && { seenAs: steps.seenAs }) });
}

/** Groups assumed settings, so that all resources with the same paths, such as a fleet, share one entry. */
function assumedSettings(
  declared: readonly SettledResource[],
  resources: readonly ResourcePlan[],
): readonly AssumedSettings[] {
  const compared = new Set(resources.filter(({ coverage }) => coverage.assumed > 0).map(addressOf));
  const groups = new Map<string, AssumedSettings>();
  for (const { planned, assumed: paths = [] } of declared) {
    if (!compared.has(addressOf(planned))) continue;
    const { kind, name } = planned;
    const key = [kind, ...paths].join('\n');
    cached(groups, key, () => ({ kind, names: [], paths: [...paths] })).names.push(name);
  }
  return [...groups.values()]
    .map(({ kind, names, paths }) => {
      const entries = paths.map((text) => ({ path: parsePath(text), text }));
      const ordered = isKindName(kind) ? inSchemaOrder(kind, entries, ({ text }) => text) : entries;
      return { kind, names: names.toSorted(), paths: ordered.map(({ text }) => text) };
    })
    .sort((one, other) => (`${one.kind}/${one.names[0]}` < `${other.kind}/${other.names[0]}` ? -1 : 1));
}

/** Checks `requires` after the other verdicts, so that blocked resources are not checked. */
function requiresOf(
  resources: readonly ResourcePlan[],
  { environment, selected }: PlanInput,
  requires: RequiresInput,
): RequiresVerdict[] {
  const known = byAddress(resources);
  const judged = selected.map((one) => ({ ...one, planned: known.get(addressOf(one.planned)) ?? one.planned }));
  return requiresVerdicts(environment, judged, requires);
}

/** The members of a plan from which all other members are derived. */
type PlanParts = Pick<Plan, 'environment' | 'refusals'> &
  PlanOrigin & { readonly resources: readonly ResourcePlan[] } & {
    readonly [Part in 'offline' | 'changedSince' | 'policies' | 'requires' | 'rollout' | 'tests' | 'assumed']?:
      | Readonly<Plan[Part]>
      | undefined;
  };

/** Facts about the origin of a plan. Digests do not cover these facts. */
export type PlanOrigin = Pick<Plan, 'project' | 'madeAt' | 'from'>;

/**
 * Assembles a plan from its parts, and computes the plan's digest, counts and questions. Drops verdicts about resources
 * that the plan does not contain.
 */
export function assemblePlan(parts: PlanParts): Plan {
  const { environment, offline, changedSince, refusals, policies = [], requires = [], assumed = [] } = parts;
  const { project, madeAt, from, rollout, tests } = parts;
  const resources = [...parts.resources];
  const known = byAddress(resources);
  const isAbout = ({ resource }: { readonly resource?: string }) => resource === undefined || known.has(resource);
  const [broken, required] = [policies.filter(isAbout), requires.filter(isAbout)];
  return {
    formatVersion: 1,
    environment,
    ...withoutUndefined({ project, madeAt, from, offline, changedSince }),
    digest: planDigest(resources),
    summary: summaryOf(resources),
    refusals,
    ...(broken.length > 0 && { policies: broken }),
    ...(required.length > 0 && { requires: required }),
    ...withoutUndefined({ rollout, tests }),
    ...(assumed.length > 0 && { assumed: [...assumed] }),
    questions: offline === undefined ? questionsOf({ environment, resources, requires: required }) : [],
    resources,
  };
}

/**
 * Removes variables that have only one value in the plan. The remaining variables allow members of one template to
 * share a card although their values differ.
 */
function withDifferingVariables(resources: readonly ResourcePlan[]): readonly ResourcePlan[] {
  const texts = new Map<string, Set<string>>();
  for (const [name, text] of resources.flatMap(({ variables = {} }) => Object.entries(variables))) {
    texts.set(name, (texts.get(name) ?? new Set()).add(text));
  }
  return resources.map((resource) => {
    if (resource.variables === undefined) return resource;
    const differing = Object.entries(resource.variables).filter(([name]) => (texts.get(name)?.size ?? 0) > 1);
    const { variables: _, ...rest } = resource;
    return differing.length === 0 ? rest : { ...resource, variables: Object.fromEntries(differing) };
  });
}

/**
 * Blocks each resource whose organization has no id and is not created, or that depends on a blocked or failed
 * resource. An apply would refuse such resources. If the organization is missing, this reason replaces all other
 * reasons, because they are consequences.
 */
function withoutStopped(
  environment: string,
  resources: readonly ResourcePlan[],
  waits: ReadonlyMap<string, string | undefined> = new Map(),
): ResourcePlan[] {
  const found = byAddress(resources);
  const dependent = resources.filter((one) => one.dependsOn !== undefined || waits.get(addressOf(one)) !== undefined);
  for (const planned of dependent.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const waitsFor = waits.get(addressOf(planned));
    if (waitsFor === undefined && !isPlanned(planned)) continue;
    const address = present(waitsFor, ...(planned.dependsOn ?? [])).find((one) => {
      const dependency = found.get(one);
      if (one === waitsFor) return dependency === undefined || plannedAction(dependency) !== 'create';
      return dependency?.action === 'blocked' || dependency?.action === 'failed';
    });
    if (address === undefined) continue;
    found.set(addressOf(planned), blockedFor(waitingReason(environment, address, found.get(address)), planned));
  }
  return [...found.values()];
}

/**
 * Whether the plan contains changes to apply or to decide on. This includes blocked resources, and edits that stay only
 * because of `unanswered: leave`.
 */
export function hasPendingChanges(plan: Plan): boolean {
  return plan.resources.some(
    (resource) => isPlanned(resource) || resource.action === 'blocked' || leftEdits(resource) !== undefined,
  );
}

/** Counts resources by action, their changes by cause, and their settings by coverage. */
export function summaryOf(resources: readonly ResourcePlan[]): Summary {
  const counts = { drift: 0, conflicts: 0, blind: 0, compared: 0, assumed: 0 };
  for (const { changes, coverage } of resources) {
    counts.drift += changes.filter(({ cause }) => cause === 'drift').length;
    counts.conflicts += changes.filter(({ cause }) => cause === 'conflict').length;
    counts.blind += coverage.blind;
    counts.compared += coverage.compared;
    counts.assumed += coverage.assumed;
  }
  return { ...actionCounts(resources), ...counts };
}

/** Compares resources by kind and name. Two resources never have the same address. */
export function compareAddresses(one: Pick<ResourcePlan, 'kind' | 'name'>, other: typeof one): number {
  return addressOf(one) < addressOf(other) ? -1 : 1;
}

/** Marks a plan as offline, because it was not compared with the service. An offline plan cannot be applied. */
export function asOffline(plan: Plan, baseCommit: string): Plan {
  const { requires: _, assumed: __, rollout, resources, ...parts } = plan;
  const notices = rollout?.notices && { rollout: { steps: [], notices: rollout.notices } };
  return assemblePlan({ ...parts, ...notices, offline: { base: baseCommit }, resources: resources.map(asUnread) });
}

function asUnread({ prevented, ...resource }: ResourcePlan): ResourcePlan {
  const unread = (changes: readonly Change[]) =>
    changes.map((change) => ({ ...change, knowledge: 'assumed' as const }));
  return {
    ...resource,
    coverage: noCoverage,
    changes: unread(resource.changes),
    ...(prevented && { prevented: { ...prevented, changes: unread(prevented.changes) } }),
  };
}

/**
 * Makes the plan to show. Conflicts with a decision become changes. Creates that a decision declares as new get a
 * different warning. Resources that an answer leaves out are blocked, and so are resources that depend on them. The
 * plan's digest stays the same.
 */
export function withDecisions(plan: Plan, decisions: Decisions): Plan {
  const answered = plan.resources.map((resource) => decided(plan, resource, decisions));
  const resources = withoutStopped(plan.environment, answered);
  return { ...plan, resources, summary: summaryOf(resources) };
}

function decided({ environment }: Plan, resource: ResourcePlan, decisions: Decisions): ResourcePlan {
  const address = addressOf(resource);
  const [reason] = isPlanned(resource) ? (leavingOut(environment, resource, decisions) ?? []) : [];
  if (reason !== undefined) return blockedFor(reason, resource);
  const isDeclared = resource.mayReplace && decisionNaming(decisions, 'new-agent', address) !== undefined;
  const isOverwritten = decisionNaming(decisions, 'conflict', address) !== undefined;
  const paths = isOverwritten ? conflictsOf(resource).map(({ path }) => path) : [];
  if (!isDeclared && paths.length === 0) return resource;
  const warnings = resource.warnings.filter(({ code }) => !isDeclared || code !== 'may-replace-agent');
  return {
    ...resource,
    changes: isOverwritten ? resource.changes.map(overwritten) : resource.changes,
    warnings: [
      ...(isDeclared ? [notice('declared-new', {})] : []),
      ...(paths.length === 0
        ? []
        : [notice('conflict-overwritten', { paths, ...(isUnclearEdit(resource) && { isUnclear: true }) })]),
      ...warnings,
    ],
  };
}

function overwritten(change: Change): Change {
  if (change.cause !== 'conflict') return change;
  const { mergeable: _, updateRefusal: __, ...rest } = change;
  return { ...rest, cause: 'manifest' };
}
