import { agent } from '../../kinds/agent.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { ManifestIdentity } from '../../manifest/resolve/resolution.ts';
import { type Remedy, remedyIn } from '../../notices/notice.ts';
import { heldRecord } from '../../plan/verdicts/holds.ts';
import { remedyText, sentenceOf } from '../../report/notices.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { ImportRow } from './list.ts';

/** Existing files and records of what will be imported. */
export type ImportConflicts =
  | { readonly state: 'new' }
  /** With `force`, or without a record yet, an existing manifest of that name is overwritten in place. */
  | { readonly state: 'anew'; readonly file: string }
  | { readonly state: 'present'; readonly file: string }
  | { readonly state: 'refused'; readonly message: string; readonly remedies: readonly Remedy[] };

export interface KnownResources {
  readonly environment: string;
  readonly manifests: readonly ManifestIdentity[];
  readonly records: readonly ResourceRecord[];
  readonly force: boolean;
}

/** Whether an agent can be imported under a name, given the existing manifests and records. */
export function importConflictsOf(
  { id, name }: Pick<ImportRow, 'id' | 'name'>,
  known: KnownResources,
): ImportConflicts {
  const { environment, force } = known;
  const manifests = known.manifests.filter(({ kind }) => kind === agent.name);
  const records = known.records.filter(({ kind }) => kind === agent.name);
  const manifest = manifests.find((other) => other.name === name);
  const record = records.find((other) => other.name === name);
  const other = ownerOf(id, { manifests, records, name });
  const address = addressOf({ kind: agent.name, name });
  if (other !== undefined) {
    return refused(`${id} already belongs to ${other}; an agent can have only one manifest, so use that name`);
  }
  if (record !== undefined && isOfAnother(record, id)) {
    const what = record.id === undefined ? 'of an unfinished create' : `of agent ${record.id}`;
    const forget = remedyIn(environment, 'record', 'forget', address);
    return refused(
      `the record of ${address} in ${environment} is ${what}, not of ${id}; choose another name, or remove it with ${remedyText(forget)}`,
      [forget],
    );
  }
  if (manifest === undefined) return record === undefined || force ? { state: 'new' } : withoutManifest(address, known);
  const isSame = manifest.agentId === id || (manifest.agentId === undefined && record?.id === id);
  if (force || (isSame && record === undefined)) return { state: 'anew', file: manifest.file };
  if (isSame) return { state: 'present', file: manifest.file };
  return refused(
    `${manifest.file} is already the manifest of ${address}; choose another name, declare \`target: { agentId: ${id} }\` ` +
      `for ${environment} in it yourself, or overwrite it with --force`,
  );
}

function isOfAnother(record: ResourceRecord, id: string): boolean {
  return record.intent !== undefined || (record.id !== undefined && record.id !== id);
}

/** Overwriting, even with `force`, must not drop the hold of an existing record. */
export function unlessHeld(
  conflicts: ImportConflicts,
  { record, now }: { readonly record: ResourceRecord | undefined; readonly now: Date },
): ImportConflicts {
  const isWritten = conflicts.state === 'new' || conflicts.state === 'anew';
  const held = isWritten && record !== undefined ? heldRecord(record, now) : undefined;
  return held === undefined ? conflicts : refused(sentenceOf(held), held.remedies);
}

function ownerOf(
  id: string,
  {
    manifests,
    records,
    name,
  }: { manifests: readonly ManifestIdentity[]; records: readonly ResourceRecord[]; name: string },
): string | undefined {
  const manifest = manifests.find((other) => other.agentId === id && other.name !== name);
  if (manifest !== undefined) return `${addressOf(manifest)} (${manifest.file})`;
  const record = records.find((other) => other.id === id && other.name !== name);
  return record === undefined ? undefined : `${addressOf(record)}, which has a record`;
}

function withoutManifest(address: string, { environment }: KnownResources): ImportConflicts {
  const forget = remedyIn(environment, 'record', 'forget', address);
  return refused(
    `${address} has a record in ${environment} but no manifest here; merge the branch that has the manifest, remove the record ` +
      `with ${remedyText(forget)}, or replace it with --force`,
    [forget],
  );
}

function refused(message: string, remedies: readonly Remedy[] = []): ImportConflicts {
  return { state: 'refused', message, remedies };
}
