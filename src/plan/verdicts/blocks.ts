import { withoutUndefined } from '../../json/json.ts';
import type { Campaign } from '../../kinds/definition.ts';
import { agentType } from '../../kinds/definitions/agent.ts';
import {
  accountParameter,
  addressOf,
  type Desired,
  hostKey,
  type Target,
  type TargetedResource,
} from '../../kinds/desired.ts';
import { kindNamed, kindOf } from '../../kinds/kind.ts';
import { type Notice, type NoticeOf, notice, type Remedy, remedyIn } from '../../notices/notice.ts';
import type { Former } from '../../schemas/notices-types.ts';
import type { ResourcePlan } from '../../schemas/plan-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { isOver } from '../../text/time.ts';
import { isLeftByAnswer } from '../decisions.ts';
import type { NewerRecord, Observation } from '../observation.ts';
import { mayBeSame } from '../records/held-records.ts';
import type { Orphan } from '../records/orphans.ts';
import { hmacState } from '../records/record-of.ts';
import { isCreate, knownId, targetMismatch } from '../records/target.ts';
import { heldElsewhere, holdIn, holdNotice } from './holds.ts';

// This file finds reasons to leave one resource out of an apply that continues with the other resources.

/** The reasons to send nothing for the resource. Empty if no check in this file forbids the write. */
export function blockReasons(observation: Observation, orphans: readonly Orphan[], now?: Date): Notice[] {
  const { desired, record, reading, restored } = observation;
  const ofRecord = recordReasons(observation, { orphans, now });
  if (ofRecord !== undefined) return ofRecord;
  const lost = record === undefined ? lostHold(desired, observation, now) : undefined;
  // `record forget` refuses to drop a record on hold, so its file was removed in another way.
  if (lost !== undefined) return [{ ...lost, remedies: [...lost.remedies, ['--allow-older']] }];
  if (restored !== undefined && 'problem' in restored) return [restored.problem];
  if (isCreate(desired, record)) {
    const found = heldElsewhere(observation) ?? renamedEnvironment(observation) ?? collidingOrphan(desired, orphans);
    return found === undefined ? [] : [found];
  }
  if (reading === undefined || 'failure' in reading) return [];
  return otherAgentReasons(observation, reading.campaign);
}

/** The reasons why the live agent cannot be the agent in the manifest: its type or id is different. */
export function otherAgentReasons(
  { desired, record }: Pick<Observation, 'desired' | 'record'>,
  { campaignType: type, id: found }: Campaign,
): Notice[] {
  const id = knownId(desired, record);
  return [
    ...(type === agentType || type === null || type === undefined ? [] : [notice('wrong-type', { type })]),
    ...(found === id || found === desired.target.campaignId
      ? []
      : [notice('wrong-agent', { asked: String(id), found })]),
  ];
}

/** The inputs that decide whether a resource can be read, before its values are resolved. */
type KnownBeforeRead = Pick<Observation, 'record' | 'newer' | 'waitsFor'> & { readonly desired: TargetedResource };

/** Returns the reasons in the record that forbid a write. Returns undefined if there are none. */
function recordReasons(
  known: KnownBeforeRead,
  { orphans = [], now }: { readonly orphans?: readonly Orphan[]; readonly now?: Date | undefined } = {},
): Notice[] | undefined {
  const { desired, record, newer } = known;
  if (record === undefined) return undefined;
  if (record.intent !== undefined) {
    const { startedAt } = record.intent;
    return [notice('create-unclear', { kind: desired.kind, startedAt }, unclearRemedies(desired, record))];
  }
  const mismatch = targetMismatch(desired, record);
  if (mismatch !== undefined) {
    const facts = { kind: desired.kind, ...mismatch };
    const other = notice('other-target', facts, [adoptCommand(desired), forgetCommand(record)]);
    // For a record on hold, the remedies for a target mismatch are refused, so the hold is added as a reason.
    const holds = holdNotice(record, now);
    return [accountToCome(known, orphans) ?? other, ...(holds ? [holds] : [])];
  }
  // If the record is outdated, it lacks a later apply. That apply would look like an edit on the service, or would not
  // be noticed.
  if (newer?.inHistory) {
    const { commit, path } = newer;
    const lacksHold = lacksHoldOf(newer, record, now);
    return [notice('record-older', { commit, path, ...(lacksHold && { lacksHold }) }, [['--allow-older']])];
  }
  // Anyone who can commit can edit a record, including its applied values and holds.
  return hmacState(record, desired.target.key) === 'altered' ? [alteredReason({ desired, record }, now)] : undefined;
}

