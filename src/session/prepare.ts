import type { PreparedResource } from '../apply/resource-apply.ts';
import { AgentformError } from '../errors.ts';
import { readUntilInterrupted, unattended } from '../interruption.ts';
import { canonicalJson } from '../json/json.ts';
import { addressOf, type Desired, emulator, hostKey, idKey, inOrganization } from '../kinds/desired.ts';
import { secrecyOf } from '../kinds/sensitive.ts';
import { isInShard, type Shard, shardText } from '../kinds/shard.ts';
import { textDigest } from '../plan/digest.ts';
import { HeldRecords } from '../plan/held-records.ts';
import { assignRecords } from '../plan/moves.ts';
import type { PlanOptions, Restoration } from '../plan/observation.ts';
import { type Orphan, orphansOf } from '../plan/orphans.ts';
import { isPending } from '../plan/pending.ts';
import { makePlan, type PlanInput } from '../plan/plan.ts';
import type { PlannedResource } from '../plan/resource-plan.ts';
import type { Limits, Source } from '../plan/verdicts/guards.ts';
import type { RequiresInput } from '../plan/verdicts/requires.ts';
import type { TestsInput } from '../plan/verdicts/tests.ts';
import type { StoredRecord } from '../record/store.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { Secret } from '../secrets/secret.ts';
import { runTests } from '../testing/run-tests.ts';
import { sourcesInHistory } from './base/ancestry.ts';
import { currentCommit } from './base/repository.ts';
import type { Host } from './host.ts';
import { identitiesOf } from './identities.ts';
import { newAccounts, organizationIds } from './organizations.ts';
import { withPromptWarnings } from './plans/prompt-warnings.ts';
import { isOnEmulator, type KnownResources, readResources } from './read/read-resources.ts';
import type { Selection } from './selection.ts';
import { planOptionsOf, recordsOf, type Session } from './session.ts';

type Planning = PlanOptions & { readonly orphans: readonly Orphan[] };

/** A plan, and everything that it was made from. */
export interface PreparedRun {
  readonly plan: Plan;
  /** By address. */
  readonly prepared: ReadonlyMap<string, PreparedResource>;
  readonly planning: Planning;
  /** The resource that has an id on a host, by `host id`. */
  readonly owners: Map<string, string>;
  /** Ids of the recorded organizations, by address. */
  readonly organizations: Map<string, string>;
  /** By address: the records that the plan drops. */
  readonly removals: ReadonlyMap<string, StoredRecord>;
  /** Whether the environment has any record. */
  readonly hasRecords: boolean;
}

export interface PrepareOptions extends Selection {
  readonly shard?: Shard | undefined;
  readonly concurrency: number;
  /** Aborted to read no further. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides limits.creates of the project. */
  readonly allowCreates?: number | undefined;
  /**
   * Whether to write resources that were applied from a commit outside the current history, or whose record is older
   * than a committed version.
   */
  readonly allowOlder?: boolean | undefined;
  /** Denials of policies are reported, and the run continues. */
  readonly skipPolicies?: boolean | undefined;
  /** Failed cases are reported, and the run continues. */
  readonly skipTests?: boolean | undefined;
  /** Unmet requirements are reported, and the run continues. */
  readonly skipRequires?: boolean | undefined;
  /** Policies, prompt checks, and what has to be applied elsewhere first, judge the plan. */
  readonly isJudged?: boolean;
  /** What is desired in place of what the manifests ask for. */
  readonly restore?: Restore | undefined;
  /** Nothing is written, so it does not matter from which commit a resource was applied. */
  readonly writesNothing?: boolean;
  /** Plans as if nothing were held. */
  readonly ignoresHolds?: boolean;
  /**
   * Live values are dropped after planning, unless they were edited on the service; for callers that need only the
   * plan.
   */
  readonly forgetsReadings?: boolean;
}

/** The desired values in place of the manifests' values. */
export interface Restored {
  readonly byAddress: ReadonlyMap<string, { readonly desired: Desired; readonly restored: Restoration }>;
  /** Secrets in it that the manifests do not have. */
  readonly secrets: readonly Secret[];
}

