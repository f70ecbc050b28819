import { addressOf, byAddress, commandIn } from '../kinds/desired.ts';
import { nounOf } from '../kinds/kind.ts';
import { keyOfNotices, type Notice } from '../notices/notice.ts';
import { changesNothing, isEmptyPlan, isHeld, isUnclearEdit, isUneventful, plannedAction } from '../plan/pending.ts';
import { fatesIn, isLeavingOut, kindOfQuestion } from '../plan/questions.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { momentOf } from '../text/time.ts';
import { capitalised, counted, joinWithAnd, present } from '../text/wording.ts';
import { alike, noticeForAll } from './alike.ts';
import {
  asSentence,
  type Card,
  type Chip,
  type Document,
  factsOf,
  type HeadFact,
  type Inline,
  type Mark,
  type NotePart,
  notesSection,
  noticeSection,
  type Prose,
  type Question,
  type Questions,
  type Section,
  type TerminalDocument,
  technicalCard,
} from './blocks.ts';
import { detailsOf, listedSentences, refusalTitle, saidByRules, sentenceOf } from './notices.ts';
import { type CardContext, hasCommand, maxOpen, ownWarnings, sayingOf } from './plan/card-parts.ts';
import { cardOf, markOf, unchangedCard } from './plan/cards.ts';
import { type CardGroup, cardGroups, showingCards } from './plan/groups.ts';
import { holdCards } from './plan/holds.ts';
import { cardLinks, isAsked, namesText, questionBlock, questionsByAddress } from './plan/questions.ts';
import {
  changedSinceSentences,
  countedByKind,
  countsOfPlan,
  countsSentence,
  coverageSentences,
  declinedWords,
  hearingSentences,
  isStopped,
  namesInFiles,
  noChangesReason,
  orphanWords,
  rolloutSentence,
  sidesOf,
  titleOfResource,
  titlesAt,
  titlesOf,
  verdictSentence,
  withDistinctTitles,
} from './wording.ts';

// This file builds the document of a plan in reading order: subject, counts, questions, changes, and then the rest.

export interface DocumentOptions {
  /** The heading as plain text. Defaults to the title of the pull request or commit, or `Plan for production`. */
  readonly title?: string | undefined;
  readonly answers?: ReadonlyMap<number, string> | undefined;
  readonly remarks?: readonly string[] | undefined;
  /** Whether the plan was applied. The document then has only its changes, and not what to do next. */
  readonly isApplied?: true | undefined;
}

/** Builds the document of a plan for a page or comment, with titles, and with variables as `[brand]`. */
export function planDocument(given: Plan, { title, remarks = [], isApplied, answers }: DocumentOptions = {}): Document {
  const parts = partsOfPlan(given, { isExact: false, isApplied });
  const { plan } = parts.context;
  const own = plan.resources.flatMap((resource) => ownWarnings(resource, parts.context));
  const warnings = own.length + parts.told.filter(({ mark }) => mark === 'warning').length;
  const document: Document = {
    head: {
      ...subjectOf(parts, answers),
      title: title ?? titleOf(plan),
      chips: chipsOf(parts, warnings),
      verdict: present(verdictSentence(plan), warnings > 0 && `${counted(warnings, 'warning')}.`),
      remarks: remarksOf(plan, remarks),
      command: commandIn(
        plan.environment,
        plan.offline === undefined ? 'plan --full' : `plan --offline --base ${plan.offline.base.slice(0, 12)} --full`,
      ),
    },
    sections: sectionsOf(parts, { answers, technical: [technicalCardOf(parts)] }),
    sides: sidesOf(plan, isStopped(plan)),
    legend: legendOf(plan),
  };
  return isApplied ? onlyChanges(document) : document;
}

/** Builds the document of a plan for a terminal, with names, settings and variables as in manifests. */
export function terminalDocument(
  given: Plan,
  { savedPlan }: { readonly savedPlan?: string | undefined },
): TerminalDocument {
  const parts = partsOfPlan(given, { isExact: true, savedPlan });
  return {
    head: subjectOf(parts),
    sections: sectionsOf(parts),
    signs: signsOf(parts),
    closing: closingOf(parts.context.plan),
  };
}

