import { randomUUID } from 'node:crypto';
import { applyPlan } from '../../apply/apply-plan.ts';
import type { Ledger } from '../../apply/events.ts';
import { AgentformError } from '../../errors.ts';
import { ledgerSignature, requireWritable } from '../../files/output-file.ts';
import { telling } from '../../interruption.ts';
import { addressOf, byAddress, isEmbedded } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import type { Answers, GivenAnswer, ReadAnswers } from '../../plan/answers.ts';
import { allNew, type Decision, type Decisions } from '../../plan/decisions.ts';
import { campaignIn } from '../../plan/observation.ts';
import { changesNothing, isPlanned } from '../../plan/pending.ts';
import { assemblePlan } from '../../plan/plan.ts';
import { isDraftWaiting, undecidedDraft, type WaitingDrafts } from '../../plan/publishing.ts';
import { freezeNotice } from '../../plan/verdicts/holds.ts';
import type { RecordLock, StoredRecord } from '../../record/store.ts';
import { withStore } from '../../record/store-table.ts';
import { refuseRun } from '../../report/notices.ts';
import type { Plan, Question, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Host } from '../../session/host.ts';
import type { OriginOptions } from '../../session/plans/plan-origin.ts';
import { type PlanResult, resultOf } from '../../session/plans/plan-result.ts';
import type { ApprovedPlan, ApprovedResource } from '../../session/plans/saved-plan.ts';
import { type PreparedRun, type PrepareOptions, prepare } from '../../session/prepare.ts';
import { applierIn } from '../../session/records/applier.ts';
import { locked, shareRecords } from '../../session/records/records.ts';
import { stepGuard } from '../../session/rollout.ts';
import { selector } from '../../session/selection.ts';
import { recordsOf, type Session, type SessionOptions, withSession } from '../../session/session.ts';
import { didYouMean } from '../../text/suggest.ts';
import { listNames } from '../../text/wording.ts';
import { publishPathOf } from '../publish/publish.ts';
import { withUpdateRefusals } from '../update/update.ts';
import { type AnsweredRun, answering, shownPlan } from './answers.ts';
import { type Approval, type RecordedApprovals, recordedApprovals } from './approvals.ts';
import { refusedIn } from './refused.ts';

export { answering, shownPlan } from './answers.ts';
export { recordedApprovals } from './approvals.ts';

export interface ApplyRunOptions extends SessionOptions, OriginOptions {
  readonly decisions?: Decisions;
  readonly answers?: readonly GivenAnswer[] | undefined;
  /** Reads further answers once the plan is made, so that people can change their answers until then. */
  readonly lateAnswers?: (() => Promise<ReadAnswers>) | undefined;
  /** The path of the ledger file (JSON). The run starts by checking that this path is writable. */
  readonly report?: string | undefined;
  /** The path of a saved plan. Only resources in this plan are applied. */
  readonly savedPlan?: string | undefined;
  /** The approval that a resource must match. Resources that do not match are not applied. */
  readonly approvedEach?: Approval | undefined;
  /** The approval to record for waiting resources. If omitted, the confirmation counts as the approval. */
  readonly approvedBy?: Approval | undefined;
  /** The pull request of the commit. If omitted, pipeline variables provide it. */
  readonly pullRequest?: number | undefined;
  /** Whether to publish the agents after the apply, with `service.publish`. */
  readonly publish?: boolean | undefined;
  /** Asks whether to apply the plan. The result may contain further answers to its questions. */
  readonly confirm: (planned: ApplyPlanned) => Promise<Consent>;
  /** After the signal is aborted, the run finishes requests in flight and starts no new requests. */
  readonly signal: AbortSignal;
}

/** The reply to the confirmation. False stops the apply. True or answers continue it. */
export type Consent =
  | boolean
  | {
      readonly answers: readonly GivenAnswer[];
      /** Set if there was nothing to confirm. Waiting resources are then not approved. */
      readonly approvesNothing?: true;
    };

