import { AgentformError, ServiceError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { BodyChange, Campaign, WriteAnswer } from '../kinds/definition.ts';
import type { Desired, Target } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import { type Notice, notice, problemOf, type Remedy } from '../notices/notice.ts';
import type { Decisions } from '../plan/decisions.ts';
import type { FieldChange } from '../plan/fields/field-changes.ts';
import type { Observation, PlanContext } from '../plan/observation.ts';
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
import type { Emit, LedgerEntry } from './events.ts';
import type { Patience } from './read-back.ts';
import type { RecordKeeper } from './records/record-keeper.ts';

/** A resource as it was when the plan was made. */
export interface PreparedResource extends Pick<PlannedResource, 'observation' | 'changes'> {
  /** The record under the current name. */
  readonly stored?: StoredRecord;
  /** The record under a former name. */
  readonly former?: StoredRecord;
}

export interface ApplyContext {
  readonly service: ServiceClient;
  readonly store: Pick<RecordStore, 'read' | 'save' | 'remove' | 'share' | 'sharesAtOnce'>;
  readonly connectionOf: (desired: Desired) => Connection;
  readonly planning: PlanContext & { readonly orphans: readonly Orphan[] };
  /** The address of each resource by host and id (`host id`), from records and from resources that this run created. */
  readonly owners: Map<string, string>;
  /** The id of each organization by address, from records and from organizations that this run created. */
  readonly organizations: Map<string, string>;
  readonly resellerParameter: string;
  readonly now: () => Date;
  /** A random id that distinguishes the intents of this run from the intents of other runs. */
  readonly runId: string;
  /** The person who applies, and the commit, pull request or run. Records store these. */
  readonly applier?: Applier | undefined;
  /** Returns the digest of the resolved manifest at an address. The digest is recorded after a complete apply. */
  readonly declaredOf: (address: string) => string | undefined;
  /** Returns the content digests of the manifest at an address. The digests are recorded after a complete apply. */
  readonly contentOf: (address: string) => Omit<Content, 'onlyIn'> | undefined;
  /**
   * Whether to save a record if only its content digest changed. This is needed if this environment or another
   * environment refers to the other in `requires`.
   */
  readonly settlesContent?: boolean;
  /**
   * Reads the published records, keyed by address. These records lack the changes that this run has not published yet.
   */
  readonly sharedRecords?: (() => Promise<ReadonlyMap<string, StoredRecord>>) | undefined;
  /**
   * Set if the environment has a rollout. In that case, records also store the time when the declaration was applied.
   */
  readonly rollout?: StepGuard | undefined;
  /** The maximum wait, in milliseconds, until a read shows a write. */
  readonly readBackMs: number;
  /** Whether to save a record if only the digest of its resolved manifest changed. */
  readonly settlesDeclared?: boolean;
}

/** Prevents writes in a step that another run has closed. */
export interface StepGuard {
  readonly environment: string;
  /** Reads the records again, and returns whether the step is still open. */
  readonly isStillOpen: (step: number) => Promise<boolean>;
  /** Returns the approval to record for a waiting resource. Undefined if there is no new approval. */
  readonly approvalOf: (resource: ResourcePlan) => ResourceRecord['approval'];
}

export interface ApplyPlanOptions {
  readonly context: ApplyContext;
  /**
   * Each resource as it was when the plan was made, keyed by address. Unless agents are published, an apply deletes each
   * applied resource from this map, to save memory.
   */
  readonly prepared: Map<string, PreparedResource>;
  /** The resources whose service state and record both need no write, keyed by address. They are not in `prepared`. */
  readonly settled?: ReadonlyMap<string, unknown> | undefined;
  /** The records that the apply drops, keyed by address. */
  readonly removals: ReadonlyMap<string, StoredRecord>;
  /** The run's decisions. A decision about a single resource names its address. */
  readonly decisions: Decisions;
  /**
   * For each resource that is left out of the apply, the reasons, keyed by address. For example, the resource differs
   * from the approved plan.
   */
  readonly refused?: ReadonlyMap<string, readonly Notice[]> | undefined;
  /** The path of the applied saved plan, if any. Remedies name this path. */
  readonly savedPlan?: string | undefined;
  /** The path of the publish operation. If set, agents are published after the apply. */
  readonly publish?: string | undefined;
  /** The maximum number of resources to apply concurrently. */
  readonly concurrency: number;
  /** Once the signal is aborted, requests in progress are finished and no others start. */
  readonly signal: AbortSignal;
  /** Aborted if this run loses the environment's lock. No further write starts, because another run may write. */
  readonly lost?: AbortSignal | undefined;
  readonly emit: Emit;
}

export interface ResourceApply {
  readonly resource: ResourcePlan;
  readonly changes: readonly FieldChange[];
  readonly observation: Observation;
  readonly desired: Desired;
  readonly keeper: RecordKeeper;
  /** The overruled checks that would have refused the resource. */
  readonly overruled: readonly Overruled[];
  /** The holds to save in the record. */
  readonly holds: Holds | undefined;
  readonly patience: Patience;
  readonly context: ApplyContext;
}

/** Renames the record if necessary. Returns the task with the renamed record. */
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

/** The outcome of applying one resource. Omitted properties are empty. */
export interface ResourceOutcome extends Partial<Omit<LedgerEntry, 'kind' | 'name' | 'action' | 'outcome' | 'sent'>> {
  readonly outcome: LedgerEntry['outcome'];
  readonly sent: boolean;
  /** True if the write changed another agent. No further write is sent with these credentials. */
  readonly hitWrongAgent?: true;
  readonly failure?: Recordable;
}

/**
 * The code and facts of a failure, as a record stores them. Texts from the service are left out, because they are
 * untrusted.
 */
export type Recordable = Pick<NonNullable<ResourceRecord['failure']>, 'code' | 'facts'>;

/** Returns the code and facts of an expected failure. Any other error is a bug and is rethrown. */
export function recordable(error: unknown): Recordable {
  if (!(error instanceof AgentformError)) throw error;
  if (!(error instanceof ServiceError)) return { code: error.code, facts: {} };
  const { code, operation, status } = error;
  return { code, facts: { operation, ...(status !== undefined && { status }) } };
}

/** Returns the notice about an expected failure. Any other error is a bug and is rethrown. */
export function failureNotice(error: unknown, remedies: readonly Remedy[] = []): Notice {
  return notice('call-failed', expected(error), remedies);
}

/** Converts an expected failure to a fact for a notice. Any other error is a bug and is rethrown. */
export function expected(error: unknown): ReturnType<typeof problemOf> {
  if (error instanceof AgentformError) return problemOf(error);
  throw error;
}

/**
 * Returns the notice about a bug. The bug is reported for one resource, so that the results of other resources are
 * preserved.
 */
export function bugIn(error: unknown): Notice {
  return notice('bug', { problem: (error instanceof Error ? error.stack : undefined) ?? String(error) });
}

/**
 * Returns a key for a base URL and token. The key omits the query, because the query itself may select the wrong
 * account.
 */
export function credentialsKey({ baseUrl, token }: Target): string {
  return JSON.stringify([baseUrl, token.reveal()]);
}

interface AgentToRead {
  readonly desired: Desired;
  readonly context: Pick<ApplyContext, 'connectionOf'> & { readonly service: Pick<ServiceClient, 'getAgent'> };
}

/** Reads the agent of a resource. Fails if the response describes another agent. */
export function readAgent({ desired, context }: AgentToRead, id: string): Promise<Campaign> {
  return context.service.getAgent(context.connectionOf(desired), id, [id, desired.target.campaignId]);
}

/** The service's response to a write, with its time. */
export interface WriteResult extends WriteAnswer {
  readonly warnings: readonly Notice[];
  /** The time of the response in UTC, in ISO 8601 format. Undefined if the response had no date. */
  readonly at?: string | undefined;
}

/**
 * Sends a body with the write operation of the resource's kind. Updates may be repeated, so the client retries them if
 * a response is lost.
 */
export async function write(
  { context, desired }: ResourceApply,
  body: JsonObject,
  step: 'create' | 'update',
): Promise<WriteResult> {
  const { operations, answered, isAccount } = kindNamed(desired.kind);
  const answer: unknown = await context.service[operations[step]](context.connectionOf(desired), body, {
    repeatable: step === 'update',
    reseller: { parameter: context.resellerParameter, id: desired.resellerId ?? '' },
  });
  const at = context.service.timeOf(answer);
  const parts = answered?.(answer, body);
  const named = [...Object.values(body), parts?.id].filter((value) => typeof value === 'string');
  const response = { ...parts, warnings: noticesIn(answer, named), at };
  // Records and plans show ids in plain text, so a response whose id contains a secret counts as having no id.
  const lacksId = response.id === undefined || context.planning.secrecy.holdsSecret(response.id);
  if (!isAccount || !lacksId) return response;
  const withoutId = notice('answer-without-id', { kind: desired.kind }, [adoptCommand(desired)]);
  return { warnings: [withoutId, ...response.warnings], at };
}

/** Returns the properties of changes that determine a request body. */
export function bodyChanges(changes: readonly FieldChange[]): BodyChange[] {
  return changes.map(({ path, change: { op, from } }) => ({ op, path, replaces: from !== undefined }));
}

/** Words of messages that only confirm a write, such as `Agent updated successfully`. */
const confirming = new Set(
  (
    'a added all account accepted agent an and applied assigned been call campaign changed changes complete completed ' +
    'configuration context created custom data done draft for has have invitation invite invited is it member new now ' +
    'number ok okay organization phone processed publish published received request saved sent set setting settings ' +
    'slug stored success successful successfully the to update updated url user was were with your'
  ).split(' '),
);

/**
 * Returns a notice about the message in a successful response, such as "the voice is not in your plan". The list is
 * empty if the message only confirms the write. `named` are the sent texts and the new id, which a confirmation may
 * repeat. The client has already escaped and redacted the message.
 */
export function noticesIn(answer: unknown, named: readonly string[] = []): Notice[] {
  const message = isJsonObject(answer) ? answer.message : undefined;
  if (typeof message !== 'string' || isConfirmation(message, named)) return [];
  return [notice('service-said', { said: message })];
}

function isConfirmation(message: string, named: readonly string[]): boolean {
  // Only numbers and ids are repeated: a sent text such as `not` would hide a warning.
  const repeated = new Set(named.filter((text) => /\d/.test(text)).map((text) => text.toLowerCase()));
  return message
    .toLowerCase()
    .split(/[\s.,:;!'"()-]+/)
    .every((word) => word === '' || confirming.has(word) || idPattern.test(word) || repeated.has(word));
}

/** Matches an id. A plain number is not an id, because it may be the number of skipped items. */
const idPattern = /^[a-z]+_\w+$/;

/** The person who applies, and the commit, pull request or run, as far as known. */
export interface Applier {
  readonly by?: string;
  readonly commit?: string;
  readonly pullRequest?: number;
  readonly run?: string;
}

/**
 * Converts the applier to the form that a record stores. Pipelines and git accept any name, so `by` and `run` are
 * shortened, escaped and redacted.
 */
export function recordedApplier(
  { by, commit, pullRequest, run }: Applier = {},
  redact: (text: string) => string,
): { [Part in keyof Applier]: Applier[Part] | undefined } {
  const shown = (text: string | undefined, max: number) =>
    text === undefined || text === '' ? undefined : shorten(visibleLine(redact(text)), max);
  return { by: shown(by, 100), commit, pullRequest, run: shown(run, 500) };
}

/** Returns the applier with the current time, for changes to a record outside an apply. */
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
