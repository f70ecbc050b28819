import { createHash } from 'node:crypto';
import { AgentformError } from '../errors.ts';
import { runGit } from '../git/command.ts';
import { contentsIn } from '../git/objects.ts';
import type { GitRepository } from '../git/repository.ts';
import { parsedJson } from '../json/document.ts';
import { cached, isJsonObject } from '../json/json.ts';
import { addressOf, hostKey } from '../kinds/desired.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { parseRecordAt, recordKeyAt, recordPath, recordSizeLimit, recordsFolder } from './record-text.ts';
import type { NewerVersion, RecordKey, RemovedHold, SoughtRecord } from './store.ts';

/** Prevents git from fetching objects that a partial clone lacks. */
const env = { GIT_NO_LAZY_FETCH: '1' };
/** The time limit for git, in milliseconds. If reading the history takes longer, the check is skipped. */
const patience = 10_000;
/** The maximum number of recent versions of a record to compare. */
const maxVersions = 20;
const maxBytes = 64 * 1024 * 1024;

/** A record of this run, with its text in the work tree. The text is undefined if there is no file. */
interface PresentRecord extends SoughtRecord {
  readonly text: string | undefined;
}

interface CommittedText {
  readonly oid: string;
  /** The first commit that has this text. */
  readonly commit: string;
  /** Whether HEAD's history contains the commit. */
  readonly inHistory: boolean;
}

interface PathHistory {
  /** Oldest first. */
  readonly versions: CommittedText[];
  /** Whether each commit changed the text of the previous commit. Merges can make this false. */
  isLinear: boolean;
  /** The blob after the last commit. The id is all zeros if the file was removed. */
  last: string;
}

/** The committed histories of an environment's records, by path. */
export type RecordHistories = ReadonlyMap<string, PathHistory>;

interface SoughtVersions {
  readonly histories: RecordHistories;
  readonly records: readonly SoughtRecord[];
  /** Reads a record's text in the work tree. Undefined if there is no file. */
  readonly textOf: (record: RecordKey) => string | undefined;
}

/**
 * Finds committed versions that are newer than the current records, for example after `git revert`, a merge, or the
 * checkout of an older commit. Returns the versions by address. Ignores history that a shallow clone lacks. Compares
 * versions by the service's clock (`lastUpdate`) if possible, because machines that apply have different clocks.
 * Otherwise compares `appliedAt`, if the version was also committed later. `hold` and `unhold` change neither of these
 * times, so the times of holds and releases count too. Anyone can write a record without a valid HMAC, so for such a
 * record, a later hold counts in any commit order.
 */
export async function newerVersions(
  repository: GitRepository,
  { histories, records, textOf }: SoughtVersions,
): Promise<ReadonlyMap<string, NewerVersion>> {
  const open = records.flatMap((one) => {
    const history = histories.get(recordPath(one));
    if (history === undefined) return [];
    // If all texts were read first, they would all be in memory at the same time.
    const record = { ...one, text: textOf(one) };
    const isNewest = isNewestIn(record, history);
    // Without a valid HMAC, check the record anyway: a commit may have removed its hold (docs/decisions/0087).
    if (isNewest && record.hmac !== undefined && record.isProven === undefined) return [];
    return [{ record, isNewest, versions: versionsInQuestion(record, history) }];
  });
  if (open.length === 0) return new Map();
  const oids = open.flatMap(({ versions }) => versions.map(({ oid }) => oid));
  const marksOf = await readMarks(repository, [...new Set(oids)]);
  return new Map(
    open.flatMap(({ record, isNewest, versions }): [string, NewerVersion][] => {
      const newest = newestOver(record, { versions, isNewest, marksOf });
      return newest === undefined ? [] : [[addressOf(record), shown(newest, record, repository)]];
    }),
  );
}

interface SoughtRemovals {
  readonly histories: RecordHistories;
  /** Whether a record file exists in the work tree. */
  readonly isPresent: (path: string) => boolean;
}

/**
 * Finds the records that were on hold in their last version in HEAD's history, and whose files were then removed. Does
 * not know whether a record was renamed.
 */
export async function removedHolds(
  repository: GitRepository,
  { histories, isPresent }: SoughtRemovals,
): Promise<RemovedHold[]> {
  const removed = [...histories].flatMap(([path, { versions }]) => {
    const version = versions.findLast(({ inHistory }) => inHistory);
    return version === undefined || recordKeyAt(path) === undefined || isPresent(path) ? [] : [{ path, version }];
  });
  if (removed.length === 0) return [];
  const marksOf = await readMarks(repository, [...new Set(removed.map(({ version }) => version.oid))]);
  return removed.flatMap(({ path, version }): RemovedHold[] => {
    const marks = marksOf.get(version.oid);
    const record = marks?.hold && recordIn(marks.text, path);
    return record === undefined || marks === undefined
      ? []
      : [{ record, version: shown({ version, marks }, record, repository) }];
  });
}

