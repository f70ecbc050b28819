import { isJsonObject } from '../json/json.ts';
import { mask } from '../secrets/secret.ts';
import type { OperationId } from './operations/operation.ts';
import { isFormData } from './request.ts';

/** A request that the service received; never with its query, which holds the token. */
export interface JournalEntry {
  /** Null for a path that belongs to no operation. */
  readonly operation: OperationId | null;
  readonly method: string;
  readonly path: string;
  /** Id of the account that it acted for; null until a token is accepted. */
  readonly account: string | null;
  readonly body: unknown;
  /** Null without a response so far, and permanently after a reset. */
  readonly status: number | null;
}

type OpenEntry = { -readonly [Name in keyof JournalEntry]: JournalEntry[Name] };

/** Called with a line per answered request: method, path, and the status or `reset`. */
export type OnRequest = (line: string) => void;

// A server that runs for days must not grow with every request.
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

  /** Notes the arrival of a request, which `request` stands for from then on. */
  open(request: object, facts: Pick<JournalEntry, 'operation' | 'method' | 'path'>): void {
    const entry = { ...facts, account: null, body: null, status: null };
    this.#byRequest.set(request, entry);
    this.#entries.push(entry);
    if (this.#entries.length > keptEntries) this.#entries.shift();
    if (facts.operation) this.#counts.set(facts.operation, (this.#counts.get(facts.operation) ?? 0) + 1);
  }

  /** Adds what became known of a request. */
  note(request: object, facts: Partial<Pick<JournalEntry, 'account' | 'body'>>): void {
    Object.assign(this.#byRequest.get(request) ?? {}, facts);
  }

  /** Notes the status right before the answer leaves; null for a connection that is reset instead. */
  settle(request: object, status: number | null): void {
    const entry = this.#byRequest.get(request);
    if (!entry) return;
    entry.status = status;
    this.#onRequest?.(`${entry.method} ${entry.path} ${status ?? 'reset'}`);
  }

  list(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** The number of requests for each operation since the start; clearing does not reset it. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  clear(): void {
    this.#entries = [];
  }
}

/** Members that hold credentials, of a numbering provider and of an integration. */
const credentials = new Set(['config', 'appData']);

/** Longest text that is kept of a body: attachments are large. */
const longestText = 100_000;

/** A body as it may be seen: credentials masked, of a file its name and size, and none is null. */
export function maskedBody(body: unknown): unknown {
  if (!isFormData(body)) return withoutCredentials(body ?? null);
  return Object.fromEntries([...body].map(([name, part]) => [name, shownPart(part)]));
}

/** The value with a mask for each value within `config` and `appData`; names of members stay. */
export function withoutCredentials(value: unknown): unknown {
  return mapped(value, (name, member) => (credentials.has(name) ? masked(member) : withoutCredentials(member)));
}

function masked(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? mapped(value, (_name, member) => masked(member)) : mask;
}

function mapped(value: unknown, shown: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => shown('', item));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(name, one)]));
  return typeof value === 'string' && value.length > longestText ? `(${value.length} characters)` : value;
}

function shownPart(part: File | string): unknown {
  return typeof part === 'string' ? part : { fileName: part.name, size: part.size };
}
