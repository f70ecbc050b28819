import { isDeepStrictEqual } from 'node:util';
import { diffArrays } from 'diff';
import { AgentformError } from '../../errors.ts';
import { runGit } from '../../git/command.ts';
import { findRepository, type GitRepository } from '../../git/repository.ts';
import { withoutUndefined } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { formatPath, parsePath } from '../../kinds/field-path.ts';
import { isKindName } from '../../kinds/kind.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Provenance } from '../../manifest/resolve/values/provenance.ts';
import { valueLines } from '../../report/values.ts';
import type { Blame, BlamedLine } from '../../schemas/blame-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { type OpenRecords, type RecordHost, type RecordOptions, withRecords } from '../../session/records/records.ts';
import { selector } from '../../session/selection.ts';
import { listSome } from '../../text/wording.ts';
import { splitText } from '../../yaml/interpolate.ts';
import { normalisedTime, type RecordEvent, type RecordedApply } from './events.ts';
import { alteredVersions, settingSteps, withoutCredential } from './history.ts';
import { addressesOf, followed, type Lineage, lineagesOf, openArchive, VersionReader } from './versions.ts';

export interface BlameOptions extends RecordOptions {
  /**
   * A resource name or `Kind/name`. The kind is needed if resources of two kinds have both the name and the setting.
   */
  readonly name: string;
  /** The path of a setting, with or without its section. */
  readonly path: string;
}

/** Finds when each line of an applied text went live, and who wrote the line. */
export function blame(host: RecordHost, { name, path, ...options }: BlameOptions): Promise<Blame> {
  return withRecords(host, options, async (open) => {
    const { store, environment } = open;
    const reader = new VersionReader(store, environment);
    const lineages = await lineagesOf(await openArchive(store, environment), selector({ names: [name] }), reader);
    const lineage = onlyLineage(lineages, { name, path, environment });
    const altered = await alteredVersions(host, open, [lineage]);
    const following = { reader, since: undefined, inspect: altered.inspect };
    for await (const { life, isUncommitted } of followed([lineage], following)) {
      const record = lineage.at(-1)?.present;
      if (record === undefined || life.applies.length === 0) throw nothingApplied(name, environment);
      const text = settingIn(record, path);
      if ((await withoutCredential(text.value)) !== text.value) throw hidden(record, text.path);
      const lines = blamedLines(life.applies, text.path);
      const origins = originsOf(lines, await manifestLines(host, open, { record, path: text.path }));
      const { kind } = record;
      const uncommitted = isUncommitted ? [addressOf(record)] : [];
      const warnings = [...(await reader.limits(uncommitted)), ...altered.notices()];
      return {
        formatVersion: 1,
        ...{ kind, name: record.name, path: text.path },
        lines: lines.map((line, index) => blamedLine(line, index, origins[index])),
        ...(warnings.length > 0 && { warnings }),
      };
    }
    throw nothingApplied(name, environment);
  });
}

function onlyLineage(
  lineages: readonly Lineage[],
  { name, path, environment }: Pick<BlameOptions, 'name' | 'path'> & { readonly environment: string },
): Lineage {
  const all = lineages.filter((one) => one.at(-1)?.present !== undefined);
  // A phone number often has the same name as an agent, so the setting determines which resource is meant.
  const able = all.filter((one) => settingSteps(one.at(-1)?.kind ?? '', path) !== undefined);
  const present = able.length > 0 ? able : all;
  const [only, ...others] = present;
  if (only === undefined) throw nothingApplied(name, environment);
  if (others.length === 0) return only;
  const found = listSome(
    present.map((one) => addressesOf(one).at(-1) ?? ''),
    5,
  );
  throw new AgentformError('usage', `blame shows only one resource, but ${name} selects ${found}`);
}

function nothingApplied(name: string, environment: string): AgentformError {
  return new AgentformError(
    'record-unknown',
    `no record of ${name} in the environment ${environment} has applied values, so there are no lines to show`,
  );
}

