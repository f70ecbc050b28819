import { addressOf } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import type { Notice } from '../../notices/notice.ts';
import { isDeclined } from '../../plan/decisions.ts';
import { conflictsOf, isUnclearEdit, plannedAction } from '../../plan/pending.ts';
import { kindOfQuestion, leftEdits, leftPaths } from '../../plan/questions.ts';
import type { TestFailure } from '../../schemas/notices-types.ts';
import type { Change, Question, ResourcePlan } from '../../schemas/plan-types.ts';
import { dayOf } from '../../text/time.ts';
import { counted, isOrAre, joinWithAnd, listSome, present, shorten, wasOrWere } from '../../text/wording.ts';
import { noticeForAll } from '../alike.ts';
import type { ChangePart, Fact, Inline, Mark, NotePart, Part } from '../blocks.ts';
import { viewChange } from '../change-view.ts';
import { type ChangeOptions, changeParts, conflictPart, sameAsIn } from '../changes.ts';
import { alikeFailures, detailsOf, findingText, plainFailureText, plainSentenceOf, sentenceOf } from '../notices.ts';
import { inlineValue, inSentence, type PlainValue } from '../values.ts';
import { cardTitles, conflictNote, isPrevented, renameNote, titlesOf } from '../wording.ts';
import { editsNote, failedApplySentence } from './edits.ts';
import {
  type CardGroup,
  type IsShared,
  type SharedChange,
  type ShowingCards,
  showingCard,
  withValues,
} from './groups.ts';
import { answersOf, editedOn, isAsked, type QuestionContext } from './questions.ts';

// This file builds the content of a card: reasons, questions about texts, conflicts, changes, dashboard edits, and then
// warnings.

/** The maximum number of cards to open. If there are more, only cards that need attention are open. */
export const maxOpen = 8;

export interface CardContext extends QuestionContext {
  readonly isShared: IsShared;
  readonly savedPlan?: string | undefined;
  readonly showing: ShowingCards;
  /** Whether to show names, settings and variables in manifest form, for a terminal. */
  readonly isExact: boolean;
  readonly isApplied?: true | undefined;
  readonly areOpen: boolean;
}

export function* partsOf(group: CardGroup, context: CardContext): Generator<Part> {
  yield* reasonParts(group, context);
  const earlier = group.first.action === 'waiting' ? earlierCard(group, context) : undefined;
  if (earlier === undefined) yield* settingParts(group, context);
  else yield* earlierParts(earlier, group, context);
  yield* warningParts(group, context);
  if (context.isExact) yield* hintsOf(group, context);
}

function* earlierParts(earlier: CardGroup, { first, changes }: CardGroup, context: CardContext): Generator<Part> {
  const what = changes.length === 1 ? 'change' : 'changes';
  yield { type: 'note', mark: 'same', text: [...sameAsIn(what, linkToCard(earlier, context)), '.'] };
  for (const question of context.byAddress.get(addressOf(first)) ?? []) yield askedNote('question', 'See', question);
}

/** Shows the changes by cause: conflicts, changes in the files, dashboard edits, and then resent settings. */
function* settingParts(group: CardGroup, context: CardContext): Generator<Part> {
  const because = (...causes: readonly Change['cause'][]) =>
    group.changes.filter(({ change }) => causes.includes(change.cause));
  const [conflicts, drifted, doubted] = [because('conflict'), because('drift'), because('unverified')];
  const others = because('manifest', 'adopt');
  const { kept } = group.first;
  if (!context.isExact) yield* textQuestionParts(group, context);
  if (group.changes.some(({ isVariable }) => isVariable)) yield* variableParts(group, context);
  if (conflicts.length > 0) yield* conflictParts(conflicts, group, context);
  yield* plannedParts(others, group, context);
  const choice = questionOf(group, 'conflict', context);
  // A terminal shows this note together with the commands.
  if (choice !== undefined && (others.length > 0 || !context.isExact)) {
    const text = others.length > 0 ? 'The other changes wait until you choose.' : 'Nothing changes until you choose.';
    yield { type: 'note', mark: 'question', text: [text, ...linkTo(choice)] };
  }
  if (drifted.length > 0) yield* driftParts(drifted, group, context);
  if (kept !== undefined) yield* leftParts(kept, group, context);
  if (doubted.length > 0) yield doubtPart(doubted, group, context);
}

