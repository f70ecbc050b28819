import { createHash } from 'node:crypto';
import { canonicalJson } from '../json/json.ts';
import { addressOf, type Desired } from '../kinds/desired.ts';
import { parsePath } from '../kinds/field-path.ts';
import { kindOf } from '../kinds/kind.ts';
import { type Labels, matchesSelector, parseSelector, type Requirement } from '../kinds/labels.ts';
import { pathSet } from '../kinds/path-map.ts';
import type { Secrecy } from '../kinds/sensitive.ts';
import type { RolloutState, RolloutStepState } from '../schemas/plan-types.ts';
import type { Rollout, RolloutStep } from '../schemas/project-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { isoTime, milliseconds } from '../text/time.ts';
import { resourceState } from './fields/resource-state.ts';
import { holdsUnder, standingKept } from './kept-settings.ts';
import { isOnHold } from './verdicts/holds.ts';

// The state of a rollout follows from the manifests, the records and the time: the step of each agent, what it has, and
// which steps are open. It is not stored anywhere. `plan`, `apply` and `status` share this code.

/** A resource of the project, with the facts that decide about steps. */
export interface RolloutResource {
  readonly kind: string;
  readonly name: string;
  readonly labels?: Labels;
  /** Name of the Agent manifest that it refers to. */
  readonly agent?: string;
  /** User name of its agent. */
  readonly username?: string;
  readonly organization?: string;
  readonly query: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

/** A rollout as in agentform.yaml. */
export interface RolloutDefinition extends Pick<Rollout, 'stop'> {
  readonly steps: readonly RolloutStep[];
}

/** The step of each resource by address, counted from 1. A resource without an agent has none. */
export function stepsOf(
  rollout: RolloutDefinition,
  resources: readonly RolloutResource[],
): ReadonlyMap<string, number> {
  const agents = resources.filter((one) => kindOf(one)?.rollsOut === 'itself');
  const stepOf = stepFinder(rollout);
  const steps = new Map(agents.map((agent) => [agent.name, stepOf(agent)]));
  const agentOf = agentFinder(agents);
  return new Map(
    resources.flatMap((resource): [string, number][] => {
      const step = steps.get(agentOf(resource) ?? '');
      return step === undefined ? [] : [[addressOf(resource), step]];
    }),
  );
}

/**
 * The step of an agent: the first that selects it. Other agents belong to the first share whose threshold is above the
 * hash of their name, so that a larger share contains a smaller one. The rest belongs to the last step.
 */
export function stepFinder({ steps }: RolloutDefinition): (agent: Pick<RolloutResource, 'name' | 'labels'>) => number {
  const conditions = steps.map(({ select }) => (select === undefined ? undefined : requirementsIn(select)));
  const thresholds = steps.map(({ share }) => (share === undefined ? undefined : Number.parseFloat(share) / 100));
  return ({ name, labels = {} }) => {
    const selected = conditions.findIndex((requirements) => requirements && matchesSelector(requirements, labels));
    if (selected >= 0) return selected + 1;
    const place = placeOf(name);
    const shared = thresholds.findIndex((threshold) => threshold !== undefined && place < threshold);
    return shared >= 0 ? shared + 1 : steps.length;
  };
}

/** A number from 0 to 1 that is always the same for a name. */
function placeOf(name: string): number {
  return createHash('sha256').update(name).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** agentform.yaml has been checked, so all texts are valid. */
function requirementsIn(select: string): readonly Requirement[] {
  const parsed = parseSelector(select);
  return 'requirements' in parsed ? parsed.requirements : [];
}

/**
 * Finds the agent whose step a resource has. The first match counts: the agent that it refers to, the one with its user
 * name, the only one in its account, or the one with its name, as in a fleet.
 */
function agentFinder(agents: readonly RolloutResource[]): (resource: RolloutResource) => string | undefined {
  const names = new Set(agents.map(({ name }) => name));
  // Undefined for an account with several agents.
  const onlyAgents = new Map<string, string | undefined>();
  for (const agent of agents) {
    const account = accountOf(agent);
    onlyAgents.set(account, onlyAgents.has(account) ? undefined : agent.name);
  }
  return (resource) => {
    const { name, agent, username } = resource;
    const follows = kindOf(resource)?.rollsOut;
    if (follows === undefined) return undefined;
    if (follows === 'itself') return name;
    const only = onlyAgents.get(accountOf(resource));
    return [agent, username, only, name].find((one) => one !== undefined && names.has(one));
  };
}

function accountOf({ organization, query, token }: RolloutResource): string {
  return canonicalJson({ organization: organization ?? null, query, token: token ?? null });
}

/**
 * Whether an agent has everything that is declared now: the time since it does, in milliseconds, or the reason why not.
 */
export type Progress =
  | { readonly state: 'done'; readonly since: number }
  | { readonly state: 'pending' | 'failed' | 'held' };

interface ProgressInput {
  /** Digest of what the manifests declare now; undefined if it is unknown. */
  readonly declared: string | undefined;
  /** Whether the last applied values are the declared ones. Only called if the record has no digest of them. */
  readonly hasDeclaredValues: () => boolean;
  /** Whether an apply wrote the record: its HMAC is valid. */
  readonly isProven: boolean;
  readonly now: Date;
}

/** The progress of an agent by its record. */
export function progressOf(record: ResourceRecord | undefined, input: ProgressInput): Progress {
  if (record === undefined) return { state: 'pending' };
  const since = sinceIn(record, input);
  // A time in the future comes from a wrong clock.
  if (since !== undefined) return { state: 'done', since: Math.min(since, input.now.getTime()) };
  if (isOnHold(record, input.now)) return { state: 'held' };
  return { state: hasFailed(record, input) || record.intent !== undefined ? 'failed' : 'pending' };
}

/** The time since which the agent has the declared values; undefined if the record does not show it. */
function sinceIn(record: ResourceRecord, input: ProgressInput): number | undefined {
  const { declared, hasDeclaredValues, isProven, now } = input;
  if (!isProven || declared === undefined) return undefined;
  const isDone =
    record.declared === undefined
      ? !hasFailed(record, input) && hasDeclaredValues()
      : record.declared.digest === declared;
  if (!isDone) return undefined;
  const time = Date.parse(record.declared?.since ?? record.writtenAt ?? record.appliedAt ?? '');
  return Number.isNaN(time) ? now.getTime() : time;
}

/** Whether the update to the present declaration failed. A failure with an earlier manifest does not count. */
function hasFailed({ failure }: ResourceRecord, { declared }: ProgressInput): boolean {
  return failure?.declared !== undefined && failure.declared === declared;
}

/** Whether the last applied values are the declared ones, apart from settings that a person decided to keep. */
export function hasDeclaredValues(desired: Desired, record: ResourceRecord, secrecy: Secrecy): boolean {
  const state = resourceState({ desired, record }, secrecy);
  const holds = standingKept(holdsUnder(desired, record)?.kept ?? [], state, desired);
  const kept = pathSet(holds.flatMap(({ fields }) => Object.keys(fields)).map(parsePath));
  return state.fields.every(({ path, wantedIsLast }) => wantedIsLast || kept.along(path).length > 0);
}

/** An agent of the project in a rollout. */
export interface RolloutAgent {
  readonly address: string;
  readonly step: number;
  readonly progress: Progress;
}

/** What a closed step waits for. */
export interface Barrier {
  /** The number of agents in earlier steps that lack the declared values. */
  readonly pending: number;
  /** How many of these failed, and how many are on hold. */
  readonly failed: number;
  readonly held: number;
  /** More failed or are on hold than `stop` allows. */
  readonly isStopped: boolean;
  /** The earliest time at which the step may open, as ISO 8601 in UTC; absent if unknown. */
  readonly notBefore?: string;
}

/** The steps of a rollout at a time. */
export interface RolloutProgress extends RolloutState {
  /** The steps that are not open, by number. */
  readonly closed: ReadonlyMap<number, Barrier>;
}

/**
 * A step is open when every agent in earlier steps has had the declared values for the time in `after`. Agents that
 * failed or are on hold do not count, up to the numbers in `stop`. The earliest opening time is known once all agents
 * of earlier steps have the change, or can get it now.
 */
export function rolloutAt(rollout: RolloutDefinition, agents: readonly RolloutAgent[], now: Date): RolloutProgress {
  const closed = new Map<number, Barrier>();
  const inOrder: RolloutAgent[] = [];
  let earlier = nothingEarlier;
  const steps = rollout.steps.map(({ after, select, share }, index): RolloutStepState => {
    const step = index + 1;
    const barrier = barrierOf(after, earlier, now);
    if (barrier !== undefined) closed.set(step, barrier);
    const own = agents.filter((agent) => agent.step === step);
    inOrder.push(...own);
    earlier = withStep(earlier, { own, isOpen: barrier === undefined, stop: rollout.stop });
    const done = own.filter(({ progress }) => progress.state === 'done').length;
    return {
      step,
      ...(select !== undefined && { select }),
      ...(share !== undefined && { share }),
      resources: own.length,
      done,
      pending: own.length - done,
      isOpen: barrier === undefined,
      ...(barrier?.notBefore !== undefined && { notBefore: barrier.notBefore }),
    };
  });
  // The last step delays no other step.
  const stopping = inOrder.filter(({ step }) => step < steps.length);
  const isStopped = [...closed.values()].some((barrier) => barrier.isStopped);
  return { steps, closed, ...(isStopped && { stopped: stoppedBy(stopping) }) };
}

/** The agents of the earlier steps. */
interface Earlier {
  readonly failed: number;
  readonly held: number;
  readonly pending: number;
  /** Pending agents in a closed step. */
  readonly unreachable: number;
  /** The time at which the last finished agent got its change. */
  readonly since: number;
  /** More failed or are on hold than `stop` allows. */
  readonly isStopped: boolean;
}

const nothingEarlier: Earlier = {
  failed: 0,
  held: 0,
  pending: 0,
  unreachable: 0,
  since: Number.NEGATIVE_INFINITY,
  isStopped: false,
};

/** What keeps a step closed; undefined if it is open. */
function barrierOf(after = '0m', earlier: Earlier, now: Date): Barrier | undefined {
  const { failed, held, pending, unreachable, since, isStopped } = earlier;
  const wait = milliseconds(after) ?? 0;
  if (!isStopped && pending === 0 && since + wait <= now.getTime()) return undefined;
  const opens = Math.max(since, pending > 0 ? now.getTime() : since) + wait;
  const notBefore = isStopped || unreachable > 0 ? undefined : isoTime(Math.ceil(opens / 1000));
  return { pending: pending + failed + held, failed, held, isStopped, ...(notBefore !== undefined && { notBefore }) };
}

interface EndedStep {
  readonly stop: RolloutDefinition['stop'] | undefined;
  readonly own: readonly RolloutAgent[];
  readonly isOpen: boolean;
}

function withStep(
  earlier: Earlier,
  { own, isOpen, stop: { failed: mostFailed = 0, held: mostHeld = 0 } = {} }: EndedStep,
) {
  const count = (state: Progress['state']) => own.filter(({ progress }) => progress.state === state).length;
  const [failed, held, pending] = [earlier.failed + count('failed'), earlier.held + count('held'), count('pending')];
  const times = own.flatMap(({ progress }) => (progress.state === 'done' ? [progress.since] : []));
  return {
    failed,
    held,
    pending: earlier.pending + pending,
    unreachable: earlier.unreachable + (isOpen ? 0 : pending),
    since: times.reduce((latest, time) => Math.max(latest, time), earlier.since),
    isStopped: failed > mostFailed || held > mostHeld,
  };
}

function stoppedBy(agents: readonly RolloutAgent[]): NonNullable<RolloutState['stopped']> {
  const inState = (state: Progress['state']) =>
    agents.filter(({ progress }) => progress.state === state).map(({ address }) => address);
  return { failed: inState('failed'), held: inState('held') };
}
