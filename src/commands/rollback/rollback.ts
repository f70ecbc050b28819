import type { Ledger } from '../../apply/events.ts';
import { AgentformError } from '../../errors.ts';
import { ledgerSignature, requireWritable } from '../../files/output-file.ts';
import { authorIn } from '../../git/repository.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { addressOf, byAddress, commandIn } from '../../kinds/desired.ts';
import {
  type FieldPath,
  fieldPathOf,
  formatPath,
  isElement,
  isMapField,
  isWithin,
  parsePath,
} from '../../kinds/field-path.ts';
import { notice, type Remedy, remedyIn } from '../../notices/notice.ts';
import { isPending } from '../../plan/pending.ts';
import { remedyText } from '../../report/notices.ts';
import { isSensitive } from '../../report/values.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Host } from '../../session/host.ts';
import type { Restore } from '../../session/prepare.ts';
import { keptWords, locked } from '../../session/records/records.ts';
import { isEverything, nothingNamed } from '../../session/selection.ts';
import { withSession } from '../../session/session.ts';
import { isOrAre, listSome } from '../../text/wording.ts';
import { type ApplyResult, type ApplyRunOptions, applySession, refuseOtherEnvironment } from '../apply/apply.ts';
import { requireReason } from '../hold/hold.ts';
import { restoreAll } from './restore.ts';
import { type ChosenVersion, chooseVersions, type WantedVersion, wantedVersion } from './versions.ts';

type Applying = Omit<ApplyRunOptions, 'approvedEach' | 'savedPlan' | 'lateAnswers'>;

export interface RollbackOptions extends Applying {
  /** `previous` (the default), a version that `history` lists, or a time. */
  readonly to?: string | undefined;
  /** The path of a saved plan to undo, instead of `to`. */
  readonly from?: string | undefined;
  /** The reason for the hold. Everyone who sees the hold also sees the reason. */
  readonly reason?: string | undefined;
}

/**
 * Restores resources to the values of earlier records, and puts them on hold. A rollback is an apply whose desired
 * values come from the record history or a saved plan. A rollback replaces later edits on the service.
 */
export async function rollback(host: Host, options: RollbackOptions): Promise<ApplyResult> {
  if (options.to !== undefined && options.from !== undefined) {
    throw new AgentformError('usage', '--to and --from cannot be combined: choose a version, or a plan to undo');
  }
  if (options.reason !== undefined) requireReason(options.reason);
  const wanted = wantedVersion(options.to ?? 'previous', host.now());
  const saved =
    options.from === undefined
      ? undefined
      : await (await import('../../session/plans/saved-plan.ts')).readSavedPlan(options.from);
  if (saved === undefined && isEverything(options)) throw nothingNamed('rollback', options.environment);
  if (options.report !== undefined) await requireWritable(options.report, ledgerSignature);
  const runOptions = saved === undefined ? options : optionsFrom(saved, options);
  return withSession(host, runOptions, (session) =>
    locked(session.store, { environment: session.environment, signal: runOptions.signal }, (lock) => {
      const restore = restoring(host, { ...options, saved, wanted });
      return applySession(host, { ...runOptions, restore }, { session, lock, deed: 'Roll back' });
    }),
  );
}

/** Sets the environment to that of a saved plan. Without a selection, selects the resources that the plan changes. */
function optionsFrom(saved: Plan, options: RollbackOptions): RollbackOptions {
  const { environment, from } = options;
  refuseOtherEnvironment(saved, { path: from, environment });
  if (saved.offline !== undefined) {
    throw new AgentformError(
      'plan-mismatch',
      `the plan ${from} was made offline, so it does not contain the earlier values; name a version with --to instead`,
    );
  }
  const changed = saved.resources.filter(isPending).map(addressOf);
  if (changed.length === 0)
    throw new AgentformError('plan-mismatch', `the plan ${from} changes nothing, so there is nothing to undo`);
  return { ...options, environment: saved.environment, names: isEverything(options) ? changed : options.names };
}

interface RestoringOptions extends Pick<RollbackOptions, 'from' | 'reason'> {
  readonly saved: Plan | undefined;
  readonly wanted: WantedVersion;
}

function restoring(host: Host, { saved, wanted, from, reason }: RestoringOptions): Restore {
  return async ({ session, desired, records }) => {
    const { store, environment, project, resolution } = session;
    const former = new Map(resolution.all.map((one) => [addressOf(one), one.renamedFrom.map(({ name }) => name)]));
    const formerNames = (address: string) => former.get(address) ?? [];
    const resources = desired.map((one) => ({ desired: one, record: records.get(addressOf(one))?.record }));
    const chosen =
      saved === undefined
        ? await chooseVersions(wanted, { store, environment, desired, records, formerNames })
        : undoing(saved, `before ${from}`, resources);
    const hold = {
      by: (await authorIn(project.root, host.env)).name,
      since: host.now().toISOString(),
      ...(reason !== undefined && { reason: await keptWords(reason, { project, store, env: host.env }) }),
    };
    return restoreAll(
      resources.map((one) => ({ ...one, chosen: chosen.get(addressOf(one.desired)) })),
      { session, host, hold },
    );
  };
}