/**
 * Returns the reason that forbids a write if the record was edited. If git contains a version to restore, the reason
 * names it. `record adopt` is a remedy only if no hold of that version would be lost.
 */
export function alteredReason(
  { desired, record, newer }: KnownBeforeRead,
  now: Date | undefined,
): NoticeOf<'record-altered'> {
  // `record adopt` without an id keeps the id in the record.
  const keep =
    knownId(desired, record) === undefined
      ? adoptCommand(desired)
      : remedyIn(desired.environment, 'record', 'adopt', addressOf(desired));
  if (newer === undefined) return notice('record-altered', {}, [keep]);
  const { commit, path } = newer;
  return lacksHoldOf(newer, record, now)
    ? notice('record-altered', { commit, path, lacksHold: true })
    : notice('record-altered', { commit, path }, [keep]);
}

/** Whether a record lacks the hold of a committed version, although no `unhold` was recorded since. */
function lacksHoldOf({ hold }: NewerRecord, record: ResourceRecord | undefined, now: Date | undefined): boolean {
  if (hold === undefined || isOver(hold, now)) return false;
  const { freeze, rollback, released } = record?.holds ?? {};
  const isReleased = released !== undefined && released.at >= hold.since;
  return freeze === undefined && rollback === undefined && !isReleased;
}

/**
 * Returns the reason that forbids replacing or dropping a record that lost its hold without `unhold`, while git still
 * has that hold. The whole record may be missing. Undefined for other records.
 */
export function lostHold(
  key: Pick<ResourceRecord, 'kind' | 'name' | 'environment'>,
  { record, newer }: Pick<Observation, 'record' | 'newer'>,
  now: Date | undefined,
): NoticeOf<'hold-lost'> | undefined {
  if (!newer?.inHistory || !lacksHoldOf(newer, record, now)) return undefined;
  const { commit, path, of: address = addressOf(key) } = newer;
  return notice('hold-lost', { record: address, commit, path }, [remedyIn(key.environment, 'unhold', address)]);
}

/** Whether the facts that a read needs are known. An edited record is not used, because its id may be forged. */
export function canBeRead(known: Omit<KnownBeforeRead, 'newer'>): boolean {
  const { desired, record, waitsFor } = known;
  const isReadable = kindNamed(desired.kind).live !== undefined && waitsFor === undefined;
  return isReadable && knownId(desired, record) !== undefined && recordReasons(known) === undefined;
}

/** The `record adopt` command, with an id if the service assigns one and the manifest lacks it. */
export function adoptCommand(desired: TargetedResource<Target>, id = 'ID'): Remedy {
  const ids = kindNamed(desired.kind).hasId && desired.target.agentId === undefined ? [id] : [];
  return remedyIn(desired.environment, 'record', 'adopt', addressOf(desired), ...ids);
}

/** The commands for a resource that may exist: adopt it, or drop the record of its create, which may have a former name. */
export function unclearRemedies(
  desired: TargetedResource<Target>,
  record: Pick<ResourceRecord, 'kind' | 'name'> = desired,
): Remedy[] {
  // With --unclear, the command leaves out a record that was adopted in the meantime.
  const drop = remedyIn(desired.environment, 'record', 'forget', '--unclear', addressOf(record));
  return [adoptCommand(desired), drop];
}

export function forgetCommand(resource: Pick<ResourceRecord, 'kind' | 'name' | 'environment'>): Remedy {
  return remedyIn(resource.environment, 'record', 'forget', addressOf(resource));
}

function renameCommand(record: ResourceRecord, to: string): Remedy {
  return remedyIn(record.environment, 'record', 'rename', addressOf(record), to);
}

function formerOf(record: ResourceRecord): Former {
  return { address: addressOf(record), name: record.name };
}

