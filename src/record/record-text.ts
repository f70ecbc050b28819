import { createHash } from 'node:crypto';
import { AgentformError } from '../errors.ts';
import { readDocument } from '../kinds/document.ts';
import { isJsonObject } from '../kinds/json.ts';
import { checkedBy } from '../kinds/shape.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { recordFile } from '../schemas/record-validators.js';
import type { StoredRecord } from './store.ts';

/** The newest format of records that this agentform reads, and the one it writes. */
export const recordFormatVersion = 2;

/** A record as a file holds it: sorted keys, so that a diff in git shows what changed and nothing else. */
export function recordText(record: ResourceRecord): string {
  return `${JSON.stringify(record, sortKeys, 2)}\n`;
}

const form = { newest: recordFormatVersion, check: checkedBy<ResourceRecord>(recordFile, { showTexts: true }) };

/** Reads a record's text, moved up to the newest format; `place` names it in errors. */
export function parseRecord(text: string, place: string): StoredRecord {
  const reading = readDocument(text, form);
  if (reading.fits) {
    return { record: { ...reading.value, formatVersion: recordFormatVersion }, version: recordVersion(text) };
  }
  const { flaw, newer } = reading;
  if (newer === undefined) throw unreadable(place, flaw);
  const facts = { place, found: newer, supported: recordFormatVersion };
  throw new AgentformError('record-newer', `the record ${place} cannot be read: ${flaw}`, { facts });
}

/** Tells one state of a record from another. */
export function recordVersion(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function unreadable(place: string, why: string): AgentformError {
  return new AgentformError(
    'record-unreadable',
    `the record ${place} cannot be read: ${why}; restore it from git, or delete the file to start without a record`,
    { facts: { place } },
  );
}

function sortKeys(_name: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