function subjectOf(parts: PlanParts, answers?: DocumentOptions['answers']) {
  const { plan } = parts.context;
  return {
    project: plan.project?.name,
    about: plan.offline === undefined ? 'Plan for' : 'Offline plan for',
    environment: plan.environment,
    state: stateOf(parts, answers),
    facts: headFacts(plan),
  };
}

/** Arranges the sections of a plan. `technical` has the technical details, which a terminal does not show. */
function sectionsOf(
  parts: PlanParts,
  { answers, technical = [] }: Pick<DocumentOptions, 'answers'> & { readonly technical?: readonly Card[] } = {},
): Section[] {
  const { told, holds, orphans, unchanged, context } = parts;
  const ofRollout = (context.plan.rollout?.notices ?? []).map((one) => asSentence(sentenceOf(one)));
  const notes: NotePart[] = told.map((one) => ({ type: 'note', mark: one.mark, text: noteOf(one, context) }));
  const gone = orphans.map((group) => ({ ...cardOf(group, context), isOpen: false }));
  const same = unchanged.length === 0 ? [] : [unchangedCard(unchanged, context)];
  return [
    ...notesSection('warning', ofRollout, { id: 'rollout', title: 'The rollout changed' }),
    ...askSections(context, answers),
    ...(notes.length === 0 ? [] : [{ ...noticeSection, blocks: [{ type: 'notes', items: notes }] } as const]),
    ...changeSections(parts),
    { id: 'rest', title: 'Everything else', blocks: [...holds, ...gone, ...same, ...technical] },
  ];
}

/** Returns the changes of an applied plan, to show below the result. The command no longer shows these changes. */
function onlyChanges(document: Document): Document {
  const { command: _, ...head } = document.head;
  const sections = document.sections.filter(({ columns }) => columns !== undefined);
  return { ...document, head, isHeadless: true, sections, sides: ['Before', 'Now'], legend: [] };
}

function remarksOf(plan: Plan, remarks: readonly string[]): string[] {
  return present(
    plan.rollout && rolloutSentence(plan.rollout, plan.resources),
    ...remarks,
    plan.offline && coverageSentences(plan),
    plan.changedSince && changedSinceSentences(plan.changedSince),
  );
}

type PlanParts = ReturnType<typeof partsOfPlan>;

function partsOfPlan(given: Plan, style: Pick<CardContext, 'savedPlan' | 'isExact' | 'isApplied'>) {
  // Answers have no effect on a refused plan, so such a plan asks no questions.
  const asked = given.refusals.length > 0 ? [] : given.questions;
  const resources = withDistinctTitles(given.resources.map(withoutReleaseWarning));
  const plan = { ...given, questions: asked, resources };
  const eventful = plan.resources
    .filter((resource) => !isUneventful(resource))
    .map((resource) => {
      // The card of a blocked resource shows the changes that are prevented.
      const { prevented } = resource;
      return prevented === undefined ? resource : { ...resource, willBe: prevented.action, changes: prevented.changes };
    });
  const shared = sharedWarnings(eventful);
  const keys = new Set(shared.map(({ notice }) => keyOfNotices([notice])));
  const isShared = (notice: Notice) => keys.has(keyOfNotices([notice]));
  const takenIds = new Set<string>();
  const questions = questionsByAddress(plan);
  const fateOf = fatesIn(plan);
  const shown = eventful.filter((one) => !isHeld(one));
  const all = cardGroups(shown, { takenIds, isShared, questions, fateOf });
  const groups = all.filter(({ first }) => first.action !== 'orphan');
  const causes = sharedCauses(groups);
  for (const { notice } of causes) keys.add(keyOfNotices([notice]));
  const context = contextOf(plan, groups, { ...style, isShared, byAddress: questions });
  // Questions cover some warnings. Questions on a terminal are short, so it repeats all warnings except those about
  // existing agents.
  const told = shared.filter(({ notice, resources }) => {
    const isSaid = resources.every((one) => isAsked(notice, one, context));
    return !isSaid || (context.isExact && kindOfQuestion(notice) !== 'create-unknown');
  });
  return {
    context,
    fateOf,
    groups: inOrder(groups, context),
    orphans: all.filter(({ first }) => first.action === 'orphan'),
    holds: holdCards(eventful.filter(isHeld), takenIds, context),
    unchanged: plan.resources.filter(isUneventful),
    told: [...causes, ...told],
  };
}

