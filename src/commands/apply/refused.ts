import { isJsonObject } from '../../json/json.ts';
import { addressOf, byAddress } from '../../kinds/desired.ts';
import { type Notice, notice } from '../../notices/notice.ts';
import { type Decisions, leavingOut, ofSavedPlan } from '../../plan/decisions.ts';
import { isPlanned } from '../../plan/pending.ts';
import { undecidedCreates, undecidedReason } from '../../plan/verdicts/new-agents.ts';
import { unmetIn } from '../../plan/verdicts/requires.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { ApprovedPlan, ApprovedResource } from '../../session/plans/saved-plan.ts';
import type { PreparedRun } from '../../session/prepare.ts';
import type { Session } from '../../session/session.ts';
import { type Approval, differenceFromApproved, type RecordedApprovals } from './approvals.ts';

interface Refusing {
  /** The plan before answers changed it. */
  readonly plan: Plan;
  readonly saved: ApprovedPlan | undefined;
  readonly run: PreparedRun;
  readonly session: Session;
  readonly recorded: RecordedApprovals;
  readonly options: { readonly approvedEach?: Approval | undefined; readonly savedPlan?: string | undefined };
  readonly decisions: Decisions;
}

/**
 * Finds the resources that an apply leaves out. Returns the reasons, keyed by address. The first reason counts:
 *
 * 1. The resource differs from the saved plan.
 * 2. Another environment must have the same version first (`requires`).
 * 3. Creating the agent could replace an existing agent, and no decision declares the agent as new.
 * 4. The resource differs from its approval.
 * 5. An answer leaves the resource out, or cannot be carried out.
 *
 * `refusal` in `apply/refusals.ts` adds reasons that arise only during the apply, such as a failed dependency.
 */
export function refusedIn({ resources }: Plan, refusing: Refusing): ReadonlyMap<string, readonly Notice[]> {
  const { plan, saved, run, decisions } = refusing;
  const savedResources = saved && byAddress(saved.resources);
  const unmet = unmetIn(plan);
  const undecided = undecidedIn(refusing);
  const approved = byAddress(plan.resources);
  const refused = new Map<string, readonly Notice[]>();
  for (const carried of resources) {
    const address = addressOf(carried);
    const resource = approved.get(address) ?? carried;
    const record = run.prepared.get(address)?.observation.record;
    const reasons =
      (savedResources && staleReasons(resource, savedResources.get(address), record)) ??
      unmet.get(address) ??
      undecided.get(address) ??
      unapprovedReasons(resource, refusing) ??
      leavingOut(plan.environment, resource, decisions);
    if (reasons !== undefined) refused.set(address, reasons);
  }
  return refused;
}

/**
 * Returns why a resource is stale: its digest differs from the saved plan's, or its record shows that it is already
 * applied.
 */
export function staleReasons(
  resource: ResourcePlan,
  saved: Pick<ApprovedResource, 'action' | 'digest'> | undefined,
  record: Pick<ResourceRecord, 'appliedAt'> | undefined,
): Notice[] | undefined {
  if (saved?.digest === resource.digest) return undefined;
  const address = addressOf(resource);
  const appliedAt = record?.appliedAt;
  const isApplied = saved !== undefined && isPlanned(saved) && resource.action === 'none';
  return isApplied && appliedAt !== undefined
    ? [notice('stale', { address, by: 'earlier-apply', appliedAt })]
    : [notice('stale', { address, by: 'saved-plan' })];
}

/**
 * Refuses to create agents that no decision declares as new. Returns the refusals by address. All refusals share one
 * notice.
 */
function undecidedIn({ plan, run, session, options, decisions }: Refusing): ReadonlyMap<string, readonly Notice[]> {
  const undecided = undecidedCreates(plan, decisions);
  const importWords = importWordsOf(undecided, { run, session });
  const why = ofSavedPlan(undecidedReason(plan.environment, undecided, importWords), options.savedPlan);
  return new Map(undecided.map((resource) => [addressOf(resource), [why]]));
}

function unapprovedReasons(
  resource: ResourcePlan,
  { plan, saved, recorded, options: { approvedEach } }: Refusing,
): Notice[] | undefined {
  if (approvedEach === undefined || approvedEach.plans.has((saved ?? plan).digest)) return undefined;
  const difference = recorded.has(resource) ? undefined : differenceFromApproved(resource, approvedEach);
  return difference === undefined ? undefined : [notice('not-approved', { difference })];
}

/**
 * Returns the `import` options that repeat the target and description in a new agent's manifest. Returns an empty list
 * for several agents.
 */
function importWordsOf(
  [first, ...others]: readonly ResourcePlan[],
  { run, session: { project, environment } }: Pick<Refusing, 'run' | 'session'>,
): string[] {
  const desired = first && run.prepared.get(addressOf(first))?.observation.desired;
  if (desired === undefined || others.length > 0) return [];
  const { token, query = {} } = project.definitions.get(environment) ?? {};
  const { tokenName, query: parameters, sensitiveQuery } = desired.target;
  const own = Object.entries(parameters).filter(
    ([name, value]) => !sensitiveQuery.has(name) && String(query[name]) !== value,
  );
  const { settings } = desired.sections;
  const declared = isJsonObject(settings) ? settings.description : undefined;
  const description = typeof declared === 'string' ? run.planning.secrecy.redact(declared) : '';
  const isOneLine = description !== '' && !/[\p{Cc}\u2028\u2029]/u.test(description);
  return [
    ...(tokenName === undefined || token === `\${secret.${tokenName}}` ? [] : ['--token-secret', tokenName]),
    ...own.flatMap(([name, value]) => ['--query', `${name}=${value}`]),
    ...(isOneLine ? ['--description', description] : []),
  ];
}
