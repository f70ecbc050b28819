import { AgentformError, ServiceError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { BodyChange, WriteAnswer } from '../kinds/definition.ts';
import type { Desired, Target } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import { type Notice, notice, problemOf } from '../notices/notice.ts';
import type { PlacedChange } from '../plan/fields/field-changes.ts';
import type { Observation, PlanOptions } from '../plan/observation.ts';
import { renamedRecord, withRename } from '../plan/records/moves.ts';
import type { Orphan } from '../plan/records/orphans.ts';
import type { PlannedResource } from '../plan/resource-plan.ts';
import { adoptCommand } from '../plan/verdicts/blocks.ts';
import type { Content } from '../plan/verdicts/requires.ts';
import type { RecordStore, StoredRecord } from '../record/store.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import type { Deed, Holds, Overruled, ResourceRecord } from '../schemas/record-types.ts';
import type { Connection, ServiceClient } from '../service/client.ts';
import { visibleLine } from '../text/visible.ts';
import { shorten } from '../text/wording.ts';
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
  /** The resource with an id on a host, by `host id`, from the records and from creates of this run. */
  readonly owners: Map<string, string>;
  /** Ids of the organizations by address, from the records and from creates of this run. */
  readonly organizations: Map<string, string>;
  /** Query parameter that carries the reseller's id. */
  readonly resellerParameter: string;
  readonly now: () => Date;
  /** Random, to distinguish the intents of this run from those of others. */
  readonly runId: string;
  /** The person who applies and the source, for the record. */
  readonly applier?: Applier | undefined;
  /** Whether a text contains a possible credential, for values in records. */
  readonly holdsCredential?: ((text: string) => Promise<boolean>) | undefined;
  /** The digest of a manifest's declaration by address, for the record after a complete apply. */
  readonly declaredOf: (address: string) => string | undefined;
  /** The content of each manifest by address, for the same record. */
  readonly contentOf: (address: string) => Omit<Content, 'onlyIn'> | undefined;
  /** Whether a record is written only for its content, because another environment requires this one or the reverse. */
  readonly settlesContent?: boolean;
  /** Reads the records that other runs have shared, by address. Those of this run may be older. */
  readonly sharedRecords?: (() => Promise<ReadonlyMap<string, StoredRecord>>) | undefined;
  /** Set if agents get changes in steps. Records then have the time when the declaration was applied. */
  readonly rollout?: StepGuard | undefined;
  /** The maximum lag of reads after writes, in milliseconds. */
  readonly readBackMs: number;
  /** Whether a record is written only for that digest. */
  readonly settlesDeclared?: boolean;
}

/** Prevents writes of a step that another run has closed. */
export interface StepGuard {
  readonly environment: string;
  /** Whether the step is open according to the present records, which are read before its first write. */
  readonly isStillOpen: (step: number) => Promise<boolean>;
  /** The approval of a waiting resource, for its record; undefined if there is no new one. */
  readonly approvalOf: (resource: ResourcePlan) => ResourceRecord['approval'];
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
  /** Whether the write reached another agent, so that nothing more may be sent with these credentials. */
  readonly hitWrongAgent?: true;
  /** The failure of an update, for the record. */
  readonly failure?: Failure;
}

/** An error code with its facts, without texts of the service, which are untrusted. */
export type Failure = Pick<NonNullable<ResourceRecord['failure']>, 'code' | 'facts'>;

/** The part of an expected failure that a record may contain. */
export function recordable(error: unknown): Failure {
  if (!(error instanceof AgentformError)) throw error;
  const status = error instanceof ServiceError ? error.status : undefined;
  return { code: error.code, facts: status === undefined ? {} : { status } };
}

/** The expected failure of an error. Any other error is a bug, and is thrown. */
export function failureOf(error: unknown): Notice {
  return notice('call-failed', expected(error));
}

/** The notice about an expected failure. */
export function expected(error: unknown): ReturnType<typeof problemOf> {
  if (error instanceof AgentformError) return problemOf(error);
  throw error;
}

/** The notice about a bug in one resource, which must not lose the ledger of the others. */
export function bugIn(error: unknown): Notice {
  return notice('bug', { problem: (error instanceof Error ? error.stack : undefined) ?? String(error) });
}

