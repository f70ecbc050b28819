import { createHash } from 'node:crypto';
import { AgentformError } from '../errors.ts';
import { isJsonObject } from '../kinds/json.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { recordFile } from '../schemas/record-validators.js';
import type { StoredRecord } from './store.ts';

/** The newest format of records that this agentform reads, and the one it writes. */
export const recordFormatVersion = 1;

/** A record as a file holds it: sorted keys, so that a diff in git shows what changed and nothing else. */
export function recordText(record: ResourceRecord): string {
  return `${JSON.stringify(record, sortKeys, 2)}\n`;
}

/** Reads a record's text; `place` names it in errors. */
export function parseRecord(text: string, place: string): StoredRecord {
  const value = parsedJson(text, place);
  refuseNewer(value, place);
  if (!isRecord(value)) {
    const [violation] = recordFile.errors ?? [];
    const where = violation?.instancePath || '/';
    throw unreadable(place, `${where} ${violation?.message ?? 'does not fit the schema of records'}`);
  }
  return { record: value, version: recordVersion(text) };
}

/** Tells one state of a record from another. */
export function recordVersion(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parsedJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(place, 'it is not JSON', cause);
  }
}

function refuseNewer(value: unknown, place: string): void {
  const version = isJsonObject(value) ? value.formatVersion : undefined;
  if (typeof version !== 'number' || version <= recordFormatVersion) return;
  throw new AgentformError(
    'record-newer',
    `the record ${place} has format version ${version} and this agentform reads up to ${recordFormatVersion}; update agentform`,
    { facts: { place, found: version, supported: recordFormatVersion } },
  );
}

function isRecord(value: unknown): value is ResourceRecord {
  return recordFile(value);
}

function unreadable(place: string, why: string, cause?: unknown): AgentformError {
  return new AgentformError(
    'record-unreadable',
    `the record ${place} cannot be read: ${why}; restore it from git, or delete the file to start without a record`,
    {
      facts: { place },
      cause,
    },
  );
}

function sortKeys(_name: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
