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
  /** The fingerprints of all external ids. */
  readonly #seen: Set<number>;
  readonly #repeated: Map<string, number>;
  readonly #recent: StoredTask[];
  readonly #uploads: StoredUpload[];
  #lastId: number;

  constructor(tasks?: StoredTasks) {
    this.#seen = fingerprintsIn(tasks?.fingerprints ?? '');
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
    return { ...this.#counts(), lastId: this.#lastId, fingerprints: fingerprintText(this.#seen) };
  }

  #count(account: string, type: string): void {
    const counts = cached(this.#queued, account, () => new Map());
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }

  /** Records an external id. Each account has its own external ids, so two accounts may use the same id. */
  #note(account: string, externalTaskId: string): void {
    const fingerprint = fingerprintOf(`${account} ${externalTaskId}`);
    if (!this.#seen.has(fingerprint)) return void this.#seen.add(fingerprint);
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

/**
 * The digest of a string: the first 52 bits of its SHA-1 hash. With a million strings, the probability of a collision is
 * one in ten thousand.
 */
function fingerprintOf(text: string): number {
  return Number.parseInt(hash('sha1', text, 'hex').slice(0, 13), 16);
}

/** Serialises fingerprints as base64 of little-endian doubles. */
function fingerprintText(fingerprints: ReadonlySet<number>): string {
  return Buffer.from(Float64Array.from(fingerprints).buffer).toString('base64');
}

function fingerprintsIn(text: string): Set<number> {
  const bytes = Buffer.from(text, 'base64');
  const count = Math.floor(bytes.length / 8);
  return new Set(Array.from({ length: count }, (_, index) => bytes.readDoubleLE(index * 8)));
}
