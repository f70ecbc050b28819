import pMap from 'p-map';
import { AgentformError, ServiceError } from '../errors.ts';
import { addressOf, type Desired, inOrganization } from '../kinds/desired.ts';
import { kindOf } from '../kinds/kind.ts';
import { type Notice, notice, problemOf, redactedNotice } from '../notices/notice.ts';
import { campaignIn, type Observation } from '../plan/observation.ts';
import { editedDraft, isDraftWaiting, undecidedDraft } from '../plan/publishing.ts';
import { keepingHmac } from '../plan/records/record-of.ts';
import { knownId } from '../plan/records/target.ts';
import { freezeNotice } from '../plan/verdicts/holds.ts';
import type { RecordStore } from '../record/store.ts';
import type { Redact } from '../secrets/redact.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Ledger, LedgerEntry, PublishEntry } from './events.ts';
import { type Patience, patienceOf, readUntil, waitedFor } from './read-back.ts';
import {
  type ApplyContext,
  type ApplyPlanOptions,
  bugIn,
  credentialsKey,
  deedNow,
  failureNotice,
  readAgent,
} from './resource-apply.ts';

interface PublishContext extends Pick<ApplyContext, 'connectionOf' | 'now' | 'applier' | 'readBackMs'> {
  readonly service: Pick<ServiceClient, 'publishAgent' | 'getAgent'>;
  readonly store: Pick<RecordStore, 'read' | 'save'>;
  /** The path of the publish operation, relative to the base URL. */
  readonly path: string;
  readonly redact: Redact;
}

interface PublishRun extends Pick<ApplyPlanOptions, 'concurrency' | 'signal' | 'lost' | 'emit'> {
  readonly context: PublishContext;
  /** The keys of credentials that may lead to the wrong agent. Publishing may add keys. */
  readonly stopped: Set<string>;
}

/** An agent whose draft will be published. */
export interface AgentPublish {
  readonly desired: Desired;
  /** The name of the stored record. This can be a former name. Defaults to the current name. */
  readonly recordName?: string | undefined;
  readonly id: string;
  /** The last known `lastUpdate`, in milliseconds since 1970. */
  readonly lastUpdate: number | undefined;
}

/**
 * Publishes drafts concurrently. If a failure shows that credentials may lead to the wrong agent, other agents with
 * these credentials are not published.
 */
export async function publishAgents(tasks: readonly AgentPublish[], run: PublishRun): Promise<PublishEntry[]> {
  const { emit, concurrency } = run;
  if (tasks.length === 0) return [];
  emit({ type: 'phase-started', phase: 'publish', total: tasks.length });
  // A task that waits for its read keeps its slot. Therefore, fewer other tasks start before the read confirms that the
  // credentials lead to the right agent.
  const patience = patienceOf(run.context.readBackMs, run.signal);
  const entries = await pMap(tasks, (task) => publishInTurn(task, run, patience), { concurrency });
  emit({ type: 'phase-finished', phase: 'publish' });
  return entries;
}

interface Ending extends Pick<PublishEntry, 'outcome' | 'refused' | 'reasons'> {
  /** True if the read contradicts the response, so the credentials may lead to another agent. */
  readonly missed?: true;
}

async function publishInTurn(task: AgentPublish, run: PublishRun, patience: Patience): Promise<PublishEntry> {
  const { kind, name, target } = task.desired;
  const { emit, context, stopped } = run;
  const left = reasonToLeave(task, run);
  if (left === undefined) emit({ type: 'resource-started', phase: 'publish', kind, name });
  const asBug = (error: unknown): Ending => ({ outcome: 'unknown', reasons: [bugIn(error)] });
  const { missed, reasons, ...ending } = left ?? (await publishOne(task, context, patience).catch(asBug));
  if (missed) stopped.add(credentialsKey(target));
  const shown = reasons?.map((reason) => redactedNotice(reason, context.redact));
  const entry: PublishEntry = { kind, name, id: task.id, ...ending, ...(shown && { reasons: shown }) };
  emit({ type: 'resource-published', entry });
  return entry;
}

function reasonToLeave({ desired }: AgentPublish, { signal, lost, stopped }: PublishRun): Ending | undefined {
  if (signal.aborted) return { outcome: 'not attempted', reasons: [notice('interrupted', {})] };
  if (lost?.aborted) return { outcome: 'not attempted', reasons: [failureNotice(lost.reason)] };
  if (!stopped.has(credentialsKey(desired.target))) return undefined;
  return { outcome: 'not attempted', reasons: [notice('wrong-credentials', { call: 'request' })] };
}

async function publishOne(task: AgentPublish, context: PublishContext, patience: Patience): Promise<Ending> {
  try {
    if (await isEditedSince(task, context)) {
      const facts = { address: addressOf(task.desired), by: 'edit' as const };
      return { outcome: 'not attempted', refused: true, reasons: [notice('stale', facts)] };
    }
    await context.service.publishAgent(context.connectionOf(task.desired), context.path);
  } catch (error) {
    const isClear = !(error instanceof ServiceError) || error.outcome === 'clear';
    if (isClear) return { outcome: 'failed', reasons: [failureNotice(error)] };
    return { outcome: 'unknown', reasons: [notice('publish-unanswered', problemOf(error))] };
  }
  try {
    return await confirmPublish(task, context, patience);
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    return { outcome: 'failed', reasons: [notice('publish-unconfirmed', { id: task.id, ...problemOf(error) })] };
  }
}