/** Shows changes in the files. The settings of a new resource share one part. */
function* plannedParts(planned: readonly SharedChange[], group: CardGroup, context: CardContext): Generator<Part> {
  const rows = planned.flatMap((one) => changesOf(one, group, context));
  if (plannedAction(group.first) !== 'create') return yield* rows;
  const asked = questionOf(group, 'create-unknown', context);
  const text = 'The service does not show whether this account already has an agent.';
  if (asked !== undefined) yield askedNote('question', text, asked);
  yield { type: 'values', rows };
}

/** Returns the sentences with commands that a terminal shows below the changes. */
export function hintsOf(group: CardGroup, context: CardContext): NotePart[] {
  const { first, resources } = group;
  const { plan, savedPlan } = context;
  // The question already shows the commands, but not the reason why a command is missing. For a saved plan, the
  // commands differ.
  const keeps = questionOf(group, 'conflict', context)?.choices[0]?.remedies ?? [];
  const isSaid = savedPlan === undefined && keeps.length > 0;
  const conflicts = resources.length > 1 || isSaid ? [] : conflictsOf(first);
  const note = conflicts.length > 0 && conflictNote(plan.environment, first, { conflicts, savedPlan });
  const edits = editsNote(resources);
  return present<NotePart>(
    edits && { type: 'note', text: edits, mark: 'same' },
    note && { type: 'note', text: note, mark: 'question' },
  );
}

function* reasonParts({ first, resources }: CardGroup, context: CardContext): Generator<Part> {
  const { renamedFrom } = first;
  if (renamedFrom !== undefined) yield { type: 'note', mark: 'changed', text: renameNote(renamedFrom, first, context) };
  const mark = isDeclined(first) ? 'same' : (reasonMarks[first.action] ?? 'stopped');
  const reasons = first.reasons.filter((one) => !context.isShared(one));
  for (const reason of reasons) yield { type: 'note', mark, text: sayingOf(resources, reason, context) };
  // A terminal has already shown the refusals and the failed cases above the cards.
  if (context.isExact) return;
  const names = resources.length > 1 ? { titleOf: titlesOf(context.resources) } : {};
  for (const same of alikeFailures(failuresOf(resources, context)))
    yield { type: 'note', mark: 'stopped', text: plainFailureText(same, names) };
}

export function failuresOf(resources: readonly ResourcePlan[], { plan }: Pick<CardContext, 'plan'>): TestFailure[] {
  const addresses = new Set(resources.map(addressOf));
  return plan.refusals.flatMap((refusal) =>
    refusal.code === 'tests' ? refusal.facts.failures.filter(({ address }) => addresses.has(address)) : [],
  );
}

/** Returns the exact sentences, with commands, of the reasons and warnings of a group. Questions have their own commands. */
export function exactNotices({ first, resources }: CardGroup, context: CardContext): string[] {
  const { plan, isShared } = context;
  const reasons = first.action === 'waiting' ? [] : first.reasons;
  const warnings = first.warnings.filter((one) => hasCommand(one) && !isAsked(one, first, context));
  const own = [...reasons, ...warnings].filter((one) => !isShared(one));
  return present(...own.map((one) => detailsOf(noticeForAll(one, resources, plan.resources))));
}

export function hasCommand({ remedies }: Notice): boolean {
  return remedies.length > 0;
}

/** The mark of the reasons, by action. Other actions have the mark `stopped`. */
const reasonMarks: Partial<Readonly<Record<ResourcePlan['action'], Mark>>> = {
  failed: 'failed',
  waiting: 'waiting',
  forget: 'gone',
  orphan: 'orphan',
};

/** Formats a notice that several resources share. An exact sentence contains one command for all these resources. */
export function sayingOf(
  resources: readonly ResourcePlan[],
  notice: Notice,
  { plan, resources: known, isExact }: CardContext,
): string {
  const said = noticeForAll(notice, resources, plan.resources);
  if (isExact) return sentenceOf(said);
  return plainSentenceOf(said, { kind: resources[0]?.kind, titleOf: titlesOf(known) });
}

export function questionOf(
  { first }: CardGroup,
  kind: Question['kind'],
  { byAddress }: CardContext,
): Question | undefined {
  return byAddress.get(addressOf(first))?.find((one) => one.kind === kind);
}

/** Returns the anchor that a question links to. Returns undefined for a question about several resources. */
function anchorOf(question: Question | undefined): string | undefined {
  return question?.resources.length === 1 ? `q${question.number}-change` : undefined;
}

