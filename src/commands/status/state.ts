import { addressOf, type Desired } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import { holdsUnder, standingKept } from '../../plan/kept-settings.ts';
import { briefHold, standingHolds } from '../../plan/verdicts/holds.ts';
import { type AgentState, progressOf, rolloutAt, stepsOf } from '../../plan/verdicts/rollout.ts';
import type { ResourceDrift } from '../../schemas/drift-types.ts';
import type { Rollout } from '../../schemas/project-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { ResourceStatus } from '../../schemas/status-types.ts';
import { isOver } from '../../text/time.ts';

/** The known facts about a resource, from its manifest and record. */
export interface KnownResource {
  /** The digest of the declaration, or undefined if the resource was removed or has errors. */
  readonly declared: string | undefined;
  readonly record: ResourceRecord | undefined;
  /** Resolves the desired values. This function is called only if digests are not enough. */
  readonly desired: () => Desired;
}

/** Whether a resource has the declared values. `never` means that nothing was applied. */
type Having = 'declared' | 'another' | 'unknown' | 'never';

/**
 * Compares the last applied values with the declaration. If there is no recorded digest, for example after an import,
 * compares values. Fingerprints of unavailable secrets cannot be compared.
 */
export function havingOf({ declared, record, desired }: KnownResource): Having {
  if (record === undefined || isBare(record)) return 'never';
  if (record.intent !== undefined) return 'unknown';
  if (declared === undefined) return 'another';
  if (record.declared !== undefined) return record.declared.digest === declared ? 'declared' : 'another';
  const { fields } = resourceState({ desired: desired(), record }, secrecyOf([]));
  const others = fields.filter(({ wantedIsLast }) => !wantedIsLast);
  if (others.length === 0) return 'declared';
  return others.every(({ lastIsForeign }) => lastIsForeign) ? 'unknown' : 'another';
}

/** Whether a record has no applied values, such as after `record adopt`. An unfinished create has an intent instead. */
function isBare({ fields, appliedAt, intent }: ResourceRecord): boolean {
  return appliedAt === undefined && intent === undefined && Object.keys(fields).length === 0;
}

/** Returns the hold in effect. Returns undefined if there is no hold, or if the hold has ended. */
export function heldBy({ record, desired }: KnownResource, now: Date): ResourceStatus['held'] {
  const { freeze, rollback, kept = [] } = record?.holds ?? {};
  if (record === undefined) return undefined;
  if (freeze !== undefined && !isOver(freeze, now)) return briefHold(freeze);
  if (rollback === undefined && kept.length === 0) return undefined;
  const declared = desired();
  const state = resourceState({ desired: declared, record }, secrecyOf([]));
  const standing = standingHolds({ desired: declared, record }, state, now).rollback;
  if (standing !== undefined) return briefHold(standing);
  const [left] = standingKept(holdsUnder(declared, record)?.kept ?? [], state, declared);
  return left && briefHold(left);
}

interface StateInput {
  readonly having: Having;
  readonly record: ResourceRecord | undefined;
  readonly isHeld: boolean;
  /** Whether the resource's rollout step is closed. */
  readonly isWaiting: boolean;
  /** The result of a read, or undefined if the service was not read. */
  readonly live?: LiveStatus | undefined;
}

/** The live status of a resource. `unread`: its read failed. `not readable`: its kind cannot be read. */
export type LiveStatus =
  | 'as applied'
  | 'drifted'
  | 'conflict'
  | 'missing'
  | 'in doubt'
  | 'blocked'
  | 'unread'
  | 'not readable';

/**
 * Decides the state of a resource. The first matching rule decides:
 *
 * 1. `missing`: the service does not have the resource, even if a record exists.
 * 2. `unfinished`: an apply is writing the resource, or was interrupted while it did.
 * 3. `failed`, `held`: a person must decide.
 * 4. `conflict`, `drifted`: only a read of the service shows these.
 * 5. `waiting`: an apply would write the resource, but its step is closed. Otherwise, `never applied` or `pending`.
 * 6. `unknown`: neither record nor service shows the state. Otherwise, `in sync` or `applied`.
 */
export function statusState({ having, record, isHeld, isWaiting, live }: StateInput): ResourceStatus['state'] {
  if (live === 'missing') return 'missing';
  if (record?.failure !== undefined) return failedState(record.failure);
  if (isHeld) return 'held';
  if (live === 'conflict' || live === 'drifted') return live;
  if (having === 'another' || having === 'never') {
    if (isWaiting) return 'waiting';
    return having === 'never' ? 'never applied' : 'pending';
  }
  if (having === 'unknown' || live === 'unread' || live === 'blocked' || live === 'in doubt') return 'unknown';
  return live === 'as applied' ? 'in sync' : 'applied';
}