type Recorded = Parameters<typeof restoreAll>[0][number];

function undoing(
  saved: Plan,
  to: string,
  resources: readonly Pick<Recorded, 'desired' | 'record'>[],
): ReadonlyMap<string, ChosenVersion> {
  const changed = byAddress(saved.resources.filter(isPending));
  return new Map(
    resources.flatMap(({ desired, record }): [string, ChosenVersion][] => {
      const plan = changed.get(addressOf(desired));
      if (plan === undefined || record === undefined) return [];
      if (plan.action !== 'update') return [[addressOf(desired), { problem: notice('created-by-saved-plan', {}) }]];
      return [[addressOf(desired), { to, record: undone(record, { kind: desired.kind, changes: plan.changes }) }]];
    }),
  );
}

/**
 * Reconstructs the record as it was before a plan was applied. The plan contains the earlier value of each change.
 * Leaves out the commit, the overlay and the digests of the content, because they are unknown.
 */
export function undone(
  { commit: _, content: __, overlay: ___, revision: ____, ...record }: ResourceRecord,
  { kind, changes }: { readonly kind: KindName; readonly changes: ResourcePlan['changes'] },
): ResourceRecord {
  const fields = new Map(
    Object.entries(record.fields).map(([text, field]) => [text, { path: parsePath(text), field }]),
  );
  for (const change of changes) {
    const path = parsePath(change.path);
    for (const [text, one] of fields) if (isWithin(one.path, path)) fields.delete(text);
    const parts = change.from === undefined ? [] : fieldsOfValue(kind, path, change.from as Json);
    // Only an empty list has a field for the whole list.
    if (parts.length > 0) fields.delete(formatPath(kind, fieldPathOf(kind, path)));
    for (const [at, value] of parts) {
      const field = isSensitive(value) ? { fingerprint: value.fingerprint } : { value };
      fields.set(formatPath(kind, at), { path: at, field });
    }
  }
  return { ...record, fields: Object.fromEntries([...fields].map(([text, { field }]) => [text, field])) };
}

/** Splits a plan value into fields. A plan combines an element's members, and a list's elements, into one value. */
function fieldsOfValue(kind: KindName, path: FieldPath, value: Json): [FieldPath, Json][] {
  if (!isJsonObject(value) || isSensitive(value)) return [[path, value]];
  const members = Object.entries(value);
  if (isElement(kind, path)) {
    return members.length === 0 ? [[path, {}]] : members.map(([name, member]) => [[...path, name], member]);
  }
  if (!isMapField(kind, path)) return [[path, value]];
  return members.map(([name, member]) => {
    const end = name.lastIndexOf('.');
    return end < 0 ? [[...path, name], {}] : [[...path, name.slice(0, end), name.slice(end + 1)], member];
  });
}

/** Returns the commands for the next steps. Returns an empty list if nothing was restored. */
export function rollbackRemedies({ ledger: { environment, entries } }: ApplyResult): Remedy[] {
  const restored = entries.filter(({ outcome }) => outcome === 'applied').map(addressOf);
  return restored.length === 0 ? [] : ['update', 'unhold'].map((name) => remedyIn(environment, name, ...restored));
}

/** Returns whether a value of the version contains a secret and cannot be restored. A warning gives the reason. */
export function lacksSecret({ warnings }: Pick<ResourcePlan, 'warnings'>): boolean {
  return warnings.some(({ code }) => code === 'secret-not-restored');
}

/**
 * Returns the next steps after a rollback, and the resources that already had the values of the version. Returns an
 * empty text if there are neither.
 */
export function rollbackNotice(result: ApplyResult): string {
  const { entries } = result.ledger;
  const withOutcome = (wanted: string) => entries.filter(({ outcome }) => outcome === wanted).map(addressOf);
  const lacking = new Set(result.plan.resources.filter(lacksSecret).map(addressOf));
  const same = withOutcome('unchanged').filter((address) => !lacking.has(address));
  const there = thereText(same, result.ledger);
  const restored = withOutcome('applied');
  if (restored.length === 0) return there;
  const names = listSome(restored, 3);
  const [update = '', unhold = ''] = rollbackRemedies(result).map(remedyText);
  return (
    there +
    `${names} ${isOrAre(restored.length)} on hold: apply keeps the restored values until the manifest changes.\n` +
    `To copy the restored values into the manifest, run ${update}.\n` +
    `To apply the manifest as it is, first run ${unhold}.\n`
  );
}

function thereText(addresses: readonly string[], { environment, entries }: Ledger): string {
  const [first] = addresses;
  if (first === undefined) return '';
  const beginning = addresses.length === entries.length ? 'Nothing to roll back: ' : '';
  const [have, which] = addresses.length === 1 ? ['has', 'that version'] : ['have', 'those versions'];
  return (
    `${beginning}${listSome(addresses, 3)} already ${have} the values of ${which}.\n` +
    `To go back further, choose a version from ${commandIn(environment, `history ${first}`)}, and name it with --to.\n`
  );
}