function linkTo(question: Question | undefined): Inline[] {
  return question === undefined ? [] : [' ', { text: `Question ${question.number}`, to: `q${question.number}` }];
}

function askedNote(mark: Mark, text: string, question: Question | undefined): NotePart {
  return { type: 'note', id: anchorOf(question), mark, text: [text, ...linkTo(question)] };
}

function* conflictParts(conflicts: readonly SharedChange[], group: CardGroup, context: CardContext): Generator<Part> {
  const question = questionOf(group, 'conflict', context);
  const letters = question?.choices.map(({ letter }) => letter);
  const unclear = failedApplySentence(group.resources);
  const day = dayOf(group.first.lastApply?.editedAt);
  const edited = unclear ?? (day && `Edited in the dashboard on ${day}.`);
  for (const [index, { change }] of conflicts.entries()) {
    const id = index === 0 ? anchorOf(question) : undefined;
    const refusal = change.updateRefusal && plainSentenceOf(change.updateRefusal, {});
    yield conflictPart(change, {
      kind: group.first.kind,
      id,
      letters,
      edited,
      refusal,
      isUnclear: unclear !== undefined,
    });
  }
}

function* driftParts(drifted: readonly SharedChange[], group: CardGroup, context: CardContext): Generator<Part> {
  const question = questionOf(group, 'drift', context);
  yield askedNote('undone', editIntro(drifted.length, group), question);
  const after = question && 'If undone';
  for (const one of drifted) yield* changesOf(one, group, context, { after });
  yield* choicesOf(question, context);
}

function editIntro(count: number, { resources }: CardGroup, staying?: string): string {
  const unclear = failedApplySentence(resources);
  const [was, differs] = count === 1 ? ['This was', 'This differs'] : ['These were', 'These differ'];
  if (unclear !== undefined) return `${differs} from the files${staying ?? ''}. ${unclear}`;
  return `${was} edited in the dashboard${staying ?? `${editedOn(resources)}, not in the files`}:`;
}

function choicesOf(question: Question | undefined, context: CardContext): Part[] {
  return question === undefined ? [] : [{ type: 'choices', answers: answersOf(question, context) }];
}

/** Shows dashboard edits that stay: first those that a person or hold keeps, and then those with an open question. */
function* leftParts(kept: readonly Change[], group: CardGroup, context: CardContext): Generator<Part> {
  const { first } = group;
  const paths = leftPaths(first);
  const heldChanges = kept.filter(({ path }) => !paths.includes(path));
  if (heldChanges.length > 0) yield* keptParts(heldChanges, 'In the files', { group, context });
  const left = kept.filter(({ path }) => paths.includes(path));
  if (left.length === 0) return;
  const question = questionOf(group, 'drift', context);
  const until = leftEdits(first)?.facts.isUndoRefused
    ? ', because a prompt would lose too much text if this was undone'
    : ' until someone answers';
  const text = editIntro(left.length, group, ` and ${left.length === 1 ? 'stays' : 'stay'} unchanged${until}`);
  yield askedNote('held', text, question);
  yield* keptParts(left, question === undefined ? 'In the files' : 'If undone', { group, context });
  yield* choicesOf(question, context);
}

/** Shows edits that stay, beside the values in the files. A terminal shows both values on one line. */
function* keptParts(
  kept: readonly Change[],
  after: string,
  { group, context }: { readonly group: CardGroup; readonly context: CardContext },
): Generator<Part> {
  const { first, resources } = group;
  const options = { kind: first.kind, isShared: resources.length > 1, after };
  const parts = kept.flatMap((change) => changeParts(change, options)).map(withUnknown);
  if (!context.isExact) return yield* parts;
  const rows = parts.map(({ path: name, values, about, cause }): Fact => {
    const { from = unknown, to = { text: 'not set' } } = values ?? {};
    const live = from === unknown ? 'unknown' : `now ${inSentence(from)}`;
    const size = about === undefined ? '' : ` (${about})`;
    const difference = cause === 'unverified' ? 'unknown in the dashboard' : `different in the files${size}`;
    return {
      name,
      text: [values === undefined ? difference : `${live} in the dashboard, ${inSentence(to)} in the files`],
    };
  });
  yield { type: 'facts', rows };
}

const unknown: PlainValue = { text: 'unknown', isAside: true };

/** Says that the live value is unknown, if it cannot be read back. */
function withUnknown(part: ChangePart): ChangePart {
  const { values } = part;
  return values === undefined || values.from !== undefined ? part : { ...part, values: { ...values, from: unknown } };
}

