import type { Campaign } from '../kinds/definition.ts';
import { addressOf } from '../kinds/desired.ts';
import { type Notice, type NoticeFacts, type NoticeOf, notice, type Remedy, remedyIn } from '../notices/notice.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { present } from '../text/wording.ts';
import { campaignIn, type Observation, unclearApply, wasEditedSince } from './observation.ts';
import { freezeNotice } from './verdicts/holds.ts';

/** The action of `publish` for one agent, with the reason. */
export interface Publishing {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  readonly target: ResourcePlan['target'];
  /**
   * `published`: the agent is already published, so nothing is sent. `blocked`: publishing is refused. `failed`: the
   * agent could not be read.
   */
  readonly action: 'publish' | 'published' | 'blocked' | 'failed';
  readonly reasons: readonly Notice[];
}

/** The agents with a draft that this apply did not write. It publishes only those in `unchanged`. */
export interface WaitingDrafts {
  /** Unchanged agents with an unpublished draft. */
  readonly unchanged: readonly string[];
  /** Agents whose draft has dashboard edits without a decision. */
  readonly undecided: readonly string[];
}

/**
 * Decides what `publish` does with an agent. An agent is skipped only if three facts agree. The service reports the
 * agent as published, agentform published its last write, and the agent was not edited since then. The service's flag
 * alone is unreliable, because it may remain set after the draft is written. `allowPending` also publishes drafts that
 * differ from their manifests.
 */
export function publishingOf(
  resource: ResourcePlan,
  observation: Observation,
  { allowPending, planning }: { readonly allowPending: boolean; readonly planning: Parameters<typeof freezeNotice>[1] },
): Publishing {
  const { kind, name, id, target } = resource;
  const about = { kind, name, ...(id !== undefined && { id }), target };
  const obstacle =
    obstacleOf(resource, observation) ?? (allowPending ? undefined : pendingObstacle(resource, observation));
  if (obstacle !== undefined) return { ...about, ...obstacle };
  const why = whyPublish(observation);
  if (why === undefined) return { ...about, action: 'published', reasons: [] };
  const frozen = freezeNotice(observation, planning);
  return frozen === undefined
    ? { ...about, action: 'publish', reasons: [notice('publish-due', { why })] }
    : { ...about, action: 'blocked', reasons: [frozen] };
}

/** Whether an agent is not published, or an earlier apply wrote its draft without publishing it. */
export function isDraftWaiting(published: Campaign['published'], record: ResourceRecord | undefined): boolean {
  return published !== true || record?.draft === 'written';
}

type Obstacle = Pick<Publishing, 'action' | 'reasons'>;

function obstacleOf(resource: ResourcePlan, observation: Observation): Obstacle | undefined {
  const { action, id, reasons, held } = resource;
  // If only the hold of a rollback blocks an agent, and its draft still has the restored values, publishing the draft
  // completes the rollback.
  const isRestored =
    held?.fields !== undefined && reasons.every(({ code }) => code === 'held') && !wasEditedSince(observation);
  if (action === 'failed' || (action === 'blocked' && !isRestored)) return { action, reasons };
  if (action !== 'create' && id !== undefined) return undefined;
  return { action: 'blocked', reasons: [notice('nothing-to-publish', {}, [applyCommand(observation)])] };
}

function applyCommand({ desired }: Observation): Remedy {
  return remedyIn(desired.environment, 'apply', addressOf(desired));
}

/**
 * Why a draft that differs from its manifest is not published. Undefined if the draft does not differ. A `release`
 * change does not count, because it affects only the record.
 */
function pendingObstacle({ changes }: ResourcePlan, observation: Observation): Obstacle | undefined {
  const count = changes.filter(({ op }) => op !== 'release').length;
  const remedies = [applyCommand(observation), ['publish', '--allow-pending']];
  const reasons = present<Notice>(
    count > 0 && notice('draft-pending', { count }, remedies),
    undecidedDraft(observation),
  );
  return reasons.length === 0 ? undefined : { action: 'blocked', reasons };
}

/** The notice about a draft with dashboard edits that stay only because of `unanswered: leave`. */
export function undecidedDraft(observation: Observation): NoticeOf<'draft-undecided'> | undefined {
  const { desired, kept } = observation;
  if (kept === undefined || kept.undecided.length === 0) return undefined;
  const { environment } = desired;
  const address = addressOf(desired);
  const code = kept.undecided.some((path) => kept.unsendable.includes(path)) ? 'leave' : 'keep';
  const isUnclear = unclearApply(observation) !== undefined;
  return notice('draft-undecided', { paths: [...kept.undecided], ...(isUnclear && { isUnclear }) }, [
    remedyIn(environment, 'apply', address, '--answer', `${address}/drift=${code}`),
    remedyIn(environment, 'publish', address, '--allow-pending'),
  ]);
}

/** Reports that a published agent was edited, and that the edits may not have been published. */
export function editedDraft(
  observation: Observation,
  record: ResourceRecord | undefined,
): NoticeOf<'draft-edited'> | undefined {
  const { environment } = observation.desired;
  if (record?.lastUpdate === undefined || !wasEditedSincePublish({ ...observation, record })) return undefined;
  return notice('draft-edited', {}, [remedyIn(environment, 'publish', addressOf(observation.desired))]);
}

function whyPublish(observation: Observation): NoticeFacts['publish-due']['why'] | undefined {
  const { record } = observation;
  if (campaignIn(observation)?.published !== true) return 'unpublished';
  if (record?.draft === 'written') return 'not-published';
  if (record?.draft === undefined) return 'older-draft';
  return wasEditedSincePublish(observation) ? 'edited' : undefined;
}

/** Whether the agent may have been edited since agentform published it, or else since the last apply. */
function wasEditedSincePublish(observation: Observation): boolean {
  const seen = observation.record?.publication?.lastUpdate;
  if (seen === undefined) return wasEditedSince(observation);
  return seen !== campaignIn(observation)?.lastUpdate;
}
