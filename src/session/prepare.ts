import type { PreparedResource } from '../apply/resource-apply.ts';
import { AgentformError } from '../errors.ts';
import { readUntilInterrupted, unattended } from '../interruption.ts';
import { addressOf, type Desired, emulator, hostKey, idKey } from '../kinds/desired.ts';
import { type Secrecy, secrecyOf } from '../kinds/sensitive.ts';
import { createsDecided, type Decisions, isDecided } from '../plan/decisions.ts';
import type { Unmoved } from '../plan/drift.ts';
import type { PlanContext, Restoration } from '../plan/observation.ts';
import { isPending } from '../plan/pending.ts';
import { makePlan, type PlanInput } from '../plan/plan.ts';
import { HeldRecords } from '../plan/records/held-records.ts';
import type { PlannedResource } from '../plan/resource-plan.ts';
import type { FromCommit } from '../plan/verdicts/guards.ts';
import type { PlanningOptions } from '../plan/verdicts/precedence.ts';
import type { RequiresInput } from '../plan/verdicts/requires.ts';
import { applicableRules } from '../policy/policy.ts';
import type { StoredRecord } from '../record/store.ts';
import { isOnEmulator } from '../record/store-table.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { Secret } from '../secrets/secret.ts';
import { levelOf } from '../yaml/problem.ts';
import { sourcesInHistory } from './base/ancestry.ts';
import type { SelectedResource } from './fingerprint-keys.ts';
import type { Host } from './host.ts';
import { identitiesOf, newAccounts } from './identities.ts';
import { type OriginOptions, planOriginOf } from './plans/plan-origin.ts';
import { type ReadResources, readResources } from './read/read-resources.ts';
import { type MatchedResources, matchResources, policyInput, testsInput } from './records/matched-resources.ts';
import { rolloutInput, type SessionRollout } from './rollout.ts';
import type { Selection } from './selection.ts';
import { recordsOf, type Session, type SessionOptions } from './session.ts';
import { openVerdicts, type VerdictUse } from './verdicts.ts';

/** A plan, with further facts that an apply or a drift check needs. */
export interface PreparedRun {
  readonly plan: Plan;
  /** Each planned resource, keyed by address. An apply deletes the resources that it has applied. */
  readonly prepared: Map<string, PreparedResource>;
  /** The resources that a verdict settled, keyed by address. `unmoved` is set only for the command `drift`. */
  readonly settled: ReadonlyMap<string, { readonly unmoved: Unmoved | undefined }>;
  readonly planning: PlanningOptions;
  /** Maps the host and id of each resource, as `host id`, to its address. */
  readonly owners: Map<string, string>;
  /** The ids of recorded organizations, keyed by address. */
  readonly organizations: Map<string, string>;
  /** The records that an apply drops, keyed by address. */
  readonly removals: ReadonlyMap<string, StoredRecord>;
  readonly rollout: SessionRollout | undefined;
  readonly hasRecords: boolean;
}

export interface PrepareOptions
  extends Selection,
    OriginOptions,
    Pick<PlanContext, 'ignores'>,
    Pick<SessionOptions, 'concurrency' | 'signal'> {
  readonly decisions?: Decisions;
  /**
   * Whether the plan can be applied. If so, the plan is checked against policies, Tests, prompt checks, `requires`,
   * rollouts and commits.
   */
  readonly isJudged?: boolean;
  /** Replaces the manifests' desired values, for a rollback. */
  readonly restore?: Restore | undefined;
  /**
   * How the run may use verdicts. If undefined, the run uses no verdicts. A resource that a verdict settles need not be
   * resolved, and its response need not be decoded.
   */
  readonly usesVerdicts?: VerdictUse | undefined;
}

/** The desired values of a rollback. */
export interface Restored {
  readonly byAddress: ReadonlyMap<string, { readonly desired: Desired; readonly restored: Restoration }>;
  /** Secrets to redact in addition to the manifests' secrets. */
  readonly secrets: readonly Secret[];
}

export type Restore = (matched: {
  readonly session: Session;
  /** The desired values as the manifests declare them. */
  readonly desired: readonly Desired[];
  readonly records: ReadonlyMap<string, StoredRecord>;
}) => Promise<Restored>;