/**
 * Returns whether the agent was edited after the last read. If so, publishing would make an edit live that the plan did
 * not show, and the record would treat the edit as known. An earlier `lastUpdate` is not an edit, because reads may
 * show an older state.
 */
async function isEditedSince({ desired, id, lastUpdate }: AgentPublish, context: PublishContext): Promise<boolean> {
  if (lastUpdate === undefined) return false;
  const read = await readAgent({ desired, context }, id);
  return (read.lastUpdate ?? lastUpdate) > lastUpdate;
}

/** Confirms with a read that an agent was published, because the response does not name the agent. */
async function confirmPublish(
  { desired, recordName, id, lastUpdate }: AgentPublish,
  context: PublishContext,
  patience: Patience,
): Promise<Ending> {
  const read = () => readAgent({ desired, context }, id);
  const { seen: campaign, ...waited } = await readUntil(read, ({ published }) => published === true, patience);
  if (campaign.published !== true) {
    const published = JSON.stringify(campaign.published ?? null);
    const facts = { id, published, address: addressOf(desired), waited: waitedFor(waited) };
    return { outcome: 'failed', reasons: [notice('publish-missed', facts)], missed: true };
  }
  const moved = { before: lastUpdate, after: campaign.lastUpdate ?? undefined };
  await recordPublish({ ...desired, name: recordName ?? desired.name }, moved, context);
  return { outcome: 'published' };
}

/**
 * Records that an agent was published. Adopts the new `lastUpdate` only if the agent was not edited before. Otherwise,
 * the record keeps the old time, so that the next plan finds the edit. Does nothing if there is no record.
 */
async function recordPublish(
  { environment, kind, name, target: { key } }: Desired,
  { before, after }: { readonly before: number | undefined; readonly after: number | undefined },
  { store, applier, now, redact }: PublishContext,
): Promise<void> {
  const stored = await store.read({ environment, kind, name });
  if (stored === undefined) return;
  const { record, version } = stored;
  const isUntouched = record.lastUpdate !== undefined && record.lastUpdate === before;
  const seen = after === undefined ? {} : { lastUpdate: after };
  const publication = { ...deedNow({ applier, now, redact }), ...seen };
  const published = { ...record, ...(isUntouched && seen), draft: 'published', publication } as const;
  await store.save(keepingHmac(published, { before: record, key }), version);
}

type PublishAppliedOptions = Pick<PublishRun, 'concurrency' | 'stopped' | 'signal' | 'lost' | 'emit'> &
  Pick<ApplyPlanOptions, 'context' | 'prepared' | 'publish'>;

/**
 * Publishes agents that this apply wrote, and unchanged agents with an unpublished draft. Agents whose apply failed or
 * was refused, and drafts with undecided dashboard edits, are not published.
 */
export async function publishApplied(
  entries: readonly LedgerEntry[],
  options: PublishAppliedOptions,
): Promise<Pick<Ledger, 'entries' | 'publishing'>> {
  const { context, publish: path = '' } = options;
  const settled = entries.filter(
    (entry) =>
      kindOf(entry)?.hasDrafts && entry.action !== 'forget' && ['applied', 'unchanged'].includes(entry.outcome),
  );
  const choices = await Promise.all(settled.map((entry) => choiceOf(entry, options)));
  const already = choices.filter((choice) => 'outcome' in choice);
  const tasks = choices.filter((choice) => 'desired' in choice);
  const publishContext = { ...context, path, redact: context.planning.secrecy.redact };
  const made = await publishAgents(tasks, { ...options, context: publishContext });
  const publishing = [...already, ...made].sort((one, other) => (one.name < other.name ? -1 : 1));
  const published = new Set(publishing.filter(({ outcome }) => outcome === 'published').map(addressOf));
  const marked = (entry: LedgerEntry) =>
    published.has(addressOf(entry)) ? { ...entry, published: true as const } : entry;
  return { entries: entries.map(marked), publishing };
}

/** Returns the agent to publish, or the result to report if it is not published. */
async function choiceOf(
  { kind, name, id: writtenId, sent }: LedgerEntry,
  { context, prepared }: PublishAppliedOptions,
): Promise<AgentPublish | PublishEntry> {
  const known = prepared.get(addressOf({ kind, name }))?.observation;
  if (known === undefined) throw new Error(`${kind}/${name} was applied but not prepared`);
  const desired = inOrganization(known.desired, context.organizations);
  const record = (await context.store.read(desired))?.record;
  const read = campaignIn(known);
  const id = writtenId ?? knownId(desired, record) ?? '';
  const isWaiting = isDraftWaiting(read?.published, record);
  const obstacle = sent || isWaiting ? draftObstacle(known, { sent, planning: context.planning }) : undefined;
  if (obstacle !== undefined) return { kind, name, id, outcome: 'not attempted', refused: true, reasons: [obstacle] };
  if (sent) return { desired, id, lastUpdate: record?.lastUpdate };
  if (isWaiting) return { desired, id, lastUpdate: read?.lastUpdate ?? undefined };
  const edited = editedDraft(known, record);
  return { kind, name, id, outcome: 'already published', ...(edited && { reasons: [edited] }) };
}

/** Why a draft is not published, although it is waiting or was written. */
function draftObstacle(
  known: Observation,
  { sent, planning }: { readonly sent: boolean } & Pick<ApplyContext, 'planning'>,
): Notice | undefined {
  const frozen = sent ? undefined : freezeNotice(known, planning);
  const undecided = undecidedDraft(known);
  return frozen ?? (undecided && redactedNotice(undecided, planning.secrecy.redact));
}
