import { agentType } from '../../kinds/agent.ts';
import {
  accountParameter,
  addressOf,
  commandIn,
  type Desired,
  hostKey,
  type TargetedResource,
} from '../../kinds/desired.ts';
import { kindNamed, kindOf, nounOf } from '../../kinds/kind.ts';
import type { ResourcePlan } from '../../schemas/plan-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { joinWithAnd, joinWithOr } from '../../text/wording.ts';
import type { NewerRecord, Observation } from '../observation.ts';
import type { Orphan } from '../orphans.ts';
import { hmacState } from '../record-hmac.ts';
import { mayBeSame } from '../same-resource.ts';
import { isCreate, knownId, targetMismatch } from '../target.ts';
import { heldElsewhere, heldRecord, isOver } from './holds.ts';

// Why a single resource is left out of an apply while the rest continues. Every reason names the remedies.

/** Why nothing may be sent for the resource; empty if it may. */
export function blockReasons(observation: Observation, orphans: readonly Orphan[], now?: Date): string[] {
  const { desired, record, newer, reading, restored } = observation;
  if (record?.intent !== undefined) return [unclearCreate(record, desired)];
  const mismatch = record && targetMismatch(desired, record);
  if (record !== undefined && mismatch !== undefined) {
    // The commands that it names are refused as long as the record holds.
    const holds = heldRecord(record, now);
    return [accountToCome(observation, orphans) ?? otherTarget(desired, record, mismatch), ...(holds ? [holds] : [])];
  }
  if (record !== undefined && newer?.inHistory) return [olderRecord(newer, record)];
  if (record !== undefined && hmacState(record, desired.target.key) === 'altered')
    return [alteredRecord(record, desired)];
  if (record === undefined && newer?.inHistory && isHeldVersion(newer, now)) return [heldBeforeRemoval(newer, desired)];
  if (restored !== undefined && 'problem' in restored) return [restored.problem];
  if (isCreate(desired, record))
    return heldElsewhere(observation) ?? renamedEnvironment(observation) ?? orphanInTheWay(desired, orphans);
  if (reading === undefined || 'failure' in reading) return [];
  return [...wrongType(reading.campaign.campaignType), ...wrongId(observation, reading.campaign.id)];
}

/** The facts of a resource before it is read. */
interface KnownBefore extends Pick<Observation, 'record' | 'waitsFor'> {
  readonly desired: TargetedResource;
}

/** Whether the resource can be read at all before it is decided what to do with it. */
export function canBeRead({ desired, record, waitsFor }: KnownBefore): boolean {
  const blocked =
    record !== undefined && (record.intent !== undefined || targetMismatch(desired, record) !== undefined);
  const isReadable = kindNamed(desired.kind).live !== undefined && waitsFor === undefined;
  return isReadable && !blocked && knownId(desired, record) !== undefined;
}

/** How to adopt it: by an id, where the service gives one and the manifest does not have it. */
export function adoptCommand(desired: Desired): string {
  const id = kindNamed(desired.kind).hasId && desired.target.agentId === undefined ? ' ID' : '';
  return commandIn(desired.environment, `record adopt ${addressOf(desired)}${id}`);
}

/** How to drop its record. */
export function forgetCommand(resource: Pick<ResourceRecord, 'kind' | 'name' | 'environment'>): string {
  return commandIn(resource.environment, `record forget ${addressOf(resource)}`);
}

/** How to rename a record after its manifest. */
export function renameCommand(record: ResourceRecord, to: string): string {
  return commandIn(record.environment, `record rename ${addressOf(record)} ${to}`);
}

/** How to declare a rename: in the manifest, which holds for every environment, or by a command. */
function renameRemedy(record: ResourceRecord, to: string): string {
  return `write \`renamedFrom: ${record.name}\` in the manifest of ${to}, or run ${renameCommand(record, to)}`;
}

/** How to declare that a manifest was removed: in agentform.yaml, or by a command. */
function removalRemedy(record: ResourceRecord): string {
  return `list ${addressOf(record)} under \`removed\` in agentform.yaml, or run ${forgetCommand(record)}`;
}