/** Reads the records and the service, and makes the plan. Previews and applies both start with this function. */
export function prepare(session: Session, options: PrepareOptions, host: Host): Promise<PreparedRun> {
  return readUntilInterrupted(options.signal, prepareAll(session, options, host));
}

/**
 * Prepares a run. If another run applies after the records are read but before the service is read, the other run's
 * writes look like dashboard edits. So if resources seem to be edited, their records are read again. If any of these
 * records has changed, all records and resources are read again.
 */
async function prepareAll(session: Session, options: PrepareOptions, host: Host): Promise<PreparedRun> {
  const { environment, store } = session;
  const stored = await recordsOf(store, environment);
  const { run, edited } = await prepareFrom(stored, session, { ...options, host });
  if (edited.length === 0) return run;
  await store.refresh(environment);
  const current = await recordsOf(store, environment);
  const hasMoved = edited.some((address) => current.get(address)?.version !== stored.get(address)?.version);
  return hasMoved ? (await prepareFrom(current, session, { ...options, host })).run : run;
}

interface PreparedFrom {
  readonly run: PreparedRun;
  /** Addresses of recorded resources that were edited since their last apply. */
  readonly edited: readonly string[];
}

type Preparing = PrepareOptions & { readonly host: Host };

/** Carries out the steps of preparation: records → resources → desired values, read and plan of each → plan of all. */
async function prepareFrom(
  stored: ReadonlyMap<string, StoredRecord>,
  session: Session,
  options: Preparing,
): Promise<PreparedFrom> {
  const { host, ignores, isJudged, planFrom, usesVerdicts: use } = options;
  const { project, environment } = session;
  const definition = project.definitions.get(environment);
  if (definition === undefined) throw new Error(`${environment} is not defined`);
  const { unverified, unanswered } = definition;
  const matched = matchResources(session, stored);
  const { records, declared, desiredOf } = matched;
  const restored = await options.restore?.({ session, desired: declared.map(desiredOf), records });
  const secrets = [...session.resolution.secrets, ...(restored?.secrets ?? [])];
  const [secrecy, now] = [secrecyOf(secrets), host.now()];
  const shrunkPrompts = levelOf('prompt-shrunk', project.lint);
  const orphans = matched.leftOver;
  const planning = { unverified, unanswered, shrunkPrompts, now, secrecy, orphans, ignores };
  const readContext = await readContextOf(session, { stored, matched, restored, now });
  const folder = host.verdicts;
  const verdicts = use && folder && openVerdicts(session, { folder, options: planning, secrets, use });
  const origin = isJudged ? planOriginOf(project, { host, planFrom, redact: secrecy.redact }) : {};
  const policyRulesFor = isJudged && session.policies.length > 0 ? applicableRules(session.policies, now) : undefined;
  const read = await readResources(session, readContext, { ...options, planning, verdicts, policyRulesFor });
  await verdicts?.save();
  // A record under a manifest's former name also belongs to that manifest.
  const owned = [...stored, ...matched.former, ...matched.records];
  const own = { matched: readContext, read, isNew: restored === undefined, origin: await origin, secrecy };
  const run = {
    ...(await planOfRun(session, own, options)),
    planning,
    owners: new Map(owned.map(([address, { record }]) => [idKey(record, record.id), address])),
    organizations: matched.organizations,
    removals: matched.dropped,
    settled: new Map(read.settled.map((one) => [addressOf(one.planned), one])),
    hasRecords: stored.size > 0,
  };
  const edited = read.edited.map((one) => addressOf(matched.records.get(addressOf(one))?.record ?? one));
  return { run, edited };
}

interface StoredContext {
  readonly stored: ReadonlyMap<string, StoredRecord>;
  readonly matched: MatchedResources<StoredRecord>;
  readonly restored: Restored | undefined;
  readonly now: Date;
}

