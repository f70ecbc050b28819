import { join } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { readPlainFile } from '../../files/plain-file.ts';
import { gitOutput, runGit } from '../../git/command.ts';
import { contentsIn, missingCommits } from '../../git/objects.ts';
import { type GitRepository, shallowSentence } from '../../git/repository.ts';
import { parsedJson } from '../../json/document.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { visibleLine } from '../../text/visible.ts';
import { listSome } from '../../text/wording.ts';
import {
  decodedRecord,
  moveMarkPath,
  parseRecordAt,
  type RecordRepair,
  recordKeyAt,
  recordPath,
  recordsFolder,
} from '../record-text.ts';
import {
  type HistoryEntry,
  type HistoryQuery,
  type PastChange,
  type RecordKey,
  type RecordVersion,
  unknownVersion,
} from '../store.ts';
import type { StagedText } from './journal.ts';

const changes = { A: 'added', M: 'changed', D: 'removed' } as const;
const [begin, divide] = ['\u0001', '\u0002'];

/** The location of a repository's committed records, either on the project's branch or on the record branch. */
export interface CommittedRecords {
  readonly repository: GitRepository;
  /** The path of a record, relative to the project's path. */
  readonly pathOf: (key: RecordKey) => string;
  /** The key of the record at a path. Undefined for other files. */
  readonly keyAt: (path: string) => RecordKey | undefined;
  /** Fetches files at commits together, because a partial clone would fetch each file separately. */
  readonly fetchPaths?: (commits: readonly string[], paths: readonly string[]) => Promise<void>;
}

/**
 * Returns the commits up to `tip` that changed records of an environment, newest first. The result can be limited to
 * some records. Empty without a `tip`.
 */
export async function recordHistory(
  committed: CommittedRecords,
  tip: string | undefined,
  { environment, records }: HistoryQuery,
): Promise<HistoryEntry[]> {
  const { root, prefix } = committed.repository;
  if (tip === undefined || records?.length === 0) return [];
  const isNamed = records !== undefined && records.length <= maxNamed;
  const paths = isNamed
    ? records.map(({ kind, name }) => committed.pathOf({ environment, kind, name }))
    : [`${recordsFolder}/${environment}`];
  const trailers = [fromTrailer, moveTrailer].map((key) => `%(trailers:key=${key},valueonly,separator=%x20)`);
  const fields = ['%H', '%ct', '%an', '%s', ...trailers];
  const format = `--format=${begin}${fields.join(divide)}${divide}`;
  const args = ['log', '-z', '--no-renames', '--name-status', format, tip, '--'];
  const listed = [...paths, moveMarkPath];
  const output = await gitOutput([...args, ...listed.map((path) => `:(top,literal)${prefix}${path}`)], { cwd: root });
  return output
    .split(begin)
    .filter((part) => part !== '')
    .flatMap((part) => historyEntry(part, committed));
}

/** Returns why the history before `tip` is incomplete, if a shallow clone lacks commits. */
export async function commitLimit(
  { root, shared, isShallow }: GitRepository,
  tip: string | undefined,
): Promise<'shallow' | undefined> {
  if (!isShallow || tip === undefined) return undefined;
  const ends = new Set((readPlainFile(join(shared, 'shallow'), maxShallow)?.text ?? '').split('\n'));
  const output = await gitOutput(['rev-list', '--max-parents=0', tip, '--'], { cwd: root });
  return output.split('\n').some((commit) => commit !== '' && ends.has(commit)) ? 'shallow' : undefined;
}

const maxShallow = 16 * 1024 * 1024;

/**
 * The maximum number of paths to pass to git. The length of a command line is limited. With more paths, the log covers
 * the whole environment.
 */
const maxNamed = 1_000;

/**
 * Parses a commit in the log. Returns an empty list for a merge, which lists no files, and for a commit that only marks
 * a move.
 */
function historyEntry(part: string, committed: CommittedRecords): HistoryEntry[] {
  const [commit = '', seconds = '', by = '', what = '', from = '', movedTo = '', files = ''] = part.split(divide);
  const listed = files
    .split('\0')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const isMarked = listed.includes(`${committed.repository.prefix}${moveMarkPath}`);
  if (listed.length === (isMarked ? 2 : 0)) return [];
  const records = changedRecords(listed, committed);
  const date = new Date(Number(seconds) * 1000).toISOString();
  const isMove = isMarked || movedTo.trim() !== '';
  return [
    { commit, date, by, what, ...(from.trim() !== '' && { from: from.trim() }), ...(isMove && { isMove }), records },
  ];
}

/** Parses the changed records of a commit. In `listed`, each status is followed by its path. */
function changedRecords(
  listed: readonly string[],
  { repository: { prefix }, keyAt }: CommittedRecords,
): HistoryEntry['records'][number][] {
  return listed.flatMap((path, at) => {
    const status = at % 2 === 0 ? undefined : listed[at - 1];
    const key = status === undefined ? undefined : keyAt(path.slice(prefix.length));
    if (status === undefined || key === undefined) return [];
    return [{ ...key, change: isStatus(status) ? changes[status] : 'changed' }];
  });
}

/**
 * Reads records at commits, in the given order. The result is undefined where a commit does not contain the record.
 * Runs one git process to check all commits, and one process for each batch.
 */
