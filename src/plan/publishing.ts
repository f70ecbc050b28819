import type { Campaign } from '../kinds/agent.ts';
import { addressOf } from '../kinds/desired.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { campaignIn, type Observation, wasWrittenSince } from './observation.ts';

/** What a publish would do about one agent, and why. */
export interface Publishing {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  readonly target: ResourcePlan['target'];
  /** `published`: it is already, so it is skipped. `blocked`: refused. `failed`: it could not be read. */
  readonly action: 'publish' | 'published' | 'blocked' | 'failed';
  readonly reasons: readonly string[];
}

export interface PublishOptions {
  /** Publishes drafts that are not as their manifests say, too. */
  readonly allowPending: boolean;
}

/**
 * What `publish` does about an agent. A draft is skipped only if it is known that callers have it: the read says that
 * the agent is published, agentform published what it wrote last, and nobody wrote since. The flag of the read alone
 * does not tell, because it may stay set when the draft is written.
 */
export function publishingOf(
  resource: ResourcePlan,
  observation: Observation,
  { allowPending }: PublishOptions,
): Publishing {
  const { kind, name, id, target } = resource;
  const about = { kind, name, ...(id !== undefined && { id }), target };
  const obstacle = obstacleOf(resource) ?? (allowPending ? undefined : pendingObstacle(resource));
  if (obstacle !== undefined) return { ...about, ...obstacle };
  const reason = whyPublish(observation);
  return reason === undefined
    ? { ...about, action: 'published', reasons: [] }
    : { ...about, action: 'publish', reasons: [reason] };
}

/**
 * Whether an agent whose draft an apply left alone is to be published after it: only if its draft was written by an
 * apply that did not publish, or the agent is not published at all. What somebody else wrote stays theirs to publish.
 */
export function isDraftWaiting(published: Campaign['published'], record: ResourceRecord | undefined): boolean {
  return published !== true || record?.draft === 'written';
}

function obstacleOf(resource: ResourcePlan): Pick<Publishing, 'action' | 'reasons'> | undefined {
  const { action, id, reasons } = resource;
  if (action === 'failed' || action === 'blocked') return { action, reasons };
  if (action !== 'create' && id !== undefined) return undefined;
  return {
    action: 'blocked',
    reasons: [
      `no agent id is known, so there is nothing to publish; run \`agentform apply ${addressOf(resource)}\` first`,
    ],
  };
}

/** Callers would get what no manifest says. A release changes the record only. */
function pendingObstacle(resource: ResourcePlan): Pick<Publishing, 'action' | 'reasons'> | undefined {
  const pending = resource.changes.filter(({ op }) => op !== 'release').length;
  if (pending === 0) return undefined;
  const what = `${pending} ${pending === 1 ? 'setting differs' : 'settings differ'} or may differ`;
  return {
    action: 'blocked',
    reasons: [
      `its draft is not known to be as its manifest says: ${what}; run \`agentform apply ${addressOf(resource)}\` first, or ` +
        'publish the draft as it is with --allow-pending',
    ],
  };
}

function whyPublish(observation: Observation): string | undefined {
  const { record } = observation;
  if (campaignIn(observation)?.published !== true) return 'it is not published';
  if (record?.draft === 'written') return 'its draft was applied and not published since';
  if (record?.draft === undefined) return 'it is published, and whether with this draft is not known';
  return wasWrittenSince(observation) ? 'somebody wrote it since it was published' : undefined;
}
