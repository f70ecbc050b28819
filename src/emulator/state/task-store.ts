import { hash } from 'node:crypto';
import { cached, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';

/** A queued task, which is never carried out. */
interface StoredTask {
  readonly id: string;
  readonly account: string;
  /** The task as sent, with the sizes of attachments in place of their contents. */
  readonly task: JsonObject;
}

/** A CSV file of tasks that was accepted. */
interface StoredUpload {
  readonly account: string;
  readonly fileName: string;
  readonly rows: number;
}

/** A task, and the external id of its CSV row, if any. */
export interface TaskRow {
  readonly task: JsonObject;
  readonly externalTaskId: string | undefined;
}

interface TaskCounts {
  /** The number of queued tasks, by account and task type. */
  readonly queued: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The first thousand external ids that were repeated, with their counts. */
  readonly repeated: Readonly<Record<string, number>>;
  readonly recent: readonly StoredTask[];
  readonly uploads: readonly StoredUpload[];
}

/** The tasks in the form in which /__emulator/state returns them. */
interface TaskSummary extends TaskCounts {
  /** The number of different external ids. */
  readonly externalTaskIds: number;
}

export interface StoredTasks extends TaskCounts {
  readonly lastId: number;
  readonly fingerprints: string;
}

// The numbers of most recent tasks and uploads to keep. The limits are needed because files may have millions of rows.
const keptTasks = 100;
const keptUploads = 1000;
const keptRepeated = 1000;

/** The task queues of all accounts. Counts all tasks, but keeps only the latest tasks. */
export class TaskStore {
  readonly #queued = new Map<string, Map<string, number>>();
  readonly #seen: FingerprintSet;
  readonly #repeated: Map<string, number>;
  readonly #recent: StoredTask[];
  readonly #uploads: StoredUpload[];
  #lastId: number;

  constructor(tasks?: StoredTasks) {
    this.#seen = FingerprintSet.fromText(tasks?.fingerprints ?? '');
    this.#repeated = new Map(Object.entries(tasks?.repeated ?? {}));
    this.#recent = [...(tasks?.recent ?? [])];
    this.#uploads = [...(tasks?.uploads ?? [])];
    this.#lastId = tasks?.lastId ?? 0;
    for (const [account, counts] of Object.entries(tasks?.queued ?? {})) {
      this.#queued.set(account, new Map(Object.entries(counts)));
    }
  }

  queue(account: string, { task, externalTaskId }: TaskRow): string {
    this.#lastId += 1;
    const id = `task_${this.#lastId}`;
    this.#count(account, String(task.type));
    if (externalTaskId !== undefined) this.#note(account, externalTaskId);
    this.#recent.push({ id, account, task });
    if (this.#recent.length > keptTasks) this.#recent.shift();
    return id;
  }

  noteUpload(upload: StoredUpload): void {
    this.#uploads.push(upload);
    if (this.#uploads.length > keptUploads) this.#uploads.shift();
  }

  summary(): TaskSummary {
    return { ...this.#counts(), externalTaskIds: this.#seen.size };
  }

  data(): StoredTasks {
    return { ...this.#counts(), lastId: this.#lastId, fingerprints: this.#seen.toText() };
  }

  #count(account: string, type: string): void {
    const counts = cached(this.#queued, account, () => new Map());
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }

  /** Records an external id. Each account has its own external ids, so two accounts may use the same id. */
  #note(account: string, externalTaskId: string): void {
    if (this.#seen.add(`${account} ${externalTaskId}`)) return;
    const times = this.#repeated.get(externalTaskId) ?? 1;
    if (times > 1 || this.#repeated.size < keptRepeated) this.#repeated.set(externalTaskId, times + 1);
  }

  #counts(): TaskCounts {
    const queued = [...this.#queued].map(([account, counts]) => [account, Object.fromEntries(counts)]);
    return {
      queued: Object.fromEntries(queued),
      repeated: Object.fromEntries(this.#repeated),
      recent: this.#recent,
      uploads: this.#uploads,
    };
  }
}

/** Whether a value from a file has the form of the stored tasks. */
export function isStoredTasks(value: Json | undefined): boolean {
  return (
    isJsonObject(value) &&
    isJsonObject(value.queued) &&
    Object.values(value.queued).every(isJsonObject) &&
    isJsonObject(value.repeated) &&
    Array.isArray(value.recent) &&
    Array.isArray(value.uploads) &&
    Number.isSafeInteger(value.lastId) &&
    typeof value.fingerprints === 'string'
  );
}

const maxLoadFactor = 0.6;

/**
 * A set of strings that uses about 20 bytes for each string: an open-addressing hash table of 52-bit SHA-1 prefixes.
 * With a million strings, the probability of a collision is one in ten thousand.
 */
export class FingerprintSet {
  /** The hash table. Zero marks an empty slot. */
  #table = new Float64Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds the string. Returns false if the set already contains the string. */
  add(text: string): boolean {
    return this.#insert(textHash(text));
  }

  /** Serialises the set as base64 of little-endian doubles. */
  toText(): string {
    return Buffer.from(this.#table.filter((fingerprint) => fingerprint !== 0).buffer).toString('base64');
  }

  static fromText(text: string): FingerprintSet {
    const bytes = Buffer.from(text, 'base64');
    const set = new FingerprintSet();
    for (let at = 0; at + 8 <= bytes.length; at += 8) set.#insert(bytes.readDoubleLE(at));
    return set;
  }

  #insert(fingerprint: number): boolean {
    const slot = slotOf(this.#table, fingerprint);
    if (this.#table[slot] !== 0) return false;
    this.#table[slot] = fingerprint;
    this.#size += 1;
    if (this.#size > this.#table.length * maxLoadFactor) this.#grow();
    return true;
  }

  #grow(): void {
    const larger = new Float64Array(this.#table.length * 2);
    for (const fingerprint of this.#table) if (fingerprint !== 0) larger[slotOf(larger, fingerprint)] = fingerprint;
    this.#table = larger;
  }
}

/**
 * Returns the index of the slot that contains the fingerprint, or of the free slot for it. The length of the table must
 * be a power of two.
 */
function slotOf(table: Float64Array, fingerprint: number): number {
  const last = table.length - 1;
  let slot = fingerprint % table.length;
  while (table[slot] !== 0 && table[slot] !== fingerprint) slot = (slot + 1) & last;
  return slot;
}

function textHash(text: string): number {
  const digest = hash('sha1', text, 'hex');
  return Number.parseInt(digest.slice(0, 13), 16) || 1;
}
