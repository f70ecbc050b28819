import { AgentformError } from '../../errors.ts';
import { gitOutput, runGit } from '../../git/command.ts';
import type { GitRepository } from '../../git/repository.ts';
import { parsedJson } from '../../json/document.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { listSome } from '../../text/wording.ts';
import { keyAt, parseRecordAt, recordPath, recordSizeLimit, recordsFolder } from '../record-text.ts';
import type { HistoryEntry, HistoryScope, RecordVersion } from '../store.ts';
import type { StagedText } from './journal.ts';
import { keyOnBranch, pathsOnBranch } from './layout.ts';

const changes = { A: 'added', M: 'changed', D: 'removed' } as const;
const [begin, divide] = ['\u0001', '\u0002'];

/** The commits up to `tip` that changed the records of an environment, or some of them, newest first. */
export async function recordHistory(
  { root, prefix }: GitRepository,
  tip: string,
  { environment, records }: HistoryScope,
): Promise<HistoryEntry[]> {
  if (records?.length === 0) return [];
  const isNamed = records !== undefined && records.length <= mostNamed;
  const paths = isNamed
    ? records.flatMap(({ kind, name }) => pathsOnBranch({ environment, kind, name }))
    : [`${recordsFolder}/${environment}`];
  const fields = ['%H', '%ct', '%an', '%s', `%(trailers:key=${fromTrailer},valueonly,separator=%x20)`];
  const format = `--format=${begin}${fields.join(divide)}${divide}`;
  // A record that only moves to the path of today is a rename without a change.
  const args = ['log', '-z', '--find-renames=100%', '--name-status', format, tip, '--'];
  const output = await gitOutput([...args, ...paths.map((path) => `:(top,literal)${prefix}${path}`)], { cwd: root });
  return output
    .split(begin)
    .filter((part) => part !== '')
    .flatMap((part) => historyEntry(part, prefix));
}

/** More records have their paths left out of the command line, which has an end: then the log is of the environment. */
const mostNamed = 1_000;

/** None for a commit that only moved records. */
function historyEntry(part: string, prefix: string): HistoryEntry[] {
  const [commit = '', seconds = '', by = '', what = '', from = '', files = ''] = part.split(divide);
  const changed = changedFiles(files);
  if (changed.length === 0) return [];
  const date = new Date(Number(seconds) * 1000).toISOString();
  const records = changedRecords(changed, prefix);
  return [{ commit, date, by, what, ...(from.trim() !== '' && { from: from.trim() }), records }];
}

interface ChangedFile {
  readonly status: string;
  readonly path: string;
}

/** What moved without a change is left out: it is listed as `R100`, its path before, and its path after. */
function changedFiles(files: string): ChangedFile[] {
  const words = files
    .split('\0')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const changed: ChangedFile[] = [];
  for (let at = 0; at + 1 < words.length; ) {
    const [status = '', path = ''] = words.slice(at, at + 2);
    const isMove = status.startsWith('R');
    if (!isMove) changed.push({ status, path });
    at += isMove ? 3 : 2;
  }
  return changed;
}

/** A record that is removed at the path of an older version and added at that of today has changed. */
function changedRecords(files: readonly ChangedFile[], prefix: string): HistoryEntry['records'] {
  const records = new Map<string, HistoryEntry['records'][number]>();
  for (const { status, path } of files) {
    const key = keyOnBranch(path.slice(prefix.length));
    if (key === undefined) continue;
    const place = recordPath(key);
    const change = records.has(place) || !isStatus(status) ? 'changed' : changes[status];
    records.set(place, { ...key, change });
  }
  return [...records.values()];
}

/** Records as commits have them, in order; undefined where a commit has none. Two processes for a batch of them. */
export async function recordsAt(
  repository: GitRepository,
  versions: readonly RecordVersion[],
): Promise<(ResourceRecord | undefined)[]> {
  for (const version of versions) {
    if (!/^[0-9a-f]{4,64}$/i.test(version.commit)) throw noCommit(version, 'it is not a commit id');
  }
  await requireCommits(repository, versions);
  const found: (ResourceRecord | undefined)[] = [];
  for (let at = 0; at < versions.length; at += batchSize) {
    found.push(...(await readBatch(repository, versions.slice(at, at + batchSize))));
  }
  return found;
}

/** Records read at a time: their texts are in memory together. */
const batchSize = 200;