export type Restore = (known: {
  readonly session: Session;
  /** What the manifests ask for. */
  readonly desired: readonly Desired[];
  /** By address. */
  readonly records: ReadonlyMap<string, StoredRecord>;
}) => Promise<Restored>;

/** Reads the records and the service, and plans. Preview and apply both start here. */
export function prepare(session: Session, options: PrepareOptions, host: Host): Promise<PreparedRun> {
  return readUntilInterrupted(options.signal, prepareAll(session, options, host));
}

/**
 * The records are read before the service. Another run may apply in between, which must not count as an edit by hand: the
 * records of what was written since its apply are read again, and if one has moved, everything is.
 */
async function prepareAll(session: Session, options: PrepareOptions, host: Host): Promise<PreparedRun> {
  const { environment, store, readAhead } = session;
  const stored = readAhead?.records ?? (await recordsOf(store, environment));
  const { run, writtenFrom } = await prepareFrom(stored, session, { ...options, host });
  if (writtenFrom.length === 0) return run;
  await store.refresh(environment);
  const current = await recordsOf(store, environment);
  const hasMoved = writtenFrom.some((address) => current.get(address)?.version !== stored.get(address)?.version);
  return hasMoved ? (await prepareFrom(current, session, { ...options, host })).run : run;
}

interface PreparedFrom {
  readonly run: PreparedRun;
  /** The addresses, in the records, of resources that were written since the apply that their record is from. */
  readonly writtenFrom: readonly string[];
}

async function prepareFrom(
  stored: ReadonlyMap<string, StoredRecord>,
  session: Session,
  { host, ...options }: PrepareOptions & { readonly host: Host },
): Promise<PreparedFrom> {
  const { environment, project, resolution, selection } = session;
  const assigned = assignRecords(stored, { manifests: resolution.all, removed: project.removed });
  const { records, removals } = assigned;
  const organizations = organizationIds(records);
  const { shard } = options;
  if (shard !== undefined && options.isJudged && options.skipPolicies !== true) refuseBudgets(session.policies, shard);
  const isOfShard = (one: { readonly name: string }) => shard === undefined || isInShard(one, shard);
  const resolved = resolution.desired.map((one) => inOrganization(one, organizations));
  const unrecorded = resolved.filter((one) => !records.has(addressOf(one)));
  const declared = resolved.filter(isOfShard);
  const restoring = await options.restore?.({ session, desired: declared, records });
  const desired = declared.map((one) => restoring?.byAddress.get(addressOf(one))?.desired ?? one);
  const orphans = [
    ...orphansOf(
      assigned.orphans.map(({ record }) => record),
      unrecorded,
      { ...assigned, elsewhere: resolution.elsewhere },
    ),
    ...removals.map(({ record }) => ({ record, isRemoved: true as const })),
  ];
  const dropped = new Map(
    removals.flatMap((one): [string, StoredRecord][] => {
      const address = addressOf(one.record);
      return selection.includes(address) && isOfShard(one.record) ? [[address, one]] : [];
    }),
  );
  const secrecy = secrecyOf([...resolution.secrets, ...(restoring?.secrets ?? [])]);
  const { ignoresHolds } = options;
  const planning = { ...planOptionsOf(session, host), secrecy, orphans, ignoresHolds };
  const vanished = await vanishedRecords(session, unrecorded.filter(isOfShard));
  const held = await heldRecords(session, stored, host.now());
  const known = {
    desired,
    ...assigned,
    organizations,
    newAccounts: newAccounts(stored.values()),
    vanished,
    held,
    restoring: restoring?.byAddress,
  };
  // What is restored comes from records: no file says it, and no variable stands for it.
  const written = restoring === undefined ? resolution : undefined;
  const { resources: read, writtenSince } = await readResources(session, known, {
    ...options,
    planning,
    written,
    host,
  });
  const resources =
    options.isJudged && written !== undefined
      ? await withPromptWarnings(read, { ...written, redact: secrecy.redact, signal: options.signal })
      : read;
  const limits = { creates: options.allowCreates ?? project.limits.creates };
  const input: PlanInput = {
    environment,
    selected: resources,
    orphans: orphans.filter(({ record }) => selection.listsOrphan(addressOf(record)) && isOfShard(record)),
    removals: [...dropped.values()].map(({ record }) => record),
    now: host.now(),
    identities: identitiesOf(session, { records, organizations, env: host.env }),
    limits,
    shard: shard && { ...shard, basis: await basisOf(session, { ...options, limits }) },
    sources:
      options.allowOlder || options.writesNothing || restoring !== undefined
        ? new Map()
        : await sourcesOf(session, appliedFrom(resources, dropped), options.signal),
    policies: options.isJudged
      ? {
          policies: session.policies,
          now: host.now(),
          viewOf: resolution.policyView,
          isSkipped: options.skipPolicies === true,
        }
      : undefined,
    tests: options.isJudged && restoring === undefined ? testedIn(session, desired, options) : undefined,
    requires:
      options.isJudged && restoring === undefined
        ? await requiredOf(session, resources, { ...options, host })
        : undefined,
    changedSince: selection.changedSince,
  };
  const run = {
    plan: unattended(options.signal, () => makePlan(input)),
    planning,
    owners: ownersOf(stored, assigned),
    organizations,
    removals: dropped,
    hasRecords: stored.size > 0,
    prepared: new Map(resources.map((one) => [addressOf(one.observation.desired), one])),
  };
  const writtenFrom = writtenSince.map((desired) => addressOf(records.get(addressOf(desired))?.record ?? desired));
  return { run, writtenFrom };
}