/** Adds facts from other records and environments, and from a rollback, to the matched resources. */
async function readContextOf(session: Session, { stored, matched, restored, now }: StoredContext) {
  const { store, environment } = session;
  const others = (await store.environments()).filter((name) => name !== environment);
  return {
    ...matched,
    ...(restored && {
      desiredOf: (one: SelectedResource) => restored.byAddress.get(addressOf(one))?.desired ?? matched.desiredOf(one),
    }),
    newAccounts: newAccounts(stored.values()),
    vanished: await vanishedRecords(session, matched.unrecorded, others),
    heldRecords: await heldRecords(session, { stored, others, now }),
    restoring: restored?.byAddress,
  };
}

/** The parts of a plan's input that `planOf` needs. Most of them are unknown offline. */
interface PlanParts
  extends Pick<
    PlanInput,
    'origin' | 'selected' | 'settled' | 'identities' | 'limits' | 'sources' | 'requires' | 'rollout'
  > {
  readonly matched: MatchedResources<{ readonly record: ResourceRecord }>;
  /**
   * Whether the desired values come from manifests. The values of a rollback were judged when they were first applied.
   */
  readonly isNew: boolean;
  readonly secrecy: Secrecy;
}

interface ReadParts extends Pick<PlanParts, 'origin' | 'isNew' | 'secrecy'> {
  readonly matched: MatchedResources<StoredRecord>;
  readonly read: ReadResources;
}

/**
 * Plans the resources of a run, using the facts that records, git and other environments provide about all resources.
 */
async function planOfRun(
  session: Session,
  { read, ...parts }: ReadParts,
  options: Preparing,
): Promise<Pick<PreparedRun, 'plan' | 'prepared' | 'rollout'>> {
  const { project, environment, formerRollouts } = session;
  const { host, decisions, signal } = options;
  const { matched, secrecy } = parts;
  const { resources } = read;
  const isJudged = options.isJudged && parts.isNew;
  const checksCommits = isJudged && !isDecided(decisions, 'older-commit');
  const declared = project.definitions.get(environment)?.rollout;
  const rolls = isJudged && (declared ?? formerRollouts?.get(environment)) !== undefined;
  const rollout = rolls ? await rolloutInput(session, { host, decisions, matched, secrecy }) : undefined;
  const requires = isJudged && project.requires.has(environment);
  const known = {
    selected: resources,
    settled: read.settled,
    identities: identitiesOf(session, { ...matched, env: host.env }),
    limits: { creates: createsDecided(decisions) ?? project.limits.creates },
    sources: checksCommits ? await sourcesOf(session, { resources, dropped: matched.dropped }, signal) : new Map(),
    requires: requires ? await requiredOf(session, resources, options) : undefined,
    rollout,
  };
  return {
    plan: await planOf(session, { ...parts, ...known }, options),
    prepared: new Map(resources.map((one) => [addressOf(one.observation.desired), one])),
    // A rollout that was removed has notices, but no steps.
    rollout: declared && rollout,
  };
}

interface Judging extends Pick<PrepareOptions, 'decisions' | 'signal' | 'isJudged'> {
  readonly host: Pick<Host, 'now'>;
}

/** The parts of a session that a plan needs without records and service. */
export type PlannedSession = Pick<
  Session,
  'project' | 'environment' | 'resolution' | 'selection' | 'policies' | 'tests' | 'formerRollouts'
>;

/**
 * Makes the plan of all planned resources. If requested, policies and Tests judge it. Tests do not judge a rollback,
 * because the restored values were judged when they were first applied.
 */
export async function planOf(
  session: PlannedSession,
  { matched, isNew, secrecy, ...given }: PlanParts,
  { host, decisions, signal, isJudged }: Judging,
): Promise<Plan> {
  const hasPolicies = isJudged && session.policies.length > 0;
  const input: PlanInput = {
    ...given,
    environment: session.environment,
    redact: secrecy.redact,
    orphans: matched.listed,
    removals: [...matched.dropped.values()].map(({ record }) => record),
    now: host.now(),
    policies: hasPolicies ? policyInput(session, matched, { now: host.now(), decisions }) : undefined,
    tests: isJudged && isNew ? await testsInput(session, matched, { decisions, signal }) : undefined,
    changedSince: session.selection.changedSince,
  };
  const plan = await unattended(signal, () => makePlan(input));
  // A rollback already determines every value, so it asks no questions.
  return isNew ? plan : { ...plan, questions: [] };
}