function settingIn(record: ResourceRecord, text: string): { readonly path: string; readonly value: unknown } {
  const { kind, fields } = record;
  const steps = settingSteps(kind, text);
  const path = steps && isKindName(kind) ? formatPath(kind, steps) : text;
  const field = fields[path];
  if (field === undefined) {
    const known = Object.keys(fields).filter((one) => one.startsWith(path));
    const hint = known.length === 0 ? '' : `; expected one of ${listSome(known, 5)}`;
    const message = `the record of ${addressOf(record)} has no value for ${JSON.stringify(text)}${hint}`;
    throw new AgentformError('field-unknown', message, { facts: { path: text } });
  }
  if (field.fingerprint !== undefined) throw hidden(record, path);
  return { path, value: field.value };
}

function hidden(record: ResourceRecord, path: string): AgentformError {
  return new AgentformError('usage', `${path} of ${addressOf(record)} contains a secret, so its lines are not shown`);
}

interface AppliedLine {
  readonly text: string;
  readonly apply: RecordedApply;
  readonly event: BlamedLine['event'];
}

/** Assigns each line of the last applied text to the apply that added the line. */
function blamedLines(applies: readonly RecordedApply[], path: string): AppliedLine[] {
  let lines: AppliedLine[] = [];
  let last: unknown;
  for (const apply of applies) {
    const { value } = apply.after.record.fields[path] ?? {};
    if (isDeepStrictEqual(value, last)) continue;
    const now = value === undefined ? [] : valueLines(value);
    lines = carriedOver(lines, now, { apply, event: eventAt(apply, path) });
    last = value;
  }
  return lines;
}

/** The maximum number of added and removed lines between two texts. Beyond this limit, all lines count as new. */
const maxEdits = 4_000;

function carriedOver(
  before: readonly AppliedLine[],
  now: readonly string[],
  by: Omit<AppliedLine, 'text'>,
): AppliedLine[] {
  const fresh = () => now.map((text) => ({ text, ...by }));
  const changes = diffArrays(
    before.map(({ text }) => text),
    [...now],
    { maxEditLength: maxEdits },
  );
  if (changes === undefined) return fresh();
  let at = 0;
  return changes.flatMap(({ added, removed, value, count }): AppliedLine[] => {
    if (added) return value.map((text) => ({ text, ...by }));
    const start = at;
    at += count;
    return removed ? [] : before.slice(start, at);
  });
}

function eventAt({ after: { record } }: RecordedApply, path: string): BlamedLine['event'] {
  const { event = 'apply', keptEdits = [] } = record;
  if (keptEdits.includes(path)) return 'edit-kept';
  return event === 'settle' ? 'adopt' : event;
}

/** Events that record a text from the service. The lines of such a text are attributed to the dashboard. */
const fromDashboard: readonly RecordEvent['event'][] = ['edit-kept', 'import', 'adopt'];

interface LineAuthor {
  readonly commit: string;
  readonly by: string;
}

function blamedLine({ text, apply, event }: AppliedLine, index: number, origin: LineAuthor | undefined): BlamedLine {
  const { appliedAt = '', appliedBy, commit: applied } = apply.after.record;
  const by = fromDashboard.includes(event) ? 'dashboard' : (origin?.by ?? appliedBy);
  const commit = origin?.commit ?? applied;
  return {
    ...{ line: index + 1, text, at: normalisedTime(appliedAt) ?? appliedAt, event },
    ...withoutUndefined({ by, commit }),
  };
}

/**
 * Finds the lines of a text, with commit and author, in the files at the applied commit. A file that this commit lacks
 * is read at HEAD.
 */
async function manifestLines(
  { env, allowedSecrets }: RecordHost,
  { project, environment }: OpenRecords,
  { record, path }: { readonly record: ResourceRecord; readonly path: string },
): Promise<SourceLine[]> {
  const repository = await findRepository(project.root);
  const address = addressOf(record);
  if ('problem' in repository) return [];
  const select = (one: string) => one === address;
  const resolution = await resolveProject(project, { environment, secrets: 'names', select, env, allowedSecrets });
  const provenance = resolution.provenanceOf(address, parsePath(path));
  const commits = [record.commit, repository.head];
  const blamed: SourceLine[] = [];
  for (const { file, first = 1, isPatch } of sourcesIn(provenance)) {
    const own = (await blamedFile(repository, { file, commits })).slice(first - 1);
    const added = ({ text, ...origin }: SourceLine) => (text.startsWith('+') ? { ...origin, text: text.slice(1) } : []);
    blamed.push(...(isPatch ? own.flatMap(added) : own));
  }
  return blamed;
}

