import { grouped } from '../json/json.ts';
import { addressOf, byAddress } from '../kinds/desired.ts';
import { isKindName, kindOf, nounOf } from '../kinds/kind.ts';
import { type Conflict, conflictNotice, type Owner, ofSavedPlan } from '../plan/decisions.ts';
import { isEmptyPlan, isPlanned, isUnclearEdit, plannedAction, undoingChanges } from '../plan/pending.ts';
import { type Fate, fatesIn, isForbidden, isLeft, leftPaths } from '../plan/questions.ts';
import { isOfOverlay } from '../plan/verdicts/requires.ts';
import type { ChangedSince, Plan, ResourcePlan } from '../schemas/plan-types.ts';
import type { HoldStatus } from '../schemas/status-types.ts';
import { minuteOf, shortMomentOf } from '../text/time.ts';
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
import type { Card, Document, Mark, Names } from './blocks.ts';
import { settlingSentence } from './notices.ts';
import { type CountedEdits, type EditsEnd, editCounts, editCountText } from './plan/edits.ts';

export function conflictNote(
  environment: string,
  resource: Owner,
  { conflicts, savedPlan }: { readonly conflicts: readonly Conflict[]; readonly savedPlan?: string | undefined },
): string {
  const found = ofSavedPlan(conflictNotice(environment, resource, conflicts), savedPlan);
  return `${counted(conflicts.length, 'conflict')} to resolve. Nothing is applied to ${resource.name} until you choose. ${settlingSentence(found)}`;
}

/** Counts or names unmanaged settings. The owner is an address such as `Agent/front-desk`. */
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

/** Notes that a resource was renamed, even if nothing else changes. */
export function renameNote(
  renamedFrom: string,
  { kind, changes }: ResourcePlan,
  { isExact }: { readonly isExact: boolean },
): string {
  const isUnsent = changes.length === 0;
  if (!isExact)
    return `renamed in the files from ${titleOfResource({ name: renamedFrom })}${isUnsent ? '; nothing is sent' : ''}`;
  const rest = isUnsent ? ' and sends nothing' : '';
  return `renamed from ${addressOf({ kind, name: renamedFrom })}: apply renames its record${rest}`;
}

export const orphanWords = 'not in the files';

/** Says where a resource is, as in `camp_1 on service.example.com`. */
export function locationOf({ id, target }: Pick<ResourcePlan, 'id' | 'target'>): string {
  const query = Object.entries(target.query).map(([name, value]) => `, ${name}=${value}`);
  return `${id === undefined ? '' : `${id} `}on ${target.host}${query.join('')}`;
}

/**
 * Counts the resources in a plan, as in `Plan: 2 to update, 1 to create, 1 blocked, 5 unchanged. 1 dashboard edit
 * undone.` The first two counts are always included. The counts describe what happens if questions are not answered.
 */
export function countsSentence(plan: Plan): string {
  const { resources } = plan;
  const fateOf = fatesIn(plan);
  const byFate = grouped(resources, fateOf);
  const counts = countWords.map(
    ({ fate, brief }) => [byFate.get(fate)?.length ?? 0, brief ?? requiredWords(plan, fate)] as const,
  );
  const updates = byFate.get('update') ?? [];
  const undoing = updates.map((one) => editsIn(one, undoingChanges(one)));
  const left = resources.map((one) => editsIn(one, leftPaths(one)));
  const undone = editCountText(undoing, plan.refusals.length > 0 ? 'would be undone' : 'undone');
  return `Plan: ${listCounts(counts, 2)}.${undone}${editCountText(left, 'kept')}`;
}

const maxFiles = 5;

/** Says which resources a run covers, as in `2 of 500 agents changed since 3f2a1c9: prompts/dental.md.` */
export function changedSinceSentences(
  { commit, reason, kinds, total, changed, unapplied = 0, deleted, files }: ChangedSince,
  done: 'read' | 'checked' = 'read',
): string {
  const noun = nounOf(kinds.map((kind) => ({ kind })));
  const since = `since ${commit.slice(0, 7)}`;
  if (reason !== undefined) return `Every ${noun} counts as changed ${since}: ${reason}.`;
  const where = files.length === 0 ? '' : `: ${listSome(files, maxFiles)}`;
  const others = listCounts(
    [
      [deleted, 'deleted'],
      [unapplied, 'also included (not fully applied yet)'],
      [total - changed - unapplied, `not ${done}`],
    ],
    0,
  );
  return present(
    `${formatNumber(changed)} of ${counted(total, noun)} changed ${since}${where}.`,
    others && `${others}.`,
  ).join(' ');
}