/** An apply saves an interruption as its failure before its write, and removes it at the end. */
function failedState({ code, facts }: NonNullable<ResourceRecord['failure']>): 'unfinished' | 'failed' {
  return code === 'interrupted' || facts.cause === 'interrupted' ? 'unfinished' : 'failed';
}

/** Converts the drift of a resource to its live status. */
export function liveStatusOf({ status, moves, reasons }: ResourceDrift): LiveStatus {
  switch (status) {
    case 'drifted':
      if (moves.some(({ effect }) => effect === 'conflict')) return 'conflict';
      return moves.every(({ effect }) => effect === 'wanted already') ? 'as applied' : 'drifted';
    case 'in doubt':
    case 'blocked':
      return status;
    case 'failed':
      return reasons.some(({ code, facts }) => code === 'read-failed' && facts.missing !== undefined)
        ? 'missing'
        : 'unread';
    case 'unreadable':
      return 'not readable';
    default:
      return 'as applied';
  }
}

export function countStates(resources: readonly Pick<ResourceStatus, 'state'>[]): Map<ResourceStatus['state'], number> {
  const counts = new Map<ResourceStatus['state'], number>();
  for (const { state } of resources) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

/** A rollout step, as far as records show it. */
export interface StatusStep {
  readonly step: number;
  /** The selector or share of the step, such as `ring=canary` or `50%`. */
  readonly title: string;
  readonly isOpen: boolean;
  /**
   * The earliest time when the step may open, as ISO 8601 in UTC. This member is absent if the step is open or the time
   * is unknown.
   */
  readonly notBefore?: string | undefined;
}

export interface KnownSteps {
  readonly steps: readonly StatusStep[];
  /** The step number of each resource, keyed by address. */
  readonly stepOf: ReadonlyMap<string, number>;
}

interface StepsInput {
  readonly rollout: Rollout;
  /** All manifests, because unselected manifests also determine which steps are open. */
  readonly resolution: Pick<Resolution, 'all'>;
  /** Records of resources that agentform.yaml removes. */
  readonly removals: readonly ResourceRecord[];
  /** Finds what the manifest and the record contain about an agent. */
  readonly knownAt: (address: string) => KnownResource;
  readonly live: ReadonlyMap<string, LiveStatus> | undefined;
  readonly now: Date;
}

/** Computes the steps of a rollout from manifests and records, with the same functions as a plan. */
export function knownSteps({ rollout, resolution, removals, knownAt, live, now }: StepsInput): KnownSteps {
  const dropped = removals.map(({ kind, name }) => ({ kind, name, query: {}, token: undefined }));
  const stepOf = stepsOf(rollout, [...resolution.all, ...dropped]);
  const agents = resolution.all.flatMap((one) => {
    const address = addressOf(one);
    const step = stepOf.get(address);
    if (step === undefined || kindOf(one)?.rollsOut !== 'itself') return [];
    return [{ address, step, progress: progressIn(knownAt(address), { live: live?.get(address), now }) }];
  });
  const { steps } = rolloutAt(rollout, agents, now);
  return {
    stepOf,
    steps: steps.map(({ step, select, share, isOpen, notBefore }) => ({
      ...{ step, title: select ?? share ?? '', isOpen, notBefore },
    })),
  };
}

const failures: readonly LiveStatus[] = ['conflict', 'blocked', 'unread', 'missing'];

/**
 * Returns the progress of an agent. Tokens are not read here, so every HMAC counts as valid. As in a plan, an
 * unreadable agent or a conflict counts as failed.
 */
function progressIn(
  known: KnownResource,
  { live, now }: { readonly live: LiveStatus | undefined; readonly now: Date },
): AgentState {
  if (live !== undefined && failures.includes(live)) return { state: 'failed' };
  const { record, declared } = known;
  const progress = progressOf(record, {
    declared,
    hasDeclaredValues: () => havingOf(known) === 'declared',
    isProven: record?.hmac !== undefined,
    now,
  });
  // Whether the manifest has ended the hold. This is unknown if the manifest has errors.
  const isEnded = progress.state === 'held' && declared !== undefined && heldBy(known, now) === undefined;
  return isEnded ? { state: 'pending' } : progress;
}
