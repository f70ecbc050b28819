import { join } from 'node:path';
import pMap from 'p-map';
import type { ImportEntry, ImportLedger } from '../../../apply/events.ts';
import { fieldsWithoutWrite } from '../../../apply/records/settled-fields.ts';
import { AgentformError } from '../../../errors.ts';
import { putFiles, replaceFiles } from '../../../files/swap.ts';
import { removeLeftoversBeside } from '../../../files/whole-file.ts';
import { requireUninterrupted } from '../../../interruption.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../json/json.ts';
import { valueIn } from '../../../kinds/definition.ts';
import { addressOf, byAddress, type Desired, type Target } from '../../../kinds/desired.ts';
import { type FieldPath, formatPath, isWithin, parsePath } from '../../../kinds/field-path.ts';
import { secrecyOf } from '../../../kinds/sensitive.ts';
import { editedProject, type Project, pendingProject } from '../../../manifest/project/project.ts';
import { desiredOfAll, type Resolution } from '../../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../../manifest/resolve/resolve-project.ts';
import { type Notice, notice } from '../../../notices/notice.ts';
import { fieldChanges } from '../../../plan/fields/field-changes.ts';
import { resourceState } from '../../../plan/fields/resource-state.ts';
import { recordOf } from '../../../plan/records/record-of.ts';
import { problemSentence } from '../../../report/problems/sentence.ts';
import { fieldsByKind } from '../../../schemas/fields.ts';
import type { ResourceRecord } from '../../../schemas/record-types.ts';
import type { KeyedResolution } from '../../../session/fingerprint-keys.ts';
import type { Host } from '../../../session/host.ts';
import { applierIn } from '../../../session/records/applier.ts';
import { locked, type OpenRecords } from '../../../session/records/records.ts';
import { requireValid } from '../../../session/session.ts';
import { type Problem, ProblemsError } from '../../../yaml/problem.ts';
import { namesAround } from '../../../yaml/tree.ts';
import { type Overrides, overridesFor, type ShownAgent } from '../../update/update.ts';
import { type ReadAgent, readAgent, saveRecord } from '../agent.ts';
import { attempted, finishedLedger, withAgents } from '../ledger.ts';
import { sectionsOfFields } from '../manifest/write-manifest.ts';
import type { ImportOptions } from '../open-import.ts';
import type { ImportRequest } from '../request.ts';
import type { FleetImport } from './ask.ts';
import { type OpenFleet, openFleet, rowProblem, unreadableAgents, withoutPlanned } from './open-fleet.ts';
import { fleetFiles, sharedSections } from './template.ts';

interface Taken {
  readonly request: ImportRequest;
  readonly read: ReadAgent;
  readonly shown: ResourceRecord;
}

