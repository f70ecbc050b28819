import { AgentformError } from '../../errors.ts';
import { withoutUndefined } from '../../json/json.ts';
import { addressOf, kindIn } from '../../kinds/desired.ts';
import { type FieldPath, fieldAt, isWithin, parsePath, settingNamed, typedPath } from '../../kinds/field-path.ts';
import { isKindName } from '../../kinds/kind.ts';
import type { Labels } from '../../kinds/labels.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { type Notice, notice } from '../../notices/notice.ts';
import { hmacState } from '../../plan/records/record-of.ts';
import { isSensitive } from '../../report/values.ts';
import { fieldsByKind } from '../../schemas/fields.ts';
import type { History, HistoryEntry } from '../../schemas/history-types.ts';
import { credentialsIn } from '../../secrets/credentials.ts';
import type { FingerprintKey } from '../../secrets/fingerprint.ts';
import { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import { requireKnownLabels } from '../../session/records/known-labels.ts';
import { type OpenRecords, type RecordHost, type RecordOptions, withRecords } from '../../session/records/records.ts';
import { requireMatches, type Selection, selector } from '../../session/selection.ts';
import { isDay, readTime } from '../../text/time.ts';
import { formatNumber } from '../../text/wording.ts';
import { eventsInOrder, type RecordEvent, type RecordState } from './events.ts';
import { changeSummary } from './summary.ts';
import { addressesOf, followed, type Lineage, lineagesOf, openArchive, VersionReader } from './versions.ts';

export interface HistoryOptions extends RecordOptions, Selection {
  /** The path of the only setting to show. If omitted, the last name can be this path. */
  readonly path?: string | undefined;
  /** The start and end of the period, as days or times. The period includes both. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Lists the events of an environment's resources, newest first. Needs neither the service nor secrets. */
export async function history(host: RecordHost, options: HistoryOptions): Promise<History> {
  const period = periodOf(options);
  return withRecords(host, options, async ({ project, environment, store }) => {
    const archive = await openArchive(store, environment);
    const recorded = [...archive.keys()];
    const asked = { ...options, ...pathAmong(options, recorded) };
    const isSelected = await selectorIn(host, asked, { project, environment, recorded });
    const reader = new VersionReader(store, environment);
    const lineages = await lineagesOf(archive, isSelected, reader);
    const isAsked = filterOf(asked, period, lineages.flatMap(addressesOf).map(kindIn));
    const events: RecordEvent[] = [];
    const uncommitted: string[] = [];
    let characters = 0;
    const altered = await alteredVersions(host, { project, environment }, lineages);
    const following = { reader, since: period.since, inspect: altered.inspect };
    for await (const { lineage, life, isUncommitted } of followed(lineages, following)) {
      const own = life.events.flatMap((event) => isAsked(event) ?? []);
      characters += sizeOf(own);
      if (characters > maxCharacters) {
        const limit = `${formatNumber(maxCharacters)} characters`;
        const message = `this history has more than ${limit}; to shorten it, name resources or use --since`;
        throw new AgentformError('usage', message);
      }
      events.push(...own);
      if (isUncommitted) uncommitted.push(lastAddressOf(lineage));
    }
    const entries: HistoryEntry[] = [];
    for (const event of eventsInOrder(events).toReversed()) entries.push(await eventEntry(event));
    const warnings = [...(await reader.limits(uncommitted)), ...altered.notices()];
    return { formatVersion: 1, environment, entries, ...(warnings.length > 0 && { warnings }) };
  });
}

interface Period {
  readonly since: Date | undefined;
  /** The end of the period. The period does not include this time. */
  readonly until: Date | undefined;
}

const dayLength = 24 * 60 * 60 * 1000;

function periodOf({ since, until }: Pick<HistoryOptions, 'since' | 'until'>): Period {
  const [from, to] = [timeOption('since', since), timeOption('until', until)];
  // The option includes its time, but the period does not include its end.
  const end = to && new Date(to.getTime() + (until !== undefined && isDay(until) ? dayLength : 1));
  if (from !== undefined && end !== undefined && from >= end)
    throw new AgentformError('usage', `--since ${since} is after --until ${until}`);
  return { since: from, until: end };
}

function timeOption(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = readTime(text);
  if (time !== undefined) return time;
  const usage = 'expected a day such as 2026-11-01, or a time such as 2026-11-01T08:00Z (UTC if it has no zone)';
  throw new AgentformError('usage', `--${name} is ${JSON.stringify(text)}: ${usage}`);
}

/** Finds the setting to show. The last name is a setting if it looks like a setting and no resource has that name. */
function pathAmong(
  { names, path }: Pick<HistoryOptions, 'names' | 'path'>,
  addresses: readonly string[],
): Pick<HistoryOptions, 'names' | 'path'> {
  const last = names.at(-1);
  if (path !== undefined || last === undefined || !isSettingName(last)) return { names, path };
  return addresses.some((address) => selector({ names: [last] })(address))
    ? { names, path }
    : { names: names.slice(0, -1), path: last };
}

/** Whether a word looks like a setting. Resource names contain no dots or brackets. */
function isSettingName(text: string): boolean {
  if (typedPath(text) === undefined || /[*?/]/.test(text)) return false;
  if (/[.[]/.test(text)) return true;
  return Object.keys(fieldsByKind).some((kind) => settingSteps(kind, text) !== undefined);
}

/**
 * Parses a setting path, with or without its section. Accepts any path under `extraSettings`. Returns undefined for
 * other unknown settings.
 */
export function settingSteps(kind: string, text: string): FieldPath | undefined {
  const steps = typedPath(text);
  if (steps === undefined || !isKindName(kind)) return undefined;
  const [first = ''] = steps;
  if (first === 'extraSettings' || fieldAt(kind, steps) !== undefined) return steps;
  if (steps.length === 1 && fieldsByKind[kind].some(({ section }) => section === first)) return steps;
  const field = settingNamed(kind, first);
  return field && [...field.path, ...steps.slice(1)];
}

/** Makes a test for addresses. Reads manifests only to select by label, or for names that never had a record. */
async function selectorIn(
  { env, allowedSecrets }: RecordHost,
  selection: Selection,
  { project, environment, recorded }: Omit<OpenRecords, 'store'> & { readonly recorded: readonly string[] },
): Promise<(address: string) => boolean> {
  const isSelected = selector(selection);
  const words = [...selection.names, ...(selection.exclude ?? [])];
  const isKnown = (word: string) => recorded.some((address) => selector({ names: [word] })(address));
  if (selection.selector === undefined && words.every(isKnown)) return (address) => isSelected(address);
  const resolving = { environment, secrets: 'names', select: () => false, env, allowedSecrets } as const;
  const { all, elsewhere, problems } = await resolveProject(project, resolving);
  const labels = new Map<string, Labels>(all.map((one) => [addressOf(one), one.labels]));
  const others = recorded
    .filter((address) => !labels.has(address))
    .map((address) => ({ kind: kindIn(address), name: address.slice(address.indexOf('/') + 1) }));
  requireKnownLabels(selection, { project, environment, undeclared: others, problems });
  requireMatches(selection, { environment, all: [...all, ...others], elsewhere, removed: project.removed });
  return (address) => isSelected(address, labels.get(address));
}

function lastAddressOf(lineage: Lineage): string {
  return addressesOf(lineage).at(-1) ?? '';
}

/**
 * Makes a filter that reduces an event to the requested changes. The filter returns undefined for an event without such
 * changes or outside the period.
 */
function filterOf(
  { path }: Pick<HistoryOptions, 'path'>,
  { since, until }: Period,
  kinds: readonly string[],
): (event: RecordEvent) => RecordEvent | undefined {
  const [from, to] = [since?.toISOString(), until?.toISOString()];
  const isInPeriod = ({ at }: RecordEvent) => (from === undefined || at >= from) && (to === undefined || at < to);
  if (path === undefined) return (event) => (isInPeriod(event) ? event : undefined);
  const wanted = new Map(kinds.map((kind) => [kind, settingSteps(kind, path)]));
  if (kinds.length > 0 && [...wanted.values()].every((steps) => steps === undefined)) {
    const message = `no selected resource has a setting ${JSON.stringify(path)}`;
    throw new AgentformError('field-unknown', message, { facts: { path } });
  }
  return (event) => {
    const steps = wanted.get(event.kind);
    if (steps === undefined || !isInPeriod(event)) return undefined;
    const changes = event.changes.filter((change) => {
      const own = parsePath(change.path);
      // A change to an element affects all of its members.
      return isWithin(own, steps) || isWithin(steps, own);
    });
    return changes.length === 0 ? undefined : { ...event, changes };
  };
}

/** The maximum total size of the values in a history, in characters. All of these values are in memory. */
const maxCharacters = 300_000_000;

function sizeOf(events: readonly RecordEvent[]): number {
  const values = events.flatMap(({ changes }) => changes.flatMap(({ from = '', to = '' }) => [from, to]));
  const sizes = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function eventEntry(event: RecordEvent): Promise<HistoryEntry> {
  const { changes, at, kind, name, title, event: what, by, commit, ...more } = event;
  const shown: HistoryEntry['changes'] = [];
  for (const change of changes) {
    const safe = { ...change };
    if ('from' in safe) safe.from = await withoutCredential(safe.from);
    if ('to' in safe) safe.to = await withoutCredential(safe.to);
    const { path, op, ...values } = safe;
    shown.push({ path, op, summary: changeSummary(kind, safe), ...values });
  }
  const titled = (await credentialsIn(title)).length === 0 ? { title } : {};
  return { at, kind, name, ...withoutUndefined({ ...titled, event: what, by, commit }), ...more, changes: shown };
}

/** Hides a value that may contain a credential, because people share histories. */
export async function withoutCredential(value: unknown): Promise<unknown> {
  if (isSensitive(value)) return value;
  return (await credentialsIn(value)).length === 0 ? value : { sensitive: true };
}

/**
 * The maximum number of records to verify by HMAC. Verifying a whole fleet would take too long, because each record
 * needs its manifest and token.
 */
const maxVerified = 20;

/**
 * Finds versions that were edited outside agentform. Skips records whose token is unavailable, and all records if there
 * are more than `maxVerified`.
 */
export async function alteredVersions(
  host: RecordHost,
  { project, environment }: Omit<OpenRecords, 'store'>,
  lineages: readonly Lineage[],
): Promise<{ readonly inspect: (state: RecordState, lineage: Lineage) => void; readonly notices: () => Notice[] }> {
  const { env, allowedSecrets } = host;
  const keyOf = new Map<string, FingerprintKey | undefined>();
  if (lineages.length <= maxVerified) {
    const names = new Set(lineages.flatMap(addressesOf));
    const select = (address: string) => names.has(address);
    const resolving = { environment, secrets: 'names', select, env, allowedSecrets } as const;
    const keyAt = new FingerprintKeys(project.root).finder(await resolveProject(project, resolving), host);
    for (const address of names) keyOf.set(address, await keyAt(address));
  }
  const found = new Map<string, Set<string>>();
  return {
    inspect({ record, version = 'the project folder' }, lineage) {
      const address = lastAddressOf(lineage);
      const key = keyOf.get(address);
      if (key === undefined || hmacState(record, key) !== 'altered') return;
      found.set(address, (found.get(address) ?? new Set()).add(version));
    },
    notices: () =>
      [...found].map(([address, versions]) => notice('history-altered', { address, versions: [...versions] })),
  };
}
