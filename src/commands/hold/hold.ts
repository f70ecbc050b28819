import { AgentformError } from '../../errors.ts';
import { authorIn } from '../../git/author.ts';
import { addressOf } from '../../kinds/desired.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Freeze, ResourceRecord } from '../../schemas/record-types.ts';
import type { Host } from '../../session/host.ts';
import {
  changingRecords,
  hideNamedSecrets,
  keptWords,
  type OpenRecords,
  type RecordHost,
  type RecordOptions,
} from '../../session/records/records.ts';
import { requireMatches, type Selection, selector } from '../../session/selection.ts';
import { readTime } from '../../text/time.ts';
import { listSome } from '../../text/wording.ts';

type HoldHost = RecordHost & Pick<Host, 'now'>;

export interface HoldOptions extends RecordOptions, Selection {
  /** Why, for everybody who meets the hold. */
  readonly reason: string;
  /** When it ends: a day, at whose beginning in UTC, or a time. */
  readonly until?: string | undefined;
}

export interface HeldResources {
  readonly environment: string;
  /** Addresses of what is held now, or no longer. */
  readonly resources: readonly string[];
  /** Addresses of what was so before. */
  readonly unchanged: readonly string[];
}

/** Freezes resources as they are until `unhold`, or until a day. */
export function hold(host: HoldHost, options: HoldOptions): Promise<HeldResources> {
  requireReason(options.reason);
  const until = options.until === undefined ? undefined : endOfHold(options.until, host.now());
  return changingHolds(host, { ...options, what: 'Hold', command: 'hold' }, async ({ project, store }) => {
    const { name: by } = await authorIn(project.root, host.env);
    const since = host.now().toISOString();
    const reason = await keptWords(options.reason, { project, store, env: host.env });
    const freeze: Freeze = { by, since, reason, ...(until !== undefined && { until }) };
    return ({ holds }) => ({ ...(holds?.rollback && { rollback: holds.rollback }), freeze });
  });
}

/** Releases resources, whatever holds them. */
export function unhold(host: HoldHost, options: RecordOptions & Selection): Promise<HeldResources> {
  return changingHolds(host, { ...options, what: 'Release', command: 'unhold' }, async ({ project }) => {
    const { name: by } = await authorIn(project.root, host.env);
    const released = { by, at: host.now().toISOString() };
    return ({ holds: { freeze, rollback } = {} }) =>
      freeze === undefined && rollback === undefined ? undefined : { released };
  });
}

/** Undefined for a record that stays as it is. */
type NewHolds = (record: ResourceRecord) => ResourceRecord['holds'];

function changingHolds(
  host: HoldHost,
  options: RecordOptions & Selection & { readonly what: string; readonly command: string },
  deciding: (open: OpenRecords) => Promise<NewHolds>,
): Promise<HeldResources> {
  if (options.names.length === 0 && options.selector === undefined) {
    throw new AgentformError(
      'usage',
      `name the resources, such as \`agentform ${options.command} front-desk\`; '*' is everything`,
    );
  }
  return changingRecords(host, options, async (open) => {
    const { environment, store } = open;
    const selected = await selectedIn(host, open, options);
    const holdsOf = await deciding(open);
    const changed: string[] = [];
    const unchanged: string[] = [];
    for (const stored of (await store.list(environment)).filter(({ record }) => selected.has(addressOf(record)))) {
      const holds = holdsOf(stored.record);
      const address = addressOf(stored.record);
      if (holds === undefined) unchanged.push(address);
      else {
        await store.save({ ...stored.record, holds }, stored.version);
        changed.push(address);
      }
    }
    if (changed.length + unchanged.length === 0) throw unrecorded([...selected], environment);
    return { environment, resources: changed, unchanged };
  });
}

/** By address what is selected of the manifests; a record of which there is no manifest is not written anyway. */
async function selectedIn(host: HoldHost, { project, environment }: OpenRecords, options: Selection) {
  const { env, allowedSecrets } = host;
  const resolution = await resolveProject(project, {
    environment,
    secrets: 'form',
    select: selector(options),
    env,
    allowedSecrets,
  });
  requireMatches(options, { ...resolution, environment, removed: project.removed });
  hideNamedSecrets(host, resolution.secretNames);
  const isSelected = selector(options);
  const selected = resolution.all.filter((one) => isSelected(addressOf(one), one.labels ?? {})).map(addressOf);
  return new Set(selected);
}

/** What was never applied has no record that could hold it. */
function unrecorded(addresses: readonly string[], environment: string): AgentformError {
  const verb = addresses.length === 1 ? 'has' : 'have';
  const why = 'because nothing was applied yet; apply first';
  return new AgentformError(
    'record-unknown',
    `${listSome(addresses, 3)} ${verb} no record in the environment ${environment}, ${why}`,
  );
}

/** Characters of the longest reason: it is shown in one line of a plan. */
const longestReason = 300;

/** A reason is shown in plans, logs and pull requests. */
export function requireReason(reason: string): void {
  const isOneLine = !/[\p{Cc}\u2028\u2029]/u.test(reason);
  if (reason.trim() !== '' && reason.length <= longestReason && isOneLine) return;
  throw new AgentformError('usage', `--reason takes one line of up to ${longestReason} characters`);
}

function endOfHold(text: string, now: Date): string {
  const end = readTime(text);
  const shown = JSON.stringify(text);
  if (end === undefined) {
    throw new AgentformError(
      'usage',
      `--until is ${shown}; it takes a day such as 2026-12-24, or a time such as 2026-12-24T18:00Z`,
    );
  }
  if (end <= now)
    throw new AgentformError(
      'usage',
      `--until is ${shown}, which is over; a hold ends at the beginning of its day, in UTC`,
    );
  return end.toISOString();
}
