import type { StepGuard } from '../apply/resource-apply.ts';
import { cached, canonicalJson } from '../json/json.ts';
import { addressOf, byAddress, inOrganization, kindIn } from '../kinds/desired.ts';
import { kindOf } from '../kinds/kind.ts';
import type { Secrecy } from '../kinds/sensitive.ts';
import type { ManifestIdentity, Resolution, Selected } from '../manifest/resolve/resolution.ts';
import { resolveProject } from '../manifest/resolve/resolve-project.ts';
import { type Notice, notice } from '../notices/notice.ts';
import { type Decisions, isDecided } from '../plan/decisions.ts';
import { isPending } from '../plan/pending.ts';
import { assignRecords } from '../plan/records/moves.ts';
import { hmacState } from '../plan/records/record-of.ts';
import { type AgentState, hasDeclaredValues, progressOf, stepFinder, stepsOf } from '../plan/verdicts/rollout.ts';
import { plannedSteps, type RolloutInput } from '../plan/verdicts/waiting.ts';
import type { StoredRecord } from '../record/store.ts';
import { withStore } from '../record/store-table.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { Rollout } from '../schemas/project-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { FingerprintKey } from '../secrets/fingerprint.ts';
import type { Host } from './host.ts';
import type { MatchedResources } from './records/matched-resources.ts';
import { recordsOf, type Session } from './session.ts';

interface RolloutContext {
  readonly matched: Pick<MatchedResources<StoredRecord>, 'records' | 'organizations' | 'removals'>;
  readonly secrecy: Secrecy;
  readonly host: Pick<Host, 'env' | 'allowedSecrets' | 'now'>;
  readonly decisions?: Decisions;
}

/** The rollout of a run, with a function that computes the progress again from later records. */
export interface SessionRollout extends RolloutInput {
  readonly progressFrom: ProgressReader;
}

/**
 * Loads the environment's rollout with the progress of all agents. Unselected agents count too, because they also
 * determine which steps are open. Returns undefined if there is neither a rollout nor a notice about a rollout.
 */
export async function rolloutInput(session: Session, context: RolloutContext): Promise<SessionRollout | undefined> {
  const { matched, decisions } = context;
  const now = session.service.now() ?? context.host.now();
  const removed = matched.removals.map(({ record: { kind, name } }) => ({ kind, name, query: {}, token: undefined }));
  const declared = declaredRollout(session, now, removed);
  if (declared === undefined || declared.rollout === noRollout.rollout) return declared;
  const progressFrom = await progressReader(session, context);
  const progress = progressFrom((address) => matched.records.get(address)?.record, now);
  return { ...declared, progress, progressFrom, decisions };
}

/**
 * Returns the rollout without progress, for an offline plan. No resource waits, because there are no records. Policies
 * can still read steps, and the plan shows changes to the rollout. Returns undefined if there is neither a rollout nor
 * a notice about a rollout.
 */
export function declaredRollout(
  session: RolloutNoticed,
  now: Date,
  removed: Parameters<typeof stepsOf>[1] = [],
): SessionRollout | undefined {
  const { project, environment, resolution } = session;
  const rollout = project.definitions.get(environment)?.rollout;
  const notices = rolloutNotices(session);
  if (rollout === undefined) return notices.length === 0 ? undefined : { ...noRollout, notices };
  return { ...noRollout, rollout, steps: stepsOf(rollout, [...resolution.all, ...removed]), now, notices };
}

const noRollout = {
  rollout: { steps: [] },
  steps: new Map(),
  progress: new Map(),
  progressFrom: () => new Map(),
  now: new Date(0),
  decisions: [],
} as const;

/** Computes the progress of every agent in a rollout from records. Returns the progress by address. */
type ProgressReader = (
  recordOf: (address: string) => ResourceRecord | undefined,
  now: Date,
) => ReadonlyMap<string, AgentState>;

/** Creates a ProgressReader. Also resolves unselected agents, because the progress covers all agents. */
async function progressReader(
  session: Session,
  { matched: { organizations }, secrecy, host }: RolloutContext,
): Promise<ProgressReader> {
  const { resolution } = session;
  const agents = resolution.all.filter((one) => kindOf(one)?.rollsOut === 'itself').map(addressOf);
  const whole = session.selection.isEverything ? resolution : await wholeResolution(session, host);
  const keys = await keysOf(session, whole.selected, host);
  const desiredOf = (address: string, key: FingerprintKey) => {
    const desired = whole.desiredOf(address);
    return inOrganization({ ...desired, target: { ...desired.target, key } }, organizations);
  };
  return (recordOf, now) => {
    const progressAt = (address: string): [string, AgentState] => {
      const record = recordOf(address);
      const key = keys.get(address);
      // Without the key, the HMAC cannot be checked, and anyone who can commit may have written the record.
      const isProven = record !== undefined && key !== undefined && hmacState(record, key) === 'holds';
      const hasValues = () =>
        record !== undefined && key !== undefined && hasDeclaredValues(desiredOf(address, key), record, secrecy);
      const declared = whole.declaredOf(address)?.digest;
      return [address, progressOf(record, { declared, hasDeclaredValues: hasValues, isProven, now })];
    };
    return new Map(agents.map(progressAt));
  };
}