/** A file that contains lines of a text, and the line at which the text begins. */
interface TextSource {
  readonly file: string;
  readonly first?: number;
  readonly isPatch?: true;
}

/**
 * Returns the files that can contain a text: the included file, the files of an inherited text and its patch, or the
 * manifest.
 */
function sourcesIn({ include, patched, at }: Partial<Provenance> = {}): TextSource[] {
  if (patched !== undefined) {
    const patchedFile = patched.from?.path;
    return [...(patchedFile === undefined ? [] : [{ file: patchedFile }]), { file: patched.by.path, isPatch: true }];
  }
  if (include !== undefined) return [{ file: include }];
  return at === undefined ? [] : [{ file: at.file, first: at.line }];
}

interface SourceLine extends LineAuthor {
  readonly text: string;
}

/** Runs git blame on the file at the first of these commits that contains the file. */
async function blamedFile(
  { root }: GitRepository,
  { file, commits }: { readonly file: string; readonly commits: readonly (string | undefined)[] },
): Promise<SourceLine[]> {
  for (const commit of commits) {
    if (commit === undefined || !/^[0-9a-f]{4,64}$/.test(commit)) continue;
    const args = ['blame', '--line-porcelain', commit, '--', file];
    const { code, stdout } = await runGit(args, { cwd: root });
    if (code === 0) return sourceLines(stdout.toString('utf8'));
  }
  return [];
}

/**
 * Parses the output of `git blame --line-porcelain`. For each line, git prints the commit, its properties, and a tab
 * with the text.
 */
function sourceLines(output: string): SourceLine[] {
  const lines: SourceLine[] = [];
  let [commit, by] = ['', ''];
  for (const line of output.split('\n')) {
    const [, id] = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line) ?? [];
    if (line.startsWith('\t')) lines.push({ commit, by, text: line.slice(1) });
    else if (id !== undefined) commit = id;
    else if (line.startsWith('author ')) by = line.slice('author '.length);
  }
  return lines;
}

/** Finds the origin of each text line. Prefers a place after the previous match, because lines are in file order. */
function originsOf(lines: readonly AppliedLine[], source: readonly SourceLine[]): (LineAuthor | undefined)[] {
  const exact = new Map<string, number[]>();
  const patterns: { readonly at: number; readonly parts: readonly string[] }[] = [];
  for (const [at, { text }] of source.entries()) {
    const [only = '', ...others] = literalParts(text);
    const indexes = exact.get(only) ?? [];
    if (others.length > 0) patterns.push({ at, parts: [only, ...others] });
    else exact.set(only, indexes);
    indexes.push(at);
  }
  let last = -1;
  return lines.map(({ text }) => {
    const own = text.trim();
    const indexes = exact.get(own) ?? patterns.filter(({ parts }) => fits(own, parts)).map(({ at }) => at);
    const isInline = indexes.length === 0 && own !== '' && lines.length === 1;
    // In a manifest, a one-line text can be on the same line as the setting name.
    const index = isInline
      ? source.findIndex((line) => line.text.includes(own))
      : (placeAfter(indexes, last) ?? indexes[0]);
    if (index === undefined || index < 0) return undefined;
    last = index;
    return source[index];
  });
}

/**
 * Finds the first of the sorted positions after `last`. Uses a binary search, because a file can have many equal lines.
 */
function placeAfter(indexes: readonly number[], last: number): number | undefined {
  let [low, high] = [0, indexes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((indexes[middle] ?? 0) > last) high = middle;
    else low = middle + 1;
  }
  return indexes[low];
}

function literalParts(line: string): string[] {
  const parts = [''];
  for (const piece of splitText(line.trim())) {
    if (piece.type === 'var' || piece.type === 'secret') parts.push('');
    else parts[parts.length - 1] += piece.text;
  }
  return parts;
}

/** Whether a text consists of these parts in order, with any text between them. */
function fits(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const end = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(end) || text.length < first.length + end.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}
