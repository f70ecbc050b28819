import { AgentformError } from '../errors.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { counted, formatNumber } from '../text/wording.ts';
import type { StoredRecord } from './store.ts';

// One record has a limit, and so have the records of an environment together: large ones multiply. It grows with their
// number, so it does not affect projects with many agents.

/** Twice the texts that a project may have, because a value may be recorded as sent and as read back. */
const [mostBytes, mostBytesEach] = [96 * 2 ** 20, 64 * 2 ** 10];
/** The limit of a project's manifests; comparing this many takes half of the ten seconds of a run. */
const [mostFields, mostFieldsEach] = [60_000, 250];

/** The limit of one environment. */
export const mostRecords = 250_000;

/** The maximum bytes of this number of records together. */
export function bytesFor(count: number): number {
  return mostBytes + count * mostBytesEach;
}

/** Counts the records of an environment while they are read; throws `record-unreadable` where they are too much. */
export class RecordLimits {
  readonly #location: string;
  readonly #count: number;
  #bytes = 0;
  #fields = 0;

  /** `location` is where they are, for the message. */
  constructor(location: string, count: number) {
    this.#location = location;
    this.#count = count;
    if (count > mostRecords) throw this.#refused(`it has more than ${formatNumber(mostRecords)} records`);
  }

  /** Checked before the text is parsed. */
  takeText(bytes: number): void {
    this.#bytes += bytes;
    const most = bytesFor(this.#count);
    if (this.#bytes > most) throw this.#tooMuch(`${Math.floor(most / 2 ** 20)} MiB`);
  }

  /** The records with these keys; their fields count. */
  collect<Key>(keys: readonly Key[], find: (location: Key) => StoredRecord | undefined): StoredRecord[] {
    return keys.flatMap((location) => {
      const stored = find(location);
      if (stored === undefined) return [];
      this.#takeFields(stored.record);
      return stored;
    });
  }

  #takeFields({ fields }: ResourceRecord): void {
    this.#fields += Object.keys(fields).length;
    const most = mostFields + this.#count * mostFieldsEach;
    if (this.#fields > most) throw this.#tooMuch(`${formatNumber(most)} fields`);
  }

  #tooMuch(limit: string): AgentformError {
    return this.#refused(`its ${counted(this.#count, 'record')} have more than ${limit} together`);
  }

  #refused(why: string): AgentformError {
    const location = this.#location;
    const message = `${location} cannot be read: ${why}; remove those that agentform did not write`;
    return new AgentformError('record-unreadable', message, { facts: { place: location } });
  }
}
