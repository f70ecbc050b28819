// What keeps a single resource out of an apply while the rest goes on. Every reason names the ways out.
import { agentType } from '../kinds/agent.ts';
import { addressOf, type Desired } from '../kinds/desired.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { Observation } from './observation.ts';
import { knownId, sameQuery, shownTarget, targetMismatch } from './target.ts';

/** Why nothing may be sent for the resource; empty if nothing stands against it. */
export function blockReasons(observation: Observation, orphans: readonly ResourceRecord[]): string[] {
  const { desired, record, reading } = observation;
  if (record?.intent !== undefined) return [unclearCreate(desired, record)];
  const mismatch = record && targetMismatch(desired, record);
  if (mismatch !== undefined) return [otherAgent(desired, mismatch)];
  if (knownId(desired, record) === undefined) return orphanInTheWay(desired, orphans);
  if (reading === undefined || 'failure' in reading) return [];
  return [...wrongType(reading.campaign.campaignType), ...wrongId(observation, reading.campaign.id)];
}

/** Whether the resource can be read at all before it is decided what to do with it. */
export function isReadWorthwhile({ desired, record }: Omit<Observation, 'reading'>): boolean {
  const blocked =
    record !== undefined && (record.intent !== undefined || targetMismatch(desired, record) !== undefined);
  return !blocked && knownId(desired, record) !== undefined;
}

function unclearCreate(desired: Desired, record: ResourceRecord): string {
  const address = addressOf(desired);
  return (
    `a create that was begun at ${record.intent?.startedAt} has an unclear outcome, so an agent may exist already; ` +
    `look for it on the service, then run \`agentform record adopt ${address} ID\` if it does ` +
    `or \`agentform record forget ${address}\` if it does not`
  );
}

function otherAgent(desired: Desired, mismatch: string): string {
  const address = addressOf(desired);
  return (
    `the record speaks of another agent: ${mismatch}; run \`agentform record adopt ${address} ID\` to take over the ` +
    `agent of the manifest or \`agentform record forget ${address}\` to start without a record`
  );
}

function orphanInTheWay(desired: Desired, orphans: readonly ResourceRecord[]): string[] {
  const { host, query } = shownTarget(desired);
  const orphan = orphans.find((record) => record.host === host && sameQuery(record.query, query));
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