/** Drops the warning about settings that are no longer managed, because the row of each setting says the same. */
function withoutReleaseWarning(resource: ResourcePlan): ResourcePlan {
  const warnings = resource.warnings.filter(({ code }) => code !== 'settings-released');
  return warnings.length === resource.warnings.length ? resource : { ...resource, warnings };
}

function contextOf(
  plan: Plan,
  groups: readonly CardGroup[],
  options: Pick<CardContext, 'isShared' | 'savedPlan' | 'isExact' | 'isApplied' | 'byAddress'>,
): CardContext {
  const cards = new Map(groups.flatMap((group) => group.resources.map((one) => [addressOf(one), group] as const)));
  return {
    plan,
    resources: byAddress(plan.resources),
    cardOf: (address) => cards.get(address),
    ...options,
    showing: showingCards(groups),
    areOpen: groups.length <= maxOpen,
  };
}

/** A notice about several resources, which is shown once above the cards. */
interface SharedNotice {
  readonly mark: 'stopped' | 'warning';
  readonly notice: Notice;
  readonly resources: readonly ResourcePlan[];
}

function sharedWarnings(resources: readonly ResourcePlan[]): SharedNotice[] {
  const all = resources.flatMap((resource) => resource.warnings.map((notice) => ({ notice, resource })));
  return alike(all, ({ notice }) => keyOfNotices([notice])).flatMap((same) => {
    const sharers = [...new Set(same.map(({ resource }) => resource))];
    return sharers.length > 1 ? [{ mark: 'warning', notice: same[0].notice, resources: sharers }] : [];
  });
}

/** Returns the reasons that block the resources of several cards. */
function sharedCauses(groups: readonly CardGroup[]): SharedNotice[] {
  const blocked = groups.filter(({ first }) => first.action === 'blocked');
  const all = blocked.flatMap(({ first, resources }) => first.reasons.map((notice) => ({ notice, resources })));
  return alike(all, ({ notice }) => keyOfNotices([notice])).flatMap((same) => {
    const resources = same.flatMap((one) => one.resources);
    return same.length > 1 ? [{ mark: 'stopped', notice: same[0].notice, resources }] : [];
  });
}

const collator = new Intl.Collator('en', { numeric: true });

/** Sorts groups by rollout step. Groups with questions come first, and then creates, single resources, and others. */
function inOrder(groups: readonly CardGroup[], { byAddress: asked, isExact }: CardContext): CardGroup[] {
  const rankOf = ({ first, resources }: CardGroup): readonly [step: number, rank: number, within: number] => {
    const step = first.action === 'waiting' ? (first.step ?? 0) : 0;
    const numbers = resources.flatMap((one) => asked.get(addressOf(one)) ?? []).map(({ number }) => number);
    if (numbers.length > 0) return [step, 0, Math.min(...numbers)];
    if (plannedAction(first) === 'create') return [step, 1, 0];
    return resources.length > 1 ? [step, 3, -resources.length] : [step, 2, 0];
  };
  const byTitle = ({ first: one }: CardGroup, { first: other }: CardGroup) =>
    collator.compare(titleOfResource(one), titleOfResource(other));
  const named = isExact ? groups : groups.toSorted(byTitle);
  return named
    .map((group) => ({ group, order: rankOf(group) }))
    .sort((one, other) => {
      const at = one.order.findIndex((value, index) => value !== other.order[index]);
      return (one.order[at] ?? 0) - (other.order[at] ?? 0);
    })
    .map(({ group }) => group);
}

function titleOf(plan: Plan): string {
  const { pullRequest, subject, run } = plan.from ?? {};
  if (pullRequest !== undefined) return pullRequest.title;
  if (isEmptyPlan(plan)) return 'Nothing to do';
  // Outside a pipeline, the files may contain uncommitted edits, so the commit's subject would be misleading.
  if (subject !== undefined && run !== undefined) return subject;
  return `${plan.offline === undefined ? 'Plan' : 'Offline plan'} for ${plan.environment}`;
}

function askingState(
  questions: Plan['questions'],
  answers: NonNullable<DocumentOptions['answers']>,
): Document['head']['state'] {
  const open = questions.filter(({ number }) => !answers.has(number));
  if (open.length === 0) return { text: 'All questions answered', mark: 'done', to: 'questions' };
  // Other questions have a default answer, so they need no answer.
  const needed = open.filter((question) => isLeavingOut(question)).length;
  const text = needed > 0 ? `${counted(needed, 'answer')} needed` : counted(open.length, 'question');
  return { text, mark: 'question', to: 'questions' };
}

