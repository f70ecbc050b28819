import { AgentformError, ServiceError } from '../errors.ts';
import type { Desired, Target } from '../kinds/desired.ts';
import { type Notice, notice, problemOf } from '../notices/notice.ts';
import type { PlacedChange } from '../plan/fields/field-changes.ts';
import type { Observation, PlanOptions } from '../plan/observation.ts';
import { renamedRecord, withRename } from '../plan/records/moves.ts';
import type { Orphan } from '../plan/records/orphans.ts';
import type { PlannedResource } from '../plan/resource-plan.ts';
import type { Content } from '../plan/verdicts/requires.ts';
import type { RecordStore, StoredRecord } from '../record/store.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import type { Holds, Overruled, ResourceRecord } from '../schemas/record-types.ts';
import type { Connection, ServiceClient } from '../service/client.ts';
import { type Applier, deedNow } from './applier.ts';
import type { LedgerEntry } from './events.ts';
import type { Patience } from './read-back.ts';
import type { RecordKeeper } from './record-keeper.ts';

/** A resource at the time of the plan. */
export interface PreparedResource extends Pick<PlannedResource, 'observation' | 'changes'> {
  /** The record under its name. */
  readonly stored?: StoredRecord;
  /** The record under a former name. */
  readonly former?: StoredRecord;
}

/** The dependencies of applying. */
export interface ApplyContext {
  readonly service: ServiceClient;
  readonly store: Pick<RecordStore, 'read' | 'save' | 'remove' | 'share' | 'sharesAtOnce'>;
  readonly connectionOf: (desired: Desired) => Connection;
  /** The options of the plan. */
  readonly planning: PlanOptions & { readonly orphans: readonly Orphan[] };
  /** The resource that has an id on a host, by `host id`: those of the records, and what this run creates. */
  readonly owners: Map<string, string>;
  /** Ids of the organizations by address: those of the records, and what this run creates. */
  readonly organizations: Map<string, string>;
  /** Query parameter that carries the reseller's id. */
  readonly resellerParameter: string;
  readonly now: () => Date;
  /** Random: tells the intents of this run from those of others. */
  readonly runId: string;
  /** Who applies, and from what, for the record. */
  readonly applier?: Applier | undefined;
  /** Whether a text holds what looks like a credential, for values that a record is to hold. */
  readonly holdsCredential?: ((text: string) => Promise<boolean>) | undefined;
  /** By address, the digest of what a manifest asks for, for the record of one of which all was applied. */
  readonly declaredOf: (address: string) => string | undefined;
  /** By address, the content of each manifest, for the same record. */
  readonly contentOf: (address: string) => Omit<Content, 'onlyIn'> | undefined;
  /** Whether a record is written for its content alone: another environment asks for it, or this one asks for another's. */
  readonly settlesContent?: boolean;
  /** By address, the records that other runs have shared, read again; the run's own may be older. */
  readonly sharedRecords?: (() => Promise<ReadonlyMap<string, StoredRecord>>) | undefined;
  /** The maximum lag of reads after writes, in milliseconds. */
  readonly readBackMs: number;
  /** Whether a record is written for that digest alone. */
  readonly settlesDeclared?: boolean;
}

/** One resource during an apply. */
export interface ResourceApply {
  readonly resource: ResourcePlan;
  /** The changes of the resource with their places. */
  readonly changes: readonly PlacedChange[];
  readonly observation: Observation;
  readonly desired: Desired;
  readonly keeper: RecordKeeper;
  /** The decisions without which it would be refused. */
  readonly overruled: readonly Overruled[];
  /** The new content of the record. */
  readonly holds: Holds | undefined;
  readonly patience: Patience;
  readonly context: ApplyContext;
}

/** Renames the record first; the task continues with the new one. */
export async function moveRecord(task: ResourceApply): Promise<ResourceApply> {
  const { keeper, context } = task;
  const { renamedFrom: _, record: found, ...observation } = task.observation;
  if (found === undefined) return task;
  const { secrecy } = context.planning;
  const moved = renamedRecord({ ...observation, record: found }, secrecy).record;
  const deed = deedNow({ ...context, redact: secrecy.redact });
  const record = withRename(moved, found, deed);
  await keeper.move(record);
  return { ...task, observation: { ...observation, record } };
}

/** The result of a task; omitted members are empty. */
export interface ResourceOutcome extends Partial<Omit<LedgerEntry, 'kind' | 'name' | 'action' | 'outcome' | 'sent'>> {
  readonly outcome: LedgerEntry['outcome'];
  readonly sent: boolean;
  /** The write hit another agent: nothing more may be sent with these credentials. */
  readonly hitWrongAgent?: true;
  /** What went wrong with an update, for the record. */
  readonly failure?: Failure;
}

/** An error code with its facts, without any text of the service: such a text is untrusted. */
export type Failure = Pick<NonNullable<ResourceRecord['failure']>, 'code' | 'facts'>;

/** What a record may say of an expected failure. */
export function recordable(error: unknown): Failure {
  if (!(error instanceof AgentformError)) throw error;
  const status = error instanceof ServiceError ? error.status : undefined;
  return { code: error.code, facts: status === undefined ? {} : { status } };
}

/** An expected failure. Anything else is a bug, and is not to be swallowed. */
export function failureOf(error: unknown): Notice {
  return notice('call-failed', expected(error));
}

/** What a notice says of an expected failure. */
export function expected(error: unknown): ReturnType<typeof problemOf> {
  if (error instanceof AgentformError) return problemOf(error);
  throw error;
}

/** A bug of ours in one resource is not to take the ledger of the others with it. */
export function bugIn(error: unknown): Notice {
  return notice('bug', { problem: (error instanceof Error ? error.stack : undefined) ?? String(error) });
}

/**
 * A key for equal credentials. If they reach another agent than intended, nothing more may be sent with them: the query
 * may have another meaning.
 */
export function credentialsKey({ baseUrl, token }: Target): string {
  return JSON.stringify([baseUrl, token.reveal()]);
}
