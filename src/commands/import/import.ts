import { setMaxListeners } from 'node:events';
import pMap from 'p-map';
import type { ImportEntry, ImportLedger } from '../../apply/events.ts';
import { AgentformError, type ExitCode, exitCodes } from '../../errors.ts';
import { telling } from '../../interruption.ts';
import { addressOf } from '../../kinds/desired.ts';
import { formatPath } from '../../kinds/field-path.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { validateProject } from '../../manifest/resolve/validate-project.ts';
import { type Notice, notice, problemOf } from '../../notices/notice.ts';
import { fileNotice } from '../../report/problems/sentence.ts';
import { fieldsByKind } from '../../schemas/fields.ts';
import type { ResourcePlan } from '../../schemas/plan-types.ts';
import type { Connected } from '../../session/connections.ts';
import type { Host } from '../../session/host.ts';
import { applierIn } from '../../session/records/applier.ts';
import { locked, withRecords } from '../../session/records/records.ts';
import { plan } from '../plan/plan.ts';
import { importAgent } from './agent.ts';
import { finishedLedger, withAgents } from './ledger.ts';
import { attempt, type ImportOptions, type OpenImport, openImport, requestsOf } from './open-import.ts';
import type { ImportRequest } from './request.ts';

/**
 * Imports agents into manifests and records, then plans them. Reports every remaining change except changes to required
 * write-only settings. If importing an agent from a list fails, continues with the next agent. The failure of a single
 * agent is thrown.
 */
export async function importAgents(host: Host, options: ImportOptions): Promise<ImportLedger> {
  const { what } = options;
  // Each read in flight adds a listener. By default, Node warns if there are more than ten.
  setMaxListeners(0, options.signal);
  const ledger = await withRecords(host, options, async (records) => {
    if ('fleet' in what) return (await import('./fleet/fleet.ts')).importFleet(host, { ...options, what }, records);
    const opened = await openImport(host, { ...options, what }, records);
    return locked(opened.store, { ...opened, signal: options.signal }, () => importOpened(host, options, opened));
  });
  return ledger.interrupted ? ledger : withCheck(host, options, ledger);
}

async function importOpened(host: Host, options: ImportOptions, opened: OpenImport): Promise<ImportLedger> {
  const { requests, settled } = await requestsOf(host, opened);
  if (requests.length > 0) await opened.store.requireWritable();
  const { concurrency, signal } = options;
  const done = await withAgents(host, { ...opened, requests, concurrency }, (connected) =>
    importAll(host, options, { ...opened, ...connected, requests }),
  );
  const files = done.flatMap(({ outcome, file = [], texts = [] }) =>
    outcome === 'imported' ? [file, texts].flat() : [],
  );
  const names = opened.rows.map(({ name }) => name);
  const ledger = await finishedLedger(opened, { entries: [...settled, ...done], files, names });
  return { ...ledger, ...(signal.aborted && { interrupted: true as const }) };
}

async function importAll(
  host: Host,
  options: ImportOptions,
  running: OpenImport & Connected & { readonly requests: readonly ImportRequest[] },
): Promise<ImportEntry[]> {
  const { requests, isList, project } = running;
  const { force, describe, signal } = options;
  const context = { ...running, host, force, describe, signal, applier: await applierIn(project.root, host.env) };
  // The prompt for a single agent cannot share the terminal with a progress display.
  const emit = isList ? host.emit : () => undefined;
  emit({ type: 'phase-started', phase: 'import', total: requests.length });
  const work = async (request: ImportRequest): Promise<ImportEntry> => {
    const { id, name } = request.row;
    const entry: ImportEntry = signal.aborted
      ? { kind: 'Agent', id, name, outcome: 'not attempted', reasons: [notice('interrupted', {})] }
      : await attempt({ id, name }, running, async () => ({
          ...(await importAgent(request, context)),
          outcome: 'imported',
        }));
    emit({ type: 'resource-imported', entry });
    return entry;
  };
  const tell = () => host.emit({ type: 'interrupted' });
  const entries = await telling(signal, tell, () => pMap(requests, work, { concurrency: options.concurrency }));
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
  // The result of an interrupted check is incomplete, so it is dropped.
  if (options.signal.aborted) return { ...result, interrupted: true };
  const entries = result.entries.map((entry) => {
    const found = left.get(addressOf(entry));
    return found === undefined ? entry : { ...entry, left: found };
  });
  return { ...result, entries, general: [...result.general, ...general] };
}

/** Allows reading the imported files, because git does not track them yet. */
function hostReading(host: Host, files: readonly string[]): Host {
  const { readable } = host;
  return readable === undefined
    ? host
    : { ...host, readable: { ...readable, paths: new Set([...readable.paths, ...files]) } };
}

/**
 * Returns the exit code of an import. The code is 0 if all agents are imported, now or earlier, and there are no
 * unexpected changes or other problems.
 */
export function exitCodeOfImport({ entries, general, interrupted }: ImportLedger): ExitCode {
  const isDone = entries.every(
    ({ outcome, left = [] }) => (outcome === 'imported' || outcome === 'present') && left.length === 0,
  );
  return isDone && general.length === 0 && interrupted === undefined ? exitCodes.done : exitCodes.failed;
}

interface ImportCheckOptions extends Pick<ImportOptions, 'project' | 'concurrency'> {
  readonly environment: string;
  readonly addresses: readonly string[];
}

/**
 * The paths of required write-only settings. The plan after an import usually changes these settings, because they
 * cannot be read.
 */
const expectedPaths: ReadonlySet<string> = new Set(
  fieldsByKind.Agent.filter(({ required, readable }) => required && !readable).map((field) =>
    formatPath('Agent', field.path),
  ),
);

interface ImportCheck {
  /** The remaining changes, or the reasons why an agent could not be planned, keyed by address. */
  readonly left: ReadonlyMap<string, readonly Notice[]>;
  /** Why the whole run would be refused, and the problems that `validate` would report. */
  readonly general: readonly Notice[];
}

/** Plans the imported agents as `plan` does, and validates them in every environment. */
async function checkImport(host: Host, options: ImportCheckOptions): Promise<ImportCheck> {
  const { addresses } = options;
  if (addresses.length === 0) return { left: new Map(), general: [] };
  const found = await validated(host, options);
  try {
    const result = await plan(host, { ...options, names: addresses });
    const left = result.plan.resources.map((resource) => [addressOf(resource), leftOf(resource)] as const);
    return { left: new Map(left.filter(([, one]) => one.length > 0)), general: [...found, ...result.plan.refusals] };
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    return { left: new Map(), general: [...found, notice('plan-failed', problemOf(error))] };
  }
}

async function validated({ env }: Host, { project, addresses }: ImportCheckOptions): Promise<Notice[]> {
  const loaded = await loadProject(project);
  if (loaded.environments.length < 2) return [];
  const wanted = new Set(addresses);
  const { problems } = await validateProject(loaded, { env, select: (address) => wanted.has(address) });
  const errors = problems.filter(({ severity }) => severity === 'error');
  return errors.map(fileNotice);
}

function leftOf({ reasons, changes }: ResourcePlan): readonly Notice[] {
  const unexpected = changes.filter(({ path, knowledge }) => knowledge !== 'blind' || !expectedPaths.has(path));
  if (unexpected.length === 0) return reasons;
  const open = unexpected.map(({ path, op, cause }) => ({ path, op, cause }));
  return [...reasons, notice('would-change', { changes: open })];
}