async function requireCommits({ root }: GitRepository, versions: readonly RecordVersion[]): Promise<void> {
  const first = new Map(versions.toReversed().map((version) => [version.commit, version]));
  const input = [...first.keys()].map((commit) => `${commit}^{commit}\n`).join('');
  const output = input === '' ? '' : await gitOutput(['cat-file', '--batch-check'], { cwd: root, input });
  const answers = output.split('\n');
  [...first.values()].forEach((version, index) => {
    const isKnown = / commit \d+$/.test(answers[index] ?? '');
    if (!isKnown) throw noCommit(version, 'the repository does not have this commit');
  });
}

/** Of a record whose place moved, the path of today counts before the older one. */
async function readBatch(
  { root, prefix }: GitRepository,
  versions: readonly RecordVersion[],
): Promise<(ResourceRecord | undefined)[]> {
  const places = versions.flatMap((version) => pathsOnBranch(version).map((path) => ({ version, path })));
  const input = places.map(({ version, path }) => `${version.commit}:${prefix}${path}\n`).join('');
  const { code, stdout, stderr } = await runGit(['cat-file', '--batch'], { cwd: root, input });
  if (code !== 0) {
    throw new AgentformError('record-unreadable', `earlier versions of records cannot be read: ${stderr.trim()}`);
  }
  const texts = answersOf(stdout, places.length);
  return versions.map((version, index) => {
    const candidates = pathsOnBranch(version).map((path, which) => ({ path, text: texts[2 * index + which] }));
    const { path = '', text } = candidates.find((one) => one.text !== undefined) ?? {};
    if (text === undefined) return undefined;
    if (Buffer.byteLength(text) > recordSizeLimit) {
      const why = 'it is larger than 16 MiB';
      throw new AgentformError('record-unreadable', `the record ${path} cannot be read: ${why}`);
    }
    return parseRecordAt(text, recordPath(version), path).record;
  });
}

/** Each answer is a line `OID blob SIZE`, the content and a line feed; or a line that ends otherwise where there is none. */
function answersOf(output: Buffer, count: number): (string | undefined)[] {
  let at = 0;
  return Array.from({ length: count }, () => {
    const end = output.indexOf(10, at);
    const size = Number(/ blob (\d+)$/.exec(output.toString('utf8', at, end))?.[1] ?? Number.NaN);
    if (Number.isNaN(size)) {
      at = end + 1;
      return undefined;
    }
    at = end + 1 + size + 1;
    return output.toString('utf8', end + 1, end + 1 + size);
  });
}

function isStatus(text: string): text is keyof typeof changes {
  return Object.hasOwn(changes, text);
}

function noCommit({ commit, ...key }: RecordVersion, why: string): AgentformError {
  const hint = `run ${commandIn(key.environment, `record log ${addressOf(key)}`)} to list the commits`;
  return new AgentformError('record-unknown', `no record at ${JSON.stringify(commit)}: ${why}; ${hint}`);
}

/** The trailer that names the commit of the project. */
const fromTrailer = 'Applied-from';

export interface MessageParts {
  /** What was done, in a few words: `Apply to production`. */
  readonly what: string;
  readonly changes: readonly StagedText[];
  /** The path of the project in its repository; empty for the top. */
  readonly project: string;
  readonly from: string | undefined;
  readonly by: string;
}

/** A commit's message: what was done, to which resources, from which commit, by whom. */
export function commitMessage({ what, changes, project, from, by }: MessageParts): string {
  const keys = changes.flatMap((change) => {
    const key = keyAt(change.place);
    return key === undefined ? [] : [{ ...key, deed: deedOf(change) }];
  });
  const environments = [...new Set(keys.map(({ environment }) => environment))];
  const names = keys.map(({ name }) => name);
  return [
    `${what}: ${listSome(names, 3)}`,
    '',
    ...keys.map((key) => `${addressOf(key)}: ${key.deed}`),
    '',
    `Environment: ${environments.join(', ')}`,
    ...(project === '' ? [] : [`Project: ${project}`]),
    ...(from === undefined ? [] : [`${fromTrailer}: ${from}`]),
    `Applied-by: ${by}`,
    '',
  ].join('\n');
}

function deedOf({ base, text }: StagedText): string {
  if (text === undefined) return 'record removed';
  const record = objectIn(text);
  if (record.intent !== undefined) return 'create started';
  const deed = objectIn(base).intent === undefined ? 'recorded' : 'created';
  return typeof record.id === 'string' ? `${deed} (${record.id})` : deed;
}

/** What is there already may be anything. */
function objectIn(text: string | undefined): JsonObject {
  const value = parsedJson(text ?? '{}');
  return isJsonObject(value) ? value : {};
}
