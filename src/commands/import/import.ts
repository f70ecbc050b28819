import { setMaxListeners } from 'node:events';
import pMap from 'p-map';
import type { ImportEntry, ImportLedger } from '../../apply/events.ts';
import { type ExitCode, exitCodes } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { recordPath } from '../../record/record-text.ts';
import { storeOf } from '../../record/store-table.ts';
import { isLongEnough, redactor } from '../../secrets/redact.ts';
import { type Connections, withConnections } from '../../session/connections.ts';
import type { Host } from '../../session/host.ts';
import { applierIn } from '../../session/records/applier.ts';
import { locked, withRecords } from '../../session/records/records.ts';
import { attempted, importAgent } from './agent.ts';
import { checkImport } from './check.ts';
import { provideSchema } from './editor-schema.ts';
import { attempt, type ImportOptions, type OpenImport, openImport, requestsOf } from './open-import.ts';
import type { ImportRequest } from './request.ts';

export { importRowProblems } from './list.ts';
export type { ImportOptions } from './open-import.ts';

/**
 * Imports agents of the service into manifests and records, and plans them: it reports changes other than settings that
 * cannot be read. In a list, one failure does not stop the others; the failure of a single agent is thrown.
 */
export async function importAgents(host: Host, options: ImportOptions): Promise<ImportLedger> {
  const { what } = options;
  // Every agent that is being read listens; Node would warn of more than ten.
  setMaxListeners(0, options.signal);
  const ledger = await withRecords(host, options, async (records) => {
    if ('fleet' in what) return (await import('./fleet/fleet.ts')).importFleet(host, { ...options, what }, records);
    const opened = await openImport(host, { ...options, what }, records);
    return locked(opened.store, { ...opened, signal: options.signal }, () => importOpened(host, options, opened));
  });
  return ledger.interrupted ? ledger : withCheck(host, options, ledger);
}

async function importOpened(host: Host, options: ImportOptions, opened: OpenImport): Promise<ImportLedger> {
  const { environment, store, project } = opened;
  const { requests, settled } = await requestsOf(host, opened);
  const secrets = requests.flatMap((request) => request.secrets);
  const redact = redactor(secrets.filter(isLongEnough));
  host.hideSecrets(redact);
  const targets = requests.map(({ stub }) => stub.target);
  if (targets.length > 0) await store.requireWritable();
  const connecting = { project, concurrency: options.concurrency, redact };
  const done = await withConnections(host, connecting, async (connections) => {
    await connections.reach(targets);
    return importAll(host, options, { opened, requests, connections });
  });
  const entries = [...settled, ...done].sort((one, other) => opened.order(one.name) - opened.order(other.name));
  const imported = done.filter(({ outcome }) => outcome === 'imported');
  const names = new Set(imported.map(({ name }) => name));
  // Manifests are valid without their schemas for editors, so the ledger is shown even if copying those fails.
  const schema = await attempted(() =>
    provideSchema(
      project,
      requests.filter(({ row }) => names.has(row.name)),
    ),
  );
  const shared = await attempted(() => store.share(`Import into ${environment}`));
  const files = [...imported.flatMap((entry) => filesOf(entry, opened)), ...(schema.result ?? [])];
  const general = [schema, shared].flatMap(({ problem }) => problem ?? []);
  return { environment, entries, files, general, ...(options.signal.aborted && { interrupted: true as const }) };
}

function filesOf({ kind, name, file, texts = [] }: ImportEntry, { project, environment }: OpenImport): string[] {
  const { isInProject } = storeOf(project.record);
  return [
    ...(file === undefined ? [] : [file]),
    ...texts,
    ...(isInProject ? [recordPath({ environment, kind, name })] : []),
  ];
}

interface Running {
  readonly opened: OpenImport;
  readonly requests: readonly ImportRequest[];
  readonly connections: Connections;
}

async function importAll(host: Host, options: ImportOptions, running: Running): Promise<ImportEntry[]> {
  const { opened, requests, connections } = running;
  const { force, describe, signal } = options;
  const applier = await applierIn(opened.project.root, host.env);
  const { service, connectionOf } = connections;
  const context = { ...opened, service, connectionOf, host, force, describe, signal, applier };
  signal.addEventListener('abort', () => host.emit({ type: 'interrupted' }), { once: true });
  // A single agent may be asked about, and a question cannot share the terminal with a display.
  const emit = opened.isList ? host.emit : () => undefined;
  emit({ type: 'phase-started', phase: 'import', total: requests.length });
  const work = async (request: ImportRequest): Promise<ImportEntry> => {
    const { id, name } = request.row;
    const entry: ImportEntry = signal.aborted
      ? { kind: 'Agent', id, name, outcome: 'not attempted', message: 'the run was interrupted before its turn' }
      : await attempt({ id, name }, opened, async () => ({
          ...(await importAgent(request, context)),
          outcome: 'imported',
        }));
    emit({ type: 'resource-imported', entry });
    return entry;
  };
  const entries = await pMap(requests, work, { concurrency: options.concurrency });
  emit({ type: 'phase-finished', phase: 'import' });
  return entries;
}

async function withCheck(host: Host, options: ImportOptions, result: ImportLedger): Promise<ImportLedger> {
  const imported = result.entries.filter(({ outcome }) => outcome === 'imported');
  const addresses = imported.map(addressOf);
  const { left, general } = await checkImport(hostReading(host, result.files), {
    ...options,
    environment: result.environment,
    addresses,
  });
  // An interrupted check says nothing about the agents.
  if (options.signal.aborted) return { ...result, interrupted: true };
  const entries = result.entries.map((entry) => {
    const found = left.get(addressOf(entry));
    if (found === undefined) return entry;
    return { ...entry, left: found };
  });
  return { ...result, entries, general: [...result.general, ...general] };
}

/** Files of an import may be read even if git does not track them yet. */
function hostReading(host: Host, files: readonly string[]): Host {
  const { readable } = host;
  return readable === undefined
    ? host
    : { ...host, readable: { ...readable, paths: new Set([...readable.paths, ...files]) } };
}

/** An import is done if everything is there, and a plan was made and has nothing that was not to be expected. */
export function exitCodeOfImport({ entries, general, interrupted }: ImportLedger): ExitCode {
  const isDone = entries.every(
    ({ outcome, left = [] }) => (outcome === 'imported' || outcome === 'present') && left.length === 0,
  );
  return isDone && general.length === 0 && interrupted === undefined ? exitCodes.done : exitCodes.failed;
}