/** Why a record has no manifest, and what to do about it. */
export function orphanReason({ record, renamedTo, limitedTo, sameAs, claimedBy, candidates = [] }: Orphan): string {
  const { id } = record;
  const noun = nounOf([record]);
  if (renamedTo !== undefined) return `its manifest was renamed to ${renamedTo}; ${renameRemedy(record, renamedTo)}`;
  if (limitedTo !== undefined) {
    const where = joinWithAnd(limitedTo);
    return `onlyIn limits its manifest to ${where}; to drop this record and keep the ${noun}, run ${forgetCommand(record)}`;
  }
  if (sameAs !== undefined) {
    return `${sameAs} has a record of the same ${noun}, so this one is left over; ${removalRemedy(record)}`;
  }
  if (claimedBy !== undefined) {
    const { kind, name, environment } = claimedBy;
    const address = addressOf({ kind, name });
    return (
      `${address} was renamed from this resource, but its record belongs to a different ${noun} (${claimedBy.id ?? 'no id'}); to keep that one, ` +
      `run ${forgetCommand(record)}; to go back to ${id ?? 'this one'}, run ${forgetCommand({ kind, name, environment })} and apply`
    );
  }
  const why = 'it has a record but no manifest, and the service has no delete operation';
  const [first, ...others] = candidates;
  const removed =
    'if its manifest is on an unmerged branch, as after an import, merge that branch; ' +
    `if its manifest was removed permanently, ${removalRemedy(record)}`;
  if (first === undefined) return `${why}; ${removed}`;
  const renamed =
    others.length === 0
      ? `if its manifest was renamed to ${first}, ${renameRemedy(record, first)}`
      : `if its manifest was renamed to ${joinWithOr(candidates.slice(0, 3))}, write \`renamedFrom: ${record.name}\` there`;
  return `${why}; ${renamed}; ${removed}`;
}

function unclearCreate(record: ResourceRecord, desired: Desired): string {
  const { noun } = kindNamed(desired.kind);
  const startedAt = record.intent?.startedAt ?? 'an unknown time';
  return (
    `the outcome of a create that started at ${startedAt} is unclear, so the ${noun} may exist already; ` +
    `look for it on the service; if it exists, run ${adoptCommand(desired)}; if it does not, run ${forgetCommand(record)}`
  );
}

/** A plan with it would take later applies for drift, or miss them. */
function olderRecord({ commit, restore, hold }: NewerRecord, { holds }: ResourceRecord): string {
  const lost =
    hold !== undefined && holds === undefined
      ? `the record lacks the hold of its version in commit ${commit}, and was not released with \`unhold\``
      : `the record is older than its version in commit ${commit}, as after a revert or a merge`;
  return `${lost}; to restore the newer one, run \`${restore}\`; to continue with the older one, run again with --allow-older`;
}

/** Anyone who can commit can edit a record: its applied values, and the absence of a hold. */
function alteredRecord(record: ResourceRecord, desired: Desired): string {
  const log = commandIn(desired.environment, `record log ${addressOf(record)}`);
  return (
    'the record was edited after agentform saved it, because its hmac does not match; it may lack a hold, or values that ' +
    `were applied; to restore an earlier version, find its commit with ${log}; to keep the edits and compare everything ` +
    `afresh, run ${adoptCommand(desired)}`
  );
}

function isHeldVersion({ hold }: NewerRecord, now: Date | undefined): boolean {
  return hold !== undefined && !isOver(hold, now);
}

/** `record forget` refuses a held record, so that the hold was not released first. */
function heldBeforeRemoval({ commit, restore }: NewerRecord, desired: Desired): string {
  const unhold = commandIn(desired.environment, `unhold ${addressOf(desired)}`);
  return (
    `its record was removed while it was on hold (the last version is in commit ${commit}); to restore the record, run ` +
    `\`${restore}\`; to release the hold then, run ${unhold}; if the removal was intended, run again with --allow-older`
  );
}

function otherTarget(desired: Desired, record: ResourceRecord, mismatch: string): string {
  const { noun, live } = kindNamed(desired.kind);
  const forget = forgetCommand(record);
  const ways =
    live === undefined
      ? `to create it at the manifest's target as well, run ${forget}; if it already exists there, run ${adoptCommand(desired)}`
      : `to manage the manifest's ${noun}, run ${adoptCommand(desired)}; to start without a record, run ${forget}`;
  return `the record belongs to a different ${noun}: ${mismatch}; ${ways}`;
}

/**
 * The record is of one account and the manifest names an organization that has none yet. Only the user knows whether it
 * is the old one under a new name, unless something shows it.
 */
