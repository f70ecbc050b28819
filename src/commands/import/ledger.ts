import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportEntry, ImportLedger } from '../../apply/events.ts';
import { AgentformError } from '../../errors.ts';
import { readEditorSchema, schemaCopy } from '../../files/package-files.ts';
import { putFiles } from '../../files/swap.ts';
import { removeLeftoversBeside } from '../../files/whole-file.ts';
import type { Project } from '../../manifest/project/project.ts';
import { type Notice, notice, problemOf } from '../../notices/notice.ts';
import { recordPath } from '../../record/record-text.ts';
import { storeDefinitions } from '../../record/store-table.ts';
import { isLongEnough, redactor } from '../../secrets/redact.ts';
import { type Connected, withConnections } from '../../session/connections.ts';
import type { Host } from '../../session/host.ts';
import type { OpenRecords } from '../../session/records/records.ts';
import type { ImportOptions } from './open-import.ts';
import type { ImportRequest } from './request.ts';

/** Connects to the agents of an import, and hides the secrets of their targets in all output. */
export function withAgents<Result>(
  host: Host,
  { project, requests, concurrency }: Pick<ImportOptions, 'concurrency'> & ImportedAgents,
  work: (connected: Connected) => Promise<Result>,
): Promise<Result> {
  const redact = redactor(requests.flatMap(({ secrets }) => secrets).filter(isLongEnough));
  host.hideSecrets(redact);
  return withConnections(host, { project, concurrency, redact }, async (connect) =>
    work(await connect(requests.map(({ stub }) => stub.target))),
  );
}

interface ImportedAgents {
  readonly project: Project;
  readonly requests: readonly ImportRequest[];
}

/** The results of an import, before the schema copy is written and the records are shared. */
interface ImportResults {
  readonly entries: readonly ImportEntry[];
  /** The written files, without records and the schema copy. */
  readonly files: readonly string[];
  /** The names of the agents, in the order of the list. */
  readonly names: readonly string[];
}

/** Ends an import: writes the schema copy and shares the records. A failure is listed in the ledger. */
export async function finishedLedger(
  { project, store, environment }: OpenRecords,
  { entries, files, names }: ImportResults,
): Promise<ImportLedger> {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const imported = entries.filter(({ outcome }) => outcome === 'imported');
  // A killed run may have imported an agent without the schema copy.
  const hasManifests = entries.some(({ outcome }) => outcome === 'imported' || outcome === 'present');
  // Manifests also work without the schema copy, so the ledger is shown even if the copy fails.
  const schema = hasManifests ? await attempted(() => provideSchema(project)) : {};
  const shared = await attempted(() => store.share(`Import into ${environment}`));
  const records = storeDefinitions[project.record.store].isInProject
    ? imported.map(({ kind, name }) => recordPath({ environment, kind, name }))
    : [];
  return {
    environment,
    entries: names.flatMap((name) => byName.get(name) ?? []),
    files: [...files, ...records, ...(schema.result ?? [])],
    general: [schema, shared].flatMap(({ problem }) => problem ?? []),
  };
}

/**
 * Writes the copy of the schema that new manifests refer to, as `init` does. Keeps an existing copy. Returns the written
 * paths.
 */
async function provideSchema({ root }: Project): Promise<string[]> {
  const path = schemaCopy('manifest');
  if (existsSync(join(root, path))) {
    await removeLeftoversBeside([join(root, path)]);
    return [];
  }
  await putFiles(root, new Map([[path, await readEditorSchema('manifest')]]), { overwrite: false });
  return [path];
}

/** Returns the result of `work`, or a notice about an expected failure. */
export async function attempted<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result?: Result; readonly problem?: Notice }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof AgentformError) return { problem: notice('call-failed', problemOf(error)) };
    throw error;
  }
}