export interface ApplyPlanned extends PlanResult {
  /** The plan to approve: the saved plan if there is one, otherwise the new plan. */
  readonly whole: ApprovedPlan;
  /** The drafts to publish after the apply, or undefined if the run does not publish. */
  readonly drafts?: WaitingDrafts;
  /** Whether an earlier apply recorded an approval of this resource and left the resource waiting. */
  readonly isApprovedBefore: (resource: ApprovedResource) => boolean;
  /** The questions that neither answers nor options settle. */
  readonly open: readonly Question[];
}

export interface ApplyResult {
  readonly plan: Plan;
  readonly ledger: Ledger;
}

/** Makes a plan and applies it. Checks the whole plan before the first write. */
export async function apply(host: Host, options: ApplyRunOptions): Promise<ApplyResult> {
  if (options.report !== undefined) await requireWritable(options.report, ledgerSignature);
  const saved =
    options.savedPlan === undefined
      ? undefined
      : await (await import('../../session/plans/saved-plan.ts')).readApprovedPlan(options.savedPlan);
  // With `--changed-since`, the run also selects resources that are not recorded as applied or published.
  const alsoSelects = options.publish ? ('unpublished' as const) : ('unapplied' as const);
  const runOptions = saved === undefined ? { ...options, alsoSelects } : optionsFrom(saved, options);
  return withSession(host, runOptions, (session) =>
    locked(session.store, { environment: session.environment, signal: options.signal }, (lock) =>
      applySession(host, runOptions, { session, saved, lock, deed: 'Apply to' }),
    ),
  );
}

/**
 * Limits the run to the resources of a saved plan. The run then needs no secrets of other resources. Throws
 * `plan-mismatch` or `usage` if the run cannot use the plan.
 */
function optionsFrom(saved: ApprovedPlan, options: ApplyRunOptions): ApplyRunOptions {
  const { savedPlan: path, environment } = options;
  // An offline plan has no live values.
  if (saved.offline !== undefined)
    throw new AgentformError('plan-mismatch', `the plan ${path} was made offline; make a new plan without --offline`);
  refuseOtherEnvironment(saved, { path, environment });
  if (options.changedSince !== undefined)
    throw new AgentformError(
      'usage',
      'savedPlan cannot be combined with changedSince; give changedSince to plan() instead',
    );
  const only = saved.resources.filter((resource) => resource.action !== 'orphan').map(addressOf);
  return { ...options, environment: saved.environment, only, unmatched: 'ignore' };
}

interface LockedRun {
  readonly session: Session;
  readonly saved?: ApprovedPlan | undefined;
  readonly lock: RecordLock;
  /** The start of the record history entry, before the environment name, such as `Apply to`. */
  readonly deed: string;
}

type ApplySessionOptions = ApplyRunOptions & Pick<PrepareOptions, 'restore'>;

/**
 * Makes and applies a plan from the manifests, or from the values of a rollback. The caller holds the environment's
 * lock.
 */
export async function applySession(host: Host, options: ApplySessionOptions, locking: LockedRun): Promise<ApplyResult> {
  const { session } = locking;
  const publish = options.publish ? publishPathOf(session.project) : undefined;
  const run = await plannedRun(host, options, session);
  const tell = () => host.emit({ type: 'interrupted' });
  return telling(options.signal, tell, () => applyRun(host, options, { ...locking, run, publish }));
}

interface PlannedRun extends LockedRun {
  readonly run: PreparedRun;
  readonly publish: string | undefined;
}

