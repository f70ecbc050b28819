import { AgentformError } from '../../errors.ts';
import { gitOutput, runGit } from '../../git/command.ts';
import type { GitRepository } from '../../git/repository.ts';
import { parsedJson } from '../../json/document.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { listSome } from '../../text/wording.ts';
import { keyAt, parseRecordAt, recordPath, recordSizeLimit, recordsFolder } from '../record-text.ts';
import type { HistoryEntry, RecordKey } from '../store.ts';
import type { StagedText } from './journal.ts';
import { keyOnBranch, pathsOnBranch } from './layout.ts';

const changes = { A: 'added', M: 'changed', D: 'removed' } as const;
const [begin, divide] = ['\u0001', '\u0002'];

/** The commits up to `tip` that changed the records of an environment, or one record, newest first. */
export async function recordHistory(
  { root, prefix }: GitRepository,
  tip: string,
  of: Pick<RecordKey, 'environment'> | RecordKey,
): Promise<HistoryEntry[]> {
  const paths = 'name' in of ? pathsOnBranch(of) : [`${recordsFolder}/${of.environment}`];
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

/** A record as a commit has it; undefined if it has none. */
export async function recordAt(
  { root, prefix }: GitRepository,
  commit: string,
  key: RecordKey,
): Promise<ResourceRecord | undefined> {
  if (!/^[0-9a-f]{4,64}$/i.test(commit)) throw noCommit(key, commit, 'it is not a commit id');
  const known = await runGit(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { cwd: root });
  if (known.code !== 0) throw noCommit(key, commit, 'the repository does not have this commit');
  const options = { cwd: root, maxOutput: recordSizeLimit };
  for (const path of pathsOnBranch(key)) {
    const { code, stdout, stderr } = await runGit(['cat-file', 'blob', `${commit}:${prefix}${path}`], options);
    if (code === -1) throw new AgentformError('record-unreadable', `the record ${path} cannot be read: ${stderr}`);
    if (code === 0) return parseRecordAt(stdout.toString('utf8'), recordPath(key), path).record;
  }
  return undefined;
}

function isStatus(text: string): text is keyof typeof changes {
  return Object.hasOwn(changes, text);
}

function noCommit(key: RecordKey, commit: string, why: string): AgentformError {
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
