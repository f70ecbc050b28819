import { addressOf, commandIn } from '../kinds/desired.ts';
import { isKindName, kindOf, nounOf } from '../kinds/kind.ts';
import { type Conflict, conflictNotice, ofSavedPlan } from '../plan/decisions.ts';
import {
  countChanges,
  isEmptyPlan,
  isHeld,
  isOnlyDrift,
  isOnlySentAgain,
  isPending,
  undoneEdits,
} from '../plan/pending.ts';
import type { Change, ChangedSince, Coverage, Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { momentOf, shortMomentOf } from '../text/time.ts';
import { visibleLine } from '../text/visible.ts';
import {
  capitalised,
  counted,
  formatNumber,
  isOrAre,
  joinWithAnd,
  listCounts,
  listNames,
  listSome,
  lowerFirst,
  present,
  shorten,
} from '../text/wording.ts';
import { alike } from './alike.ts';
import type { Card, Names } from './blocks.ts';
import { sentenceOf, settlingSentence } from './notices.ts';

// Sentences about a plan. The terminal and the pull request share them, so that both use the same words.

/** Says how to keep dashboard edits, and why some edits cannot be copied into manifests. */
export function keepSentence(
  environment: string,
  { name }: Pick<ResourcePlan, 'name'>,
  drifted: readonly Change[],
): string {
  const refusals = drifted.flatMap(({ path, updateRefusal }) =>
    updateRefusal === undefined ? [] : [`${path}: ${sentenceOf(updateRefusal)}`],
  );
  const keep = `${commandIn(environment, `update ${name}`)} keeps the live values`;
  return present(refusals.length < drifted.length && keep, ...refusals).join('; ');
}

/** Describes the conflicts to resolve before an apply. Undefined without conflicts. */
export function conflictNote(
  environment: string,
  resource: Pick<ResourcePlan, 'kind' | 'name'>,
  { conflicts, savedPlan }: { readonly conflicts: readonly Conflict[]; readonly savedPlan?: string | undefined },
): string | undefined {
  if (conflicts.length === 0) return undefined;
  const found = ofSavedPlan(conflictNotice(environment, resource, conflicts), savedPlan);
  return `${counted(conflicts.length, 'conflict')} to resolve. Nothing is applied to ${resource.name} until you choose. ${settlingSentence(found)}`;
}

/**
 * Counts or names unmanaged settings. Undefined if there are none. The owner is an address such as `Agent/front-desk`.
 */
export function unmanagedSentence(
  paths: readonly string[],
  { owner, verbose }: { readonly owner?: string; readonly verbose: boolean },
): string | undefined {
  if (paths.length === 0) return undefined;
  const [is, them] = paths.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const where = owner === undefined ? 'on the service' : `of ${owner} on the service`;
  const what = `${counted(paths.length, 'setting')} ${where} ${is} not managed`;
  return verbose ? `${what}: ${paths.join(', ')}` : `${what}; use --verbose to list ${them}`;
}

/** Notes that a resource was renamed, even if nothing else changes. Undefined without a rename. */
export function renameNote({ kind, renamedFrom, changes }: ResourcePlan): string | undefined {
  if (renamedFrom === undefined) return undefined;
  const rest = changes.length === 0 ? ' and sends nothing' : '';
  return `renamed from ${addressOf({ kind, name: renamedFrom })}: apply renames its record${rest}`;
}

/** The word or phrase for an action. */
export function actionWord(action: ResourcePlan['action']): string {
  return action === 'orphan' ? 'not in the files' : action;
}

/** Says where a resource is: `camp_1 on service.example.com`. */
export function resourceLocation({ id, action, target }: ResourcePlan): string {
  const what = id ?? (action === 'create' ? 'new' : undefined);
  return locationOf({ target, ...(what !== undefined && { id: what }) });
}

export function locationOf({ id, target }: Pick<ResourcePlan, 'id' | 'target'>): string {
  const query = Object.entries(target.query).map(([name, value]) => `, ${name}=${value}`);
  return `${id === undefined ? '' : `${id} `}on ${target.host}${query.join('')}`;
}

/**
 * Counts the resources of a plan: `Plan: 1 to create, 2 to update, 1 to revert, 5 unchanged, 1 blocked.` Resources that
 * only drifted count as reverts. The first two counts are always included.
 */
export function countsSentence({ summary, resources }: Plan): string {
  const reverts = resources.filter(isOnlyDrift).length;
  const resent = resources.filter(isOnlySentAgain).length;
  const counts = [
    [summary.create, 'to create'],
    [summary.update - reverts - resent, 'to update'],
    [reverts, 'to revert'],
    [resent, 'to send again'],
    [summary.forget, 'to forget'],
    [summary.waiting, 'waiting'],
    [summary.unchanged, 'unchanged'],
    [summary.blocked, 'blocked'],
    [summary.failed, 'failed'],
    [summary.orphans, 'not in the files'],
  ] as const;
  return `Plan: ${listCounts(counts, 2)}.`;
}

/**
 * Counts settings by cause: `18 settings change, 2 dashboard edits are undone, 11 write-only settings are resent, 1
 * conflict waits for an answer.` Undefined without such settings.
 */
export function causesSentence({ summary: { conflicts }, resources }: Plan): string | undefined {
  const pending = resources.filter(isPending);
  const resent = countChanges(pending, ['unverified']);
  const edits = pending.flatMap(undoneEdits).length;
  const all = countChanges(pending, ['manifest', 'adopt', 'drift']);
  const own = edits + resent === 0 ? 0 : all - edits;
  const parts = present(
    own > 0 && `${counted(own, 'setting')} ${own === 1 ? 'changes' : 'change'}`,
    edits > 0 && `${counted(edits, 'dashboard edit')} ${isOrAre(edits)} undone`,
    resent > 0 && `${counted(resent, 'write-only setting')} ${isOrAre(resent)} resent`,
    conflicts > 0 && `${counted(conflicts, 'conflict')} ${conflicts === 1 ? 'waits' : 'wait'} for an answer`,
  );
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

/** The maximum number of files in a sentence. */
const maxFiles = 5;

/**
 * Says which resources a run covers: `2 of 500 agents changed since 3f2a1c9: prompts/dental.md. The other 498 were not
 * read.`
 */
export function changedSinceSentences(
  { commit, reason, kinds, total, changed, unapplied = 0, deleted, files }: ChangedSince,
  done: 'read' | 'checked' = 'read',
): string {
  const noun = nounOf(kinds.map((kind) => ({ kind })));
  const since = `since ${commit.slice(0, 7)}`;
  const rest = total - changed - unapplied;
  if (reason !== undefined) return `Every ${noun} counts as changed ${since}: ${reason}.`;
  const counts =
    total === 1
      ? `The ${noun} ${changed === 0 ? 'did not change' : 'changed'} ${since}`
      : `${changed === 0 ? 'None' : formatNumber(changed)} of ${counted(total, noun)} changed ${since}`;
  const gone = deleted === 0 ? '' : `, and ${counted(deleted, noun)} ${deleted === 1 ? 'was' : 'were'} deleted`;
  const where = files.length === 0 ? '' : `: ${listSome(files, maxFiles)}`;
  const more = counted(unapplied, changed === 0 ? noun : `more ${noun}`);
  const because =
    unapplied === 1 ? 'it has not been applied completely yet' : 'they have not been applied completely yet';
  const left =
    changed + unapplied === 0
      ? `${total === 1 ? 'It was not' : 'None was'} ${done}`
      : `The other ${formatNumber(rest)} ${rest === 1 ? 'was' : 'were'} not ${done}`;
  return present(
    `${counts}${gone}${where}.`,
    unapplied > 0 && `${more} ${isOrAre(unapplied)} included, because ${because}.`,
    rest > 0 && `${left}.`,
  ).join(' ');
}

/** Says how many settings were compared. Creates are counted separately, because they have no live values. */
export function coverageSentences({
  resources,
  summary,
  offline,
  tests,
}: Pick<Plan, 'resources' | 'summary' | 'offline' | 'tests'>): string {
  const tested = tests && testsSentence(tests);
  if (offline !== undefined) {
    const compared = `Compared with the files of commit ${offline.base.slice(0, 12)}, not with the dashboard.`;
    const unknown = 'Edits in the dashboard, and settings that were never applied, are unknown.';
    return present(compared, unknown, tested).join(' ');
  }
  const unread = resources
    .filter(({ action }) => action === 'create')
    .reduce((sum, each) => sum + each.coverage.blind, 0);
  const { compared, blind, assumed } = summary;
  const known = { compared, blind: blind - unread, assumed };
  const isAnyKnown = compared + known.blind + assumed > 0;
  return present(
    (isAnyKnown || (unread === 0 && summary.blocked === 0)) && coverageSentence(known),
    !isAnyKnown && unread === 0 && summary.blocked > 0 && 'Settings of blocked resources are not counted.',
    unread > 0 && `New resources have ${counted(unread, 'setting')} that cannot be compared.`,
    tested,
  ).join(' ');
}

/**
 * Counts compared settings: `Checked 34 of 58 settings. The other 24 are write-only: 11 will be sent, 13 are assumed
 * unchanged.`
 */
function coverageSentence({ compared, blind, assumed }: Coverage): string {
  const total = compared + blind + assumed;
  if (total === 0) return 'Nothing was compared.';
  if (compared === total) return `Checked ${total === 1 ? '' : 'all '}${counted(total, 'setting')}.`;
  const rest = blind + assumed;
  const other =
    rest === total
      ? `${counted(rest, 'setting')} ${isOrAre(rest)}`
      : rest === 1
        ? 'The other one is'
        : `The other ${formatNumber(rest)} are`;
  const checked = compared === 0 ? '' : `Checked ${formatNumber(compared)} of ${counted(total, 'setting')}. `;
  const known =
    assumed === 0
      ? ' and will be sent'
      : blind === 0
        ? ' and assumed unchanged'
        : `: ${formatNumber(blind)} will be sent, ${formatNumber(assumed)} ${isOrAre(assumed)} assumed unchanged`;
  return `${checked}${other} write-only${known}.`;
}

/**
 * Describes the steps of a rollout. Agents that are blocked or could not be read do not count as "now". Undefined if no
 * agent waits for its step or skips it.
 *
 *     Step 1 of 4 now: 5 agents. Then 90 agents, not before 27 Nov 09:00 UTC; then 102; then 103.
 */
export function rolloutSentence({ rollout, resources }: Pick<Plan, 'rollout' | 'resources'>): string | undefined {
  const { steps = [], stopped } = rollout ?? {};
  const agents = resources.filter((one) => kindOf(one)?.rollsOut === 'itself');
  const skipped = agents.filter(({ warnings }) => warnings.some(({ code }) => code === 'step-skipped')).length;
  if (skipped > 0)
    return `${counted(skipped, 'agent')} ${skipped === 1 ? 'does not wait for its step' : 'do not wait for their steps'}.`;
  const stuck = agents.filter(({ action }) => action === 'blocked' || action === 'failed');
  const open = steps.flatMap(({ step, pending, isOpen }) => {
    const count = pending - stuck.filter((one) => one.step === step).length;
    return isOpen && count > 0 ? [{ step, count }] : [];
  });
  const closed = steps.filter(({ pending, isOpen }) => pending > 0 && !isOpen);
  const [next] = closed;
  if (next === undefined) return undefined;
  const now = open.reduce((sum, { count }) => sum + count, 0);
  const numbers = joinWithAnd(open.map(({ step }) => String(step)));
  const begun = `Step${open.length === 1 ? '' : 's'} ${numbers} of ${steps.length} now: ${counted(now, 'agent')}. Then`;
  const start = open.length === 0 ? `Step ${next.step} of ${steps.length} waits:` : begun;
  const rest = closed.map(({ pending, notBefore }, index) => {
    const size = index === 0 ? counted(pending, 'agent') : `then ${formatNumber(pending)}`;
    return `${size}${notBefore === undefined ? '' : `, not before ${shortMomentOf(notBefore) ?? notBefore}`}`;
  });
  return `${start} ${rest.join('; ')}.${stopped === undefined ? '' : ` ${stoppedSentence(stopped, resources)}`}`;
}

function stoppedSentence(
  { failed, held }: NonNullable<NonNullable<Plan['rollout']>['stopped']>,
  resources: Plan['resources'],
): string {
  const titleOf = titlesOf(byAddress(resources));
  const namesOf = (addresses: readonly string[]) =>
    listSome(
      addresses.map((address) => titleOf(address) ?? address),
      3,
    );
  const parts = present(
    failed.length > 0 && `${namesOf(failed)} failed`,
    held.length > 0 && `${namesOf(held)} ${isOrAre(held.length)} on hold`,
  );
  return `Stopped: ${joinWithAnd(parts)}.`;
}

/**
 * The verdict on a plan for readers who do not know agentform: `42 agents change, 1 is new, 2 dashboard edits are
 * undone.` Further sentences count the resources that stay the same or cannot be applied. The sentences contain no
 * untrusted text, so they need no escaping.
 */
export function verdictSentences(plan: Plan): string[] {
  if (isEmptyPlan(plan)) return [`No changes: ${noChangesReason(plan)}`];
  const [effects, stays, obstacles] = [effectSentences(plan), staySentences(plan), obstacleSentences(plan)];
  if (effects.length > 0) return [...effects, ...stays, ...obstacles];
  return obstacles.length > 0 ? [...obstacles, ...stays] : ['Nothing changes.', ...stays];
}

/** The verdict on a plan in one line. For a refused plan, it only counts the reasons. */
export function verdictText(plan: Plan): string {
  if (plan.refusals.length > 0)
    return `Refused for ${counted(plan.refusals.length, 'reason')}: nothing will be applied.`;
  const text = verdictSentences(plan).join(' ');
  return plan.offline === undefined ? text : `Offline: ${lowerFirst(text)}`;
}

/** Says why a plan has no changes: `all 5 agents in production match the files.` */
export function noChangesReason(plan: Plan, environment?: string): string {
  const { unchanged } = plan.summary;
  if (plan.changedSince !== undefined && plan.resources.length === 0)
    return `nothing in the files changed since ${plan.changedSince.commit.slice(0, 7)}.`;
  if (plan.offline !== undefined) return 'the files have the same settings as the base commit.';
  const where = environment === undefined ? '' : ` in ${environment}`;
  if (unchanged === 0) return `the files declare nothing${where}.`;
  const noun = nounOf(plan.resources);
  const kept = plan.resources.reduce((sum, resource) => sum + (resource.kept?.length ?? 0), 0);
  if (kept > 0)
    return `${counted(kept, 'setting')}${where} ${kept === 1 ? 'stays as it is' : 'stay as they are'} in the dashboard.`;
  if (unchanged === 1) return `the ${noun}${where} matches the files.`;
  const all = unchanged === 2 ? `both ${noun}s` : `all ${counted(unchanged, noun)}`;
  return `${all}${where} match the files.`;
}

/** The effects of applying the plan. They include changes that wait for an answer. */
function effectSentences(plan: Plan): string[] {
  if (plan.offline !== undefined) return [`The files ${declaredEffects(plan)}.`];
  const { create } = plan.summary;
  const { changed, renamed, sentAgain } = updatesOf(plan);
  const edits = plan.resources.filter(isPending).flatMap(undoneEdits).length;
  const of = (wanted: ResourcePlan['action']) => plan.resources.filter(({ action }) => action === wanted);
  const [created, forgotten, waiting] = [of('create'), of('forget'), of('waiting')];
  const would = plan.refusals.length > 0;
  const isSaid = changed.length > 0 && nounOf(changed) === nounOf(created);
  const after = (some: readonly ResourcePlan[]) => (would ? '' : afterAnswers(some, plan.questions));
  const isAsked = !would && plan.questions.some(({ kind }) => kind === 'drift');
  const unlessKept = isAsked ? ` unless you keep ${edits === 1 ? 'it' : 'them'}` : '';
  const does = (count: number, one: string, many: string, infinitive = many) =>
    would ? `would ${infinitive}` : count === 1 ? one : many;
  const are = (count: number) => does(count, 'is', 'are', 'be');
  const told = (some: readonly ResourcePlan[], text: string) => some.length > 0 && `${countedByKind(some)} ${text}`;
  const effects = present(
    told(changed, `${does(changed.length, 'changes', 'change')}${after(changed)}`),
    create > 0 && `${isSaid ? formatNumber(create) : countedByKind(created)} ${are(create)} new${after(created)}`,
    edits > 0 && `${counted(edits, 'dashboard edit')} ${are(edits)} undone${unlessKept}`,
    told(sentAgain, `${are(sentAgain.length)} sent again without a change`),
    told(renamed, `${are(renamed.length)} renamed`),
    told(forgotten, `${are(forgotten.length)} no longer managed`),
    told(waiting, `${does(waiting.length, 'waits', 'wait')} for a later step`),
  );
  return effects.length === 0 ? [] : [`${effects.join(', ')}.`];
}

/**
 * Counts the resources that an apply leaves out until their question is answered: ` (1 of them only after your
 * answer)`.
 */
function afterAnswers(resources: readonly ResourcePlan[], questions: Plan['questions']): string {
  const isLeftOut = ({ choices }: Plan['questions'][number]) =>
    choices.every(({ code, isDefault }) => !isDefault || code === 'leave-out');
  const awaiting = new Set(questions.filter(isLeftOut).flatMap((question) => question.resources));
  const count = resources.filter((resource) => awaiting.has(addressOf(resource))).length;
  if (count === 0) return '';
  return ` (${count === resources.length ? '' : `${formatNumber(count)} of them `}only after your answer)`;
}

/** Counts resources by kind: `40 agents`, `2 agents and 1 phone number`. */
export function countedByKind(resources: readonly Pick<ResourcePlan, 'kind'>[]): string {
  const ofKinds = alike(resources, (one) => nounOf([one]));
  return joinWithAnd(ofKinds.map((some) => counted(some.length, nounOf(some))));
}

type Updates = Readonly<Record<'changed' | 'renamed' | 'sentAgain', readonly ResourcePlan[]>>;

/** Divides updates into those that only rename, those that only resend, and all others. */
function updatesOf({ resources }: Plan): Updates {
  const updates = resources.filter(({ action }) => action === 'update');
  const renamed = updates.filter(({ changes }) => changes.length === 0);
  const sentAgain = updates.filter(isOnlySentAgain);
  const others = new Set([...renamed, ...sentAgain]);
  return { changed: updates.filter((resource) => !others.has(resource)), renamed, sentAgain };
}

/** The effects of an offline plan, which does not know the live values. */
function declaredEffects(plan: Plan): string {
  const { create, orphans, forget } = plan.summary;
  const { changed, renamed } = updatesOf(plan);
  const noun = nounOf(plan.resources);
  const effects = present(
    create > 0 && `declare ${formatNumber(create)} new ${create === 1 ? noun : `${noun}s`}`,
    changed.length > 0 && `change ${countedByKind(changed)}`,
    renamed.length > 0 && `rename ${countedByKind(renamed)}`,
    forget > 0 && `remove ${counted(forget, noun)}`,
    orphans > 0 && `no longer declare ${counted(orphans, noun)}`,
  );
  return effects.length === 0 ? 'declare nothing that can be applied' : joinWithAnd(effects);
}

/** Counts the resources that stay the same: those on hold, and unchanged ones. */
function staySentences(plan: Plan): string[] {
  const { unchanged } = plan.summary;
  const held = plan.resources.filter(isHeld).length;
  const same = plan.resources.filter(({ action }) => action === 'none');
  const isMixed = new Set(plan.resources.map(({ kind }) => kind)).size > 1;
  const others = `${formatNumber(unchanged)}${held === 0 ? '' : unchanged === 1 ? ' other' : ' others'}`;
  const stays = present(
    held > 0 && `${formatNumber(held)} on hold`,
    // With several kinds, readers would take a bare number for a number of agents.
    unchanged > 0 && (isMixed ? countedByKind(same) : others),
  );
  if (stays.length === 0) return [];
  return [`${joinWithAnd(stays)} ${held + unchanged === 1 ? 'stays as it is' : 'stay as they are'}.`];
}

function obstacleSentences({ resources }: Plan): string[] {
  const blocked = resources.filter((resource) => resource.action === 'blocked' && !isHeld(resource));
  const failed = resources.filter(({ action }) => action === 'failed');
  return present(
    blocked.length > 0 && `${countedByKind(blocked)} cannot be applied.`,
    failed.length > 0 && `${countedByKind(failed)} could not be read.`,
  );
}

function testsSentence({ passed, failed, errors, skipped }: NonNullable<Plan['tests']>): string {
  const counts = listCounts([
    [passed, 'passed'],
    [failed, 'failed'],
    [errors, 'cannot be decided'],
  ]);
  return `Required Tests: ${counts}${skipped ? '; --skip-tests overrules them' : ''}.`;
}

/**
 * The name that people know: the title, up to 100 characters, or else the resource's name with spaces and a capital
 * letter.
 */
export function titleOfResource({ name, title }: Pick<ResourcePlan, 'name' | 'title'>): string {
  if (title !== undefined && title.trim() !== '') return shorten(visibleLine(title), 100);
  const words = name.replaceAll('-', ' ').trim();
  return visibleLine(words === '' ? name : capitalised(words));
}

/** Appends the name to titles that several resources of a kind share. */
export function withDistinctTitles<Resource extends Titled>(resources: readonly Resource[]): Resource[] {
  const alikeTitled = alike(resources, (one) => `${one.kind} ${titleOfResource(one)}`);
  const unclear = new Set(alikeTitled.flatMap((same) => (same.length > 1 ? same : [])));
  return resources.map((one) => (unclear.has(one) ? { ...one, title: `${titleOfResource(one)} (${one.name})` } : one));
}

/** Indexes resources by address, in their order. */
export function byAddress<Resource extends Titled>(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(resources.map((one) => [addressOf(one), one]));
}

/**
 * Returns a function that finds the title for an address such as `Agent/after-hours`. The title of an unknown resource
 * comes from its name. The function returns undefined for other texts.
 */
export function titlesOf(known: ReadonlyMap<string, Pick<ResourcePlan, 'name' | 'title'>>) {
  return (text: string): string | undefined => {
    const [kind = '', name, ...rest] = text.split('/');
    const isAddress = isKindName(kind) && name !== undefined && rest.length === 0;
    return isAddress ? titleOfResource(known.get(text) ?? { name }) : undefined;
  };
}

type WithLastApply = Pick<ResourcePlan, 'lastApply'>;

/**
 * Says when resources were edited, such as `edited in the dashboard on 26 Nov 2026, 11:08 UTC`, and when they were last
 * applied. Undefined if unknown.
 */
export function editsSentence(resources: readonly WithLastApply[]): string | undefined {
  const applies = resources.flatMap(({ lastApply }) => (lastApply === undefined ? [] : [lastApply]));
  const [first, ...others] = applies;
  if (first === undefined || applies.length < resources.length) return undefined;
  if (others.length === 0) return editSentence(first);
  const edited = applies.filter((one) => one.edited !== 'no').length;
  if (edited === 0) return 'not edited in the dashboard since the last apply';
  const which =
    edited === applies.length ? 'each was' : `${formatNumber(edited)} of them ${edited === 1 ? 'was' : 'were'}`;
  return `${which} edited in the dashboard since the last apply; ${unknownEditor}`;
}

/** The result of `editsSentence` if a dashboard edit may explain a change. Undefined otherwise. */
export function editsNote(resources: readonly (WithLastApply & Pick<ResourcePlan, 'changes'>)[]): string | undefined {
  const isExplained = resources.some(({ lastApply, changes }) => {
    return lastApply?.edited !== 'no' && changes.some(({ cause }) => cause !== 'manifest' && cause !== 'adopt');
  });
  return isExplained ? editsSentence(resources) : undefined;
}

const unknownEditor = 'the service does not record by whom';

function editSentence({ at, commit, edited, editedAt }: NonNullable<WithLastApply['lastApply']>): string {
  const from = commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit) ? commit.slice(0, 7) : undefined;
  const about = [momentOf(at), from].filter((part) => part !== undefined);
  const apply = about.length === 0 ? 'the last apply' : `the last apply (${about.join(', ')})`;
  if (edited === 'no') return `not edited in the dashboard since ${apply}`;
  const last = momentOf(editedAt);
  if (edited === 'yes')
    return `edited in the dashboard${last === undefined ? '' : ` on ${last}`}, after ${apply}; ${unknownEditor}`;
  const lastEdit = last === undefined ? '' : ` (last written on ${last})`;
  return `may have been edited in the dashboard${lastEdit}; the record does not show when it was applied`;
}

/**
 * The maximum number of names in a title, and their maximum length in characters. Beyond these, resources are counted.
 */
const maxInTitle = { names: 3, characters: 100 };

/** A card's title for people who know the dashboard, and its title as in the files. */
export function cardTitles(resources: readonly Titled[]): { readonly title: string; readonly address: string } {
  const [first, ...others] = resources;
  if (first !== undefined && others.length === 0) return { title: titleOfResource(first), address: addressOf(first) };
  const address = countedByKind(resources);
  const names = resources.length > maxInTitle.names ? '' : joinWithAnd(resources.map(titleOfResource));
  return { title: names === '' || names.length > maxInTitle.characters ? address : names, address };
}

type Titled = Pick<ResourcePlan, 'kind' | 'name' | 'title'>;

/** The head of a card, in words that its readers know, and the first lines of the card's foot. */
export function cardHead(
  resources: readonly Titled[],
  { location, isExact }: { readonly location?: string | undefined; readonly isExact: boolean },
): Pick<Card, 'title' | 'location'> & { readonly foot: readonly string[] } {
  const { title, address } = cardTitles(resources);
  const foot = present(address !== title && `\`${address}\``, location);
  return { title: isExact ? address : title, location, foot };
}

/** The names or titles of a group's members, folded behind their range. */
export function memberNames(resources: readonly Titled[], { isExact }: { readonly isExact: boolean }): Names {
  const names = resources.map(isExact ? ({ name }) => name : titleOfResource);
  return { range: listNames(names), names };
}

/** The location that a group shares: `on service.example.com`. Undefined if the hosts differ. */
export function groupLocation(resources: readonly Pick<ResourcePlan, 'target'>[]): string | undefined {
  const [first, ...rest] = resources.map(({ target }) => target);
  if (first === undefined || rest.some(({ host }) => host !== first.host)) return undefined;
  const query = Object.entries(first.query).filter(([name, value]) =>
    rest.every((other) => other.query[name] === value),
  );
  return locationOf({ target: { host: first.host, query: Object.fromEntries(query) } });
}