/** Says how many settings were compared. Creates are counted separately, because they have no live values. */
export function coverageSentences(plan: Plan): string {
  const { resources, summary, offline, refusals, tests } = plan;
  const tested = tests && testsSentence(tests);
  if (offline !== undefined) {
    const compared = `Compared with the files of commit ${offline.base.slice(0, 12)}, not with the dashboard.`;
    const unknown = 'Edits in the dashboard, and settings that were never applied, are unknown.';
    return present(compared, unknown, tested).join(' ');
  }
  const fateOf = fatesIn(plan);
  const { compared, assumed } = summary;
  const blind = { sent: summary.blind, later: 0, left: 0, new: 0 };
  for (const one of resources) {
    const isNew = (one.prevented?.action ?? plannedAction(one)) === 'create';
    const fate = isNew ? 'create' : fateOf(one);
    const part = fate === 'create' ? 'new' : isLeft(fate) ? 'left' : fate === 'waiting' ? 'later' : 'sent';
    blind.sent -= one.coverage.blind;
    blind[part] += one.coverage.blind;
  }
  const others = [
    [blind.sent, `write-only (${refusals.length > 0 ? 'would' : 'will'} be sent)`],
    [blind.later, 'write-only (sent in a later step)'],
    [blind.left, 'write-only (left out)'],
    [assumed, 'write-only (assumed unchanged)'],
    [blind.new, 'new'],
  ] as const;
  return present(checkedSentence(compared, others), tested).join(' ');
}

/** Counts compared settings, as in `Checked 34 of 58 settings. Not checked: 11 write-only (will be sent), 13 new.` */
export function checkedSentence(compared: number, others: readonly (readonly [number, string])[]): string {
  const total = others.reduce((sum, [count]) => sum + count, compared);
  if (total === 0) return 'No settings were checked.';
  const rest = listCounts(others, 0);
  return present(
    `Checked ${formatNumber(compared)} of ${counted(total, 'setting')}.`,
    rest && `Not checked: ${rest}.`,
  ).join(' ');
}

/**
 * Describes the steps of a rollout. Agents that are blocked, could not be read, or skip their step are not counted.
 * Returns undefined if no agent waits for its step.
 *
 *     Step 1 of 4 now: 5 agents. Then 90 agents, not before 27 Nov 09:00 UTC; then 102; then 103.
 */
export function rolloutSentence(
  { steps = [], stopped }: NonNullable<Plan['rollout']>,
  resources: Plan['resources'],
): string | undefined {
  const agents = resources.filter(isAgent);
  const others = agents.filter(
    ({ action, warnings }) =>
      action === 'blocked' || action === 'failed' || warnings.some(({ code }) => code === 'step-skipped'),
  );
  const pending = steps.flatMap((one) => {
    const count = one.pending - others.filter(({ step }) => step === one.step).length;
    return count > 0 ? [{ ...one, count }] : [];
  });
  const [open, closed] = [pending.filter(({ isOpen }) => isOpen), pending.filter(({ isOpen }) => !isOpen)];
  const [next] = closed;
  if (next === undefined) return undefined;
  const now = open.reduce((sum, { count }) => sum + count, 0);
  const numbers = joinWithAnd(open.map(({ step }) => String(step)));
  const begun = `Step${open.length === 1 ? '' : 's'} ${numbers} of ${steps.length} now: ${counted(now, 'agent')}. Then`;
  const start = open.length === 0 ? `Step ${next.step} of ${steps.length} waits:` : begun;
  const rest = closed.map(({ count, notBefore }, index) => {
    const size = index === 0 ? counted(count, 'agent') : `then ${formatNumber(count)}`;
    return `${size}${notBefore === undefined ? '' : `, not before ${shortMomentOf(notBefore) ?? notBefore}`}`;
  });
  return `${start} ${rest.join('; ')}.${stopped === undefined ? '' : ` ${stoppedSentence(stopped, resources)}`}`;
}