export async function recordsOfVersions(
  committed: CommittedRecords,
  versions: readonly RecordVersion[],
): Promise<(ResourceRecord | undefined)[]> {
  for (const version of versions) {
    if (!/^[0-9a-f]{4,64}$/i.test(version.commit)) throw unknownVersion(version, 'commits', 'it is not a commit id');
  }
  await requireCommits(committed.repository, versions);
  const found: (ResourceRecord | undefined)[] = [];
  for (let at = 0; at < versions.length; at += batchSize) {
    found.push(...(await readBatch(committed, versions.slice(at, at + batchSize))));
  }
  return found;
}

/** The number of records to read at a time. All texts of a batch are in memory at the same time. */
const batchSize = 200;

async function requireCommits({ root, isShallow }: GitRepository, versions: readonly RecordVersion[]): Promise<void> {
  const missing = new Set(await missingCommits(root, [...new Set(versions.map(({ commit }) => commit))]));
  const unknown = versions.find(({ commit }) => missing.has(commit));
  if (unknown === undefined) return;
  const why = `the repository does not have this commit${isShallow ? `, but ${shallowSentence}` : ''}`;
  throw unknownVersion(unknown, 'commits', why);
}

async function readBatch(
  { repository: { root, prefix }, pathOf, fetchPaths }: CommittedRecords,
  versions: readonly RecordVersion[],
): Promise<(ResourceRecord | undefined)[]> {
  const files = versions.map((version) => ({ commit: version.commit, path: `${prefix}${pathOf(version)}` }));
  const [commits, paths] = [new Set(files.map(({ commit }) => commit)), new Set(files.map(({ path }) => path))];
  await fetchPaths?.([...commits], [...paths]);
  const input = files.map(({ commit, path }) => `${commit}:${path}\n`).join('');
  const { code, stdout, stderr } = await runGit(['cat-file', '--batch'], { cwd: root, input });
  if (code !== 0) {
    throw new AgentformError('record-unreadable', `earlier versions of records cannot be read: ${stderr.trim()}`);
  }
  const contents = contentsIn(stdout, versions.length);
  return versions.map((version, index) => {
    const content = contents[index];
    if (content === undefined) return undefined;
    const path = pathOf(version);
    return parseRecordAt(decodedRecord(content, path, pastRepair), recordPath(version), {
      shown: path,
      repair: pastRepair,
    }).record;
  });
}

/** An earlier version cannot be repaired, and only the current version decides what an apply does. */
const pastRepair: RecordRepair = {
  damaged: 'use another version',
  conflict: () => 'use another version',
  isPast: true,
};

function isStatus(text: string): text is keyof typeof changes {
  return Object.hasOwn(changes, text);
}

/** The commit trailer for the applied project commit. */
const fromTrailer = 'Applied-from';

/** The commit trailer for the name of the store to which records were moved. */
const moveTrailer = 'Moved-to';

export interface ChangeDescription {
  /** A short description, such as `Apply to production`. */
  readonly what: string;
  /** The store to which the change moves records. */
  readonly movedTo?: string | undefined;
}

export interface MessageParts extends ChangeDescription {
  readonly changes: readonly StagedText[];
  /** The project's path in its repository. Empty at the top. */
  readonly project: string;
  readonly from: string | undefined;
  readonly by: string;
}

/**
 * Returns the message of a commit on the record branch. The message names the action, the resources, the applied commit
 * and the person.
 */
export function commitMessage({ what, movedTo, changes, project, from, by }: MessageParts): string {
  const keys = changes.flatMap((change) => {
    const key = recordKeyAt(change.file);
    return key === undefined ? [] : [{ ...key, deed: deedOf(change) }];
  });
  const names = keys.map(({ name }) => name);
  return messageText({ title: `${what}: ${listSome(names, 3)}`, deeds: keys, project, from, movedTo, by });
}

/** Returns the message for a change from another store. Keeps the original first line, applied commit and author. */
export function pastMessage({ what, from, by, records }: PastChange, project: string): string {
  const deeds = records.map((key) => ({ ...key, deed: `record ${key.change}` }));
  return messageText({
    ...{ title: visibleLine(what), deeds, project },
    from: from && visibleLine(from),
    by: visibleLine(by),
  });
}

interface MessageText extends Pick<MessageParts, 'project' | 'from' | 'movedTo' | 'by'> {
  readonly title: string;
  readonly deeds: readonly (RecordKey & { readonly deed: string })[];
}

function messageText({ title, deeds, project, from, movedTo, by }: MessageText): string {
  const environments = [...new Set(deeds.map(({ environment }) => environment))];
  return [
    title,
    '',
    ...deeds.map((key) => `${addressOf(key)}: ${key.deed}`),
    '',
    `Environment: ${environments.join(', ')}`,
    ...(project === '' ? [] : [`Project: ${project}`]),
    ...(from === undefined ? [] : [`${fromTrailer}: ${from}`]),
    ...(movedTo === undefined ? [] : [`${moveTrailer}: ${movedTo}`]),
    `Applied-by: ${by}`,
    '',
  ].join('\n');
}

function deedOf({ before, text }: StagedText): string {
  if (text === undefined) return 'record removed';
  const record = objectIn(text);
  if (record.intent !== undefined) return 'create started';
  const deed = objectIn(before).intent === undefined ? 'recorded' : 'created';
  return typeof record.id === 'string' ? `${deed} (${record.id})` : deed;
}

function objectIn(text: string | undefined): JsonObject {
  const value = parsedJson(text ?? '{}');
  return isJsonObject(value) ? value : {};
}