async function applyRun(host: Host, options: ApplySessionOptions, planned: PlannedRun): Promise<ApplyResult> {
  const { session, saved, lock, deed, run, publish } = planned;
  const plan = saved === undefined ? run.plan : limitedTo(saved, run.plan);
  const recorded = recordedApprovals(session, run, plan);
  const decisions = [...decisionsWithin(options.decisions, run), ...recorded.decisions];
  const answered = await confirmedRun(host, options, { session, run, plan, saved, decisions, recorded });
  const all = [...decisions, ...answered.decisions];
  const context = await contextOf(host, session, options);
  const approvedAs = approvedNow({ plan, saved, answered, approval: options.approvedBy });
  const approvalOf = (carried: ResourcePlan) => {
    const resource = approvedAs(carried);
    const { answer } = answered.prepared.get(addressOf(carried))?.observation ?? {};
    // An answer that keeps settings is recorded too, so later runs plan the resource without these settings.
    const later = answer?.keeps === undefined ? resource : carried;
    return resource && later && recorded.of(later, { ...context, decisions: all, answers: answered.answers });
  };
  const isStillOpen = run.rollout && stepGuard(session, { plan: answered.plan, rollout: run.rollout, host });
  const rollout = isStillOpen && { environment: session.environment, isStillOpen, approvalOf };
  const settlesDeclared = options.changedSince !== undefined || rollout !== undefined;
  const isNoted = answered.plan.resources.some((one) => one.action === 'waiting' && approvalOf(one) !== undefined);
  if (!changesNothing(answered.plan) || answered.keeps || isNoted || publish !== undefined) {
    await session.store.requireWritable();
  }
  const ledger = await applyPlan(answered.plan, {
    context: { ...run, ...context, rollout, settlesDeclared },
    prepared: answered.prepared,
    settled: run.settled,
    removals: run.removals,
    decisions: all,
    refused: refusedIn(answered.plan, { plan, saved, run, session, recorded, options, decisions: all }),
    savedPlan: options.savedPlan,
    publish,
    concurrency: options.concurrency,
    signal: options.signal,
    lost: lock.lost,
    emit: host.emit,
  });
  const shared = await shareRecords(session, `${deed} ${session.environment}`);
  return { plan, ledger: { ...ledger, ...remarksOn(session, options, answered), ...shared } };
}

/** Prepares the run. Throws if the whole plan is refused. */
async function plannedRun(host: Host, options: ApplySessionOptions, session: Session): Promise<PreparedRun> {
  const usesVerdicts = isPlain(session, options) ? 'apply' : undefined;
  const run = await prepare(session, { ...options, isJudged: true, usesVerdicts }, host);
  refuseRun(run.plan.refusals);
  return options.restore === undefined ? withUpdateRefusals({ session, run, host }) : run;
}

/** Returns the ledger members that describe the whole run. */
function remarksOn(
  { project, environment }: Session,
  { restore }: ApplySessionOptions,
  { outdated }: Pick<Answers, 'outdated'>,
) {
  const { baseUrl = '' } = project.definitions.get(environment) ?? {};
  return {
    ...(outdated.length > 0 && { outdated }),
    ...(restore !== undefined && { isRollback: true as const }),
    ...(project.service.publish !== undefined && { canPublish: true as const }),
    ...(isEmbedded({ baseUrl }) && { isEmulated: true as const }),
  };
}

/**
 * Whether unchanged resources need no prepared state. With `--changed-since` or `requires`, unchanged resources need
 * prepared state, because their records must show the whole manifest as applied. Publishing needs the prepared state to
 * find drafts. Rollbacks and saved plans always prepare every selected resource.
 */
function isPlain(session: Session, { restore, publish, savedPlan, changedSince }: ApplySessionOptions): boolean {
  const isWhole = [restore, savedPlan, changedSince].every((option) => option === undefined);
  return isWhole && !publish && !isInRequires(session);
}

interface Confirming extends Pick<LockedRun, 'session' | 'saved'> {
  readonly run: PreparedRun;
  readonly plan: Plan;
  readonly decisions: readonly Decision[];
  readonly recorded: RecordedApprovals;
}