function recordIn(text: string, path: string): ResourceRecord | undefined {
  try {
    return parseRecordAt(text, path).record;
  } catch (error) {
    if (error instanceof AgentformError) return undefined;
    throw error;
  }
}

/** Reads the committed histories of an environment's records. Starts git twice. */
export async function readHistories(
  repository: GitRepository,
  environment: string,
  signal: AbortSignal | undefined,
): Promise<RecordHistories> {
  const { root: cwd, prefix, head } = repository;
  const histories = new Map<string, PathHistory>();
  if (head === undefined) return histories;
  const options = ['--date-order', '--reverse', '--full-history', '--no-renames', '--raw', '--no-abbrev', '-z'];
  const log = (...revisions: string[]) => {
    const args = [
      'log',
      ...options,
      '--format=%x01%H',
      ...revisions,
      '--',
      `:(top,literal)${prefix}${recordsFolder}/${environment}`,
    ];
    return runGit(args, { cwd, env, timeout: patience, signal, maxOutput: maxBytes });
  };
  const [own, others] = await Promise.all([log(head), log('--branches', '--remotes', '--not', head)]);
  for (const [{ code, stdout }, inHistory] of [[own, true] as const, [others, false] as const]) {
    if (code !== 0) continue;
    for (const part of stdout.toString('utf8').split('\u0001').slice(1))
      addCommit(histories, { part, prefix, inHistory });
  }
  return histories;
}

/** Parses one commit: its id, then `:MODE MODE OLD NEW STATUS` and the path for each file. A NUL ends each part. */
function addCommit(
  histories: Map<string, PathHistory>,
  { part, prefix, inHistory }: { readonly part: string; readonly prefix: string; readonly inHistory: boolean },
): void {
  const [commit = '', ...words] = part.split('\0');
  for (const [index, word] of words.entries()) {
    const [, mode, old = '', oid = ''] = /^\s*:\d+ (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(word) ?? [];
    if (mode === undefined) continue;
    const file = (words[index + 1] ?? '').slice(prefix.length);
    const history = cached(histories, file, () => ({ versions: [], isLinear: true, last: old }));
    if (old !== history.last) history.isLinear = false;
    history.last = oid;
    const isFile = mode.startsWith('100');
    if (isFile && history.versions.every((version) => version.oid !== oid)) {
      history.versions.push({ oid, commit, inHistory });
    }
  }
}

/**
 * Returns whether the record is certainly the newest version: the history is linear, and no commit introduced a later
 * text.
 */
function isNewestIn({ text }: PresentRecord, { versions, isLinear }: PathHistory): boolean {
  return isLinear && text !== undefined && versions.at(-1)?.oid === oidOf(text, versions);
}

/**
 * Selects the versions to compare: the latest versions and the current version, or only the last version if the record
 * is missing.
 */
function versionsInQuestion({ text }: PresentRecord, { versions }: PathHistory): readonly CommittedText[] {
  if (text === undefined) return versions.filter(({ inHistory }) => inHistory).slice(-1);
  const present = oidOf(text, versions);
  const recent = versions.slice(-maxVersions);
  const own = versions.filter(({ oid }) => oid === present && !recent.some((version) => version.oid === oid));
  return [...own, ...recent];
}

/** Returns the blob id of a text, with the hash algorithm of the repository. */
function oidOf(text: string, [one]: readonly CommittedText[]): string {
  return createHash(one?.oid.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex');
}

/** The members of a version that show its agent and its age. */
interface Marks {
  readonly text: string;
  readonly host: unknown;
  readonly id: unknown;
  readonly lastUpdate: unknown;
  readonly appliedAt: unknown;
  /** When a hold was last placed or released, in a form that can be sorted. Empty if this never happened. */
  readonly holdChangedAt: string;
  readonly hold: NewerVersion['hold'];
}

interface KnownVersion {
  readonly version: CommittedText;
  readonly marks: Marks;
}

/**
 * Returns the newest of the versions that are newer than the record. If the record is missing, returns its last
 * version. For an edited record without a newer version, returns the last version that an apply wrote.
 */
function newestOver(
  { text, hmac, isProven, ...key }: PresentRecord,
  {
    versions,
    isNewest,
    marksOf,
  }: {
    readonly versions: readonly CommittedText[];
    readonly isNewest: boolean;
    readonly marksOf: ReadonlyMap<string, Marks>;
  },
): KnownVersion | undefined {
  const known = versions.flatMap((version): KnownVersion[] => {
    const marks = marksOf.get(version.oid);
    return marks === undefined ? [] : [{ version, marks }];
  });
  if (text === undefined) return known[0];
  const present = marksIn(text);
  if (present === undefined) return undefined;
  const at = known.findIndex(({ marks }) => marks.text === text);
  const newer = known.filter(({ marks }, index) => {
    if ((hmac === undefined || isProven !== undefined) && hasLaterHold(marks, present)) return true;
    return !isNewest && isNewer(marks, present, at >= 0 && index > at);
  });
  const newest = newer.reduce<KnownVersion | undefined>(
    (best, one) => (best === undefined || isNewer(one.marks, best.marks, true) ? one : best),
    undefined,
  );
  return (
    newest ?? (isProven && known.findLast(({ version, marks }) => version.inHistory && fits(marks, key, isProven)))
  );
}

function fits({ text }: Marks, key: RecordKey, isProven: NonNullable<SoughtRecord['isProven']>): boolean {
  const record = recordIn(text, recordPath(key));
  return record !== undefined && isProven(record);
}

function isNewer(one: Marks, other: Marks, wasCommittedLater: boolean): boolean {
  if (!isOfSameAgent(one, other)) return false;
  const [seen, before] = [one.lastUpdate, other.lastUpdate];
  if (typeof seen === 'number' && typeof before === 'number' && seen !== before) return seen > before;
  const [applied, earlier] = [one.appliedAt, other.appliedAt];
  if (!wasCommittedLater) return false;
  if (applied === earlier) return one.holdChangedAt > other.holdChangedAt;
  return typeof applied === 'string' && typeof earlier === 'string' && applied > earlier;
}

/**
 * Returns whether two versions describe the same agent. After `record adopt`, earlier versions describe another agent.
 */
function isOfSameAgent(one: Marks, other: Marks): boolean {
  return one.host === other.host && one.id === other.id;
}

/** Returns whether a version was put on hold or released later, but after the same apply. */
function hasLaterHold(one: Marks, other: Marks): boolean {
  const isSameApply = one.lastUpdate === other.lastUpdate && one.appliedAt === other.appliedAt;
  return isSameApply && isOfSameAgent(one, other) && one.holdChangedAt > other.holdChangedAt;
}

/** Reads blobs by id. Leaves out blobs that are missing, too large or not a JSON object. */
async function readMarks({ root: cwd }: GitRepository, oids: readonly string[]): Promise<ReadonlyMap<string, Marks>> {
  const options = { cwd, env, timeout: patience };
  const sizes = await runGit(['cat-file', '--batch-check'], { ...options, input: `${oids.join('\n')}\n` });
  let remaining = maxBytes;
  const readable = sizes.stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [oid = '', type, bytes] = line.split(' ');
      const size = Number(bytes);
      if (type !== 'blob' || size > Math.min(recordSizeLimit, remaining)) return [];
      remaining -= size;
      return [oid];
    });
  const input = readable.map((oid) => `${oid}\n`).join('');
  // If git's output is incomplete, the texts at its end are not valid JSON, so they are left out.
  const { stdout } = await runGit(['cat-file', '--batch'], { ...options, input });
  const contents = contentsIn(stdout, readable.length);
  return new Map(
    readable.flatMap((oid, index): [string, Marks][] => {
      const marks = marksIn(contents[index]?.toString('utf8') ?? '');
      return marks === undefined ? [] : [[oid, marks]];
    }),
  );
}

