import { addressOf, inOrganization } from '../kinds/desired.ts';
import { campaignIn } from '../plan/observation.ts';
import { isDraftWaiting } from '../plan/publishing.ts';
import { knownId } from '../plan/target.ts';
import type { Ledger, LedgerEntry, PublishEntry } from './events.ts';
import { type PublishRun, type PublishTask, publishAgents } from './publish.ts';
import type { ApplyMeans, PreparedResource } from './task.ts';

export interface PublishAppliedOptions extends Omit<PublishRun, 'means'> {
  readonly means: ApplyMeans;
  /** By address: the resources as they were when the plan was made. */
  readonly prepared: ReadonlyMap<string, PreparedResource>;
  /** The path of the operation that publishes. */
  readonly publish?: string | undefined;
}

/**
 * Publishes what an apply wrote, and what an earlier one wrote without publishing it. An agent whose apply failed or was
 * refused is left out: callers keep what they have.
 */
export async function publishApplied(
  entries: readonly LedgerEntry[],
  options: PublishAppliedOptions,
): Promise<Pick<Ledger, 'entries' | 'publishing'>> {
  const { means, publish: path = '' } = options;
  const settled = entries.filter(({ kind, outcome }) => kind === 'Agent' && ['applied', 'unchanged'].includes(outcome));
  const choices = await Promise.all(settled.map((entry) => choiceOf(entry, options)));
  const already = choices.filter((choice) => 'outcome' in choice);
  const tasks = choices.filter((choice) => 'desired' in choice);
  const publishMeans = { ...means, path, redact: means.planning.secrecy.redact };
  const publishing = [...already, ...(await publishAgents(tasks, { ...options, means: publishMeans }))].sort(byName);
  return { entries: entries.map((entry) => withPublished(entry, publishing)), publishing };
}

/** What is to be published, or that it is already. */
async function choiceOf(
  { kind, name, id: writtenId, sent }: LedgerEntry,
  { means, prepared }: PublishAppliedOptions,
): Promise<PublishTask | PublishEntry> {
  const known = prepared.get(addressOf({ kind, name }))?.observation;
  if (known === undefined) throw new Error(`${kind}/${name} was applied and not prepared`);
  const desired = inOrganization(known.desired, means.organizations);
  const record = (await means.store.read(desired))?.record;
  const read = campaignIn(known);
  const id = writtenId ?? knownId(desired, record) ?? '';
  if (sent) return { desired, id, lastUpdate: record?.lastUpdate };
  if (isDraftWaiting(read?.published, record)) return { desired, id, lastUpdate: read?.lastUpdate ?? undefined };
  return { kind, name, id, outcome: 'already published' };
}

function withPublished(entry: LedgerEntry, publishing: readonly PublishEntry[]): LedgerEntry {
  const { outcome } = publishing.find((published) => addressOf(published) === addressOf(entry)) ?? {};
  return outcome === 'published' ? { ...entry, published: true } : entry;
}

function byName(one: PublishEntry, other: PublishEntry): number {
  return one.name < other.name ? -1 : 1;
}