function doubtPart(doubted: readonly SharedChange[], group: CardGroup, context: CardContext): Part {
  const question = questionOf(group, 'write-only', context);
  const count = doubted.length;
  const { fate } = group;
  const areWould = isPrevented(context.plan, fate) || fate === 'unanswered';
  const now = context.isApplied ? wasOrWere(count) : isOrAre(count);
  const are = fate === 'waiting' ? 'will be' : now;
  const values = `the value${count === 1 ? '' : 's'} in the files ${areWould ? 'would be' : are}`;
  const have = group.resources.every(isUnclearEdit) ? 'have changed' : 'have been edited';
  const text = `${counted(count, 'setting')} cannot be read back and may ${have}, so ${values} sent again.`;
  return {
    type: 'values',
    id: anchorOf(question),
    intro: {
      text: [text, ...linkTo(question)],
      summary: count === 1 ? 'Show the value' : `Show the ${counted(count, 'value')}`,
    },
    rows: doubted.flatMap((one) => {
      const instead = one.isOwn === true ? `each ${nounOf([group.first])} has its own` : undefined;
      return changesOf(one, group, context, { sameAs: undefined, about: undefined, instead });
    }),
  };
}

/** Returns the warnings that no other resource shares and no question covers. */
export function ownWarnings(resource: ResourcePlan, context: CardContext): readonly Notice[] {
  return resource.warnings.filter(
    (warning) =>
      warningMark(warning) === 'warning' && !context.isShared(warning) && !isAsked(warning, resource, context),
  );
}

function warningMark({ code, facts }: Notice): Mark {
  if (code === 'settings-kept') return 'held';
  return code === 'requires' && !facts.isOverruled ? 'stopped' : 'warning';
}

function* warningParts({ first, resources, changes }: CardGroup, context: CardContext): Generator<Part> {
  const inText = new Set(changes.flatMap((shared) => [...findingsOf(shared, first).values()]));
  for (const warning of first.warnings) {
    const isSaid = isAsked(warning, first, context);
    // Above the cards, a terminal shows all shared warnings, and a page only those that no question covers.
    if (context.isShared(warning) && (context.isExact || !isSaid)) continue;
    if (isSaid && kindOfQuestion(warning) === 'create-unknown') continue;
    // A question shows only some findings of prompt checks, so a finding is left out only if a changed text shows it.
    const isLeft = warning.code === 'drift-left' && warning.facts.hold === undefined;
    const isShown = warning.code === 'prompt-check' ? inText.has(findingText(warning.facts)) : isSaid || isLeft;
    if (context.isExact || !isShown)
      yield {
        type: 'note',
        mark: warningMark(warning),
        text: sayingOf(resources, warning, context),
      };
  }
}

function textQuestionParts(group: CardGroup, context: CardContext): Part[] {
  const kinds = ['prompt-loss', 'check'] as const;
  const [first = [], ...more] = kinds
    .map((kind) => linkTo(questionOf(group, kind, context)))
    .filter(({ length }) => length > 0);
  if (first.length === 0) return [];
  const text = ['A text of this card needs an answer:', ...first, ...more.flatMap((link) => [' and', ...link])];
  return [{ type: 'note', mark: 'question', text }];
}

/** Explains the variables in changed lines that differ between the group's members. */
function variableParts(group: CardGroup, context: CardContext): NotePart[] {
  const { first, resources, changes } = group;
  const variable = changes.filter((one) => one.isVariable && sharingOptions(one, group, context).sameAs === undefined);
  // In manifest form, variables cannot be confused with words of the text.
  const exactContext = { ...context, isExact: true };
  const shown = variable
    .map((one) => viewChange(shownChange(one, group, exactContext)))
    .flatMap(({ from, to, lines }) => [from, to, ...lines.map(({ sign, text }) => sign !== ' ' && text)])
    .join('\n');
  const found = new Map(
    variable.flatMap((one) => [...(showingCard(one, group, context.showing) ?? group).variables.examples]),
  );
  const differing = [...found].filter(([name]) => shown.includes(wordOf(name, exactContext)));
  const words = differing.map(([name, value]) => {
    const word = wordOf(name, context);
    // Cards may share a text and its variables, but the example value must come from this card.
    if (!context.isExact) return `${word} (such as “${shorten(first.variables?.[name] ?? value, 60)}”)`;
    const values = resources.map(
      ({ name: member, variables = {} }) => `${inlineValue(shorten(variables[name] ?? '', 60))} in ${member}`,
    );
    return `${word} is ${listSome(values, 5)}`;
  });
  const own = words.length === 0 ? [] : [`Each ${nounOf([first])} has its own ${joinWithAnd(words)}`];
  return (context.isExact ? words : own).map((text) => ({ type: 'note', mark: 'same', text: [text] }));
}