/** Reads the records of required environments. Returns undefined if no resource would be written. */
async function requiredOf(
  { project, environment, resolution, service, store }: Session,
  resources: readonly PlannedResource[],
  { decisions, host }: Judging,
): Promise<RequiresInput | undefined> {
  const requirements = project.requires.get(environment) ?? [];
  if (!resources.some(({ planned }) => isPending(planned))) return undefined;
  const records = new Map<string, ReadonlyMap<string, ResourceRecord>>();
  for (const { environment: required } of requirements) {
    const found = await recordsOf(store, required);
    records.set(required, new Map([...found].map(([address, { record }]) => [address, record])));
  }
  const { contentOf, variablesAt } = resolution;
  return {
    requirements,
    records,
    contentOf,
    variablesAt,
    // Records contain the service's times, so the service's clock is used if it is known.
    now: service.now() ?? host.now(),
    decisions,
  };
}

/**
 * For resources without a record in this environment, finds records in environments that agentform.yaml no longer has.
 * Returns the records by address.
 */
async function vanishedRecords(
  { project, store }: Session,
  unrecorded: readonly Desired[],
  others: readonly string[],
): Promise<ReadonlyMap<string, ResourceRecord>> {
  const gone = others.filter((name) => !project.environments.includes(name));
  const found = new Map<string, ResourceRecord>();
  for (const desired of unrecorded) {
    for (const environment of gone) {
      const stored = await store.read({ ...desired, environment }).catch(ifUnreadable(undefined));
      if (stored !== undefined) found.set(addressOf(desired), stored.record);
    }
  }
  return found;
}

/**
 * Finds records on hold in this environment, and in other environments that may be on the same host. Another
 * environment may share an agent with this environment, or be this environment under its former name. Ignores records
 * of other environments that cannot be read.
 */
async function heldRecords(
  { project, environment, store }: Session,
  { stored, others, now }: Pick<StoredContext, 'stored' | 'now'> & { readonly others: readonly string[] },
): Promise<HeldRecords> {
  // Returns an environment's host. Undefined if the host depends on variables or if the environment was removed.
  const hostOf = (name: string) => {
    const { baseUrl = '' } = project.definitions.get(name) ?? {};
    if (baseUrl === emulator) return emulator;
    return !baseUrl.includes('${') && URL.canParse(baseUrl) ? hostKey(new URL(baseUrl).host) : undefined;
  };
  const host = hostOf(environment);
  const records = [...stored.values()];
  for (const name of others) {
    const other = hostOf(name);
    if (host !== undefined && other !== undefined && other !== host) continue;
    for (const record of await store.list(name).catch(ifUnreadable([]))) records.push(record);
  }
  return new HeldRecords(
    records.map(({ record }) => record),
    now,
  );
}

/** Replaces unreadable records. Such records are only additional evidence, so a plan must not fail because of them. */
function ifUnreadable<Replacement>(replacement: Replacement) {
  return (error: unknown): Replacement => {
    if (error instanceof AgentformError) return replacement;
    throw error;
  };
}

interface Planned {
  readonly resources: readonly PlannedResource[];
  readonly dropped: ReadonlyMap<string, StoredRecord>;
}

/**
 * For each resource to write or drop, finds how the commit from which the resource was applied relates to HEAD. Returns
 * the relations by address.
 */
async function sourcesOf(
  { project, environment }: Session,
  { resources, dropped }: Planned,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FromCommit>> {
  if (isOnEmulator(project, environment)) return new Map();
  const changed = resources.filter(({ planned }) => isPending(planned));
  const applied = [
    ...changed.map(({ planned, observation: { record } }) => [addressOf(planned), record?.commit] as const),
    ...[...dropped].map(([address, { record }]) => [address, record.commit] as const),
  ];
  const commits = applied.flatMap(([, commit]) => commit ?? []);
  const found =
    commits.length === 0 ? new Map<string, FromCommit>() : await sourcesInHistory(project.root, commits, signal);
  return new Map(
    applied.flatMap(([address, commit = '']) => {
      const source = found.get(commit);
      return source === undefined ? [] : [[address, source] as const];
    }),
  );
}