/** Applies the answers and asks for confirmation. Throws `declined` if the user says no. */
async function confirmedRun(
  host: Host,
  { answers = [], lateAnswers, confirm, publish }: ApplyRunOptions,
  { session, run, plan, saved, decisions, recorded }: Confirming,
): Promise<AnsweredRun & Pick<Answers, 'answers' | 'outdated'> & { readonly approvesNothing?: true }> {
  const { answers: late, ignored = [], unread } = (await lateAnswers?.()) ?? { answers: [] };
  const asked = { session, run, plan, decisions };
  const answeredWith = await answering(host, asked, { saved: saved?.questions, unread });
  // Recorded answers count, except to questions that someone answered again.
  const again = new Set([...answers, ...late].flatMap(({ digests = [] }) => digests));
  const isCurrent = ({ digests = [] }: GivenAnswer) => !digests.some((digest) => again.has(digest));
  const given = [...answers, ...late, ...recorded.answers.filter(isCurrent)];
  const before = answeredWith(given);
  const shown = shownPlan(plan, before, decisions);
  const drafts = publish ? { drafts: waitingDrafts(before, run.planning) } : {};
  const planned = { ...resultOf(session, plan, shown), ...drafts, open: shown.questions, whole: saved ?? plan };
  const consent = await confirm({ ...planned, isApprovedBefore: recorded.has });
  if (consent === false) {
    throw new AgentformError('declined', 'nothing was applied: the plan was not confirmed');
  }
  const { answers: more, approvesNothing } = consent === true ? { answers: [] } : consent;
  const { leftOut: protectedOnes, ...answered } = more.length === 0 ? before : answeredWith([...given, ...more]);
  const all = [...answered.decisions, ...protectedOnes];
  const outdated = [...answered.outdated, ...ignored];
  return { ...answered, decisions: all, outdated, ...(approvesNothing && { approvesNothing }) };
}

async function contextOf(host: Host, session: Session, options: ApplyRunOptions) {
  const { root, service } = session.project;
  return {
    ...session,
    applier: await applierIn(root, host.env, options),
    resellerParameter: service.parameters.resellerId ?? 'targetResellerId',
    readBackMs: service.readBackMs,
    now: host.now,
    runId: randomUUID(),
    declaredOf: (address: string) => session.resolution.declaredOf(address)?.digest,
    contentOf: session.resolution.contentOf,
    settlesContent: isInRequires(session),
    sharedRecords: sharedRecordsOf(host, session),
  };
}

function isInRequires({ project: { requires }, environment }: Session): boolean {
  return (
    requires.has(environment) || [...requires.values()].flat().some((required) => required.environment === environment)
  );
}

interface Approving extends Pick<LockedRun, 'saved'> {
  readonly plan: Plan;
  readonly answered: { readonly approvesNothing?: true };
  readonly approval: Approval | undefined;
}

/**
 * Makes a function that returns a resource's plan as it was before any answers. The function returns undefined if the
 * resource is not approved.
 */
function approvedNow({
  plan,
  saved,
  answered,
  approval,
}: Approving): (carried: ResourcePlan) => ResourcePlan | undefined {
  if (answered.approvesNothing) return () => undefined;
  const planned = byAddress(plan.resources);
  const isWhole = approval === undefined || approval.plans.has((saved ?? plan).digest);
  return (carried) => {
    const resource = planned.get(addressOf(carried)) ?? carried;
    return isWhole || approval.differenceOf(resource) === undefined ? resource : undefined;
  };
}

/**
 * Finds the unchanged agents whose drafts `publishApplied` will publish, and the agents whose drafts it refuses to
 * publish.
 */
function waitingDrafts(
  { plan, prepared }: Pick<AnsweredRun, 'plan' | 'prepared'>,
  planning: PreparedRun['planning'],
): WaitingDrafts {
  const drafts = plan.resources.flatMap((resource) => {
    const { observation } = prepared.get(addressOf(resource)) ?? {};
    const campaign = observation && campaignIn(observation);
    if (!kindOf(resource)?.hasDrafts || observation === undefined || campaign === undefined) return [];
    const isWritten = resource.action === 'update';
    const isUnchanged = resource.action === 'none' && isDraftWaiting(campaign.published, observation.record);
    if (!isWritten && (!isUnchanged || freezeNotice(observation, planning) !== undefined)) return [];
    return { address: addressOf(resource), isWritten, isUndecided: undecidedDraft(observation) !== undefined };
  });
  const undecided = drafts.filter(({ isUndecided }) => isUndecided);
  const unchanged = drafts.filter(({ isWritten, isUndecided }) => !isWritten && !isUndecided);
  return { unchanged: unchanged.map(({ address }) => address), undecided: undecided.map(({ address }) => address) };
}