/** Reads the marks from an untrusted text in any format version. */
function marksIn(text: string): Marks | undefined {
  const value = parsedJson(text);
  if (!isJsonObject(value)) return undefined;
  const { host, id, lastUpdate, appliedAt, holds } = value;
  return {
    text,
    host: typeof host === 'string' && hostKey(host),
    id,
    lastUpdate,
    appliedAt,
    holdChangedAt: timesIn(holds).sort().at(-1) ?? '',
    hold: holdIn(holds),
  };
}

/** Returns the hold in a version. A rollback's hold counts until `unhold`, because the manifest is not known here. */
function holdIn(holds: unknown): Marks['hold'] {
  if (!isJsonObject(holds)) return undefined;
  const { rollback, freeze } = holds;
  const hold = isJsonObject(rollback) ? rollback : freeze;
  if (!isJsonObject(hold)) return undefined;
  const { since, until } = hold;
  return { since: typeof since === 'string' ? since : '', ...(typeof until === 'string' && { until }) };
}

/** Returns the times of all holds and of the last release. */
function timesIn(holds: unknown): string[] {
  if (!isJsonObject(holds)) return [];
  return Object.values(holds).flatMap((hold) => {
    const time = isJsonObject(hold) ? (hold.since ?? hold.at) : undefined;
    return typeof time === 'string' ? [time] : [];
  });
}

function shown({ version, marks }: KnownVersion, record: RecordKey, { prefix }: GitRepository): NewerVersion {
  const { commit, inHistory } = version;
  const { id, hold } = marks;
  return {
    commit: commit.slice(0, 12),
    inHistory,
    ...(typeof id === 'string' && { id }),
    ...(hold !== undefined && { hold }),
    path: prefix === '' ? recordPath(record) : `:/${prefix}${recordPath(record)}`,
  };
}
