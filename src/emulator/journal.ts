import { isJsonObject } from '../json/json.ts';
import { mask } from '../secrets/secret.ts';
import type { OperationId } from './operations/operation.ts';
import { isFormData } from './request.ts';

/** A received request. Its query is omitted, because the query contains the token. */
interface JournalEntry {
  /** The operation, or null if no operation has this method and path. */
  readonly operation: OperationId | null;
  readonly method: string;
  readonly path: string;
  /** The id of the account used for the request, or null until a token is accepted. */
  readonly account: string | null;
  readonly body: unknown;
  /** The status. The status is null before the response is sent, and if the connection was reset. */
  readonly status: number | null;
}

type OpenEntry = { -readonly [Name in keyof JournalEntry]: JournalEntry[Name] };

/** Called with one line for each finished request: method, path, and the status or `reset`. */
export type OnRequest = (line: string) => void;

// The maximum number of entries. Without a limit, a server that runs for days would use too much memory.
const keptEntries = 10_000;

/** The requests to the service, in the order of arrival. */
export class Journal {
  readonly #onRequest: OnRequest | undefined;
  readonly #counts = new Map<OperationId, number>();
  #byRequest = new WeakMap<object, OpenEntry>();
  #entries: OpenEntry[] = [];

  constructor(onRequest?: OnRequest) {
    this.#onRequest = onRequest;
  }

  /** Records the arrival of a request. Pass the same `request` object to the other methods. */
  open(request: object, facts: Pick<JournalEntry, 'operation' | 'method' | 'path'>): void {
    const entry = { ...facts, account: null, body: null, status: null };
    this.#byRequest.set(request, entry);
    this.#entries.push(entry);
    if (this.#entries.length > keptEntries) this.#entries.shift();
    if (facts.operation) this.#counts.set(facts.operation, (this.#counts.get(facts.operation) ?? 0) + 1);
  }

  note(request: object, facts: Partial<Pick<JournalEntry, 'account' | 'body'>>): void {
    Object.assign(this.#byRequest.get(request) ?? {}, facts);
  }

  /** Records the status just before the response is sent. `status` is null for a reset connection. */
  settle(request: object, status: number | null): void {
    const entry = this.#byRequest.get(request);
    if (!entry) return;
    entry.status = status;
    this.#onRequest?.(`${entry.method} ${entry.path} ${status ?? 'reset'}`);
  }

  list(): readonly JournalEntry[] {
    return this.#entries;
  }

  /**
   * Returns the number of requests for each operation since the start. Clearing the journal does not reset these
   * numbers.
   */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  clear(): void {
    this.#entries = [];
  }
}

/** The members of settings that contain credentials of numbering providers and integrations. */
const credentials = new Set(['config', 'appData']);

/** The maximum length of a string in the journal. Attachments can be large. */
const maxTextLength = 100_000;

/**
 * Makes a body safe to display: masks credentials in JSON, and replaces each file in a form with its name and size.
 * Returns null for a missing body.
 */
export function maskedBody(body: unknown): unknown {
  if (!isFormData(body)) return maskedCredentials(body ?? null);
  return Object.fromEntries([...body].map(([name, part]) => [name, shownPart(part)]));
}

/** Masks the values inside `config` and `appData`, but keeps the names of members. */
export function maskedCredentials(value: unknown): unknown {
  return mapped(value, (name, member) => (credentials.has(name) ? masked(member) : maskedCredentials(member)));
}

function masked(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? mapped(value, (_name, member) => masked(member)) : mask;
}

function mapped(value: unknown, shown: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => shown('', item));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(name, one)]));
  return typeof value === 'string' && value.length > maxTextLength ? `(${value.length} characters)` : value;
}

function shownPart(part: File | string): unknown {
  return typeof part === 'string' ? part : { fileName: part.name, size: part.size };
}
