import { resolve } from 'node:path';
import type { ImportEntry } from '../../../apply/events.ts';
import { AgentformError } from '../../../errors.ts';
import { pathUnder } from '../../../files/plain-file.ts';
import { canonicalJson, type Json, type JsonObject } from '../../../json/json.ts';
import { addressOf, byAddress, type Desired } from '../../../kinds/desired.ts';
import { csvTable, type MemberTable, type Row, tableLimits } from '../../../manifest/fleet/member-table.ts';
import { type Project, pendingProject } from '../../../manifest/project/project.ts';
import { startOf } from '../../../manifest/project/project-files.ts';
import { desiredOfAll, type Resolution } from '../../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../../manifest/resolve/resolve-project.ts';
import type { Notice } from '../../../notices/notice.ts';
import { sharedTargetNoticesOf } from '../../../plan/verdicts/guards.ts';
import type { RecordStore, StoredRecord } from '../../../record/store.ts';
import { joinedSentences, sentencesOf } from '../../../report/notices.ts';
import { problemSentence } from '../../../report/problems/sentence.ts';
import type { ResourceRecord } from '../../../schemas/record-types.ts';
import { entryVariable, isSecretName, Secret, secretReference } from '../../../secrets/secret.ts';
import { FingerprintKeys } from '../../../session/fingerprint-keys.ts';
import type { Host } from '../../../session/host.ts';
import { identitiesOf, organizationIds } from '../../../session/identities.ts';
import type { OpenRecords } from '../../../session/records/records.ts';
import { recordsOf, requireValid } from '../../../session/session.ts';
import { counted, joinWithAnd, quote } from '../../../text/wording.ts';
import { splitText } from '../../../yaml/interpolate.ts';
import {
  errorAt,
  hasErrors,
  type Problem,
  ProblemsError,
  type Span,
  shownProblems,
  withoutPastedSecrets,
} from '../../../yaml/problem.ts';
import { nodeAt, toJson } from '../../../yaml/tree.ts';
import { importConflictsOf, unlessHeld } from '../conflicts.ts';
import { importRowProblems } from '../list.ts';
import { literalText } from '../manifest/write-manifest.ts';
import { type ImportRequest, targetOf } from '../request.ts';
import type { FleetImport } from './ask.ts';
import { type FleetLayout, fleetFiles, newLayout, templatePath } from './template.ts';

export interface OpenFleet {
  readonly project: Project;
  readonly environment: string;
  readonly store: RecordStore;
  readonly keys: FingerprintKeys;
  /** The path of the fleet's file, relative to the project folder. */
  readonly path: string;
  /** The paths for a new fleet's files, or undefined if the fleet exists. */
  readonly layout: FleetLayout | undefined;
  readonly target: JsonObject;
  /** The description for a new template. The description is empty if the fleet exists. */
  readonly description: string;
  readonly requests: readonly ImportRequest[];
  readonly present: readonly ImportEntry[];
  readonly table: MemberTable;
}

/**
 * Returns the error for a table that cannot be imported. Does not hide ids, which look like credentials. The table's own
 * problems were already checked for credentials.
 */
function invalidTable(why: string, problems: readonly Problem[], { sourceOf }: Project): ProblemsError {
  const found = { problems: shownProblems(problems, () => undefined), sourceOf };
  return new ProblemsError('import-invalid', `nothing was imported: ${why}`, found);
}

/** Reads the table and the records, and resolves each agent's target. Throws if the table cannot be imported. */
export async function openFleet(
  host: Host,
  { what }: { readonly what: FleetImport },
  open: OpenRecords,
): Promise<OpenFleet> {
  const { project, environment, store } = open;
  requireSound(what);
  const planned = await plannedFleet(host, what, open);
  const { table, pending, others } = planned;
  const records = await recordsOf(store, environment);
  const keys = new FingerprintKeys(project.root);
  const sorted = standings({ ...planned, ...open, records, now: host.now() });
  const select = (address: string) => sorted.fresh.has(address);
  const { env, allowedSecrets } = host;
  const resolution = await resolveProject(pending, { environment, secrets: 'values', env, allowedSecrets, select });
  requireValid(withoutPlanned(resolution.problems, project), { project: pending, environment });
  const desired = desiredOfAll(await keys.resolution(resolution));
  const known = { records, organizations: organizationIds(records), env };
  const identities = [others, resolution].flatMap((one) => identitiesOf({ ...open, resolution: one }, known));
  refuseShared(sharedTargetNoticesOf(sorted.fresh, identities));
  return {
    ...open,
    ...planned,
    keys,
    requests: requestsOf(desired, table, environment),
    present: sorted.present,
  };
}