/**
 * A key for equal credentials. If they reach the wrong agent, nothing more may be sent with them, because the query may
 * have another meaning.
 */
export function credentialsKey({ baseUrl, token }: Target): string {
  return JSON.stringify([baseUrl, token.reveal()]);
}

/** The service's message about a write. */
export interface Written extends WriteAnswer {
  readonly warnings: readonly Notice[];
  /** The service's time of the answer, as ISO 8601 in UTC; undefined if the answer had none. */
  readonly at?: string | undefined;
}

/**
 * Sends a body by the operation of its kind. A call that may be repeated after a lost response is repeated by the
 * client.
 */
export async function write(
  { context, desired }: ResourceApply,
  body: JsonObject,
  step: 'create' | 'update',
): Promise<Written> {
  const { operations, answered, isAccount } = kindNamed(desired.kind);
  const answer: unknown = await context.service[operations[step]](context.connectionOf(desired), body, {
    repeatable: step === 'update',
    reseller: { parameter: context.resellerParameter, id: desired.resellerId ?? '' },
  });
  const at = context.service.timeOf(answer);
  const written = { ...answered?.(answer, body), warnings: noticesIn(answer), at };
  // Records and plans show ids, so an id that contains a secret cannot be used.
  const lacksId = written.id === undefined || context.planning.secrecy.holdsSecret(written.id);
  if (!isAccount || !lacksId) return written;
  const withoutId = notice('answer-without-id', { kind: desired.kind }, [adoptCommand(desired)]);
  return { warnings: [withoutId, ...written.warnings], at };
}

/** The facts of a plan's changes that the request body depends on. */
export function bodyChanges(changes: readonly PlacedChange[]): BodyChange[] {
  return changes.map(({ path, change: { op, from } }) => ({ op, path, replaces: from !== undefined }));
}

/** The words of a purely confirming message: `Agent updated successfully`. */
const confirming = new Set(
  (
    'a added all account accepted agent an and applied assigned been call campaign changed changes complete completed ' +
    'configuration context created custom data done draft for has have invitation invite invited is it member new now ' +
    'number ok okay organization phone processed publish published received request saved sent set setting settings ' +
    'slug stored success successful successfully the to update updated url user was were with your'
  ).split(' '),
);

/**
 * Other messages in a successful response: "the voice is not in your plan". Every response has a message, so a purely
 * confirming one is left out. The client has prepared the message for display.
 */
export function noticesIn(answer: unknown): Notice[] {
  const message = isJsonObject(answer) ? answer.message : undefined;
  if (typeof message !== 'string' || isConfirmation(message)) return [];
  return [notice('service-said', { said: message })];
}

function isConfirmation(message: string): boolean {
  return message
    .toLowerCase()
    .split(/[\s.,:;!'"()-]+/)
    .every((word) => word === '' || confirming.has(word) || isId(word));
}

/** Whether a word is an id, and not a number, which may count skipped items. */
function isId(word: string): boolean {
  return /^[a-z]+_\w+$/.test(word);
}

/** The person who applies and the source, as far as known. */
export interface Applier {
  readonly by?: string;
  readonly commit?: string;
  readonly pullRequest?: number;
  readonly run?: string;
}

/**
 * The applier for a record. Names from a pipeline or git may be set by anyone, so they are shortened, escaped and
 * redacted.
 */
export function recordedApplier(
  { by, commit, pullRequest, run }: Applier = {},
  redact: (text: string) => string,
): { [Part in keyof Applier]: Applier[Part] | undefined } {
  const shown = (text: string | undefined, most: number) =>
    text === undefined || text === '' ? undefined : shorten(visibleLine(redact(text)), most);
  return { by: shown(by, 100), commit, pullRequest, run: shown(run, 500) };
}

/** The same with the time, for actions other than an apply. */
export function deedNow({
  applier,
  now,
  redact,
}: {
  readonly applier?: Applier | undefined;
  readonly now: () => Date;
  readonly redact: (text: string) => string;
}): Deed {
  const known = Object.entries(recordedApplier(applier, redact)).filter(([, value]) => value !== undefined);
  return { at: now().toISOString(), ...Object.fromEntries(known) };
}