/** What is restored has been applied before, and is wanted now. */
function testedIn(
  { project, environment, tests }: Session,
  desired: readonly Desired[],
  { skipTests = false, signal }: PrepareOptions,
): TestsInput | undefined {
  if (!project.testsRequired.has(environment)) return undefined;
  const { cases } = unattended(signal, () => runTests(tests, { environment, desired }));
  return { cases, isSkipped: skipTests };
}

/** The records of other environments are read only where a resource would be written. */
async function requiredOf(
  { project, environment, resolution, store }: Session,
  resources: readonly PlannedResource[],
  { skipRequires = false, host }: PrepareOptions & { readonly host: Host },
): Promise<RequiresInput | undefined> {
  const requirements = project.requires.get(environment) ?? [];
  if (requirements.length === 0 || !resources.some(({ planned }) => isPending(planned))) return undefined;
  const records = new Map<string, ReadonlyMap<string, ResourceRecord>>();
  for (const { environment: required } of requirements) {
    const found = await recordsOf(store, required);
    records.set(required, new Map([...found].map(([address, { record }]) => [address, record])));
  }
  const { contentOf, variablesAt } = resolution;
  return { requirements, records, contentOf, variablesAt, now: host.now(), isSkipped: skipRequires };
}

/** The same in every shard of one plan; whatever was committed in between, or asked for otherwise, makes it another one. */
async function basisOf(
  { project, resolution, environment, selection }: Session,
  { limits, ...options }: PrepareOptions & { readonly limits: Limits },
): Promise<string> {
  const commit = await currentCommit(project.root);
  const manifests = resolution.all.map(({ kind, name, organization, agent }) => ({ kind, name, organization, agent }));
  const { selector: labels, exclude, allowOlder, writesNothing, skipPolicies, skipTests, skipRequires } = options;
  const asked = {
    names: [...options.names].sort(),
    labels,
    exclude,
    since: selection.changedSince?.commit,
    allowsOlder: allowOlder || writesNothing,
    skipped: { skipPolicies, skipTests, skipRequires },
  };
  return textDigest(canonicalJson({ environment, commit, manifests, limits, asked }));
}