function stoppedSentence(
  { failed, held }: NonNullable<NonNullable<Plan['rollout']>['stopped']>,
  resources: Plan['resources'],
): string {
  const titleOf = titlesOf(byAddress(resources));
  const parts = present(
    failed.length > 0 && `${titlesAt(failed, titleOf)} failed`,
    held.length > 0 && `${titlesAt(held, titleOf)} ${isOrAre(held.length)} on hold`,
  );
  return `Stopped: ${joinWithAnd(parts)}.`;
}

interface CountWords {
  readonly fate: Fate;
  readonly mark: Mark;
  /** The words after the number on a terminal, such as `to update`. By default, `requiredWords` returns them. */
  readonly brief?: string;
  /**
   * The words for other readers, for one resource and for several, or for any number. `#` is the noun. Resources of
   * several kinds share words without a noun. By default, these are the noun and the words for a terminal.
   */
  readonly plain?: string | readonly [one: string, many: string];
  /** The words in a refused plan, if they differ. */
  readonly would?: string;
}

/** Describes resources that an apply without answers leaves out. */
export const unansweredWords = 'left out without an answer';

/** Describes resources that an answer leaves out. */
export const declinedWords = 'left out as answered';

/** Describes resources that another environment must have first, or that cannot be tried there. */
export function requiredWords({ requires = [] }: Pick<Plan, 'requires'>, fate: Fate): string {
  const unmet = requires.filter(
    (one) => one.level === 'deny' && !one.skipped && isOfOverlay(one.notice) === (fate === 'untriable'),
  );
  const environments = joinWithAnd([...new Set(unmet.map(({ environment }) => environment))]);
  return `left out until ${fate === 'untriable' ? 'someone skips the trial' : 'tried'} in ${environments}`;
}

const countWords: readonly CountWords[] = [
  { fate: 'update', mark: 'changed', brief: 'to update', plain: ['# changes', '# change'], would: '# would change' },
  { fate: 'create', mark: 'new', brief: 'to create', plain: 'new #', would: 'new # would be created' },
  { fate: 'again', mark: 'again', brief: 'to send again', plain: '# sent again', would: '# would be sent again' },
  { fate: 'unanswered', mark: 'question', brief: unansweredWords },
  { fate: 'declined', mark: 'same', brief: declinedWords },
  { fate: 'required', mark: 'stopped' },
  { fate: 'untriable', mark: 'stopped' },
  { fate: 'blocked', mark: 'stopped', brief: 'blocked', plain: '# cannot be applied' },
  { fate: 'failed', mark: 'failed', brief: 'failed', plain: '# could not be read' },
  { fate: 'held', mark: 'held', brief: 'on hold' },
  { fate: 'waiting', mark: 'waiting', brief: 'waiting', plain: ['waits for a later step', 'wait for a later step'] },
  {
    fate: 'forget',
    mark: 'gone',
    brief: 'to forget',
    plain: '# no longer managed',
    would: '# would no longer be managed',
  },
  { fate: 'orphan', mark: 'orphan', brief: orphanWords, plain: orphanWords },
  { fate: 'none', mark: 'same', brief: 'unchanged', plain: ['stays the same', 'stay the same'] },
];

