import { resolve } from 'node:path';
import type { ImportEntry } from '../../apply/events.ts';
import { AgentformError, reasonOf } from '../../errors.ts';
import { readBytes } from '../../files/output-file.ts';
import { pathUnder } from '../../files/plain-file.ts';
import { agent } from '../../kinds/definitions/agent.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Identity } from '../../kinds/shared-targets.ts';
import { defaultPaths, manifestPatterns, matchedPaths, type Project } from '../../manifest/project/project.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { type Notice, notice, problemOf } from '../../notices/notice.ts';
import { sharedTargetNoticesOf } from '../../plan/verdicts/guards.ts';
import type { StoredRecord } from '../../record/store.ts';
import { refusedBy, sentencesOf } from '../../report/notices.ts';
import { problemSentence } from '../../report/problems/sentence.ts';
import { secretReference } from '../../secrets/secret.ts';
import { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';
import { identitiesOf, organizationIds } from '../../session/identities.ts';
import type { OpenRecords } from '../../session/records/records.ts';
import { recordsOf, requireValid, type SessionOptions } from '../../session/session.ts';
import { decodeText, NotUtf8 } from '../../text/encoding.ts';
import { errorAt, type Problem, ProblemsError } from '../../yaml/problem.ts';
import { SourceFile } from '../../yaml/source-file.ts';
import type { RequestedAgent } from './agent.ts';
import { type ImportConflicts, importConflictsOf, unlessHeld } from './conflicts.ts';
import type { FleetImport } from './fleet/ask.ts';
import { type ImportRow, importRowProblems, readImportList } from './list.ts';
import { type ImportRequest, requestOf } from './request.ts';

export interface ImportOptions extends Pick<SessionOptions, 'project' | 'environment' | 'concurrency'> {
  /** A single agent, the path of a CSV file, or a fleet. */
  readonly what: ImportRow | { readonly list: string } | FleetImport;
  /** The path for the manifest of a single agent. */
  readonly path?: string | undefined;
  /** Whether to overwrite existing manifests, texts and records. */
  readonly force: boolean;
  /** Asks for an agent's description, which the service does not return. */
  readonly describe: (agent: RequestedAgent) => Promise<string>;
  /** After the signal is aborted, the import finishes requests in flight and starts no new requests. */
  readonly signal: AbortSignal;
}

export interface OpenImport extends OpenRecords {
  readonly rows: readonly ImportRow[];
  readonly isList: boolean;
  readonly resolution: Resolution;
  readonly keys: FingerprintKeys;
  /** With `force`, the resolved manifests that will be overwritten. */
  readonly former: Resolution | undefined;
  /** The records of the environment, keyed by address. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** How the import affects existing files and records, by name. */
  readonly standings: ReadonlyMap<string, ImportConflicts>;
  readonly askedPath: string | undefined;
  /** The path of each new manifest, by agent name. */
  readonly manifestPaths: ReadonlyMap<string, string>;
}

/**
 * Reads the list and the records, and chooses the path of each manifest. Throws if the list or the project has errors.
 */
export async function openImport(
  host: Pick<Host, 'env' | 'now' | 'readable'>,
  options: Pick<ImportOptions, 'path' | 'force'> & { readonly what: Exclude<ImportOptions['what'], FleetImport> },
  open: OpenRecords,
): Promise<OpenImport> {
  const { project, environment, store } = open;
  const isList = 'list' in options.what;
  const rows = 'list' in options.what ? await rowsOf(options.what.list, { ...host, project }) : [checked(options.what)];
  const { env } = host;
  const resolution = await resolveProject(project, { environment, secrets: 'names', select: () => false, env });
  requireValid(resolution.problems, { project });
  const records = await recordsOf(store, environment);
  const { force } = options;
  const recorded = [...records.values()].map(({ record }) => record);
  const known = { environment, manifests: resolution.all, records: recorded, force };
  const standings = new Map(
    rows.map((row) => {
      const record = records.get(addressOf({ kind: 'Agent', name: row.name }))?.record;
      return [row.name, unlessHeld(importConflictsOf(row, known), { record, now: host.now() })];
    }),
  );
  const fresh = rows.filter(({ name }) => standings.get(name)?.state === 'new');
  const askedPath = options.path === undefined ? undefined : insideProject(project, options.path);
  const manifestPaths = pathsOf(project, fresh, askedPath);
  const former = force ? await formerOf(host, { project, environment, rows }) : undefined;
  return {
    ...open,
    ...{ rows, isList, resolution, former, records, standings, askedPath, manifestPaths },
    keys: new FingerprintKeys(project.root),
  };
}

/** Resolves the manifests to overwrite, and ignores their errors. */
function formerOf(
  { env }: Pick<Host, 'env'>,
  { project, environment, rows }: Pick<OpenImport, 'project' | 'environment' | 'rows'>,
): Promise<Resolution> {
  const addresses = new Set(rows.map(({ name }) => addressOf({ kind: 'Agent', name })));
  return resolveProject(project, { environment, secrets: 'names', select: (address) => addresses.has(address), env });
}

const maxListBytes = 16 * 2 ** 20;

async function rowsOf(
  path: string,
  { project, readable }: Pick<Host, 'readable'> & { readonly project: Project },
): Promise<readonly ImportRow[]> {
  if (readable !== undefined && !readable.paths.has(pathUnder(project.root, resolve(path)))) {
    throw new AgentformError('usage', `${path} ${readable.otherwise}`);
  }
  const text = await readBytes(path, maxListBytes)
    .then(decodeText)
    .catch((cause: unknown) => {
      if (cause instanceof NotUtf8) {
        const at = { file: path, line: cause.line, column: cause.column, offset: 0, end: 0 };
        const message = `found ${cause.found}; save the file as UTF-8`;
        throw invalidList(`${path} has errors`, [errorAt(at, 'csv-encoding', message)]);
      }
      throw new AgentformError('usage', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
    });
  const { rows, problems } = readImportList(new SourceFile(path, text));
  if (problems.length > 0) throw invalidList(`${path} has errors`, problems);
  if (rows.length === 0) throw invalidList(`${path} contains no agents`, []);
  return rows;
}

/** Returns the error for a list. Does not show the list's text, because that text may contain a token. */
function invalidList(why: string, problems: readonly Problem[]): ProblemsError {
  return new ProblemsError('import-invalid', `nothing was imported: ${why}`, { problems });
}

function checked(row: ImportRow): ImportRow {
  const rowProblems = importRowProblems(row);
  if (rowProblems.length === 0) return row;
  throw new AgentformError('usage', rowProblems.map(({ message }) => message).join('; '));
}

/**
 * Chooses a path for each manifest, relative to the project folder, by name. Throws if `manifests` matches no
 * candidate. `path` is the user's choice.
 */
function pathsOf(
  project: Project,
  rows: readonly Pick<ImportRow, 'name'>[],
  path: string | undefined,
): ReadonlyMap<string, string> {
  const candidates = new Map(rows.map(({ name }) => [name, path === undefined ? defaultPaths(project, name) : [path]]));
  const matched = matchedPaths(project, [...candidates.values()].flat());
  return new Map(
    [...candidates].map(([name, paths]) => {
      const found = paths.find((candidate) => matched.has(candidate));
      if (found === undefined) throw outOfReach(project, paths[0] ?? name);
      return [name, found];
    }),
  );
}

/** Converts the user's path to a path relative to the project folder. Throws if the path is outside that folder. */
function insideProject({ root }: Project, path: string): string {
  const inside = pathUnder(root, resolve(path));
  if (inside !== '' && inside !== '..' && !inside.startsWith('../')) return inside;
  throw new AgentformError('usage', `--path ${path} is outside the project folder`);
}

function outOfReach(project: Project, path: string): AgentformError {
  const patterns = manifestPatterns(project).join(', ');
  return new AgentformError(
    'import-refused',
    `a manifest at ${path} would not be found, because \`manifests\` in ${project.file} is ${patterns}; choose a path with --path, or add a pattern`,
  );
}

/** Returns the agents to read, and the ledger entries of all other agents. */
export async function requestsOf(
  host: Host,
  opened: OpenImport,
): Promise<{ readonly requests: readonly ImportRequest[]; readonly settled: readonly ImportEntry[] }> {
  const requests: ImportRequest[] = [];
  const settled: ImportEntry[] = [];
  for (const row of opened.rows) {
    const entry = await attempt(row, opened, async () => {
      const destination = destinationOfRow(row, opened);
      if ('file' in destination) return { outcome: 'present', file: destination.file };
      requests.push(await requestOf(host, { ...opened, row, ...destination }));
      return { outcome: 'imported' };
    });
    if (entry.outcome !== 'imported') settled.push(entry);
  }
  refuseShared(host, opened, requests);
  return { requests, settled };
}

/**
 * Returns the path at which to write a row's manifest. For an already imported agent in a list, returns the file of its
 * manifest. Throws `import-refused` for any other conflict.
 */
function destinationOfRow({ name }: ImportRow, opened: OpenImport): { path: string } | { file: string } {
  const { standings, manifestPaths, isList, askedPath } = opened;
  const standing = standings.get(name);
  if (standing === undefined || standing.state === 'new') return { path: manifestPaths.get(name) ?? '' };
  if (standing.state === 'refused') throw refusedBy('import-refused', standing.reasons);
  const { file } = standing;
  if (standing.state === 'anew') {
    // An overwritten manifest keeps its path.
    if (askedPath === undefined || askedPath === file) return { path: file };
    throw refusedBy('import-refused', [notice('import-conflict', { why: 'other-path', file, path: askedPath })]);
  }
  if (isList) return { file };
  const facts = { why: 'imported' as const, address: addressOf({ kind: agent.name, name }), file };
  throw refusedBy('import-refused', [notice('import-conflict', facts)]);
}

/**
 * Throws if an imported agent shares credentials with another agent, because the agents would overwrite each other. Other
 * agents that share credentials do not matter here.
 */
function refuseShared(host: Host, opened: OpenImport, requests: readonly ImportRequest[]): void {
  const { project, environment, records } = opened;
  const names = new Set(requests.map(({ row }) => row.name));
  const organizations = organizationIds(records);
  const others = identitiesOf(opened, { records, organizations, env: host.env }).filter(
    ({ kind, name }) => !(kind === agent.name && names.has(name)),
  );
  const definition = project.definitions.get(environment);
  const own = requests.map(
    ({ row, stub }): Identity => ({
      kind: stub.kind,
      name: stub.name,
      baseUrl: definition?.baseUrl ?? '',
      query: stub.target.query,
      tokenReference: row.tokenSecret === undefined ? (definition?.token ?? '') : secretReference(row.tokenSecret),
      token: stub.target.token,
      agentId: row.id,
    }),
  );
  const refusals = sharedTargetNoticesOf(new Set(own.map(addressOf)), [...others, ...own]);
  if (refusals.length === 0) return;
  const remedy = 'to import from a different account, add --token-secret NAME or --query targetAccountId=17';
  throw new AgentformError('run-refused', [...sentencesOf(refusals), remedy].join('; '));
}

/** Runs `work` for one agent. In a list, an expected failure becomes a ledger entry. Any other failure is thrown. */
export async function attempt(
  { id, name }: Pick<ImportRow, 'id' | 'name'>,
  { isList }: { readonly isList: boolean },
  work: () => Promise<Omit<ImportEntry, 'kind' | 'id' | 'name'>>,
): Promise<ImportEntry> {
  try {
    return { kind: 'Agent', id, name, ...(await work()) };
  } catch (error) {
    if (!isList || !(error instanceof AgentformError)) throw error;
    const outcome = error.code === 'interrupted' ? 'not attempted' : 'failed';
    return { kind: 'Agent', id, name, outcome, reasons: reasonsIn(error) };
  }
}

function reasonsIn(error: AgentformError): readonly Notice[] {
  if (error.reasons.length > 0) return error.reasons;
  const [first] = error instanceof ProblemsError ? error.problems : [];
  if (first === undefined) return [notice('call-failed', problemOf(error))];
  return [notice('import-invalid', { rule: first.rule, finding: problemSentence(first) })];
}