/**
 * Resolves every agent, because a selection must not change which steps are open. Secrets are known only by name,
 * because other agents' secrets may be missing.
 */
export function wholeResolution(
  { project, environment }: Pick<Session, 'project' | 'environment'>,
  { env, allowedSecrets }: Pick<Host, 'env' | 'allowedSecrets'>,
): Promise<Resolution> {
  const select = (address: string) => kindOf({ kind: kindIn(address) })?.rollsOut === 'itself';
  return resolveProject(project, { environment, secrets: 'names', select, env, allowedSecrets });
}

/**
 * Returns the agents' fingerprint keys, keyed by address. A key is missing if the process lacks the token or must not
 * use it.
 */
async function keysOf(
  { resolution, keys }: Session,
  agents: readonly Selected[],
  host: RolloutContext['host'],
): Promise<ReadonlyMap<string, FingerprintKey>> {
  const found = new Map(resolution.selected.map((one) => [addressOf(one), one.target.key]));
  const others = agents.filter((one) => !found.has(addressOf(one)));
  const atHand = others.map(async ({ target, ...agent }) => {
    const key = await keys.atHand(target, host);
    if (key !== undefined) found.set(addressOf(agent), key);
  });
  await Promise.all(atHand);
  return found;
}

interface Guarding {
  readonly plan: Pick<Plan, 'resources'>;
  readonly rollout: SessionRollout;
  readonly host: Pick<Host, 'env' | 'allowedSecrets'>;
}

/**
 * Returns a function that checks, once per step, whether the step is still open according to the current records. Uses
 * the planned progress for agents that this run writes.
 */
export function stepGuard(
  { project, environment, resolution }: Session,
  { plan, rollout, host: { env, allowedSecrets } }: Guarding,
): StepGuard['isStillOpen'] {
  const own = new Set(plan.resources.filter(isPending).map(addressOf));
  const isOpen = async (step: number) => {
    const stored = await withStore({ project, environment, env, allowedSecrets }, (store) =>
      recordsOf(store, environment),
    );
    const { records } = assignRecords(stored, { manifests: resolution.all, removed: project.removed });
    const found = rollout.progressFrom((address) => records.get(address)?.record, rollout.now);
    const progress = new Map([...found, ...[...rollout.progress].filter(([address]) => own.has(address))]);
    return !plannedSteps(plan.resources, { ...rollout, progress }).progress.closed.has(step);
  };
  const known = new Map<number, Promise<boolean>>();
  return (step) => {
    return cached(known, step, () => (isDecided(rollout.decisions, 'rollout') ? Promise.resolve(true) : isOpen(step)));
  };
}

type RolloutNoticed = Pick<Session, 'project' | 'environment' | 'resolution' | 'formerRollouts'>;

/** Notices about changes to the rollout since the base commit, and about agents that moved to an earlier step. */
function rolloutNotices({ project, environment, resolution, formerRollouts }: RolloutNoticed): Notice[] {
  const rollout = project.definitions.get(environment)?.rollout;
  const formerly = formerRollouts?.get(environment);
  if (formerly === undefined) return [];
  const [was, now] = [textsOf(formerly.rollout), textsOf(rollout)];
  const isChanged = canonicalJson(was) !== canonicalJson(now);
  const changed = isChanged ? [notice('rollout-changed', { environment, was, now })] : [];
  return rollout === undefined ? changed : [...changed, ...movedEarlier(rollout, formerly.resources, resolution.all)];
}

function movedEarlier(
  rollout: Rollout,
  before: readonly ManifestIdentity[],
  all: readonly ManifestIdentity[],
): Notice[] {
  const stepOf = stepFinder(rollout);
  const former = byAddress(before);
  const moved = new Map<string, { from: number; to: number; resources: string[] }>();
  for (const agent of all) {
    const { kind, renamedFrom } = agent;
    if (kindOf(agent)?.rollsOut !== 'itself') continue;
    const names = [agent, ...renamedFrom].map(({ name }) => addressOf({ kind, name }));
    const old = names.map((name) => former.get(name)).find((one) => one !== undefined);
    const [from, to] = [old === undefined ? 0 : stepOf(old), stepOf(agent)];
    if (from <= to) continue;
    cached(moved, `${from} ${to}`, () => ({ from, to, resources: [] })).resources.push(addressOf(agent));
  }
  return [...moved.values()].map((facts) => notice('step-earlier', facts));
}

/**
 * Describes a rollout in texts that can be compared. Each step has a text, such as `ring=canary` or `50% after 2d`. The
 * limits in `stop`, if any, have another text.
 */
function textsOf(rollout: Rollout | undefined): string[] {
  if (rollout === undefined) return [];
  const { failed = 0, held = 0 } = rollout.stop ?? {};
  const steps = rollout.steps.map(({ select, share, after }) => {
    const wait = after === undefined ? '' : ` after ${after}`;
    return `${select ?? share ?? ''}${wait}`;
  });
  return failed + held === 0 ? steps : [...steps, `stop: more than ${failed} failed or ${held} on hold`];
}