/** Returns the nonzero counts for readers who do not know agentform. The counts contain no untrusted text. */
export function countsOfPlan(plan: Plan) {
  const { resources, refusals } = plan;
  const fateOf = fatesIn(plan);
  const isRefused = refusals.length > 0;
  const counts = countWords.flatMap(({ fate, mark, brief, would, ...words }) => {
    const { plain = `# ${brief ?? requiredWords(plan, fate)}` } = words;
    const [one, many] = typeof plain === 'string' ? [plain, plain] : plain;
    const isOf = (resource: ResourcePlan) => fateOf(resource) === fate;
    const all = resources.filter(isOf);
    const text = (isRefused && would) || (all.length === 1 ? one : many);
    // The count before the text is that of the first kind. The other kinds follow with their own counts.
    const [some, ...others] = alike(all, ({ kind }) => (text.includes('#') ? kind : ''));
    if (some === undefined) return [];
    const nouns = [`${nounOf(some)}${some.length === 1 ? '' : 's'}`, ...others.map(countedByKind)];
    return { mark, count: some.length, text: text.replace('#', joinWithAnd(nouns)), isOf };
  });
  const countEdits = (mark: Mark, end: EditsEnd, of: (resource: ResourcePlan) => readonly unknown[]) =>
    editCounts(
      resources.map((one) => editsIn(one, of(one))),
      end,
    ).map(({ count, text, isUnclear }) => {
      const isOf = (one: ResourcePlan) => of(one).length > 0 && isUnclearEdit(one) === isUnclear;
      return { mark, count, text, isOf };
    });
  const changing = counts.filter(({ mark }) => mark === 'changed' || mark === 'new');
  return [
    ...changing,
    ...countEdits('undone', isRefused ? 'would be undone' : 'undone', (one) => {
      return fateOf(one) === 'update' ? undoingChanges(one) : [];
    }),
    ...countEdits('held', 'kept', leftPaths),
    ...counts.slice(changing.length),
  ];
}

function editsIn(resource: ResourcePlan, { length: count }: readonly unknown[]): CountedEdits {
  return { count, isUnclear: isUnclearEdit(resource) };
}

/** Returns the verdict on a plan, such as `42 agents change, 1 new agent, 30 stay the same.` */
export function verdictSentence(plan: Plan): string {
  if (isEmptyPlan(plan)) return `No changes: ${noChangesReason(plan)}`;
  return `${countsOfPlan(plan)
    .map(({ count, text }) => `${formatNumber(count)} ${text}`)
    .join(', ')}.`;
}

/** Returns the verdict on a plan in one line. The verdict on a refused plan counts only the reasons. */
export function verdictText(plan: Plan): string {
  if (plan.refusals.length > 0)
    return `Refused for ${counted(plan.refusals.length, 'reason')}: nothing will be applied.`;
  const text = verdictSentence(plan);
  return plan.offline === undefined ? text : `Offline: ${lowerFirst(text)}`;
}

export function noChangesReason(plan: Plan): string {
  const { unchanged } = plan.summary;
  if (plan.changedSince !== undefined && plan.resources.length === 0)
    return `nothing in the files changed since ${plan.changedSince.commit.slice(0, 7)}.`;
  if (plan.offline !== undefined) return 'the files have the same settings as the base commit.';
  const where = ` in ${plan.environment}`;
  if (unchanged === 0) return `the files declare nothing${where}.`;
  const noun = nounOf(plan.resources);
  const kept = plan.resources.reduce((sum, resource) => sum + (resource.kept?.length ?? 0), 0);
  if (kept > 0)
    return `${counted(kept, 'setting')}${where} ${kept === 1 ? 'stays as it is' : 'stay as they are'} in the dashboard.`;
  if (unchanged === 1) return `the ${noun}${where} matches the files.`;
  const counts = countedByKind(plan.resources.filter(({ action }) => action === 'none'));
  const isMixed = counts !== counted(unchanged, noun);
  const all = isMixed ? counts : unchanged === 2 ? `both ${noun}s` : `all ${counts}`;
  return `${all}${where} match the files.`;
}

/** Counts resources by kind, as in `40 agents` or `2 agents and 1 phone number`. */
export function countedByKind(resources: readonly Pick<ResourcePlan, 'kind'>[]): string {
  const ofKinds = alike(resources, (one) => nounOf([one]));
  return joinWithAnd(ofKinds.map((some) => counted(some.length, nounOf(some))));
}

function testsSentence({ passed, failed, errors, skipped }: NonNullable<Plan['tests']>): string {
  const counts = listCounts([
    [passed, 'passed'],
    [failed, 'failed'],
    [errors, 'cannot be decided'],
  ]);
  return `Required Tests: ${counts}${skipped ? '; --skip-tests overrules them' : ''}.`;
}

interface Titled extends Pick<ResourcePlan, 'kind' | 'name' | 'title'> {
  /** The parts that distinguish a resource from others with the same title. */
  readonly distinct?: { readonly kind?: string | undefined; readonly name?: string | undefined } | undefined;
}