interface PlannedFleet extends Pick<OpenFleet, 'path' | 'layout' | 'target' | 'description' | 'table'> {
  /** The path of the table, relative to the project folder. */
  readonly file: string;
  /** The project, with the planned files of a new fleet. */
  readonly pending: Project;
  readonly resolved: Resolution;
  /** The resolution without the members of this fleet. */
  readonly others: Resolution;
  /** The addresses of members that exist already. */
  readonly members: ReadonlySet<string>;
}

async function plannedFleet(
  host: Host,
  what: FleetImport,
  { project, environment }: OpenRecords,
): Promise<PlannedFleet> {
  const { env } = host;
  const file = pathUnder(project.root, resolve(what.list));
  const table = tableIn(project, file);
  const all = await resolveProject(project, { environment, secrets: 'names', env, select: () => false });
  requireValid(all.problems, { project });
  const found = await fleetNamed(project, what.fleet);
  const layout = found === undefined ? newLayout(project, what.fleet, file) : undefined;
  const path = found ?? layout?.fleet ?? '';
  const target = targetOf({ id: '${var.id}', ...what });
  if (layout !== undefined) requireIds({ table, file, project });
  else await refuseOtherTemplate(what, { project, environment, target });
  const description = layout === undefined ? '' : requiredDescription(what, table);
  const sections = { settings: { title: '${var.name}', description } };
  // The skeleton has no overrides, because patches left by a killed import need the texts of the real template.
  const bare = layout && { ...layout, overrides: undefined };
  const skeleton = bare && fleetFiles(bare, { sections, target, overlay: environment, comments: new Map() });
  const pending = pendingProject(project, path, skeleton ?? new Map<string, string>());
  const resolved = await resolveProject(pending, { environment, secrets: 'names', env });
  if (hasErrors(resolved.problems)) requireColumns(what, { table, file, project });
  requireValid(withoutPlanned(resolved.problems, project), { project: pending });
  const members = new Set(found === undefined ? [] : all.all.filter(({ at }) => at.file === file).map(addressOf));
  if (found !== undefined && members.size === 0) {
    const message = `the fleet in ${found} has no members from the table ${file} in ${environment}`;
    throw new AgentformError('usage', `${message}; give the fleet's table for that environment with --from`);
  }
  const others = { ...all, all: all.all.filter((one) => !members.has(addressOf(one))) };
  return { path, layout, target, description, table, file, pending, resolved, others, members };
}

/** Removes second places in planned files, because the reader does not have these files. */
export function withoutPlanned(problems: readonly Problem[], { files }: Project): Problem[] {
  return problems.map(({ also, ...problem }) =>
    also !== undefined && files.has(also.at.file) ? { ...problem, also } : problem,
  );
}

/** Returns the import requests, each with the cells of its row as variables. */
function requestsOf(desired: readonly Desired[], table: MemberTable, overlay: string): ImportRequest[] {
  const rows = new Map(table.rows.map((row) => [row.name.value, row]));
  return desired.flatMap((stub): ImportRequest[] => {
    const { name, target } = stub;
    const { agentId: id, tokenName, token, query } = target;
    const row = rows.get(name);
    if (row === undefined || id === undefined) return [];
    const cells = [...table.columns.keys()].flatMap((column): [string, string][] => {
      const cell = row.variable(column);
      return cell === undefined ? [] : [[column, cell.text]];
    });
    const secrets = new Map(tokenName === undefined ? [] : [[tokenName, new Secret(token.reveal())]]);
    return [
      {
        row: { id, name, description: name, query: [] },
        variables: Object.fromEntries(cells),
        path: `clients/${name}.yaml`,
        target: {
          agentId: id,
          ...(tokenName !== undefined && { token: secretReference(tokenName) }),
          ...(Object.keys(query).length > 0 && target.sensitiveQuery.size === 0 && { query }),
        },
        overlay,
        stub,
        text: literalText(secrets),
        secrets: [...secrets.values()],
      },
    ];
  });
}

function requireSound({ fleet, query, tokenSecret }: FleetImport): void {
  const found = importRowProblems({ id: 'any', name: fleet, query }).map(({ message }) => message);
  if (tokenSecret !== undefined && !isSecretName(tokenSecret))
    found.push(
      'token-secret must name a process variable, such as AGENT_TOKEN, or an entry of a JSON secret, such as TOKENS[var.name]',
    );
  if (found.length > 0) throw new AgentformError('usage', found.join('; '));
}