/** Names a variable. For people who do not write manifests, the name is a placeholder such as `[opening hours]`. */
function wordOf(name: string, { isExact }: CardContext): string {
  return isExact ? `\${var.${name}}` : `[${name.replace(/[-_]/g, ' ')}]`;
}

function shownChange(shared: SharedChange, group: CardGroup, context: CardContext): Change {
  const { variables } = showingCard(shared, group, context.showing) ?? group;
  return withValues(shared, variables, (name) => wordOf(name, context));
}

export function changesOf(
  shared: SharedChange,
  group: CardGroup,
  context: CardContext,
  more: Partial<ChangeOptions> = {},
): ChangePart[] {
  const { first } = group;
  const change = shownChange(shared, group, context);
  const isNew = plannedAction(first) === 'create';
  return changeParts(change, {
    kind: first.kind,
    isNew,
    isShared: !shared.isSameInAll,
    ...sharingOptions(shared, group, context),
    ...remarksOn(change, isNew),
    findings: findingsOf(shared, first),
    isExact: context.isExact,
    ...more,
  });
}

function sharingOptions(
  shared: SharedChange,
  group: CardGroup,
  context: CardContext,
): Pick<ChangeOptions, 'about' | 'sameAs'> {
  const shown = showingCard(shared, group, context.showing);
  if (shown === undefined) return {};
  if (shown.group !== group) return { sameAs: linkToCard(shown.group, context) };
  const isNew = (one: ResourcePlan) => plannedAction(one) === 'create';
  const news = isNew(group.first) ? 0 : shown.resources.filter(isNew).length;
  const alikes = shown.resources.length - group.resources.length - news;
  const noun = nounOf([group.first]);
  const about = present(
    alikes > 0 && `also in ${counted(alikes, `other ${noun}`)}`,
    // A new agent has the text, but not the change.
    news > 0 && `${counted(news, `new ${noun}`)} ${news === 1 ? 'has' : 'have'} this text`,
  );
  return { about: about.join('; ') };
}

/** Links to a card. A group in a rollout is named with its step, because several groups may have one size. */
function linkToCard({ first, resources, id }: CardGroup, { isExact }: CardContext): Inline {
  const { title, address } = cardTitles(resources);
  const ofStep = resources.length > 1 && first.step !== undefined ? ` of step ${first.step}` : '';
  return { text: `${isExact ? address : title}${ofStep}`, to: id };
}

/** Finds the card of an earlier rollout step that shows all changes of a group. */
function earlierCard(group: CardGroup, { showing }: CardContext): CardGroup | undefined {
  const [earlier, ...others] = new Set(group.changes.map((shared) => showingCard(shared, group, showing)?.group));
  const isSame = others.length === 0 && earlier?.changes.length === group.changes.length;
  return isSame && earlier !== group ? earlier : undefined;
}

function remarksOn({ path, op, cause, knowledge }: Change, isNew: boolean): Pick<ChangeOptions, 'marker' | 'note'> {
  const isNews = knowledge === 'blind' && cause !== 'unverified' && op !== 'release' && !isNew;
  const isUnchecked = path.startsWith('extraSettings') && op === 'set';
  const marker = present(isNews && 'cannot be read back', isUnchecked && 'not validated').join(', ') || undefined;
  if (op === 'release') return { marker, note: 'no longer managed; the service keeps its value' };
  const end = op === 'unset' ? 'removed' : 'replaced';
  return { marker, note: cause === 'adopt' ? `was set before agentform managed it; will be ${end}` : undefined };
}

function findingsOf(
  { change: { source, to }, isSameInAll }: SharedChange,
  { warnings }: ResourcePlan,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const isOfLines = source !== undefined && typeof to === 'string' && !/\.ya?ml$/i.test(source.file);
  if (!isOfLines || !isSameInAll) return found;
  for (const warning of warnings) {
    if (warning.code !== 'prompt-check' || warning.facts.at?.file !== source.file) continue;
    found.set(warning.facts.at.line, findingText(warning.facts));
  }
  return found;
}