/** Returns the name that people know: the title, up to 100 characters, or otherwise the resource's name in words. */
export function titleOfResource({ name, title, distinct }: Pick<Titled, 'name' | 'title' | 'distinct'>): string {
  const words = name.replaceAll('-', ' ').trim();
  const named = visibleLine(words === '' ? name : capitalised(words));
  const text = title === undefined || title.trim() === '' ? named : shorten(visibleLine(title), 100);
  const about = present(distinct?.kind, distinct?.name);
  return about.length === 0 ? text : `${text} (${about.join(' ')})`;
}

function isAgent(resource: Pick<ResourcePlan, 'kind'>): boolean {
  return kindOf(resource)?.rollsOut === 'itself';
}

/** Adds the name to resources that share a title, and the kind to all but agents if there are several kinds. */
export function withDistinctTitles<Resource extends Titled>(resources: readonly Resource[]): Resource[] {
  const alikeTitled = alike(resources, (one) => `${one.kind} ${titleOfResource(one)}`);
  const unclear = new Set(alikeTitled.flatMap((same) => (same.length > 1 ? same : [])));
  const hasKinds = new Set(resources.map(({ kind }) => kind)).size > 1;
  return resources.map((one) => {
    const kind = hasKinds && !isAgent(one) ? nounOf([one]) : undefined;
    const name = unclear.has(one) ? one.name : undefined;
    return kind === undefined && name === undefined ? one : { ...one, distinct: { kind, name } };
  });
}

/** Returns titles. If all name the same kind, only `ofKind` contains the kind, as in ` (phone numbers)`. */
export function titlesTogether(resources: readonly Titled[]): { readonly titles: string[]; readonly ofKind: string } {
  const [kind, ...others] = new Set(resources.map(({ distinct }) => distinct?.kind));
  if (resources.length < 2 || kind === undefined || others.length > 0)
    return { titles: resources.map(titleOfResource), ofKind: '' };
  const titles = resources.map(({ distinct, ...one }) =>
    titleOfResource({ ...one, distinct: { name: distinct?.name } }),
  );
  return { titles, ofKind: ` (${kind}s)` };
}

/** Returns whether the plan is refused, or all its changes are forbidden. Held changes do not count. */
export function isStopped(plan: Pick<Plan, 'refusals' | 'resources' | 'questions' | 'requires'>): boolean {
  const fates = plan.resources.filter((one) => isPlanned(one) || one.prevented !== undefined).map(fatesIn(plan));
  const found = fates.filter((fate) => fate !== 'held');
  return plan.refusals.length > 0 || (found.length > 0 && found.every(isForbidden));
}

/** Returns whether no apply of this plan writes a resource, because the plan is refused or leaves the resource out. */
export function isPrevented({ refusals }: Pick<Plan, 'refusals'>, fate: Fate): boolean {
  return refusals.length > 0 || isForbidden(fate);
}

export function sidesOf({ offline }: Pick<Plan, 'offline'>, areWould: boolean): Document['sides'] {
  return [offline === undefined ? 'Live now' : 'Base commit', areWould ? 'Would be' : 'Will be'];
}