/**
 * Makes a function that reads the records shared by all runs, once and on demand. The function opens a second store,
 * because this run's store compares saves with its own reads.
 */
function sharedRecordsOf(
  { env, allowedSecrets }: Host,
  { project, environment }: Session,
): () => Promise<ReadonlyMap<string, StoredRecord>> {
  let records: Promise<ReadonlyMap<string, StoredRecord>> | undefined;
  return () => {
    records ??= withStore({ project, environment, env, allowedSecrets }, (store) => recordsOf(store, environment));
    return records;
  };
}

/** Throws `plan-mismatch` if a saved plan is for another environment. `path` is the plan's file. */
export function refuseOtherEnvironment(
  saved: Pick<Plan, 'environment'>,
  { environment, path }: { readonly environment: string | undefined; readonly path: string | undefined },
): void {
  if (environment === undefined || environment === saved.environment) return;
  throw new AgentformError(
    'plan-mismatch',
    `the plan ${path} is for the environment ${saved.environment}, not ${environment}; run again with -e ${saved.environment}`,
  );
}

/**
 * Returns the fresh plan, limited to the resources of the saved plan. Throws `plan-mismatch` if the fresh plan lacks a
 * resource that the saved plan would write. `refusedIn` refuses resources that changed after the plan was saved.
 */
function limitedTo(saved: ApprovedPlan, fresh: Plan): Plan {
  const approved = new Set(saved.resources.map(addressOf));
  const present = new Set(fresh.resources.map(addressOf));
  const missing = saved.resources.filter((resource) => isPlanned(resource) && !present.has(addressOf(resource)));
  if (missing.length > 0) {
    const names = listNames(missing.map(addressOf));
    throw new AgentformError(
      'plan-mismatch',
      `the saved plan contains ${names}, which the current plan does not contain; plan again`,
    );
  }
  const resources = fresh.resources.filter((resource) => approved.has(addressOf(resource)));
  return assemblePlan({ ...fresh, resources });
}

function decisionsWithin(decisions: Decisions = [], run: PreparedRun): Decision[] {
  return decisions.map((decision) => {
    const { rule, names } = decision;
    if (rule === 'conflict') return { ...decision, names: addressesNamed('--overwrite', names, run) };
    if (rule !== 'new-agent') return decision;
    const named = names.filter((name) => name !== allNew);
    const all = named.length < names.length ? [allNew] : [];
    return { ...decision, names: [...all, ...addressesNamed('--new', named, run)] };
  });
}

/** Finds the resources that an option names. A name without a match is an error. */
function addressesNamed(option: string, names: readonly string[], { prepared, settled }: PreparedRun): string[] {
  const inRun = [...prepared.keys(), ...settled.keys()];
  const matches = names.map((name) => ({ name, isNamed: selector({ names: [name] }) }));
  const unknown = matches.filter(({ isNamed }) => !inRun.some((address) => isNamed(address)));
  if (unknown.length > 0) {
    const which = unknown.map(({ name }) => name).join(', ');
    const hint =
      unknown.length === 1
        ? didYouMean(
            which,
            inRun.flatMap((one) => [one, one.slice(one.indexOf('/') + 1)]),
          )
        : '';
    throw new AgentformError('selection-empty', `${option} names ${which}, which this run does not include${hint}`);
  }
  return inRun.filter((address) => matches.some(({ isNamed }) => isNamed(address)));
}