/** A fleet that has not been written yet, with its members' overrides. */
interface DraftFleet {
  readonly files: ReadonlyMap<string, string>;
  readonly overrides: Overrides;
  /** The resolution with all members. */
  readonly resolution: Resolution;
  /** The reasons why no override declares a field that a plan would still change, by address and path. */
  readonly left: ReadonlyMap<string, ReadonlyMap<string, Notice>>;
  /** The paths that the template omits because of an agent, by the agent's address. */
  readonly causes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Imports agents as members of a fleet. A new template contains the values that most agents share. The code of `update`
 * makes an override from each agent's differences. Writes nothing unless all agents can be read.
 */
export function importFleet(
  host: Host,
  options: ImportOptions & { readonly what: FleetImport },
  records: OpenRecords,
): Promise<ImportLedger> {
  return locked(records.store, { ...records, signal: options.signal }, async () => {
    const opened = await openFleet(host, options, records);
    const { requests, present } = opened;
    const names = opened.table.rows.map(({ name }) => name.value);
    if (requests.length === 0) return finishedLedger(opened, { entries: present, files: [], names });
    if (opened.layout !== undefined) options.what.requireAnswer?.();
    await records.store.requireWritable();
    const taken = await readAll(host, options, opened);
    const made = await accepted(host, options.what, { opened, taken });
    requireUninterrupted(options.signal);
    const written = await writeAll(host, options, { opened, taken, made });
    return finishedLedger(opened, { ...written, entries: [...present, ...written.entries], names });
  });
}

async function readAll(host: Host, { concurrency, signal }: ImportOptions, opened: OpenFleet): Promise<Taken[]> {
  const { requests } = opened;
  return withAgents(host, { ...opened, concurrency }, async (connected) => {
    const describe = async () => '';
    const context = { ...opened, ...connected, host, signal, describe };
    host.emit({ type: 'phase-started', phase: 'read', total: requests.length });
    const read = async (request: (typeof requests)[number]) => {
      const result = await takenOrProblem(request, context);
      const { kind, name } = request.stub;
      host.emit({ type: 'resource-read', kind, name, failed: 'problem' in result });
      return result;
    };
    const results = await pMap(requests, read, { concurrency });
    host.emit({ type: 'phase-finished', phase: 'read' });
    const problems = results.flatMap((result) => ('problem' in result ? [result.problem] : []));
    if (problems.length > 0) throw unreadableAgents(opened, problems);
    return results.flatMap((result) => ('problem' in result ? [] : [result]));
  });
}

async function takenOrProblem(request: ImportRequest, context: Parameters<typeof readAgent>[1]) {
  try {
    const read = await readAgent(request, context);
    const { desired, secrets } = read.fitted;
    const keyed = await context.keys.keyed(desired);
    const { campaign } = read;
    const state = resourceState({ desired: keyed, reading: { campaign } }, secrecyOf(secrets));
    const seen = { id: campaign.id, fields: fieldsWithoutWrite(state), lastUpdate: campaign.lastUpdate ?? undefined };
    return { request, read, shown: recordOf(keyed, seen) };
  } catch (error) {
    if (!(error instanceof AgentformError) || error.code === 'interrupted') throw error;
    return { problem: rowProblem(request.row.name, error) };
  }
}

interface Work {
  readonly opened: OpenFleet;
  readonly taken: readonly Taken[];
}

/** Makes overrides for an existing fleet, or makes a new fleet and asks the user to accept it. */
async function accepted(host: Host, { offer = async () => 'write' }: FleetImport, work: Work): Promise<DraftFleet> {
  const { layout } = work.opened;
  if (layout === undefined) return makeWith(new Map(), host, work);
  let made = await derived(host, work);
  let files = made.files;
  let problems: readonly Problem[] = [];
  for (;;) {
    const counts = { agents: work.taken.length, overridden: made.overrides.filesOf.size };
    const answer = await offer({ files, fleet: layout.fleet, problems, ...counts });
    if (answer === 'write') return made;
    files = new Map([...files, ...answer]);
    try {
      made = await makeWith(files, host, work);
      problems = [];
    } catch (error) {
      if (!(error instanceof ProblemsError)) throw error;
      problems = error.problems.filter(({ severity }) => severity === 'error');
    }
  }
}

/**
 * Makes a new fleet. Each round removes from the template the values that no override can change, until no such values
 * are left.
 */
async function derived(host: Host, work: Work): Promise<DraftFleet> {
  const { environment, layout, target, description } = work.opened;
  if (layout === undefined) throw new RangeError('the fleet already exists');
  const members = work.taken.map(({ request, read }) => ({
    sections: sourceSections(read.fitted.desired),
    cells: new Map(Object.entries(request.variables ?? {}).map(([column, cell]) => [column, String(cell)])),
    isSecret: request.text.exposes,
  }));
  const left: FieldPath[] = [];
  const causes = new Map<string, string[]>();
  for (;;) {
    const without = (path: FieldPath) => left.some((one) => isWithin(path, one));
    const shared = sharedSections('Agent', members, without);
    const sections = { ...shared, settings: { ...(isJsonObject(shared.settings) && shared.settings), description } };
    const comments = new Map([['environments', [hiddenSettings]]]);
    const made = await makeWith(fleetFiles(layout, { sections, target, overlay: environment, comments }), host, work);
    const open = [...made.left].flatMap(([address, fields]) =>
      [...fields.keys()].map((text) => ({ address, path: inTemplate(parsePath(text)) })),
    );
    const fresh = open.filter(({ path }) => !without(path));
    if (fresh.length === 0) return { ...made, causes };
    for (const { address, path } of fresh) {
      causes.set(address, [...(causes.get(address) ?? []), formatPath('Agent', path)]);
      left.push(path);
    }
  }
}

/** Returns the sections as in a manifest, with unvalidated values under `extraSettings`. */
function sourceSections({ kind, sections, unvalidated = [] }: Desired<Target>): JsonObject {
  const names = new Set(unvalidated);
  const own = sectionsOfFields(kind, (field) => (names.has(field.name) ? undefined : valueIn(sections, field)));
  const extra = fieldsByKind[kind].flatMap((field): [string, Json][] => {
    const value = names.has(field.name) ? valueIn(sections, field) : undefined;
    return value === undefined ? [] : [[field.name, value]];
  });
  const others = isJsonObject(sections.extraSettings) ? sections.extraSettings : {};
  const all = { ...others, ...Object.fromEntries(extra) };
  return Object.keys(all).length === 0 ? own : { ...own, extraSettings: all };
}

const hiddenSettings = 'Settings that the service does not return are not declared here, and keep their values.';

/** Returns the path to omit from the template: a field or a whole list element. */
function inTemplate(path: FieldPath): FieldPath {
  return path.slice(0, 2);
}

async function makeWith(files: ReadonlyMap<string, string>, host: Host, { opened, taken }: Work): Promise<DraftFleet> {
  const { environment, path, keys, requests } = opened;
  const project = pendingProject(opened.project, path, files);
  const { env, allowedSecrets } = host;
  const addresses = new Set(requests.map(({ stub }) => addressOf(stub)));
  const select = (address: string) => addresses.has(address);
  const resolved = (one: Project) =>
    resolveProject(one, { environment, secrets: 'values', env, allowedSecrets, select });
  const unedited = await resolved(project);
  requireValid(withoutPlanned(unedited.problems, opened.project), { project });
  const before = await keys.resolution(unedited);
  const wanted = byAddress(desiredOfAll(before));
  const agents = taken.flatMap(({ request, read: { campaign, credentials, fitted }, shown }): ShownAgent[] => {
    const desired = wanted.get(addressOf(request.stub));
    const unvalidated = new Set(fitted.desired.unvalidated);
    return desired === undefined ? [] : [{ desired, campaign, credentials, shown, unvalidated }];
  });
  const invalid = new Map<string, string>();
  const obstacle = (address: string, field: FieldPath) =>
    invalid.get(JSON.stringify([address, inTemplate(field)])) ??
    invalid.get(JSON.stringify([address, field.slice(0, 1)]));
  for (;;) {
    const overrides = await overridesFor({ project, environment, resolution: before, agents, obstacle, host });
    const texts = new Map(overrides.files.map(({ path: file, after }) => [file, after]));
    const edited = editedProject(project, texts);
    const after = await resolved(edited);
    const found = await invalidFields(edited, after);
    const fresh = found.filter(({ address, field }) => obstacle(address, field) === undefined);
    for (const { address, field, message } of fresh) invalid.set(JSON.stringify([address, field]), message);
    if (fresh.length > 0) continue;
    requireValid(withoutPlanned(after.problems, opened.project), { project: edited });
    const resolution = await keys.resolution(after);
    return { files, overrides, resolution, left: leftIn(agents, resolution, overrides), causes: new Map() };
  }
}

/** Finds the override fields whose live values no manifest can declare. */
async function invalidFields(project: Project, { all, problems }: Resolution) {
  const owners = new Map(all.map((one) => [one.ownFile ?? '', addressOf(one)]));
  const found: { readonly address: string; readonly field: FieldPath; readonly message: string }[] = [];
  for (const problem of problems) {
    const { severity, at } = problem;
    const address = at === undefined || severity !== 'error' ? undefined : owners.get(at.file);
    if (at === undefined || address === undefined) continue;
    const { resource } = await project.parsed.load(at.file);
    const field = resource === undefined ? [] : inTemplate(namesAround(resource.root, at.offset));
    if (field.length > 0) found.push({ address, field, message: problemSentence(problem) });
  }
  return found;
}

/** Plans every agent with its override. Returns the remaining changes, with reasons. */
function leftIn(agents: readonly ShownAgent[], resolution: KeyedResolution, overrides: Overrides): DraftFleet['left'] {
  const secrecy = secrecyOf(resolution.secrets);
  const desired = byAddress(desiredOfAll(resolution));
  const all = agents.flatMap(({ campaign, credentials, shown, desired: { kind, name } }) => {
    const address = addressOf({ kind, name });
    const now = desired.get(address);
    if (now === undefined) return [];
    const state = resourceState({ desired: now, reading: { campaign }, record: shown, credentials }, secrecy);
    const { changes } = fieldChanges(state, { unverified: 'report', secrecy, touched: false });
    // Extra settings always count, because the template would add them to agents without them.
    const open = changes.filter(({ change, path }) => change.knowledge === 'compared' || path[0] === 'extraSettings');
    const refused = overrides.refused.get(address) ?? [];
    const fields = new Map<string, Notice>([
      ...open.map(({ path }) => {
        const text = formatPath(kind, path);
        return [text, notice('import-differs', { why: 'no-override', paths: [text] })] as const;
      }),
      ...refused.map(({ path, reason }) => [path, withPath(path, reason)] as const),
    ]);
    return fields.size === 0 ? [] : [[address, fields] as const];
  });
  return new Map(all);
}

function withPath(path: string, reason: Notice): Notice {
  return reason.code === 'not-copied' ? { ...reason, facts: { ...reason.facts, path } } : reason;
}

/**
 * Writes all files together, then the records. If the run is killed, a second run finds the same files, removes the
 * temporary files beside them, and saves the missing records.
 */
async function writeAll(
  host: Host,
  { concurrency, force }: ImportOptions,
  { opened, taken, made }: Work & { readonly made: DraftFleet },
): Promise<Pick<ImportLedger, 'entries' | 'files'>> {
  const { project } = opened;
  const needed = made.resolution.selected.flatMap((one) => made.resolution.declaredOf(addressOf(one))?.needed ?? []);
  await removeLeftoversBeside(needed.map((file) => join(project.root, file)));
  const undo = await replaceFiles(project.root, made.overrides.files);
  try {
    await putFiles(project.root, made.files, { overwrite: force });
  } catch (error) {
    await undo();
    throw error;
  }
  const context = { ...opened, host, applier: await applierIn(project.root, host.env) };
  const secrecy = secrecyOf(made.resolution.secrets);
  const record = (one: (typeof taken)[number]) =>
    recorded(one, { opened, made }, (wanted) => saveRecord(wanted, { ...one.read, context, secrecy }));
  const entries = await pMap(taken, record, { concurrency });
  return { entries, files: [...made.files.keys(), ...made.overrides.files.map(({ path }) => path)] };
}

async function recorded(
  { request, read }: Taken,
  { opened, made }: Pick<Work, 'opened'> & { readonly made: DraftFleet },
  save: (desired: Desired<Target>) => Promise<void>,
): Promise<ImportEntry> {
  const entry = { kind: 'Agent', id: request.row.id, name: request.row.name };
  const address = addressOf(request.stub);
  const [file = opened.path, ...texts] = made.overrides.filesOf.get(address) ?? [];
  const causes = [...new Set(made.causes.get(address))].map((path) =>
    notice('import-differs', { why: 'in-each-override', paths: [path] }),
  );
  const notes = [...read.notes, ...causes, ...(made.left.get(address)?.values() ?? [])];
  const { problem } = await attempted(() => save(made.resolution.desiredOf(address)));
  return problem === undefined
    ? { ...entry, outcome: 'imported', file, texts, notes }
    : { ...entry, outcome: 'failed', reasons: [problem] };
}
