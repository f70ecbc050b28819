import { agent } from '../../kinds/definitions/agent.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { ManifestIdentity } from '../../manifest/resolve/resolution.ts';
import { type Notice, type NoticeFacts, notice, type Remedy, remedyIn } from '../../notices/notice.ts';
import { holdNotice } from '../../plan/verdicts/holds.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { ImportRow } from './list.ts';

/** How importing an agent would affect existing files and records. */
export type ImportConflicts =
  | { readonly state: 'new' }
  /** The manifest with this name is overwritten, because `force` is set or the agent has no record. */
  | { readonly state: 'anew'; readonly file: string }
  | { readonly state: 'present'; readonly file: string }
  | { readonly state: 'refused'; readonly reasons: readonly Notice[] };

interface ImportConflictInput {
  readonly environment: string;
  readonly manifests: readonly ManifestIdentity[];
  readonly records: readonly ResourceRecord[];
  readonly force: boolean;
}

/** Checks whether an agent can be imported under a name, given the existing manifests and records. */
export function importConflictsOf(
  { id, name }: Pick<ImportRow, 'id' | 'name'>,
  known: ImportConflictInput,
): ImportConflicts {
  const { environment, force } = known;
  const manifests = known.manifests.filter(({ kind }) => kind === agent.name);
  const records = known.records.filter(({ kind }) => kind === agent.name);
  const manifest = manifests.find((other) => other.name === name);
  const record = records.find((other) => other.name === name);
  const other = ownerOf(id, name, { manifests, records });
  const address = addressOf({ kind: agent.name, name });
  const forget = remedyIn(environment, 'record', 'forget', address);
  if (other !== undefined) return refused({ why: 'agent-taken', id, ...other });
  if (record !== undefined && isOfAnother(record, id)) {
    const recorded = record.id === undefined ? {} : { recorded: record.id };
    return refused({ why: 'record-of-other', id, address, environment, ...recorded }, [forget]);
  }
  if (manifest === undefined && (record === undefined || force)) return { state: 'new' };
  if (manifest === undefined) return refused({ why: 'no-manifest', address, environment }, [forget]);
  const isSame = manifest.agentId === id || (manifest.agentId === undefined && record?.id === id);
  if (force || (isSame && record === undefined)) return { state: 'anew', file: manifest.file };
  if (isSame) return { state: 'present', file: manifest.file };
  return refused({ why: 'manifest-of-other', id, address, environment, file: manifest.file });
}

function isOfAnother(record: ResourceRecord, id: string): boolean {
  return record.intent !== undefined || (record.id !== undefined && record.id !== id);
}

/** Refuses to overwrite a record on hold, even with `force`, because the hold would be lost. */
export function unlessHeld(
  conflicts: ImportConflicts,
  { record, now }: { readonly record: ResourceRecord | undefined; readonly now: Date },
): ImportConflicts {
  const willWrite = conflicts.state === 'new' || conflicts.state === 'anew';
  const refusal = willWrite && record !== undefined ? holdNotice(record, now) : undefined;
  return refusal === undefined ? conflicts : { state: 'refused', reasons: [refusal] };
}

function ownerOf(id: string, name: string, { manifests, records }: Pick<ImportConflictInput, 'manifests' | 'records'>) {
  const manifest = manifests.find((other) => other.agentId === id && other.name !== name);
  if (manifest !== undefined) return { owner: addressOf(manifest), file: manifest.file };
  const record = records.find((other) => other.id === id && other.name !== name);
  return record && { owner: addressOf(record) };
}

function refused(facts: NoticeFacts['import-conflict'], remedies: readonly Remedy[] = []): ImportConflicts {
  return { state: 'refused', reasons: [notice('import-conflict', facts, remedies)] };
}
