// What keeps a single resource out of an apply while the rest goes on. Every reason names the ways out.
import { agentType } from '../kinds/agent.ts';
import { type Aim, addressOf, type Desired } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { Observation } from './observation.ts';
import { knownId, sameQuery, shownTarget, targetMismatch } from './target.ts';

/** Why nothing may be sent for the resource; empty if nothing stands against it. */
export function blockReasons(observation: Observation, orphans: readonly ResourceRecord[]): string[] {
  const { desired, record, reading } = observation;
  if (record?.intent !== undefined) return [unclearCreate(desired, record)];
  const mismatch = record && targetMismatch(desired, record);
  if (mismatch !== undefined) return [otherTarget(desired, mismatch)];
  if (kindNamed(desired.kind).live === undefined) return [];
  if (knownId(desired, record) === undefined) return orphanInTheWay(desired, orphans);
  if (reading === undefined || 'failure' in reading) return [];
  return [...wrongType(reading.campaign.campaignType), ...wrongId(observation, reading.campaign.id)];
}

/** What is known of a resource before it is read. */
interface KnownBefore extends Pick<Observation, 'record' | 'waitsFor'> {
  readonly desired: Aim;
}

/** Whether the resource can be read at all before it is decided what to do with it. */
export function isReadWorthwhile({ desired, record, waitsFor }: KnownBefore): boolean {
  const blocked =
    record !== undefined && (record.intent !== undefined || targetMismatch(desired, record) !== undefined);
  const isReadable = kindNamed(desired.kind).live !== undefined && waitsFor === undefined;
  return isReadable && !blocked && knownId(desired, record) !== undefined;
}

/** How to adopt it: by an id, where the service gives one. */
export function adoptCommand(desired: Desired): string {
  const { live, name } = kindNamed(desired.kind);
  const id = live !== undefined || name === 'Organization' ? ' ID' : '';
  return `\`agentform record adopt ${addressOf(desired)}${id}\``;
}

function unclearCreate(desired: Desired, record: ResourceRecord): string {
  const { noun } = kindNamed(desired.kind);
  return (
    `a create that was begun at ${record.intent?.startedAt} has an unclear outcome, so the ${noun} may exist already; ` +
    `look for it on the service, then run ${adoptCommand(desired)} if it does ` +
    `or \`agentform record forget ${addressOf(desired)}\` if it does not`
  );
}

function otherTarget(desired: Desired, mismatch: string): string {
  const { noun } = kindNamed(desired.kind);
  return (
    `the record speaks of another ${noun}: ${mismatch}; run ${adoptCommand(desired)} to take over the ${noun} of the ` +
    `manifest or \`agentform record forget ${addressOf(desired)}\` to start without a record`
  );
}

function orphanInTheWay(desired: Desired, orphans: readonly ResourceRecord[]): string[] {
  const { host, query } = shownTarget(desired);
  const orphan = orphans.find(
    (record) => record.kind === desired.kind && record.host === host && sameQuery(record.query, query),
  );
  if (orphan === undefined) return [];
  const old = addressOf(orphan);
  return [
    `a create would hit the target of ${old}, which has a record but no manifest; run ` +
      `\`agentform record rename ${old} ${addressOf(desired)}\` if it is the same agent ` +
      `or \`agentform record forget ${old}\` if it is not`,
  ];
}

function wrongType(type: string | null | undefined): string[] {
  if (type === agentType || type === null || type === undefined) return [];
  return [
    `the live agent is of type ${JSON.stringify(type)}, and agentform manages ${agentType} only; check the target`,
  ];
}

function wrongId({ desired, record }: Observation, liveId: string): string[] {
  const id = knownId(desired, record);
  if (liveId === id || liveId === desired.target.campaignId) return [];
  return [`reading agent ${id} answered with agent ${liveId}; check target.agentId and target.campaignId`];
}
