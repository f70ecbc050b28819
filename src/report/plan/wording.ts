import { addressOf, commandIn } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import { mergeTexts } from '../../kinds/text-merge.ts';
import { countChanges, isPending } from '../../plan/pending.ts';
import { type Conflict, conflictNotice, ofSavedPlan } from '../../plan/remedies.ts';
import type { Change, ChangedSince, Coverage, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { counted, formatNumber, joinWithAnd, listCounts, listSome } from '../../text/wording.ts';
import { sentenceOf, settlingSentence } from '../notices.ts';

// The texts about a plan, in one place: the terminal and the pull request use the same words.

/** The notes of a change beside its values. */
export interface ChangeNotes {
  /** Its meaning beyond "the manifest says so". */
  readonly note?: string | undefined;
  /** The parentheses after the values. */
  readonly marker?: string | undefined;
}

export function notesOn(change: Change, resource: ResourcePlan): ChangeNotes {
  return { note: noteOf(change), marker: markerOf(change, resource) };
}

/** The same if the plan has one note about how settings are known. */
export function notesOnMeaning(change: Change): ChangeNotes {
  return { note: noteOf(change), marker: bracketed(validationMarks(change)) };
}

/** The parentheses after a change: `(cannot be read back)`; undefined if nothing is. */
function markerOf(change: Change, resource: ResourcePlan): string | undefined {
  const isNews = isBlind(change) && resource.action !== 'create' && blindNote(resource) === undefined;
  return bracketed([...(isNews ? ['cannot be read back'] : []), ...validationMarks(change)]);
}

function validationMarks({ path, op }: Change): string[] {
  return path.startsWith('extraSettings') && op === 'set' ? ['not validated'] : [];
}

function bracketed(marks: readonly string[]): string | undefined {
  return marks.length === 0 ? undefined : `(${marks.join(', ')})`;
}

/** The source of a change: `prompts/front-desk.md:12`; undefined if no file has the value. */
export function sourceText({ source }: Pick<Change, 'source'>): string | undefined {
  return source && `${source.file}:${source.line}`;
}

/** The meaning of a change beyond "the manifest says so"; undefined if there is none. */
function noteOf(change: Change): string | undefined {
  if (change.op === 'release') return 'no longer managed; the service keeps its current value';
  const isUnset = change.op === 'unset';
  switch (change.cause) {
    case 'manifest':
      return undefined;
    case 'drift':
      return 'drift: changed on the service since the last apply; will be reverted';
    case 'conflict':
      return `conflict: changed on the service and ${isUnset ? 'removed from' : 'in'} the manifest${placesOf(change)}`;
    case 'adopt':
      return `adopt: set on the service before agentform managed it; will be ${isUnset ? 'removed' : 'replaced'}`;
    case 'unverified':
      return `unverified: ${unverifiedReason}, so it is sent again`;
  }
}

/** Whether both sides changed the same lines of a text, and which; empty for values that have no lines. */
function placesOf({ mergeable, lastApplied, from, to }: Change): string {
  if (mergeable) return ', in different lines';
  if (![lastApplied, from, to].every((value) => typeof value === 'string' && value.includes('\n'))) return '';
  const lines = mergeTexts({ base: String(lastApplied), ours: String(to), theirs: String(from) }).overlaps.map(
    ({ line }) => line,
  );
  if (lines.length === 0) return '';
  return `, both at ${lines.length === 1 ? 'line' : 'lines'} ${listSome(lines.map(formatNumber), 5)} of the manifest's text`;
}

export function conflictsOf({ changes }: Pick<ResourcePlan, 'changes'>): Change[] {
  return changes.filter(({ cause }) => cause === 'conflict');
}

/** How what drifted is kept instead, as far as it can be copied into the manifests. */
export function keepSentence(
  environment: string,
  { name }: Pick<ResourcePlan, 'name'>,
  drifted: readonly Change[],
): string {
  const refusals = drifted.flatMap(({ path, updateRefusal }) =>
    updateRefusal === undefined ? [] : [`${path}: ${sentenceOf(updateRefusal)}`],
  );
  const keep = `${commandIn(environment, `update ${name}`)} keeps what is on the service`;
  return [...(refusals.length < drifted.length ? [keep] : []), ...refusals].join('; ');
}

/** The decision before an apply; undefined if the resource has no conflict. */
export function conflictNote(
  environment: string,
  resource: Pick<ResourcePlan, 'kind' | 'name'>,
  { conflicts, savedPlan }: { readonly conflicts: readonly Conflict[]; readonly savedPlan?: string | undefined },
): string | undefined {
  if (conflicts.length === 0) return undefined;
  const found = ofSavedPlan(conflictNotice(environment, resource, conflicts), savedPlan);
  return `${counted(conflicts.length, 'conflict')} to resolve, and nothing is applied to ${resource.name} until you choose: ${settlingSentence(found)}`;
}

/** The number or names of unmanaged settings on the service; undefined if there are none. Owner: `Agent/front-desk`. */
export function unmanagedSentence(
  paths: readonly string[],
  options: { readonly owner?: string; readonly verbose: boolean },
): string | undefined {
  const what = unmanagedCount(paths, options);
  if (what === undefined || options.verbose) return what && `${what}: ${paths.join(', ')}`;
  return `${what}; use --verbose to list ${paths.length === 1 ? 'it' : 'them'}`;
}

/** The number alone, where the names follow. */
export function unmanagedCount(paths: readonly string[], { owner }: { readonly owner?: string }): string | undefined {
  if (paths.length === 0) return undefined;
  const place = owner === undefined ? 'on the service' : `of ${owner} on the service`;
  return `${counted(paths.length, 'setting')} ${place} ${paths.length === 1 ? 'is' : 'are'} not managed`;
}

const unverifiedReason = 'cannot be read back, and someone else edited the agent since the last apply';

/** The value after a manifest releases a setting. Null is what stands for "not set", documented or not. */
export function unsetValueText(to: string): string {
  return to === 'null' ? 'null (not set)' : `${to} (the default)`;
}

/** The shared note of several unverified changes. */
export function unverifiedNote(count: number): string {
  return `unverified: ${counted(count, 'setting')} ${unverifiedReason}, so ${count === 1 ? 'it is' : 'they are'} sent again`;
}

/**
 * The single note for a resource that replaces markers on every line; undefined if they differ. A create has a
 * different warning: nothing was read, which is not the same as unreadable.
 */
export function blindNote(resource: ResourcePlan): string | undefined {
  const sent = resource.changes.filter(({ op }) => op !== 'release');
  const allBlind = resource.action !== 'create' && sent.length > 1 && sent.every(isBlind);
  return allBlind ? `none of these ${formatNumber(sent.length)} settings can be read back` : undefined;
}

/** Whether the change gets the blind marker; an unverified one has a different note. */
function isBlind(change: Change): boolean {
  return change.knowledge === 'blind' && change.cause !== 'unverified' && change.op !== 'release';
}

/** The note about a rename; undefined if there was none. Also shown if nothing else changes. */
export function renameNote({ kind, renamedFrom, changes }: ResourcePlan): string | undefined {
  if (renamedFrom === undefined) return undefined;
  const rest = changes.length === 0 ? ' and sends nothing' : '';
  return `renamed from ${addressOf({ kind, name: renamedFrom })}: apply renames its record${rest}`;
}

/** The location of a resource: `camp_1 on service.example.com`. */
export function resourceLocation({ id, action, target }: ResourcePlan): string {
  const what = id ?? (action === 'create' ? 'new' : undefined);
  return locationOf({ target, ...(what !== undefined && { id: what }) });
}

export function locationOf({ id, target }: Pick<ResourcePlan, 'id' | 'target'>): string {
  const query = Object.entries(target.query).map(([name, value]) => `, ${name}=${value}`);
  return `${id === undefined ? '' : `${id} `}on ${target.host}${query.join('')}`;
}

/**
 * `Plan: 1 to create, 2 to update, 1 to revert, 5 unchanged, 1 blocked.` Resources that only drifted are counted
 * separately; the first `always` counts are shown even if they are 0.
 */
export function countsSentence({ summary, resources }: Plan, always = 2): string {
  const reverts = countReverts(resources);
  const resent = resources.filter(isOnlySentAgain).length;
  const open = resources.filter((resource) => isPending(resource) && conflictsOf(resource).length > 0);
  const creates = open.filter(({ action }) => action === 'create').length;
  const counts = [
    [summary.create - creates, 'to create'],
    [summary.update - reverts - resent - (open.length - creates), 'to update'],
    [open.length, 'in conflict'],
    [reverts, 'to revert'],
    [resent, 'to send again'],
    [summary.forget, 'to forget'],
    [summary.unchanged, 'unchanged'],
    [summary.blocked, 'blocked'],
    [summary.failed, 'failed'],
    [summary.orphans, summary.orphans === 1 ? 'orphan' : 'orphans'],
  ] as const;
  return `Plan: ${listCounts(counts, resources.length === 0 ? 2 : always)}.`;
}

/**
 * Whether an apply only brings a resource back to its manifest: nothing but the service changed. Settings that cannot
 * be read back are sent along.
 */
export function isOnlyDrift({ action, changes, renamedFrom }: ResourcePlan): boolean {
  if (action !== 'update' || renamedFrom !== undefined) return false;
  const causes = new Set(changes.map(({ cause }) => cause));
  return causes.delete('drift') && [...causes].every((cause) => cause === 'unverified');
}

/** Whether an apply only resends earlier values of a resource, because its present ones are unknown. */
export function isOnlySentAgain({ action, changes, renamedFrom }: ResourcePlan): boolean {
  if (action !== 'update' || renamedFrom !== undefined || changes.length === 0) return false;
  return changes.every(({ cause }) => cause === 'unverified');
}

/**
 * The number of resources that an apply only reverts to their manifests. They count among the updates of a plan's
 * summary.
 */
export function countReverts(resources: Plan['resources']): number {
  return resources.filter(isOnlyDrift).length;
}

/** The changes of a resource as displayed: the manifest's, drift, and unread resends. */
export function changesByOrigin({
  changes,
}: Pick<ResourcePlan, 'changes'>): Readonly<Record<'decided' | 'drifted' | 'doubted', readonly Change[]>> {
  const of = (...causes: readonly Change['cause'][]) => changes.filter(({ cause }) => causes.includes(cause));
  const doubted = of('unverified');
  const drifted = of('drift');
  // A single one needs no separate note.
  if (doubted.length > 1) return { decided: of('manifest', 'conflict', 'adopt'), drifted, doubted };
  return { decided: changes.filter(({ cause }) => cause !== 'drift'), drifted, doubted: [] };
}

/**
 * `3 settings change as the manifests say; 2 edits on the service are reverted (drift); 5 settings are only sent
 * again.` Undefined if all changes come from the manifests.
 */
export function causesSentence({ summary: { drift, conflicts }, resources }: Plan): string | undefined {
  const resent = countPending(resources, 'unverified');
  const own = drift + resent === 0 ? 0 : countPending(resources, 'manifest', 'adopt');
  const parts = [
    ...(own > 0 ? [`${counted(own, 'setting')} ${own === 1 ? 'changes' : 'change'} as the manifests say`] : []),
    ...(drift > 0 ? [`${counted(drift, 'edit')} on the service ${drift === 1 ? 'is' : 'are'} reverted (drift)`] : []),
    ...(resent > 0 ? [`${counted(resent, 'setting')} ${resent === 1 ? 'is' : 'are'} only sent again`] : []),
    ...(conflicts > 0 ? [`${counted(conflicts, 'conflict')} to resolve`] : []),
  ];
  return parts.length === 0 ? undefined : `${parts.join('; ')}.`;
}

/** The changes of these causes in what an apply writes. */
function countPending(resources: Plan['resources'], ...causes: readonly Change['cause'][]): number {
  const pending = resources.filter(({ action }) => action === 'create' || action === 'update');
  return countChanges(pending, causes);
}

/** The maximum number of files in a sentence. */
const mostFiles = 5;

/**
 * The resources of a run, and the untouched ones: `2 of 500 agents changed since 3f2a1c9: prompts/dental.md. The other
 * 498 were not read.`
 */
export function changedSinceSentences(
  { commit, reason, kinds, total, changed, unapplied = 0, deleted, files }: ChangedSince,
  done: 'read' | 'checked' = 'read',
): string {
  const noun = nounOf(kinds.map((kind) => ({ kind })));
  const since = `since ${commit.slice(0, 7)}`;
  const rest = total - changed - unapplied;
  if (reason !== undefined) return `Every ${noun} counts as changed ${since}: ${reason}.`;
  const counts = `${changed === 0 ? 'None' : formatNumber(changed)} of ${counted(total, noun)} changed ${since}`;
  const gone = deleted === 0 ? '' : `, and ${counted(deleted, noun)} ${deleted === 1 ? 'was' : 'were'} deleted`;
  const where = files.length === 0 ? '' : `: ${listSome(files, mostFiles)}`;
  const more = counted(unapplied, changed === 0 ? noun : `more ${noun}`);
  const because =
    unapplied === 1 ? 'its record does not match its manifest' : 'their records do not match their manifests';
  const isNone = changed + unapplied === 0;
  const left = isNone
    ? `None was ${done}`
    : `The other ${formatNumber(rest)} ${rest === 1 ? 'was' : 'were'} not ${done}`;
  return [
    `${counts}${gone}${where}.`,
    ...(unapplied === 0 ? [] : [`${more} ${unapplied === 1 ? 'is' : 'are'} included, because ${because}.`]),
    ...(rest === 0 ? [] : [`${left}.`]),
  ].join(' ');
}

/** The unknowns of an offline plan. */
export function offlineSentence({ base }: NonNullable<Plan['offline']>): string {
  return (
    `Compared with the manifests of commit ${base.slice(0, 12)}, without the service. Drift, conflicts and settings ` +
    'that were never applied are unknown.'
  );
}

/** How the settings of a plan are known; those of creates separately, because there was nothing to read. */
export function coverageSentences({
  resources,
  summary,
  offline,
  tests,
}: Pick<Plan, 'resources' | 'summary' | 'offline' | 'tests'>): string {
  const tested = tests === undefined ? [] : [testsSentence(tests)];
  if (offline !== undefined) return [offlineSentence(offline), ...tested].join(' ');
  const unread = resources
    .filter(({ action }) => action === 'create')
    .reduce((sum, each) => sum + each.coverage.blind, 0);
  const { compared, blind, assumed } = summary;
  const known = { compared, blind: blind - unread, assumed };
  const isAnyKnown = compared + known.blind + assumed > 0;
  return [
    ...(isAnyKnown || (unread === 0 && summary.blocked === 0) ? [coverageSentence(known)] : []),
    ...(!isAnyKnown && unread === 0 && summary.blocked > 0 ? ['Blocked resources are not compared.'] : []),
    ...(unread > 0
      ? [`There is no live value to compare with for ${counted(unread, 'setting')} of new resources.`]
      : []),
    ...tested,
  ].join(' ');
}

/** `Compared 14 of 31 managed settings with the service; 17 cannot be read back (2 of them sent blind, 15 assumed unchanged).` */
export function coverageSentence({ compared, blind, assumed }: Coverage): string {
  const total = compared + blind + assumed;
  if (total === 0) return 'Nothing was compared.';
  if (compared === total) return `Compared all ${counted(total, 'managed setting')} with the service.`;
  const unreadable = `${formatNumber(blind + assumed)} cannot be read back`;
  const compares = `Compared ${formatNumber(compared)} of ${counted(total, 'managed setting')} with the service`;
  if (assumed === 0) return `${compares}; ${unreadable} (sent blind).`;
  if (blind === 0) return `${compares}; ${unreadable} (assumed unchanged).`;
  return `${compares}; ${unreadable} (${formatNumber(blind)} of them sent blind, ${formatNumber(assumed)} assumed unchanged).`;
}

/** Whether an apply of the plan would do nothing, and is not blocked. */
export function isEmptyPlan({ summary, refusals, offline }: Plan): boolean {
  const { create, update, forget, blocked, failed } = summary;
  const gone = offline === undefined ? 0 : summary.orphans;
  return create + update + forget + blocked + failed + gone + refusals.length === 0;
}

/** Whether the resource is folded into a count. */
export function isUneventful({ action, reasons, warnings, changes }: ResourcePlan): boolean {
  return action === 'none' && reasons.length + warnings.length + changes.length === 0;
}

/**
 * The result of a plan, in a sentence that needs no knowledge of agentform. It contains no foreign text, so it is safe
 * everywhere.
 */
export function verdictSentence(plan: Plan): string {
  if (plan.refusals.length > 0)
    return `Refused for ${counted(plan.refusals.length, 'reason')}: nothing will be applied.`;
  const sentences = isEmptyPlan(plan)
    ? [noChangesSentence(plan)]
    : [...effectSentences(plan), ...obstacleSentences(plan)];
  const text = sentences.join(' ');
  return plan.offline === undefined ? text : `Offline: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** `No changes: all 5 agents in production are as their manifests say.` The place is omitted by default. */
export function noChangesSentence(plan: Plan, environment?: string): string {
  const { unchanged } = plan.summary;
  if (plan.changedSince !== undefined && plan.resources.length === 0)
    return `No changes: no manifest changed since ${plan.changedSince.commit.slice(0, 7)}.`;
  if (plan.offline !== undefined) return 'No changes: the manifests declare the same settings as the base commit.';
  const where = environment === undefined ? '' : ` in ${environment}`;
  if (unchanged === 0) return `No changes: no manifests${where}.`;
  const noun = nounOf(plan.resources);
  if (unchanged === 1) return `No changes: the ${noun}${where} matches its manifest.`;
  const all = unchanged === 2 ? `both ${noun}s` : `all ${counted(unchanged, noun)}`;
  return `No changes: ${all}${where} match their manifests.`;
}

/** Without the resources in conflict, to which nothing is applied. */
function effectSentences(given: Plan): string[] {
  if (given.offline !== undefined) return [`The manifests ${declaredEffects(given)}.`];
  const plan = { ...given, resources: given.resources.filter((resource) => conflictsOf(resource).length === 0) };
  const { changed, renamed, sentAgain } = updatesOf(plan);
  const drifted = plan.resources.filter(({ action, changes }) => {
    return (action === 'create' || action === 'update') && changes.some(({ cause }) => cause === 'drift');
  });
  const edits = countChanges(drifted, ['drift']);
  const created = plan.resources.filter(({ action }) => action === 'create');
  const { forget } = plan.summary;
  const effects = [
    ...(created.length > 0 ? [`create ${countedByKind(created)}`] : []),
    ...(changed.length > 0 ? [`change ${countedByKind(changed)}`] : []),
    ...(renamed.length > 0 ? [`rename ${counted(renamed.length, 'record')}`] : []),
    ...(forget > 0 ? [`drop ${counted(forget, 'record')}`] : []),
    ...(edits > 0
      ? [`undo ${counted(edits, 'edit')} that someone made on the service in ${countedByKind(drifted)}`]
      : []),
    ...(sentAgain.length > 0 ? [`send ${countedByKind(sentAgain)} again without a change`] : []),
  ];
  if (effects.length > 0) return [`Applying this will ${joinWithAnd(effects)}.`];
  return plan.resources.length === given.resources.length ? ['Nothing can be applied.'] : [];
}

/** Resources by what they are: `40 agents`, `2 agents and 1 phone number`. */
export function countedByKind(resources: readonly Pick<ResourcePlan, 'kind'>[]): string {
  const counts = new Map<string, number>();
  for (const resource of resources) counts.set(nounOf([resource]), (counts.get(nounOf([resource])) ?? 0) + 1);
  return joinWithAnd([...counts].map(([noun, count]) => counted(count, noun)));
}

type Updates = Readonly<Record<'changed' | 'renamed' | 'sentAgain', readonly ResourcePlan[]>>;

/** Updates that the manifests ask for, those that only rename the record, and those that send what was sent before. */
function updatesOf({ resources }: Plan): Updates {
  const updates = resources.filter(({ action }) => action === 'update');
  const renamed = updates.filter(({ changes }) => changes.length === 0);
  const [reverted, sentAgain] = [updates.filter(isOnlyDrift), updates.filter(isOnlySentAgain)];
  const others = new Set([...renamed, ...reverted, ...sentAgain]);
  return { changed: updates.filter((resource) => !others.has(resource)), renamed, sentAgain };
}

/** The heading above resources or settings that only drifted, if others changed too. */
export const onlyDriftHeading = 'Changed on the service only';

/** For declared values: whether the service has it is not known. */
function declaredEffects(plan: Plan): string {
  const { create, orphans, forget } = plan.summary;
  const { changed, renamed } = updatesOf(plan);
  const noun = nounOf(plan.resources);
  const effects = [
    ...(create > 0 ? [`declare ${formatNumber(create)} new ${create === 1 ? noun : `${noun}s`}`] : []),
    ...(changed.length > 0 ? [`change ${countedByKind(changed)}`] : []),
    ...(renamed.length > 0 ? [`rename ${countedByKind(renamed)}`] : []),
    ...(forget > 0 ? [`remove ${counted(forget, noun)}`] : []),
    ...(orphans > 0 ? [`no longer declare ${counted(orphans, noun)}`] : []),
  ];
  return effects.length === 0 ? 'declare nothing that can be applied' : joinWithAnd(effects);
}

function obstacleSentences(plan: Plan): string[] {
  const { blocked, failed, conflicts } = plan.summary;
  const noun = nounOf(plan.resources);
  return [
    ...(conflicts > 0 ? [conflictOutcome(plan)] : []),
    ...(blocked > 0 ? [`${counted(blocked, noun)} ${blocked === 1 ? 'is' : 'are'} blocked and left out.`] : []),
    ...(failed > 0 ? [`${counted(failed, noun)} could not be read.`] : []),
  ];
}

/** `Nothing is applied to after-hours until you choose; the other 3 are applied.` */
function conflictOutcome({ resources }: Plan): string {
  const pending = resources.filter(({ action }) => action === 'create' || action === 'update' || action === 'forget');
  const names = pending.filter((resource) => conflictsOf(resource).length > 0).map(({ name }) => name);
  const others = pending.length - names.length;
  const rest =
    others === 0 ? '' : others === 1 ? '; the other one is applied' : `; the other ${formatNumber(others)} are applied`;
  return `Nothing is applied to ${listSome(names, mostNamed)} until you choose${rest}.`;
}

/** The maximum number of resources in conflict in a sentence. */
const mostNamed = 5;

/** The results of the required Tests. */
export function testsSentence({ passed, failed, errors, skipped }: NonNullable<Plan['tests']>): string {
  const counts = listCounts([
    [passed, 'passed'],
    [failed, 'failed'],
    [errors, 'cannot be decided'],
  ]);
  return `Required Tests: ${counts}${skipped ? '; --skip-tests overrules them' : ''}.`;
}