function tableIn(project: Project, file: string): MemberTable {
  const fileReading =
    file === '' || file === '..' || file.startsWith('../')
      ? { failure: 'is outside the project folder; copy the table into the project, because the fleet refers to it' }
      : project.files.read(file, tableLimits.bytes);
  if (fileReading.failure !== undefined)
    throw new AgentformError('usage', `the table ${quote(file)} ${fileReading.failure}`);
  const { source } = fileReading;
  const table = csvTable(source);
  const problems = withoutPastedSecrets(table.problems, () => source);
  if (problems.length > 0) throw invalidTable(`${file} has errors`, problems, project);
  return table;
}

async function fleetNamed({ manifests, parsed }: Project, name: string): Promise<string | undefined> {
  for (const path of manifests) {
    const { other } = await parsed.load(path);
    if (other?.kind === 'Fleet' && other.name === name) return path;
  }
  return undefined;
}

interface TableInProject {
  readonly table: MemberTable;
  readonly file: string;
  readonly project: Project;
}

function requireColumns(
  { description = '', tokenSecret = '', query }: FleetImport,
  { table, file, project }: TableInProject,
): void {
  const texts = [description, secretReference(tokenSecret), ...query].flatMap(splitText);
  const names = texts.flatMap(
    (piece) =>
      (piece.type === 'var' ? piece.name : piece.type === 'secret' ? entryVariable(piece.name) : undefined) ?? [],
  );
  const missing = [...new Set(names)].filter((name) => !table.columns.has(name));
  if (missing.length === 0) return;
  const message = `the options of this import refer to missing columns: ${joinWithAnd(missing)}`;
  const problem = errorAt(table.columns.get('name') ?? startOf(file), 'csv-column', message);
  throw invalidTable(`${file} has errors`, [problem], project);
}

/**
 * Throws if the options for a new template differ from the existing fleet's template. The import does not change that
 * template.
 */
async function refuseOtherTemplate(
  { fleet, description, tokenSecret, query }: FleetImport,
  { project, environment, target }: { readonly target: JsonObject } & Pick<OpenRecords, 'project' | 'environment'>,
): Promise<void> {
  const template = templatePath(fleet);
  const root = project.files.has(template) ? (await project.parsed.load(template)).resource?.root : undefined;
  const differs = (path: readonly string[], wanted: Json | undefined) => {
    const node = nodeAt(root, path);
    return node === undefined || canonicalJson(toJson(node)) !== canonicalJson(wanted ?? null);
  };
  const inTarget = (name: string) => differs(['environments', environment, 'target', name], target[name]);
  const options = [
    ...(description !== undefined && differs(['settings', 'description'], description) ? ['--description'] : []),
    ...(tokenSecret !== undefined && inTarget('token') ? ['--token-secret'] : []),
    ...(query.length > 0 && inTarget('query') ? ['--query'] : []),
  ];
  if (options.length === 0) return;
  throw new AgentformError(
    'usage',
    `the fleet ${fleet} already exists with other values, and its template is not written again; run the command without ${joinWithAnd(options)}`,
  );
}

function requireIds({ table, file, project }: TableInProject): void {
  if (table.columns.has('id')) return;
  const message = 'the column id is missing: add the column with the id of each agent on the service';
  const problem = errorAt(table.columns.get('name') ?? startOf(file), 'csv-column', message);
  throw invalidTable(`${file} has errors`, [problem], project);
}

/** Returns the description for a new template. Throws if neither the option nor a column provides a description. */
function requiredDescription({ description }: FleetImport, table: MemberTable): string {
  const given = description ?? (table.columns.has('description') ? '${var.description}' : undefined);
  if (given !== undefined) return given;
  throw new AgentformError(
    'usage',
    "the service does not return descriptions, and every agent needs one; add the column description to the table, or give --description 'Answers the phone of ${var.name}'",
  );
}

interface Standing extends PlannedFleet, Pick<OpenRecords, 'project' | 'environment'> {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly now: Date;
}