function stateOf(
  { groups, holds, context, fateOf }: PlanParts,
  answers: DocumentOptions['answers'] = new Map(),
): Document['head']['state'] {
  const { plan } = context;
  const { questions, refusals, resources, summary, offline } = plan;
  if (refusals.length > 0) return { text: 'Cannot be applied', mark: 'stopped', to: 'stops' };
  if (offline !== undefined) return { text: 'Not compared with the dashboard', mark: 'same' };
  if (questions.length > 0) return askingState(questions, answers);
  if (isEmptyPlan(plan)) return { text: 'Up to date', mark: 'done' };
  const left = resources.filter((one) => ['failed', 'blocked', 'required', 'untriable'].includes(fateOf(one)));
  if (left.length === 0 && changesNothing(plan)) {
    if (summary.waiting > 0) return { text: 'Waiting', mark: 'waiting' };
    if (holds.length > 0) return { text: 'On hold', mark: 'held', to: holds[0]?.id };
    return { text: capitalised(declinedWords), mark: 'done', to: groups[0]?.id };
  }
  if (left.length > 0)
    return { text: `${countedByKind(left)} left out`, mark: 'question', to: groups[0]?.id ?? 'rest' };
  return { text: 'Ready to apply', mark: 'done' };
}

function headFacts({ from = {}, madeAt, project }: Plan): HeadFact[] {
  const { pullRequest, branch, commit, author } = from;
  const pages = project?.repository;
  const time = momentOf(madeAt);
  return present<HeadFact>(
    pullRequest && { what: 'pull request', text: `Pull request #${pullRequest.number}`, url: pullRequest.url },
    branch !== undefined && { what: 'branch', text: branch },
    commit !== undefined && { what: 'commit', text: commit.slice(0, 7), url: pages && `${pages}/commit/${commit}` },
    author !== undefined && { what: 'author', text: author },
    time !== undefined && { what: 'time', text: time, time: madeAt },
  );
}

function chipsOf({ groups, holds, orphans, told, context }: PlanParts, warnings: number): Chip[] {
  const { plan } = context;
  const stops = plan.refusals.length;
  const cardWith = (isOf: (one: ResourcePlan) => boolean) =>
    [...groups, ...orphans].find(({ first }) => isOf(first))?.id;
  const warned = told.length > 0 ? 'notices' : cardWith((one) => ownWarnings(one, context).length > 0);
  const fallbacks: Partial<Record<Mark, string | undefined>> = { held: holds[0]?.id, same: 'unchanged' };
  const chips: readonly Chip[] = [
    { mark: 'stopped', count: stops, text: `thing${stops === 1 ? ' stops' : 's stop'} this plan`, to: 'stops' },
    ...countsOfPlan(plan).map(({ isOf, ...count }) => {
      return { ...count, to: cardWith(isOf) ?? fallbacks[count.mark] ?? 'changes' };
    }),
    { mark: 'warning', count: warnings, text: `warning${warnings === 1 ? '' : 's'}`, to: warned ?? 'changes' },
  ];
  return chips.filter(({ count }) => count > 0);
}

const maxQuestions = 7;

function askSections(context: CardContext, known: DocumentOptions['answers']): Section[] {
  const { refusals, questions, from } = context.plan;
  if (refusals.length > 0) return [stopSection(context)];
  if (questions.length === 0) return [];
  const answers = questions.slice(0, 4).map(({ number, choices }) => `${number}${choices[0]?.letter ?? 'A'}`);
  const example: Inline = { text: answers.join(' '), style: 'strong' };
  const url = from?.pullRequest?.url;
  const start = url === undefined ? 'Reply' : 'or reply';
  const reply = [
    ...(url === undefined ? [] : [{ text: 'Answer on the pull request', url }, ' ']),
    `${start} with your choices, for example `,
    example,
    '.',
  ];
  const blocks = questions.map((question) => ({
    ...questionBlock(question, context),
    answer: known?.get(question.number),
  }));
  const section = questionSection('questions', blocks, { title: 'Answer first', reply });
  return [{ ...section, aside: counted(questions.length, 'question') }];
}

