import { AgentformError } from '../../errors.ts';
import { authorIn } from '../../git/repository.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import { notice } from '../../notices/notice.ts';
import { assignRecords } from '../../plan/records/moves.ts';
import { keepingHmac } from '../../plan/records/record-of.ts';
import type { StoredRecord } from '../../record/store.ts';
import { joinedSentences } from '../../report/notices.ts';
import type { Freeze, ResourceRecord } from '../../schemas/record-types.ts';
import type { FingerprintKey } from '../../secrets/fingerprint.ts';
import { environmentNamed } from '../../session/environment.ts';
import { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import { requireKnownLabels } from '../../session/records/known-labels.ts';
import {
  changingRecords,
  changingRecordsOf,
  keptWords,
  loadRecording,
  type OpenRecords,
  parseAddress,
  type RecordHost,
  type RecordOptions,
  resolveRecorded,
} from '../../session/records/records.ts';
import { nothingNamed, requireMatches, type Selection, selector } from '../../session/selection.ts';
import { readTime } from '../../text/time.ts';
import { isOrAre, itOrThem, listSome, shellWord } from '../../text/wording.ts';
import { hasErrors } from '../../yaml/problem.ts';

export interface HoldOptions extends RecordOptions, Selection {
  /** The reason. Everyone who sees the hold also sees the reason. */
  readonly reason: string;
  /** When the hold ends: a time, or a day, which means 00:00 UTC on that day. */
  readonly until?: string | undefined;
}

export interface HeldResources {
  readonly environment: string;
  /** Addresses of resources that were put on hold or released. */
  readonly resources: readonly string[];
  /** Addresses of resources that needed no change. */
  readonly unchanged: readonly string[];
  /** Addresses of resources that cannot be on hold because they have no record. An apply can still create them. */
  readonly unrecorded: readonly string[];
}

/** Puts resources on hold until `unhold`, or until a given time. */
export async function hold(host: RecordHost, options: HoldOptions): Promise<HeldResources> {
  requireReason(options.reason);
  const until = options.until === undefined ? undefined : endOfHold(options.until, host.now());
  return changingHolds(host, { ...options, what: 'Hold', command: 'hold' }, async ({ project, store }) => {
    const { name: by } = await authorIn(project.root, host.env);
    const since = host.now().toISOString();
    const reason = await keptWords(options.reason, { project, store, env: host.env });
    const freeze: Freeze = { by, since, reason, ...(until !== undefined && { until }) };
    return ({ holds: { rollback, kept } = {} }) => ({ ...(rollback && { rollback }), ...(kept && { kept }), freeze });
  });
}

/**
 * Releases resources from all holds, even resources without a manifest. Also works if agentform.yaml no longer has the
 * environment.
 */
export async function unhold(host: RecordHost, options: RecordOptions & Selection): Promise<HeldResources> {
  requireNamed(options, 'unhold');
  const project = await loadRecording(host, options.project);
  const { environment } = options;
  const deciding = async () => {
    const { name: by } = await authorIn(project.root, host.env);
    const released = { by, at: host.now().toISOString() };
    return ({ holds: { freeze, rollback, kept } = {} }: ResourceRecord) =>
      freeze === undefined && rollback === undefined && kept === undefined ? undefined : { released };
  };
  if (environment === undefined || project.environments.includes(environment))
    return changingHolds(host, { ...options, what: 'Release', command: 'unhold' }, deciding);
  return changingRecordsOf(host, { ...options, project, environment, what: 'Release' }, async (open) => {
    const isSelected = selector(options);
    const stored = (await open.store.list(environment)).filter(({ record }) => isSelected(addressOf(record)));
    if (stored.length === 0) environmentNamed(project, environment);
    return changed(stored, { open, holdsOf: await deciding(), keyOf: async () => undefined });
  });
}

/** Computes the new holds of a record. A result of undefined means no change. */
type NewHolds = (record: ResourceRecord) => ResourceRecord['holds'];

function changingHolds(
  host: RecordHost,
  options: RecordOptions & Selection & { readonly what: string; readonly command: 'hold' | 'unhold' },
  deciding: (open: OpenRecords) => Promise<NewHolds>,
): Promise<HeldResources> {
  requireNamed(options, options.command);
  return changingRecords(host, options, async (open) => {
    const { stored, unrecorded, keyOf } = await selectedIn(host, open, options);
    const holdsOf = await deciding(open);
    if (stored.length === 0) throw await nothingRecorded(unrecorded, open);
    return { ...(await changed(stored, { open, holdsOf, keyOf })), unrecorded };
  });
}

function requireNamed(
  { names, selector, environment }: Selection & Pick<RecordOptions, 'environment'>,
  command: string,
): void {
  if (names.length === 0 && selector === undefined) throw nothingNamed(command, environment);
}

interface Changing {
  readonly open: OpenRecords;
  readonly holdsOf: NewHolds;
  /** Finds the key for a record's HMAC. Returns undefined if the token is not available. */
  readonly keyOf: (record: ResourceRecord) => Promise<FingerprintKey | undefined>;
}

async function changed(stored: readonly StoredRecord[], { open, holdsOf, keyOf }: Changing): Promise<HeldResources> {
  const resources: string[] = [];
  const unchanged: string[] = [];
  for (const { record, version } of stored) {
    const holds = holdsOf(record);
    const address = addressOf(record);
    if (holds === undefined) unchanged.push(address);
    else {
      await open.store.save(keepingHmac({ ...record, holds }, { before: record, key: await keyOf(record) }), version);
      resources.push(address);
    }
  }
  return { environment: open.environment, resources, unchanged, unrecorded: [] };
}

/**
 * Finds the selected records, even under former names. A resource without a manifest can be released, but put on hold
 * only if a manifest has errors. In that case, the resource may be declared in a file that cannot be read.
 */
async function selectedIn(
  host: RecordHost,
  { project, environment, store }: OpenRecords,
  options: Selection & { readonly command: 'hold' | 'unhold' },
) {
  const isSelected = selector(options);
  const resolution = await resolveRecorded(host, { project, environment }, { secrets: 'names', select: isSelected });
  const listed = await store.list(environment);
  const all = new Map(listed.map((one) => [addressOf(one.record), one]));
  const assigned = assignRecords(all, { manifests: resolution.all, removed: project.removed });
  const { undeclared, removals } = assigned;
  const undeclaredRecords = undeclared.map(({ record }) => record);
  requireKnownLabels(options, { ...resolution, undeclared: undeclaredRecords, project, environment });
  const left =
    options.command === 'unhold' ? [...undeclared, ...removals] : hasErrors(resolution.problems) ? undeclared : [];
  const known = [...resolution.all, ...left.map(({ record: { kind, name } }) => ({ kind, name }))];
  requireMatches(options, { ...resolution, all: known, environment, removed: project.removed });
  const addresses = resolution.all.filter((one) => isSelected(addressOf(one), one.labels ?? {})).map(addressOf);
  const ownerOf = new Map(left.filter(({ record }) => isSelected(addressOf(record))).map(({ record }) => [record, '']));
  for (const address of addresses)
    for (const one of [assigned.records.get(address), assigned.former.get(address)])
      if (one !== undefined) ownerOf.set(one.record, address);
  const keyAt = new FingerprintKeys(project.root).finder(resolution, host);
  const recorded = new Set(ownerOf.values());
  return {
    stored: listed.filter(({ record }) => ownerOf.has(record)),
    unrecorded: addresses.filter((address) => !recorded.has(address)),
    keyOf: (record: ResourceRecord) => keyAt(ownerOf.get(record) ?? ''),
  };
}

/** Returns the error for resources without records. Points to records that were removed but are still in git. */
async function nothingRecorded(
  addresses: readonly string[],
  { store, environment }: Pick<OpenRecords, 'store' | 'environment'>,
): Promise<AgentformError> {
  const verb = addresses.length === 1 ? 'has' : 'have';
  const keys = addresses.map((address) => ({ environment, ...parseAddress(address) }));
  const versions = await store.newerVersions?.(environment, keys);
  const removed = keys.flatMap(({ kind, name }) => {
    const version = versions?.get(addressOf({ kind, name }));
    return version === undefined
      ? []
      : [notice('record-removed', { kind, commit: version.commit, path: version.path })];
  });
  const why = removed.length > 0 ? `: ${joinedSentences(removed)}` : ', and only applied resources can be on hold';
  return new AgentformError(
    'record-unknown',
    `${listSome(addresses, 3)} ${verb} no record in the environment ${environment}${why}`,
  );
}

/** The maximum length of a reason, in characters. A plan shows the reason on one line. */
const maxReasonLength = 300;

/** Throws `usage` unless a reason is one short line, because plans, logs and pull requests show the reason. */
export function requireReason(reason: string): void {
  const isOneLine = !/[\p{Cc}\u2028\u2029]/u.test(reason);
  if (reason.trim() !== '' && reason.length <= maxReasonLength && isOneLine) return;
  throw new AgentformError('usage', `--reason must be one line of at most ${maxReasonLength} characters`);
}

function endOfHold(text: string, now: Date): string {
  const end = readTime(text);
  const shown = JSON.stringify(text);
  if (end === undefined) {
    throw new AgentformError(
      'usage',
      `--until is ${shown}: expected a day such as 2026-12-24, or a time such as 2026-12-24T18:00Z`,
    );
  }
  if (end <= now)
    throw new AgentformError(
      'usage',
      `--until is ${shown}, which is in the past; name a later time or day (a day begins at 00:00 UTC)`,
    );
  return end.toISOString();
}

/** Says which resources are on hold, and which command releases the same resources. */
export function heldText(
  { environment, resources, unrecorded }: HeldResources,
  { names, selector }: Selection,
): string {
  const selected = [...names, ...(selector === undefined ? [] : ['-l', selector])].map(shellWord).join(' ');
  const [are, them] = [isOrAre(resources.length), itOrThem(resources.length)];
  const unhold = commandIn(environment, `unhold ${resources.length === 1 ? resources[0] : selected}`);
  const held = `${listSome(resources, 5)} ${are} on hold in ${environment}. Apply does not change ${them}. To release ${them}, run ${unhold}.\n`;
  if (unrecorded.length === 0) return held;
  const have = unrecorded.length === 1 ? 'has' : 'have';
  return `${held}${listSome(unrecorded, 5)} ${have} no record, so apply can still create ${itOrThem(unrecorded.length)}.\n`;
}

export function releasedText({ environment, resources, unchanged }: HeldResources): string {
  if (resources.length === 0)
    return `Nothing to release: ${listSome(unchanged, 5)} ${isOrAre(unchanged.length)} not on hold.\n`;
  return `Released ${listSome(resources, 5)} in ${environment}. To see what the next apply changes, run ${commandIn(environment, 'plan')}.\n`;
}