/** Sorts rows into new agents and agents that were imported before. */
function standings(standing: Standing): {
  readonly fresh: ReadonlySet<string>;
  readonly present: readonly ImportEntry[];
} {
  const { table, resolved, records, file, project } = standing;
  const agents = byAddress(resolved.all);
  const recorded = [...records.values()].map(({ record }) => record);
  const fresh = new Set<string>();
  const present: ImportEntry[] = [];
  const problems: Problem[] = [];
  const ids = new Map<string, Span>();
  for (const row of table.rows) {
    const agent = agents.get(addressOf({ kind: 'Agent', name: row.name.value }));
    const id = agent?.agentId;
    if (id === undefined && agent !== undefined && hasNoAgentYet(row)) continue;
    const first = ids.get(id ?? '');
    if (id === undefined) problems.push(withoutId(row, standing));
    else if (first !== undefined) problems.push(secondOf(row, id, first));
    else {
      ids.set(id, row.placeOf('id') ?? row.name.at);
      const found = standingOf(row, { id, recorded }, standing);
      if ('problem' in found) problems.push(found.problem);
      else if ('present' in found) present.push(found.present);
      else fresh.add(found.fresh);
    }
  }
  if (problems.length > 0) throw invalidTable(`${file} has errors`, problems, project);
  return { fresh, present };
}

function withoutId({ name: { value: name, at } }: Row, { environment }: Standing): Problem {
  const message = `${name} has no agent id: the template needs target.agentId in ${environment}, such as \${var.id}`;
  return errorAt(at, 'csv-cell', message);
}

function secondOf(row: Row, id: string, first: Span): Problem {
  const problem = errorAt(row.placeOf('id') ?? row.name.at, 'csv-cell', `two rows have the agent id ${quote(id)}`);
  return { ...problem, also: { message: 'first here', at: first } };
}

/** Returns the problem with a row, the entry of an agent that was imported before, or the address of a new agent. */
function standingOf(
  row: Row,
  { id, recorded }: { readonly id: string; readonly recorded: readonly ResourceRecord[] },
  { others, members, records, path, environment, now }: Standing,
): { readonly problem: Problem } | { readonly present: ImportEntry } | { readonly fresh: string } {
  const { value: name, at } = row.name;
  const address = addressOf({ kind: 'Agent', name });
  const manifest = others.all.find((other) => addressOf(other) === address);
  const isPresent = members.has(address) && records.has(address);
  const record = isPresent ? undefined : records.get(address)?.record;
  const found = importConflictsOf({ id, name }, { environment, manifests: others.all, records: recorded, force: true });
  const conflict = unlessHeld(found, { record, now });
  if (manifest !== undefined) {
    const { file } = manifest.at;
    const declaration = file === manifest.file ? 'manifest' : 'row';
    const message = `${file} already declares Agent/${name}; to move the agent into the fleet, delete that ${declaration} and keep its record`;
    const also = { message: 'declared here', at: manifest.at };
    return { problem: { ...errorAt(at, 'duplicate-name', message), also } };
  }
  if (conflict.state === 'refused') {
    return { problem: errorAt(row.placeOf('id') ?? at, 'csv-cell', joinedSentences(conflict.reasons)) };
  }
  return isPresent ? { present: { kind: 'Agent', id, name, outcome: 'present', file: path } } : { fresh: address };
}

/** Whether the agent id of a row is empty. Such an agent is not imported, because an apply creates it. */
function hasNoAgentYet(row: Row): boolean {
  return row.placeOf('id') !== undefined && row.variable('id') === undefined;
}

/** Throws if an imported agent shares credentials with another agent, because the agents would overwrite each other. */
function refuseShared(refusals: readonly Notice[]): void {
  if (refusals.length === 0) return;
  const remedy =
    "give each member separate credentials with --token-secret 'NAME[var.name]' or --query 'targetAccountId=${var.account}'";
  const shown = sentencesOf(refusals.slice(0, 3));
  const more = refusals.length > shown.length ? [`${refusals.length - shown.length} more problems like these`] : [];
  throw new AgentformError('run-refused', [...shown, ...more, remedy].join('; '));
}

export function rowProblem(name: string, error: AgentformError) {
  const [first] = error instanceof ProblemsError ? error.problems : [];
  return { name, message: first === undefined ? error.message : problemSentence(first) };
}

/**
 * Returns the error for agents that cannot be read, with problems at the agents' ids. All agents must be imported.
 * Otherwise, the next apply would overwrite the missing agents with the template.
 */
export function unreadableAgents(
  { table, project }: OpenFleet,
  found: readonly ReturnType<typeof rowProblem>[],
): ProblemsError {
  const rows = new Map(table.rows.map((row) => [row.name.value, row]));
  const problems = found.flatMap(({ name, message }) => {
    const row = rows.get(name);
    return row === undefined ? [] : [errorAt(row.placeOf('id') ?? row.name.at, 'csv-cell', message)];
  });
  const why = `${counted(found.length, 'agent')} of ${table.rows.length} cannot be read; correct or remove their rows, and run the import again`;
  return invalidTable(why, problems, project);
}