function questionSection(
  id: 'questions' | 'stops',
  all: readonly Question[],
  { title, reply }: Pick<Section, 'title'> & Pick<Questions, 'reply'>,
): Section {
  const [items, more] = [all.slice(0, maxQuestions), all.slice(maxQuestions)];
  return { id, title, blocks: [{ type: 'questions', isStop: id === 'stops', items, more, reply }] };
}

function stopSection(context: CardContext): Section {
  const { isExact, resources, plan } = context;
  const { refusals } = plan;
  const blocks = refusals.map((refusal, index): Question => {
    const { about, ...stop } = stopInWords(refusal, titlesOf(resources));
    const links = cardLinks(about, context, { see: 'See the change' });
    const { text } = stop;
    return {
      ...stop,
      id: `s${index + 1}`,
      text: links.length === 0 ? text : [asSentence(text), ' ', ...links, '.'],
      ...(isExact && { title: refusalTitle(refusal), ...listedSentences(refusal, undefined) }),
    };
  });
  const reply = `Nothing has changed. Resolve ${refusals.length === 1 ? 'this' : 'these'} first, then make a new plan.`;
  const title = isExact ? 'Refused: nothing will be applied' : 'What stops this plan';
  return questionSection('stops', blocks, { title, reply });
}

/** Describes in plain words what stops a plan, and names the affected resources. */
export function stopInWords(refusal: Notice, titleOf = titlesOf(new Map())) {
  const { title, advice, about = [], said } = stopOf(refusal, (addresses) => titlesAt(addresses, titleOf));
  const { text, items } = listedSentences(refusal, { titleOf });
  return { title, text: said ?? text, items, answers: [], advice, about };
}

interface Stop {
  readonly title: string;
  readonly advice?: Prose;
  /** The sentence below the title, if the refusal's sentence would repeat the title. */
  readonly said?: string;
  readonly about?: readonly string[];
}

function stopOf(refusal: Notice, namesOf: (addresses: readonly string[]) => string): Stop {
  switch (refusal.code) {
    case 'policy': {
      const names = new Set(refusal.facts.violations.flatMap(({ policy }) => policy ?? []));
      const rules: Inline = { text: joinWithAnd([...names].map((name) => titleOfResource({ name }))), style: 'strong' };
      const which = names.size === 0 ? [] : [' ', rules];
      const start = `Undo the change, or ask the team that maintains the rule${names.size === 1 ? '' : 's'}`;
      const advice = [start, ...which, ' for an exception.'];
      return { title: 'Forbidden by a rule', said: saidByRules(refusal.facts), advice };
    }
    case 'tests': {
      const { failures, missed } = refusal.facts;
      const about = failures.map(({ address }) => address);
      const title =
        failures.length < missed
          ? 'Tests fail'
          : `${missed === 1 ? 'A test' : 'Tests'} of ${namesOf(about)} ${missed === 1 ? 'fails' : 'fail'}`;
      return { title, about, advice: 'Correct the agents, or the tests if they expect the wrong result.' };
    }
    case 'older-commit': {
      const { resources: about } = refusal.facts;
      const title = `A newer version of ${namesOf(about)} has already been applied`;
      return { title, about, advice: 'Update this version first, then make a new plan.' };
    }
    case 'limit-creates':
      return {
        title: 'More new agents than allowed',
        advice: 'To create all of them, ask the people who maintain the files to raise the limit.',
      };
    case 'shared-target': {
      const { sharers: about } = refusal.facts;
      const title = `${namesOf(about)} share one account`;
      const said = about.length === 2 ? 'One would overwrite the other' : 'Each would overwrite the others';
      return { title, said, about, advice: 'Give each agent a separate account.' };
    }
    default:
      return { title: 'This plan cannot be applied' };
  }
}

function noteOf({ notice, resources }: SharedNotice, context: CardContext): Inline[] {
  const names = context.isExact ? namesInFiles(resources) : namesText(resources);
  const about: Inline[] = [{ text: `${names}:`, style: 'strong' }, ' '];
  return [...about, asSentence(sayingOf(resources, notice, context))];
}

function changeSections({ groups, context }: PlanParts): Section[] {
  const { plan } = context;
  const section = { id: 'changes', title: 'Changes' };
  if (groups.length === 0) {
    if (!isEmptyPlan(plan)) return [];
    const title = asSentence(noChangesReason(plan));
    return [{ ...section, blocks: [{ type: 'statement', title, text: unchangedSince(plan) }] }];
  }
  const noun = nounOf(groups.flatMap(({ resources }) => resources));
  const blocks = groups.map((group) => cardOf(group, context));
  const columns = [capitalised(noun), isStopped(plan) ? 'What would change' : 'What changes'] as const;
  return [{ ...section, aside: effectSentences(plan), columns, blocks }];
}