/** What counts over the plan of everything, no shard can judge. */
function refuseBudgets(policies: Session['policies'], shard: Shard): void {
  const readsPlan = ({ rules }: Session['policies'][number]) =>
    rules.some(({ expression }) => expression.reads.some(([variable]) => variable === 'plan'));
  const policy = policies.find(readsPlan);
  if (policy === undefined) return;
  throw new AgentformError(
    'run-refused',
    `the policy ${policy.name} has a rule about the whole plan, which shard ${shardText(shard)} does not have; ` +
      'run without --shard, or overrule policies with --skip-policies',
  );
}

/** For resources without a record, the records of environments that are no longer in agentform.yaml. */
async function vanishedRecords(
  { project, store }: Session,
  unrecorded: readonly Desired[],
): Promise<ReadonlyMap<string, ResourceRecord>> {
  if (unrecorded.length === 0) return new Map();
  const gone = (await store.environments()).filter((name) => !project.environments.includes(name));
  const found = new Map<string, ResourceRecord>();
  for (const desired of unrecorded) {
    for (const environment of gone) {
      const stored = await store.read({ ...desired, environment }).catch(unreadableAsAbsent);
      if (stored !== undefined) found.set(addressOf(desired), stored.record);
    }
  }
  return found;
}

/**
 * What is on hold in this environment, and in all others at the same service: two environments, or one under its old name, may
 * have the same agent.
 */
async function heldRecords(
  { project, environment, store }: Session,
  stored: ReadonlyMap<string, StoredRecord>,
  now: Date,
): Promise<HeldRecords> {
  const hostOf = (name: string) => hostIn(project.definitions.get(name)?.baseUrl);
  const host = hostOf(environment);
  const isApart = (name: string) => {
    const other = hostOf(name);
    return name === environment || (host !== undefined && other !== undefined && other !== host);
  };
  const others = (await store.environments()).filter((name) => !isApart(name));
  const records = [...stored.values()];
  for (const name of others) records.push(...(await store.list(name).catch(unreadableAsNone)));
  return new HeldRecords(
    records.map(({ record }) => record),
    now,
  );
}

/** Undefined where only variables tell it, and of an environment that is gone. */
function hostIn(baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined || baseUrl.includes('${')) return undefined;
  if (baseUrl === emulator) return emulator;
  return URL.canParse(baseUrl) ? hostKey(new URL(baseUrl).host) : undefined;
}

function unreadableAsNone(error: unknown): StoredRecord[] {
  if (error instanceof AgentformError) return [];
  throw error;
}

/** Nothing is planned with it, so that it may be as it likes. */
function unreadableAsAbsent(error: unknown): undefined {
  if (error instanceof AgentformError) return undefined;
  throw error;
}

interface AppliedCommit {
  readonly address: string;
  readonly commit: string;
}

/** The commits that whatever the plan changes was applied from. */
function appliedFrom(
  resources: readonly PlannedResource[],
  dropped: ReadonlyMap<string, StoredRecord>,
): readonly AppliedCommit[] {
  const changed = resources.filter(({ planned }) => isPending(planned));
  const records = [
    ...changed.map(({ planned, observation: { record } }) => [addressOf(planned), record] as const),
    ...[...dropped].map(([address, { record }]) => [address, record] as const),
  ];
  return records.flatMap(([address, record]) =>
    record?.commit === undefined ? [] : [{ address, commit: record.commit }],
  );
}

async function sourcesOf(
  { project, environment }: Session,
  applied: readonly AppliedCommit[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Source>> {
  if (isOnEmulator(project, environment)) return new Map();
  const found = await sourcesInHistory(
    project.root,
    applied.map(({ commit }) => commit),
    signal,
  );
  return new Map(
    applied.flatMap(({ address, commit }) => {
      const source = found.get(commit);
      return source === undefined ? [] : [[address, source] as const];
    }),
  );
}

/** A manifest owns what a record under its former name is of. */
function ownersOf(
  stored: ReadonlyMap<string, StoredRecord>,
  { records, former }: Pick<KnownResources, 'records' | 'former'>,
): Map<string, string> {
  return new Map(
    [...stored, ...former, ...records].map(([address, { record }]) => [idKey(record, record.id), address]),
  );
}