/** Explains why a record has no manifest, with the remedies. */
export function orphanReason({ record, renamedTo, limitedTo, sameAs, claimedBy, candidates = [] }: Orphan): Notice {
  const { kind, id } = record;
  const former = formerOf(record);
  const forget = forgetCommand(record);
  if (renamedTo !== undefined) {
    return notice('orphan-renamed', { record: former, renamedTo }, [renameCommand(record, renamedTo)]);
  }
  if (limitedTo !== undefined) return notice('orphan-limited', { kind, environments: [...limitedTo] }, [forget]);
  if (sameAs !== undefined) return notice('orphan-duplicate', { record: former, kind, sameAs }, [forget]);
  if (claimedBy !== undefined) {
    const ids = withoutUndefined({ addressId: claimedBy.id, id });
    return notice('orphan-claimed', { kind, address: addressOf(claimedBy), ...ids }, [
      forget,
      forgetCommand(claimedBy),
    ]);
  }
  const [first, ...others] = candidates;
  const rename = first === undefined || others.length > 0 ? [] : [renameCommand(record, first)];
  return notice('orphan', { record: former, candidates: [...candidates] }, [...rename, forget]);
}

/**
 * Returns the reason that forbids a write if the manifest's organization has no account yet, although the manifest's
 * record names an account. Undefined if the account exists. Without evidence of a rename, only the user knows whether
 * the organization was renamed.
 */
function accountToCome({ desired, record, waitsFor }: KnownBeforeRead, orphans: readonly Orphan[]): Notice | undefined {
  const account = record?.query[accountParameter];
  if (waitsFor === undefined) return undefined;
  const old = orphans.find(
    ({ record }) => kindOf(record)?.isAccount && record.id !== undefined && record.id === account,
  );
  const isRenamed = old !== undefined && old.renamedTo === waitsFor;
  const facts = {
    kind: desired.kind,
    organization: waitsFor,
    ...(account !== undefined && { account }),
    ...(old !== undefined && { former: formerOf(old.record) }),
    ...(isRenamed && { isRenamed: true as const }),
  };
  const rename = old === undefined ? [] : [renameCommand(old.record, waitsFor)];
  return notice('other-account', facts, isRenamed ? rename : [...rename, forgetCommand(record ?? desired)]);
}

/**
 * Returns the reason that forbids a create if an orphan has the same target. Offers `record forget` only if there is no
 * evidence of a rename. After a rename, the create would overwrite the renamed resource.
 */
function collidingOrphan(desired: Desired, orphans: readonly Orphan[]): Notice | undefined {
  const { kind } = desired;
  const { identity, adds } = kindNamed(kind);
  const address = addressOf(desired);
  const alike = adds === 'never' ? [] : orphans.filter(({ record }) => mayBeSame(desired, record));
  const orphan = alike.find(({ renamedTo }) => renamedTo === address) ?? alike[0];
  if (orphan === undefined) return undefined;
  const { record, renamedTo, isRemoved } = orphan;
  const settings = identity.settings.map((name) => `settings.${name}`);
  const facts = { kind, record: formerOf(record), settings, address };
  if (isRemoved) return notice('create-over-record', { ...facts, isRemoved });
  if (renamedTo !== undefined) {
    return notice('create-over-record', { ...facts, renamedTo }, [renameCommand(record, renamedTo)]);
  }
  return notice('create-over-record', facts, [renameCommand(record, address), forgetCommand(record)]);
}

/**
 * Returns the reason that forbids a create whose resource has a record in a removed environment on the same host. If
 * that environment was renamed, the create would overwrite the agent.
 */
function renamedEnvironment({ desired, vanished }: Observation): Notice | undefined {
  if (vanished === undefined || hostKey(vanished.host) !== hostKey(desired.target.host)) return undefined;
  const { environment: former, id } = vanished;
  return notice('environment-renamed', { former, ...(id !== undefined && { id }) }, [
    ['record', 'rename', '--environment', former, desired.environment],
    ['record', 'forget', '--environment', former],
  ]);
}

/** The reason why a dependency blocks a resource: it is outside this run, blocked, failed, or without id. */
export function waitingReason(environment: string, organization: string, dependency: ResourcePlan | undefined): Notice {
  if (dependency === undefined) return notice('organization-not-included', { organization });
  const { action, reasons } = dependency;
  if (action === 'blocked' || action === 'failed') {
    const hold = holdIn(reasons);
    const unhold = (hold && reasons[0]?.remedies.filter(([command]) => command === 'unhold')) ?? [];
    const isAnswered = isLeftByAnswer(reasons) && { isAnswered: true as const };
    return notice(
      'dependency-stopped',
      { address: organization, action, ...(hold && { hold }), ...isAnswered },
      unhold,
    );
  }
  return notice('organization-without-id', { organization }, [
    remedyIn(environment, 'record', 'adopt', organization, 'ID'),
  ]);
}
