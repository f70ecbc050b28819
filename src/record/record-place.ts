import { AgentformError } from '../errors.ts';
import { parseRecord } from './record-text.ts';
import type { RecordKey, StoredRecord } from './store.ts';

/** Where records lie below the project folder, or below its path in the branch that holds them. */
export const recordsFolder = '.agentform/records';

/** Bytes of the largest record that is read. */
export const recordSizeLimit = 16 * 1024 * 1024;

/** The path of a record below the project folder. */
export function placeOf({ environment, kind, name }: RecordKey): string {
  return `${recordsFolder}/${environment}/${kind}/${name}.json`;
}

/** Which record lies at a path below the project folder; undefined if none does. */
export function keyAt(place: string): RecordKey | undefined {
  const match = /^\.agentform\/records\/([^/]+)\/([^/]+)\/([^/]+)\.json$/.exec(place);
  const [, environment, kind, name] = match ?? [];
  return environment && kind && name ? { environment, kind, name } : undefined;
}

/** Reads the text found at a place; a record that belongs to another resource than its place is refused. */
export function parseRecordAt(text: string, place: string): StoredRecord {
  const stored = parseRecord(text, place);
  if (placeOf(stored.record) === place) return stored;
  const { environment, kind, name } = stored.record;
  const isPlain = [environment, kind, name].every((word) => /^[\w-]{1,100}$/.test(word));
  throw new AgentformError(
    'record-unreadable',
    `the record ${place} belongs to ${isPlain ? `${kind}/${name} in ${environment}` : 'another resource'}; a record is renamed with \`agentform record rename\`, not by moving its file`,
    { facts: { place } },
  );
}
