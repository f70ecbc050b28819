import { createHash } from 'node:crypto';
import { canonicalJson, withoutUndefined } from '../../json/json.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import { parsePath } from '../../kinds/field-path.ts';
import { kindOf } from '../../kinds/kind.ts';
import { type Labels, matchesSelector, parseSelector, type Requirement } from '../../kinds/labels.ts';
import { pathSet } from '../../kinds/path-map.ts';
import type { Secrecy } from '../../kinds/sensitive.ts';
import type { RolloutState, RolloutStepState } from '../../schemas/plan-types.ts';
import type { Rollout, RolloutStep } from '../../schemas/project-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { isoTime, milliseconds } from '../../text/time.ts';
import { resourceState } from '../fields/resource-state.ts';
import { holdsUnder, standingKept } from '../kept-settings.ts';
import { isOnHold } from './holds.ts';

// The state of a rollout is computed from manifests, records and the time, and is not stored. This state consists of
// each agent's step and progress, and of the open steps. `plan`, `apply` and `status` share this code.

/** A resource of the project, with the facts that determine its step. */
export interface RolloutResource {
  readonly kind: string;
  readonly name: string;
  readonly labels?: Labels;
  /** The name of the Agent manifest that the resource refers to. */
  readonly agent?: string;
  /** The user name of the resource's agent in the service. */
  readonly username?: string;
  readonly organization?: string;
  readonly query: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

/** The rollout of an environment, as agentform.yaml declares it. */
export interface RolloutDefinition extends Pick<Rollout, 'stop'> {
  readonly steps: readonly RolloutStep[];
}

/** The step of each resource by address, counted from 1. A resource that belongs to no agent has no step. */
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
 * Returns a function that finds an agent's step: the first step whose selector matches it. If no selector matches, a
 * hash of the agent's name determines whether the agent belongs to the share of a step. A larger share therefore always
 * includes the agents of a smaller share. The remaining agents belong to the last step.
 */
export function stepFinder({ steps }: RolloutDefinition): (agent: Pick<RolloutResource, 'name' | 'labels'>) => number {
  const conditions = steps.map(({ select }) => (select === undefined ? undefined : requirementsIn(select)));
  const thresholds = steps.map(({ share }) => (share === undefined ? undefined : Number.parseFloat(share) / 100));
  return ({ name, labels = {} }) => {
    const selected = conditions.findIndex((requirements) => requirements && matchesSelector(requirements, labels));
    if (selected >= 0) return selected + 1;
    // A number of at least 0 and less than 1 that depends only on the name.
    const fraction = createHash('sha256').update(name).digest().readUIntBE(0, 6) / 2 ** 48;
    const shared = thresholds.findIndex((threshold) => threshold !== undefined && fraction < threshold);
    return shared >= 0 ? shared + 1 : steps.length;
  };
}

/** Parses a selector. agentform.yaml was already checked, so every selector is valid. */
function requirementsIn(select: string): readonly Requirement[] {
  const parsed = parseSelector(select);
  return 'requirements' in parsed ? parsed.requirements : [];
}

/**
 * Returns a function that finds the agent whose step a resource shares, if such an agent exists. The first match is
 * used:
 *
 * 1. the agent that the resource refers to
 * 2. the agent with the resource's user name
 * 3. the only agent in the resource's account
 * 4. the agent with the resource's name, as in a fleet
 */
function agentFinder(agents: readonly RolloutResource[]): (resource: RolloutResource) => string | undefined {
  const names = new Set(agents.map(({ name }) => name));
  // The only agent of each account. Undefined for an account with several agents.
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

/** Whether an agent has all declared values, and since when, in milliseconds since 1970. */
export type AgentState =
  | { readonly state: 'done'; readonly since: number }
  | { readonly state: 'pending' | 'failed' | 'held' };

interface ProgressInput {
  /** The digest of the manifest's current declaration. Undefined if unknown. */
  readonly declared: string | undefined;
  /** Compares the last applied with the declared values. This is slow, and unnecessary if the record has a digest. */
  readonly hasDeclaredValues: () => boolean;
  /** Whether the record has a valid HMAC, which proves that a run with the agent's token wrote it. */
  readonly isProven: boolean;
  readonly now: Date;
}

export function progressOf(record: ResourceRecord | undefined, input: ProgressInput): AgentState {
  if (record === undefined) return { state: 'pending' };
  const since = sinceIn(record, input);
  // A recorded time in the future means that a clock was wrong.
  if (since !== undefined) return { state: 'done', since: Math.min(since, input.now.getTime()) };
  if (isOnHold(record, input.now)) return { state: 'held' };
  return { state: hasFailed(record, input) || record.intent !== undefined ? 'failed' : 'pending' };
}

/**
 * When the agent got the declared values, in milliseconds since 1970. If no time was recorded, the current time.
 * Undefined if the record does not show that the agent has these values.
 */
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

/** Whether the last apply of the current declaration failed. Failures of earlier declarations do not count. */
function hasFailed({ failure }: ResourceRecord, { declared }: ProgressInput): boolean {
  return failure?.declared !== undefined && failure.declared === declared;
}

/** Whether the last applied values equal the declared values. Ignores settings that a person decided to keep. */
export function hasDeclaredValues(desired: Desired, record: ResourceRecord, secrecy: Secrecy): boolean {
  const state = resourceState({ desired, record }, secrecy);
  const holds = standingKept(holdsUnder(desired, record)?.kept ?? [], state, desired);
  const kept = pathSet(holds.flatMap(({ fields }) => Object.keys(fields)).map(parsePath));
  return state.fields.every(({ path, wantedIsLast }) => wantedIsLast || kept.along(path).length > 0);
}

interface RolloutAgent {
  readonly address: string;
  readonly step: number;
  readonly progress: AgentState;
}

/** The reason why a step is closed. */
export interface Barrier {
  /** The number of agents in earlier steps that do not have the declared values yet. */
  readonly pending: number;
  /** The number of pending agents that failed, and the number of pending agents that are on hold. */
  readonly failed: number;
  readonly held: number;
  /** Whether the failed or held agents exceed the limits in `stop`. */
  readonly isStopped: boolean;
  /** The earliest time at which the step may open, as ISO 8601 in UTC. Absent if unknown. */
  readonly notBefore?: string;
}

export interface RolloutProgress extends RolloutState {
  /** The reasons why steps are closed, by step number. */
  readonly closed: ReadonlyMap<number, Barrier>;
}

/**
 * Computes the progress of a rollout. A step is open once every agent in earlier steps has had the declared values for
 * the time in `after`. Failed and held agents are ignored up to the limits in `stop`. The opening time is unknown while
 * the rollout is stopped, or while any pending agent in an earlier step waits in a closed step.
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
    for (const agent of own) inOrder.push(agent);
    earlier = withStep(earlier, own, { ...rollout, isOpen: barrier === undefined });
    const done = own.filter(({ progress }) => progress.state === 'done').length;
    return {
      step,
      ...withoutUndefined({ select, share }),
      resources: own.length,
      done,
      pending: own.length - done,
      isOpen: barrier === undefined,
      ...(barrier?.notBefore !== undefined && { notBefore: barrier.notBefore }),
    };
  });
  // Agents in the last step do not delay any other step.
  const stopping = inOrder.filter(({ step }) => step < steps.length);
  const isStopped = [...closed.values()].some((barrier) => barrier.isStopped);
  return { steps, closed, ...(isStopped && { stopped: stoppedBy(stopping) }) };
}

/** The state of all earlier steps together. Failed and held agents are not counted as pending. */
interface Earlier {
  readonly failed: number;
  readonly held: number;
  readonly pending: number;
  /** The number of pending agents whose own step is closed. */
  readonly unreachable: number;
  /** When the last finished agent got the declared values, in milliseconds since 1970. */
  readonly since: number;
  /** Whether the failed or held agents exceed the limits in `stop`. */
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

/** Determines why a step is closed. Returns undefined if the step is open. */
function barrierOf(after = '0m', earlier: Earlier, now: Date): Barrier | undefined {
  const { failed, held, pending, unreachable, since, isStopped } = earlier;
  const wait = milliseconds(after) ?? 0;
  if (!isStopped && pending === 0 && since + wait <= now.getTime()) return undefined;
  const opens = Math.max(since, pending > 0 ? now.getTime() : since) + wait;
  const notBefore = isStopped || unreachable > 0 ? undefined : isoTime(Math.ceil(opens / 1000));
  return { pending: pending + failed + held, failed, held, isStopped, ...(notBefore !== undefined && { notBefore }) };
}

function withStep(
  earlier: Earlier,
  own: readonly RolloutAgent[],
  { isOpen, stop = {} }: Pick<RolloutDefinition, 'stop'> & { readonly isOpen: boolean },
): Earlier {
  const count = (state: AgentState['state']) => own.filter(({ progress }) => progress.state === state).length;
  const [failed, held, pending] = [earlier.failed + count('failed'), earlier.held + count('held'), count('pending')];
  const times = own.flatMap(({ progress }) => (progress.state === 'done' ? [progress.since] : []));
  return {
    failed,
    held,
    pending: earlier.pending + pending,
    unreachable: earlier.unreachable + (isOpen ? 0 : pending),
    since: times.reduce((latest, time) => Math.max(latest, time), earlier.since),
    isStopped: failed > (stop.failed ?? 0) || held > (stop.held ?? 0),
  };
}

function stoppedBy(agents: readonly RolloutAgent[]): NonNullable<RolloutState['stopped']> {
  const inState = (state: AgentState['state']) =>
    agents.filter(({ progress }) => progress.state === state).map(({ address }) => address);
  return { failed: inState('failed'), held: inState('held') };
}
