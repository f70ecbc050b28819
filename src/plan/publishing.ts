import type { Campaign } from '../kinds/definition.ts';
import { addressOf } from '../kinds/desired.ts';
import { type Notice, type NoticeFacts, notice, type Remedy, remedyIn } from '../notices/notice.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { campaignIn, type Observation, wasWrittenSince } from './observation.ts';

/** The action of a publish for one agent, with its reason. */
export interface Publishing {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  readonly target: ResourcePlan['target'];
  /** `published`: it is already published, so it is skipped. `blocked`: refused. `failed`: it could not be read. */
  readonly action: 'publish' | 'published' | 'blocked' | 'failed';
  readonly reasons: readonly Notice[];
}

export interface PublishOptions {
  /** Also publishes drafts that differ from their manifests. */
  readonly allowPending: boolean;
}

/**
 * The action of `publish` for an agent. A draft is only skipped if callers certainly have it. The read must say that
 * the agent is published, agentform must have published its last write, and it must not have been edited since. The
 * flag of the read alone is not enough, because it may stay set when the draft is written.
 */
export function publishingOf(
  resource: ResourcePlan,
  observation: Observation,
  { allowPending }: PublishOptions,
): Publishing {
  const { kind, name, id, target } = resource;
  const about = { kind, name, ...(id !== undefined && { id }), target };
  const apply = remedyIn(observation.desired.environment, 'apply', addressOf(resource));
  const obstacle = obstacleOf(resource, apply) ?? (allowPending ? undefined : pendingObstacle(resource, apply));
  if (obstacle !== undefined) return { ...about, ...obstacle };
  const why = whyPublish(observation);
  return why === undefined
    ? { ...about, action: 'published', reasons: [] }
    : { ...about, action: 'publish', reasons: [notice('publish-due', { why })] };
}

/**
 * Whether to publish an agent whose draft an apply did not change. It is published if an earlier apply wrote the draft
 * without publishing, or if the agent was never published. Edits made outside agentform are not published.
 */
export function isDraftWaiting(published: Campaign['published'], record: ResourceRecord | undefined): boolean {
  return published !== true || record?.draft === 'written';
}

function obstacleOf(resource: ResourcePlan, apply: Remedy): Pick<Publishing, 'action' | 'reasons'> | undefined {
  const { action, id, reasons } = resource;
  if (action === 'failed' || action === 'blocked') return { action, reasons };
  if (action !== 'create' && id !== undefined) return undefined;
  return { action: 'blocked', reasons: [notice('nothing-to-publish', {}, [apply])] };
}

/** Why publishing would give callers a version that differs from the manifest. A release only changes the record. */
function pendingObstacle(resource: ResourcePlan, apply: Remedy): Pick<Publishing, 'action' | 'reasons'> | undefined {
  const pending = resource.changes.filter(({ op }) => op !== 'release').length;
  if (pending === 0) return undefined;
  const reason = notice('draft-pending', { count: pending }, [apply, ['publish', '--allow-pending']]);
  return { action: 'blocked', reasons: [reason] };
}

function whyPublish(observation: Observation): NoticeFacts['publish-due']['why'] | undefined {
  const { record } = observation;
  if (campaignIn(observation)?.published !== true) return 'unpublished';
  if (record?.draft === 'written') return 'not-published';
  if (record?.draft === undefined) return 'older-draft';
  return wasWrittenSince(observation) ? 'edited' : undefined;
}
