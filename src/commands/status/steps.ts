import { addressOf } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { type Progress, progressOf, rolloutAt, stepsOf } from '../../plan/rollout.ts';
import type { Rollout } from '../../schemas/project-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { havingOf, heldBy, type KnownResource, type LiveStatus } from './state.ts';

/** A step of the environment, according to the records. */
export interface StatusStep {
  readonly step: number;
  /** `ring=canary`, or `50%`. */
  readonly title: string;
  readonly isOpen: boolean;
  /** The earliest time at which it may open, as ISO 8601 in UTC; absent if it is open or the time is unknown. */
  readonly notBefore?: string | undefined;
}

export interface KnownSteps {
  readonly steps: readonly StatusStep[];
  /** The steps of resources, by address. */
  readonly stepOf: ReadonlyMap<string, number>;
}

export interface StepsInput {
  readonly rollout: Rollout;
  /** Every manifest, selected or not, because all of them decide which steps are open. */
  readonly resolution: Pick<Resolution, 'all'>;
  /** Records of resources that agentform.yaml removes. */
  readonly removals: readonly ResourceRecord[];
  /** Facts about an agent from manifests and records. */
  readonly knownAt: (address: string) => KnownResource;
  readonly live: ReadonlyMap<string, LiveStatus> | undefined;
  readonly now: Date;
}

/** The steps of a rollout according to manifests and records, found with the functions of the plan. */
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
 * The progress of an agent. Without its token, a record with an HMAC counts as proven. As in a plan, an unreadable
 * agent or a conflict counts as failed.
 */
function progressIn(
  known: KnownResource,
  { live, now }: { readonly live: LiveStatus | undefined; readonly now: Date },
): Progress {
  if (live !== undefined && failures.includes(live)) return { state: 'failed' };
  const { record, declared } = known;
  const progress = progressOf(record, {
    declared,
    hasDeclaredValues: () => havingOf(known) === 'declared',
    isProven: record?.hmac !== undefined,
    now,
  });
  // Whether the manifest has ended the hold; unknown for a manifest with errors.
  const isEnded = progress.state === 'held' && declared !== undefined && heldBy(known, now) === undefined;
  return isEnded ? { state: 'pending' } : progress;
}