/** Says what callers of changed agents hear now, as far as it is known, and after publishing. */
export function hearingSentences(plan: Plan): string | undefined {
  if (isStopped(plan) || plan.offline !== undefined) return undefined;
  const fateOf = fatesIn(plan);
  const agents = plan.resources.filter((one) => {
    return isAgent(one) && isPlanned(one) && plannedAction(one) !== 'forget' && !isForbidden(fateOf(one));
  });
  if (agents.length === 0) return undefined;
  const isSilent = (one: ResourcePlan) => one.published === false || plannedAction(one) === 'create';
  const silent = agents.filter((one) => isSilent(one) && fateOf(one) !== 'unanswered');
  const now = agents.some(({ published }) => published) ? 'the last published version now, and ' : '';
  const sentences = present(
    !agents.every(isSilent) && `Callers hear ${now}the change once it is published.`,
    unpublishedSentence(silent, now === '' ? 'agent' : 'other agent'),
  );
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function unpublishedSentence([first, ...others]: readonly ResourcePlan[], noun: string): string | undefined {
  if (first === undefined) return undefined;
  if (others.length === 0) return `${titleOfResource(first)} is not published yet, so callers do not hear it.`;
  return `${counted(others.length + 1, noun)} are not published yet, so callers do not hear them.`;
}

/** Finds titles for addresses such as `Agent/after-hours`. The function returns undefined for other texts. */
export function titlesOf(known: ReadonlyMap<string, Pick<ResourcePlan, 'name' | 'title'>>) {
  return (text: string): string | undefined => {
    const [kind = '', name, ...rest] = text.split('/');
    const isAddress = isKindName(kind) && name !== undefined && rest.length === 0;
    return isAddress ? titleOfResource(known.get(text) ?? { name }) : undefined;
  };
}

/** Names up to three resources by their addresses, and counts the others. */
export function titlesAt(addresses: readonly string[], titleOf: ReturnType<typeof titlesOf>): string {
  const titles = [...new Set(addresses)].map((address) => titleOf(address) ?? address);
  return listSome(titles, 3);
}

/** The maximum number of names in a title, and their maximum length. Beyond that, resources are counted. */
const maxInTitle = { names: 3, characters: 100 };

/** Returns the title of a card for people who know the dashboard, and its title as in the files. */
export function cardTitles(resources: readonly Titled[]): { readonly title: string; readonly address: string } {
  const [first, ...others] = resources;
  if (first !== undefined && others.length === 0) return { title: titleOfResource(first), address: addressOf(first) };
  const address = countedByKind(resources);
  const { titles, ofKind } = titlesTogether(resources);
  const names = resources.length > maxInTitle.names ? '' : `${joinWithAnd(titles)}${ofKind}`;
  return { title: names === '' || names.length > maxInTitle.characters ? address : names, address };
}

/** Returns the head of a card in words that its readers know, and the first lines of the card's foot. */
export function cardHead(
  resources: readonly Titled[],
  { location, isExact }: { readonly location?: string | undefined; readonly isExact: boolean },
): Pick<Card, 'title' | 'namesAll' | 'names' | 'location'> & { readonly foot: readonly string[] } {
  const { title, address } = cardTitles(resources);
  const isGroup = resources.length > 1;
  const names = isGroup ? memberNames(resources, { isExact }) : undefined;
  const foot = present(!isGroup && `\`${address}\``, location);
  return { title: isExact ? address : title, namesAll: title !== address, names, location, foot };
}

/** Returns the names as in the files, such as `clinic-1 to clinic-90`, or addresses if there are several kinds. */
export function namesInFiles(resources: readonly Titled[]): string {
  const isMixed = resources.some(({ kind }) => kind !== resources[0]?.kind);
  return listNames(resources.map((one) => (isMixed ? addressOf(one) : one.name)));
}

/** Returns the names or titles of a group's members, folded behind their range. */
export function memberNames(resources: readonly Titled[], { isExact }: { readonly isExact: boolean }): Names {
  if (isExact) return { range: namesInFiles(resources), names: resources.map(addressOf) };
  const names = titlesTogether(resources).titles;
  return { range: listNames(names, 3), names };
}

interface Located extends Pick<ResourcePlan, 'id' | 'target'> {
  readonly action?: string;
}

/** Says who put a resource on hold, since when, until when and why, such as `Ann since 2026-11-30 09:05 (outage)`. */
export function heldSince({ by, at, reason, until }: HoldStatus): string {
  const end = until === undefined ? '' : ` until ${minuteOf(until) ?? '-'}`;
  return `${by} since ${minuteOf(at) ?? '-'}${end}${reason === undefined ? '' : ` (${reason})`}`;
}

/** Returns the location that resources on one host share. For a single resource, includes its id or `new`. */
export function groupLocation([first, ...others]: readonly Located[]): string | undefined {
  if (first === undefined || others.some(({ target }) => target.host !== first.target.host)) return undefined;
  const { id = first.action === 'create' ? 'new' : '', target } = first;
  if (others.length === 0) return locationOf({ target, ...(id !== '' && { id }) });
  const shared = Object.entries(target.query).filter(([name, value]) => {
    return others.every((other) => other.target.query[name] === value);
  });
  return locationOf({ target: { host: target.host, query: Object.fromEntries(shared) } });
}
