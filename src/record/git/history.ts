import { AgentformError } from '../../errors.ts';
import { gitOutput, runGit } from '../../git/command.ts';
import type { GitRepository } from '../../git/repository.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { listSome } from '../../text/wording.ts';
import { keyAt, parseRecordAt, recordPath, recordSizeLimit, recordsFolder } from '../record-text.ts';
import type { HistoryEntry, RecordKey } from '../store.ts';
import type { StagedText } from './journal.ts';

const changes = { A: 'added', M: 'changed', D: 'removed' } as const;
const [begin, divide] = ['\u0001', '\u0002'];

/** The commits up to `tip` that changed the records of an environment, or one record, newest first. */
export async function recordHistory(
  { root, prefix }: GitRepository,
  tip: string,
  of: Pick<RecordKey, 'environment'> | RecordKey,
): Promise<HistoryEntry[]> {
  const path = 'name' in of ? recordPath(of) : `${recordsFolder}/${of.environment}`;
  const fields = ['%H', '%ct', '%an', '%s', `%(trailers:key=${fromTrailer},valueonly,separator=%x20)`];
  const format = `--format=${begin}${fields.join(divide)}${divide}`;
  const args = ['log', '-z', '--no-renames', '--name-status', format, tip, '--', `:(top,literal)${prefix}${path}`];
  const output = await gitOutput(args, { cwd: root });
  return output
    .split(begin)
    .filter((part) => part !== '')
    .map((part) => historyEntry(part, prefix));
}

function historyEntry(part: string, prefix: string): HistoryEntry {
  const [commit = '', seconds = '', by = '', what = '', from = '', files = ''] = part.split(divide);
  const words = files
    .split('\0')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const records = words.flatMap((status, index) => {
    const key = index % 2 === 0 ? keyAt((words[index + 1] ?? '').slice(prefix.length)) : undefined;
    return key === undefined ? [] : [{ ...key, change: isStatus(status) ? changes[status] : 'changed' }];
  });
  const date = new Date(Number(seconds) * 1000).toISOString();
  return { commit, date, by, what, ...(from.trim() !== '' && { from: from.trim() }), records };
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
  const place = recordPath(key);
  const options = { cwd: root, maxOutput: recordSizeLimit };
  const { code, stdout, stderr } = await runGit(['cat-file', 'blob', `${commit}:${prefix}${place}`], options);
  if (code === -1) throw new AgentformError('record-unreadable', `the record ${place} cannot be read: ${stderr}`);
  return code === 0 ? parseRecordAt(stdout.toString('utf8'), place).record : undefined;
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
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