function accountToCome({ desired, record, waitsFor }: Observation, orphans: readonly Orphan[]): string | undefined {
  const account = record?.query[accountParameter];
  if (waitsFor === undefined) return undefined;
  const { noun } = kindNamed(desired.kind);
  const old = orphans.find(
    ({ record }) => kindOf(record)?.isAccount && record.id !== undefined && record.id === account,
  );
  const rename = old && renameRemedy(old.record, waitsFor);
  const why =
    `the record belongs to a different ${noun}: it is ${account === undefined ? 'in no organization' : `in the account ${account}`}, ` +
    `but ${waitsFor} does not exist yet`;
  if (rename !== undefined && old?.renamedTo === waitsFor)
    return `${why}; ${addressOf(old.record)} was renamed to ${waitsFor}; ${rename}`;
  const ifRenamed = rename && `if ${addressOf(old.record)} was renamed, ${rename}; `;
  return `${why}; ${ifRenamed ?? ''}to create another ${noun} in the new account, run ${forgetCommand(record ?? desired)}`;
}

/**
 * To forget the record of something that was renamed would let the create overwrite it unseen, so that this is offered
 * only where nothing shows a rename.
 */
function orphanInTheWay(desired: Desired, orphans: readonly Orphan[]): string[] {
  const { noun, identity, adds } = kindNamed(desired.kind);
  const address = addressOf(desired);
  const inTheWay = adds === 'never' ? [] : orphans.filter(({ record }) => mayBeSame(desired, record));
  const orphan = inTheWay.find(({ renamedTo }) => renamedTo === address) ?? inTheWay[0];
  if (orphan === undefined) return [];
  const { record, renamedTo, isRemoved } = orphan;
  const old = addressOf(record);
  const names = identity.settings.map((name) => `settings.${name}`);
  const what =
    names.length === 0
      ? `overwrite the ${noun} of ${old}, which has a record but no manifest`
      : `repeat the create of ${old}, which has no manifest but a record with the same target and ${names.join(', ')}`;
  if (isRemoved) {
    return [
      `a create may ${what}; agentform.yaml lists it under removed; if it is the same ${noun}, write ` +
        `\`renamedFrom: ${record.name}\` in this manifest in place of that line; otherwise, apply the removal first`,
    ];
  }
  if (renamedTo !== undefined) {
    return [`a create would ${what}; ${old} was renamed to ${renamedTo}; ${renameRemedy(record, renamedTo)}`];
  }
  return [
    `a create may ${what}; if it is the same ${noun}, ${renameRemedy(record, address)}; ` +
      `if the manifest of ${old} was removed permanently, ${removalRemedy(record)}`,
  ];
}

/** A create would overwrite the agent unseen if its environment only got another name. */
function renamedEnvironment({ desired, vanished }: Observation): string[] | undefined {
  if (vanished === undefined || hostKey(vanished.host) !== hostKey(desired.target.host)) return undefined;
  const { environment: old, id } = vanished;
  return [
    `agentform.yaml no longer has the environment ${old}, which has a record of this resource on the same host${id === undefined ? '' : ` (${id})`}; if the environment was ` +
      `renamed, run \`agentform record rename --environment ${old} ${desired.environment}\`; if it was removed permanently, run ` +
      `\`agentform record forget --environment ${old}\``,
  ];
}

/** Why a resource is left out whose organization has no id yet and is not created in this run. */
export function waitingReason(
  { environment }: Pick<Desired, 'environment'>,
  organization: string,
  action: ResourcePlan['action'] | undefined,
): string {
  if (action === undefined)
    return `the id of ${organization} is unknown, and this run does not include it; apply it first`;
  if (action === 'blocked' || action === 'failed') {
    return `it depends on ${organization}, which is ${action}; resolve that first`;
  }
  return (
    `the record of ${organization} has no id, so the account is unknown; run ` +
    commandIn(environment, `record adopt ${organization} ID`)
  );
}

function wrongType(type: string | null | undefined): string[] {
  if (type === agentType || type === null || type === undefined) return [];
  return [`the live agent has type ${JSON.stringify(type)}, but agentform manages only ${agentType}; check the target`];
}

function wrongId({ desired, record }: Observation, liveId: string): string[] {
  const id = knownId(desired, record);
  if (liveId === id || liveId === desired.target.campaignId) return [];
  return [`a read of agent ${id} returned agent ${liveId}; check target.agentId and target.campaignId`];
}