/** Says when the changes take effect, as far as it is known. */
function effectSentences(plan: Plan): string {
  if (plan.refusals.length > 0) return 'This is what the plan would do.';
  const now = plan.offline === undefined && !changesNothing(plan) && 'Nothing changes until this plan is applied.';
  return present(now, hearingSentences(plan)).join(' ');
}

function unchangedSince({ resources, from, offline }: Plan): string {
  if (offline !== undefined) return '';
  const isSure =
    resources.some(({ lastApply }) => lastApply !== undefined) &&
    resources.every(({ lastApply }) => lastApply === undefined || lastApply.edited === 'no');
  return present(
    isSure && 'Nothing has been edited in the dashboard since the last apply.',
    from?.pullRequest && 'This pull request changes no settings.',
  ).join(' ');
}

function technicalCardOf({ context: { plan }, told }: PlanParts): Card {
  const { digest, environment, from, offline } = plan;
  const shared = told.filter(({ notice }) => hasCommand(notice));
  const isApplicable = offline === undefined && plan.refusals.length === 0 && !changesNothing(plan);
  return technicalCard('commands, digests, what was compared', () => [
    ...factsOf([
      ['Apply', isApplicable ? commandIn(environment, 'apply') : undefined],
      ['Compared', offline === undefined ? coverageSentences(plan) : undefined],
      ...plan.refusals.map((one) => ['What stops this plan', sentenceOf(one)] as const),
      ...shared.map(({ notice, resources }) => {
        return ['In detail', detailsOf(noticeForAll(notice, resources, plan.resources))] as const;
      }),
      ['Plan', digest],
    ]),
    ...(from?.run === undefined ? [] : [{ name: 'Run', text: [{ text: runText(from.run), url: from.run }] }]),
  ]);
}

/** Returns the number of a run such as `.../actions/runs/991`, or the whole address if it has no number. */
function runText(run: string): string {
  const [, number] = /\/(\d+)(?:\/attempts\/\d+)?$/.exec(run) ?? [];
  return number === undefined ? run : `No. ${number}`;
}

function signsOf({ groups, holds, orphans }: PlanParts): NonNullable<TerminalDocument['signs']> {
  const ops = new Set(groups.flatMap(({ changes }) => changes.map(({ change }) => change.op)));
  const marks = present<Mark>(
    ...[...groups, ...orphans].map(({ first }) => markOf(first)),
    ...holds.map(({ mark }) => mark),
    ops.has('unset') && 'unset',
    ops.has('release') && 'released',
  );
  const isUnclear = groups.some(({ first }) => isUnclearEdit(first));
  const words = { ...signWords, ...(isUnclear && { undone: 'undo edits' }) };
  return [...new Set(marks)].flatMap((mark) => present(words[mark]).map((text) => ({ mark, text })));
}

const signWords: Partial<Readonly<Record<Mark, string>>> = {
  new: 'create',
  changed: 'update',
  undone: 'undo dashboard edits',
  again: 'send again',
  unset: 'unset',
  released: 'release (no longer managed)',
  gone: 'forget (drop the record)',
  held: 'on hold',
  waiting: 'wait for a rollout step',
  stopped: 'blocked',
  failed: 'failed',
  orphan: orphanWords,
};

function closingOf(plan: Plan): string[] {
  return present(
    isEmptyPlan(plan) ? verdictSentence(plan) : countsSentence(plan),
    plan.rollout && rolloutSentence(plan.rollout, plan.resources),
    hearingSentences(plan),
    coverageSentences(plan),
    plan.changedSince && changedSinceSentences(plan.changedSince),
  );
}

function legendOf(plan: Plan): NonNullable<Document['legend']> {
  if (plan.offline !== undefined) return [];
  const [live, planned] = sidesOf(plan, false);
  return [
    { side: live, text: 'shows the settings in the dashboard when this plan was made.' },
    { side: planned, text: 'shows the settings after this plan is applied.' },
    { side: sidesOf(plan, true)[1], text: 'shows the settings if the change could be applied.' },
  ];
}
