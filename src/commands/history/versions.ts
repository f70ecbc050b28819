import { isDeepStrictEqual } from 'node:util';
import { cached } from '../../json/json.ts';
import { addressOf, byAddress } from '../../kinds/desired.ts';
import { type Notice, notice } from '../../notices/notice.ts';
import { type HistoryEntry, type RecordKey, type RecordStore, readableVersions } from '../../record/store.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { RecordLife, type RecordState } from './events.ts';

// Orders record versions as in the store's history, and connects the names of renamed records.

/** A history entry that changed or removed the record. */
interface Step {
  readonly entry: HistoryEntry;
  /** The index in the history. The oldest entry has index 0. */
  readonly index: number;
}

/** A record under one name, from its first version until it was removed or renamed, or until now. */
interface RecordSpan {
  readonly kind: string;
  readonly name: string;
  readonly steps: readonly Step[];
  readonly end?: Step | undefined;
  /** The current record. This member is absent if the span has ended. */
  readonly present?: ResourceRecord | undefined;
}

/** The spans of each address, oldest first. */
type RecordArchive = ReadonlyMap<string, readonly RecordSpan[]>;

/** Reads the current records of an environment and the changes to them. */
export async function openArchive(store: RecordStore, environment: string): Promise<RecordArchive> {
  const entries = await store.history({ environment });
  const present = byAddress((await store.list(environment)).map(({ record }) => record));
  const steps = new Map<string, { key: Pick<RecordKey, 'kind' | 'name'>; all: (Step & { isRemoval: boolean })[] }>();
  for (const [index, entry] of entries.toReversed().entries()) {
    for (const { kind, name, change } of entry.records) {
      if (change === 'removed' && entry.isMove) continue;
      const { all } = cached(steps, addressOf({ kind, name }), () => ({ key: { kind, name }, all: [] }));
      all.push({ entry, index, isRemoval: change === 'removed' });
    }
  }
  for (const [address, { kind, name }] of present) cached(steps, address, () => ({ key: { kind, name }, all: [] }));
  return new Map([...steps].map(([address, { key, all }]) => [address, recordSpans(key, all, present.get(address))]));
}

function recordSpans(
  key: Pick<RecordKey, 'kind' | 'name'>,
  steps: readonly (Step & { readonly isRemoval: boolean })[],
  present: ResourceRecord | undefined,
): RecordSpan[] {
  const spans: RecordSpan[] = [];
  const open: Step[] = [];
  for (const { isRemoval, ...step } of steps) {
    if (!isRemoval) open.push(step);
    else if (open.length > 0) spans.push({ ...key, steps: open.splice(0), end: step });
  }
  if (open.length > 0 || present !== undefined) spans.push({ ...key, steps: open, present });
  return spans;
}

/** A record under all of its names, the latest last. */
export type Lineage = readonly RecordSpan[];

/** Returns the addresses that a record has had, the latest last. */
export function addressesOf(lineage: Lineage): string[] {
  return lineage.map(addressOf);
}

interface Version {
  readonly span: RecordSpan;
  readonly step: Step;
}

/** The number of versions to read into memory at a time. */
const batchSize = 200;

export class VersionReader {
  readonly #store: RecordStore;
  readonly #environment: string;
  readonly #unreadable = new Map<string, { readonly address: string; readonly version: string }>();

  constructor(store: RecordStore, environment: string) {
    this.#store = store;
    this.#environment = environment;
  }

  /** Reads versions in order, in batches. A version that is unreadable or has no record becomes undefined. */
  async *read(wanted: readonly Version[]): AsyncGenerator<ResourceRecord | undefined, undefined> {
    for (let at = 0; at < wanted.length; at += batchSize) {
      const versions = wanted.slice(at, at + batchSize).map(({ span: { kind, name }, step: { entry } }) => ({
        environment: this.#environment,
        ...{ kind, name },
        commit: entry.commit,
      }));
      yield* await readableVersions(this.#store, versions, ({ commit: version, ...key }) => {
        const address = addressOf(key);
        this.#unreadable.set(`${address}@${version}`, { address, version });
      });
    }
  }

  /** Returns the notices about missing parts of the history. */
  async limits(uncommitted: readonly string[]): Promise<Notice[]> {
    const limit = await this.#store.historyLimit(this.#environment);
    const [first] = this.#unreadable.values();
    // Without a repository, no version can be committed.
    const open = limit === 'no-repository' ? [] : [...uncommitted].sort();
    return [
      ...(limit === undefined ? [] : [notice('history-cut', { limit })]),
      ...(open.length === 0 ? [] : [notice('history-uncommitted', { records: open })]),
      ...(first === undefined ? [] : [notice('history-unreadable', { count: this.#unreadable.size, ...first })]),
    ];
  }
}

/**
 * Finds the selected records, with their spans under earlier names. Selecting an earlier name also selects the record
 * under its later names.
 */
export async function lineagesOf(
  spans: RecordArchive,
  isSelected: (address: string) => boolean,
  reader: VersionReader,
): Promise<Lineage[]> {
  const all = [...spans.values()].flat();
  const names = withOtherNames(spans, isSelected);
  const linked = new Map<RecordSpan, RecordSpan>();
  const firsts = new Map<RecordSpan, ResourceRecord | undefined>();
  for (let open = all.filter((span) => names.has(addressOf(span))); open.length > 0; ) {
    const found: RecordSpan[] = [];
    for (const [span, first] of await firstVersions(open, reader)) {
      firsts.set(span, first);
      const before = first && predecessorOf(span, first, spans);
      if (before === undefined) continue;
      linked.set(span, before);
      if (!firsts.has(before) && !open.includes(before)) found.push(before);
    }
    open = [...new Set(found)];
  }
  const continued = new Set(linked.values());
  const lasts = [...firsts.keys()].filter((span) => !continued.has(span));
  return lasts.map((last) => chainTo(last, linked)).filter((lineage) => addressesOf(lineage).some(isSelected));
}

function chainTo(last: RecordSpan, linked: ReadonlyMap<RecordSpan, RecordSpan>): RecordSpan[] {
  const chain = [last];
  for (let before = linked.get(last); before !== undefined && !chain.includes(before); before = linked.get(before))
    chain.unshift(before);
  return chain;
}

/** Returns the selected addresses, and those that may be later names of the selected records. */
function withOtherNames(spans: RecordArchive, isSelected: (address: string) => boolean): ReadonlySet<string> {
  const names = new Set([...spans.keys()].filter(isSelected));
  for (const [address, own] of spans) {
    const { kind, renames = [] } = own.at(-1)?.present ?? {};
    if (kind === undefined) continue;
    if (renames.some(({ from }) => names.has(addressOf({ kind, name: from })))) names.add(address);
  }
  // The record under a new name begins where the old name ends.
  const ends = new Map<string, Set<number>>();
  for (const address of names)
    for (const { kind, end } of spans.get(address) ?? [])
      if (end !== undefined) ends.set(kind, (ends.get(kind) ?? new Set()).add(end.index));
  for (const [address, own] of spans)
    if (own.some(({ kind, steps: [first] }) => first !== undefined && ends.get(kind)?.has(first.index)))
      names.add(address);
  return names;
}

async function firstVersions(
  spans: readonly RecordSpan[],
  reader: VersionReader,
): Promise<Map<RecordSpan, ResourceRecord | undefined>> {
  const found = new Map<RecordSpan, ResourceRecord | undefined>();
  const wanted = spans.flatMap((span) => {
    const [step] = span.steps;
    if (step === undefined) found.set(span, span.present);
    return step === undefined ? [] : [{ span, step }];
  });
  const records = reader.read(wanted);
  for (const { span } of wanted) found.set(span, (await records.next()).value);
  return found;
}

/**
 * Finds the span of a renamed record under its previous name. That span must have begun earlier. Tries the latest of
 * the earlier names first.
 */
function predecessorOf(span: RecordSpan, first: ResourceRecord, spans: RecordArchive): RecordSpan | undefined {
  const { kind, name } = span;
  const began = span.steps[0]?.index ?? Number.POSITIVE_INFINITY;
  for (const { from } of (first.renames ?? []).toReversed()) {
    const earlier = (from === name ? [] : (spans.get(addressOf({ kind, name: from })) ?? [])).filter(
      ({ steps: [own] }) => own !== undefined && own.index < began,
    );
    const last = earlier.at(-1);
    if (last !== undefined) return last;
  }
  return undefined;
}

interface Following {
  readonly reader: VersionReader;
  readonly since: Date | undefined;
  /** Called with every version. */
  readonly inspect: (state: RecordState, lineage: Lineage) => void;
}

/**
 * Follows the versions of each record, one record after the other to save memory. Skips versions before `since`.
 * `isUncommitted` tells whether the newest version or the removal of the record is uncommitted.
 */
export async function* followed(lineages: readonly Lineage[], { reader, since, inspect }: Following) {
  const wanted = lineages.map((lineage) => ({ lineage, steps: stepsSince(lineage, since) }));
  const records = reader.read(wanted.flatMap(({ steps }) => steps));
  for (const { lineage, steps } of wanted) {
    const life = new RecordLife();
    let latest: ResourceRecord | undefined;
    for (const { step } of steps) {
      latest = (await records.next()).value;
      if (latest === undefined) continue;
      const state = { record: latest, version: step.entry.commit };
      inspect(state, lineage);
      life.pass(state);
    }
    const { present } = lineage.at(-1) ?? {};
    if (present !== undefined) inspect({ record: present }, lineage);
    const isUncommitted = endLife(life, lineage, latest);
    yield { lineage, life, isUncommitted };
  }
}

/** Adds the last state of a record. Returns whether that state is uncommitted. */
function endLife(life: RecordLife, lineage: Lineage, latest: ResourceRecord | undefined): boolean {
  const { end, present } = lineage.at(-1) ?? {};
  if (end !== undefined) {
    const { date, by, from, commit: version } = end.entry;
    life.forget(date, by, { version, ...(from !== undefined && { commit: from }) });
    return false;
  }
  const isNew = present !== undefined && !isDeepStrictEqual(present, latest);
  if (isNew) life.pass({ record: present });
  life.end();
  return isNew || present === undefined;
}

/**
 * The maximum difference between clocks, in milliseconds. The times in a version can be later than the time of its
 * commit by at most this difference.
 */
const clocksApart = 24 * 60 * 60 * 1000;

/** Returns the versions since a time, and the version before them for comparison. */
function stepsSince(lineage: Lineage, since: Date | undefined): Version[] {
  const all = lineage.flatMap((span) => span.steps.map((step) => ({ span, step })));
  if (since === undefined) return all;
  const from = all.findIndex(({ step }) => !(Date.parse(step.entry.date) < since.getTime() - clocksApart));
  return from < 0 ? all.slice(-1) : all.slice(Math.max(0, from - 1));
}
