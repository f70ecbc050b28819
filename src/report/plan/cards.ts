import { addressOf, commandIn } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import { isDeclined } from '../../plan/decisions.ts';
import { isOnlyDrift, isOnlySentAgain, plannedAction } from '../../plan/pending.ts';
import { type Fate, leftPaths } from '../../plan/questions.ts';
import type { TestFailure } from '../../schemas/notices-types.ts';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import { momentOf } from '../../text/time.ts';
import { capitalised, counted, formatNumber, joinWithAnd, present, shorten } from '../../text/wording.ts';
import { selectorOf } from '../alike.ts';
import { type Card, type Fact, factsOf, type Mark, type Prose, plainText } from '../blocks.ts';
import { summaryOfAll } from '../changes.ts';
import { lineText, sentenceOf } from '../notices.ts';
import { inlineValue, settingName, settingTitle, settingTitles } from '../values.ts';
import {
  cardHead,
  countedByKind,
  groupLocation,
  isPrevented,
  locationOf,
  memberNames,
  namesInFiles,
  orphanWords,
  requiredWords,
  sidesOf,
  titleOfResource,
} from '../wording.ts';
import {
  type CardContext,
  changesOf,
  exactNotices,
  failuresOf,
  hintsOf,
  ownWarnings,
  partsOf,
  questionOf,
} from './card-parts.ts';
import { editsSentence } from './edits.ts';
import type { CardGroup, SharedChange } from './groups.ts';
import { answersOf } from './questions.ts';

/** Builds the card of a group. The content of the card is built only when it is shown. */
export function cardOf(group: CardGroup, context: CardContext): Card {
  const { id, first, resources } = group;
  const { foot, ...head } = cardHead(resources, { ...context, location: groupLocation(resources) });
  const status = statusWords[group.fate] ?? statusWords[first.action];
  const card = {
    type: 'card',
    id,
    ...head,
    mark: markOf(first),
    status,
    parts: () => partsOf(group, context),
  } as const;
  // A terminal shows every card open, without a summary.
  if (context.isExact) return { ...card, what: '' };
  const tags = tagsOf(group, context);
  return {
    ...card,
    ...whatOf(group, context),
    summary: () => summaryText(group, context),
    sides: context.isApplied ? undefined : sidesOf(context.plan, isPrevented(context.plan, group.fate)),
    tags,
    isOpen: context.areOpen || tags.some((tag) => tag.mark !== 'waiting'),
    technical: () => technicalOf(group, context),
    foot: () => footOf(foot, group, context),
  };
}

function* footOf(start: readonly string[], group: CardGroup, context: CardContext): Generator<Prose> {
  yield* start;
  for (const { text } of hintsOf(group, context)) yield text;
  yield* exactNotices(group, context);
  for (const place of placesOf(failuresOf(group.resources, context))) yield `Test: ${place}`;
  for (const { name, text } of answerFacts(group, context)) yield `${name}: \`${plainText(text)}\``;
}

const statusWords: Partial<Readonly<Record<Fate, string>>> = {
  declined: 'left out',
  required: 'left out',
  untriable: 'left out',
  blocked: 'blocked',
  waiting: 'waiting',
  failed: 'failed',
  orphan: orphanWords,
};

export function markOf(resource: ResourcePlan): Mark {
  if (isDeclined(resource)) return 'same';
  if (isOnlyDrift(resource)) return 'undone';
  if (isOnlySentAgain(resource)) return 'again';
  return marks[resource.action];
}

const marks: Readonly<Record<ResourcePlan['action'], Mark>> = {
  create: 'new',
  update: 'changed',
  none: 'same',
  forget: 'gone',
  blocked: 'stopped',
  waiting: 'waiting',
  failed: 'failed',
  orphan: 'orphan',
};

const actionsInWords: Partial<Readonly<Record<ResourcePlan['action'], string>>> = {
  forget: 'no longer managed',
  orphan: orphanWords,
  failed: 'could not be read',
};

/** Summarises what happens to a group, as in `changed: Greeting, Voice`. */
function whatOf(group: CardGroup, context: CardContext): Pick<Card, 'lead' | 'what'> {
  const { first, resources, changes } = group;
  const { kind, renamedFrom } = first;
  const action = plannedAction(first);
  if (action === 'create') return newWords(group, context);
  const said = actionsInWords[action];
  if (said !== undefined) return { what: said };
  const titles = (isWanted: (change: Change) => boolean) => {
    const paths = changes.flatMap(({ change }) => (isWanted(change) ? change.path : []));
    return settingTitles(kind, paths);
  };
  const isReleased = ({ op }: Change) => op === 'release';
  const changed = titles((one) => one.cause !== 'drift' && one.cause !== 'unverified' && !isReleased(one));
  const undone = titles(({ cause }) => cause === 'drift');
  const released = titles(isReleased);
  const areWould = isPrevented(context.plan, group.fate);
  const parts = present(
    changed,
    released && `no longer managed: ${released}`,
    undone && `${undoneWord(group, context)}: ${undone}`,
    ...keptWords(group, context),
    renamedFrom !== undefined && `renamed from ${titleOfResource({ name: renamedFrom })}`,
  );
  const condition = conditionOf(group);
  const what = `${condition}${parts.join('; ') || unnamedWords(group, areWould)}`;
  const same = changes.length === 1 ? 'the same change: ' : 'the same changes: ';
  const lead = areWould ? 'would change: ' : resources.length > 1 ? same : 'changed: ';
  return { lead: changed === '' || condition !== '' ? undefined : lead, what };
}

function newWords(group: CardGroup, context: CardContext): Pick<Card, 'lead' | 'what'> {
  const { first, resources, changes } = group;
  const [noun, settings] = [nounOf([first]), counted(changes.length, 'setting')];
  const what = resources.length > 1 ? `new ${noun}s, ${settings} each` : `new ${noun}, ${settings}`;
  const areWould = isPrevented(context.plan, group.fate);
  const lead = areWould ? `would be ${resources.length > 1 ? '' : 'a '}` : undefined;
  return { lead, what: `${conditionOf(group)}${what}` };
}

function unnamedWords({ first, resources, changes }: CardGroup, areWould: boolean): string {
  const resent = changes.filter(({ change }) => change.cause === 'unverified').length;
  if (resent > 0) return `${counted(resent, 'setting')} ${areWould ? 'would be ' : ''}sent again`;
  // The state of such a resource may be unknown.
  if (first.action === 'blocked') return 'nothing is sent';
  return resources.length > 1 ? 'stay the same' : 'stays the same';
}

function conditionOf({ fate }: CardGroup): string {
  return fate === 'unanswered' ? 'only after an answer: ' : '';
}

/** Names the dashboard edits that stay, for good or until a question is answered. */
function keptWords(group: CardGroup, context: CardContext): string[] {
  const { kind, kept = [] } = group.first;
  const left = leftPaths(group.first);
  const [held, open] = [false, true].map((isLeft) => {
    const paths = kept.flatMap(({ path }) => (left.includes(path) === isLeft ? path : []));
    return settingTitles(kind, paths);
  });
  const isAsked = questionOf(group, 'drift', context) !== undefined;
  return present(held && `kept: ${held}`, open && `${isAsked ? 'kept unless undone' : 'kept'}: ${open}`);
}

function tagsOf(group: CardGroup, context: CardContext): NonNullable<Card['tags']> {
  const { first, fate, resources } = group;
  const { byAddress, plan } = context;
  // Without an answer about its agent, for example, a phone number is left out, too.
  const about = resources.flatMap((one) => [addressOf(one), ...((fate === 'unanswered' && one.dependsOn) || [])]);
  const asked = new Set(about.flatMap((address) => byAddress.get(address) ?? []).map(({ number }) => number));
  const numbers = `Question${asked.size === 1 ? '' : 's'} ${joinWithAnd(Array.from(asked, String))}`;
  const warnings = ownWarnings(first, context).length;
  const hasFailures = failuresOf(resources, context).length > 0;
  const tags: readonly (readonly [mark: Mark, text: string | false | undefined])[] = [
    ['question', asked.size > 0 && (asked.size > 3 ? `${formatNumber(asked.size)} questions` : numbers)],
    [isDeclined(first) ? 'same' : 'stopped', hasFailures ? 'Test fails' : obstacleOf(group, context)],
    ['waiting', first.action === 'waiting' && first.step !== undefined && `Waits for step ${first.step}`],
    ['warning', warnings > 0 && plan.refusals.length === 0 && counted(warnings, 'warning')],
  ];
  return tags.flatMap(([mark, text]) => present(text).map((shown) => ({ text: shown, mark })));
}

function obstacleOf({ first, fate }: CardGroup, { plan }: CardContext): string | undefined {
  if (fate === 'failed' || fate === 'declined') return 'Left out';
  if (fate === 'required' || fate === 'untriable') return capitalised(requiredWords(plan, fate));
  if (fate !== 'blocked') return undefined;
  return first.reasons.some(({ code }) => code === 'policy') ? 'Forbidden by a rule' : 'Cannot be applied';
}

/** Summarises the changes with their values in one line, and says what they depend on. */
function summaryText(group: CardGroup, context: CardContext): string {
  const { first, changes } = group;
  if (plannedAction(first) === 'create') return '';
  const shown = changes.filter(({ change }) => change.cause !== 'unverified');
  const isConflict = ({ change }: SharedChange) => change.cause === 'conflict';
  const torn = shown.filter(isConflict).map(({ change }) => settingTitle(first.kind, change.path));
  const others = shown.filter((one) => !isConflict(one)).slice(0, 6);
  const summaryBecause = (isUndone: boolean, conflicts: readonly string[] = []) => {
    const some = others.filter(({ change }) => (change.cause === 'drift') === isUndone);
    const parts = some.flatMap((one) => changesOf(one, group, context, { about: undefined }));
    return summaryOfAll(parts, conflicts);
  };
  const [changed, undone] = [summaryBecause(false, torn), summaryBecause(true)];
  const unless = isKeepable(group, context) ? 'unless kept: ' : '';
  const summary = present(changed, undone && `${unless}${undone}`).join('; ');
  const areWould = isPrevented(context.plan, group.fate);
  return summary && `${areWould ? 'would change: ' : conditionOf(group)}${summary}`;
}

const maxNamed = 30;

function technicalOf(group: CardGroup, context: CardContext): Fact[] {
  const { first, resources, changes } = group;
  const { environment, resources: all } = context.plan;
  const isGroup = resources.length > 1;
  return [
    ...factsOf([
      isGroup ? ['Names in the files', namesInFiles(resources)] : ['Name in the files', addressOf(first)],
      isGroup ? ['Where', groupLocation(resources)] : [capitalised(nounOf([first])), locationOf(first)],
      ['Last applied', appliedText(group)],
    ]),
    ...changes.slice(0, maxNamed).map((shared) => settingFact(first.kind, shared)),
    ...factsOf([
      ...exactNotices(group, context).map((text) => ['In detail', text] as const),
      ...[...placesOf(failuresOf(resources, context))].map((text) => ['Test', text] as const),
      ['Plan them alone', isGroup ? commandIn(environment, `plan ${selectorOf(resources, all)}`) : undefined],
    ]),
    ...answerFacts(group, context),
    ...factsOf([['Digest', isGroup ? undefined : first.digest]]),
  ];
}

/** Returns the Tests and places of failed cases, such as `callers, tests/callers.yaml:14`. */
function placesOf(failures: readonly TestFailure[]): Set<string> {
  return new Set(failures.map(({ test, at }) => present(test, at && lineText(at)).join(', ')));
}

function appliedText({ first, resources }: CardGroup): string | undefined {
  const applied = first.lastApply && momentOf(first.lastApply.at);
  const edits = editsSentence(resources);
  return applied === undefined || edits === undefined ? applied : `${applied}; ${edits}`;
}

/** Says how a setting was compared and where it comes from, and shows the exact form of a pattern. */
function settingFact(kind: string, { change, isOwn = false }: SharedChange): Fact {
  const { path, knowledge, to, from, source, updateRefusal } = change;
  const words = settingName(kind, path);
  const isPattern = !isOwn && (words?.textForm === 'regex' || words?.textForm === 'any-or-regex');
  const exact = isPattern ? `: ${shorten(inlineValue(to ?? from ?? null), 200)}` : '';
  const how = knowledge === 'compared' ? 'compared' : 'cannot be read back';
  const placeText = source === undefined ? '' : `, ${lineText(source)}`;
  const refusal = updateRefusal === undefined ? '' : `; not copied: ${sentenceOf(updateRefusal)}`;
  return { name: words?.title ?? 'Setting', text: [`${path}, ${how}${exact}${placeText}${refusal}`] };
}

function answerFacts({ first }: CardGroup, context: CardContext): Fact[] {
  const answers = (context.byAddress.get(addressOf(first)) ?? []).flatMap((question) =>
    answersOf(question, context).map(({ letter, command }) => [`Answer ${question.number}${letter}`, command] as const),
  );
  return factsOf(answers);
}

export function unchangedCard(resources: readonly ResourcePlan[], context: CardContext): Card {
  const names = memberNames(resources, context);
  const status = resources.length === 1 ? 'stays the same' : 'stay the same';
  const head = { title: countedByKind(resources), status, lead: `${status}: `, what: names.range };
  return { type: 'card', id: 'unchanged', mark: 'same', ...head, names };
}

function undoneWord(group: CardGroup, context: CardContext): string {
  if (isPrevented(context.plan, group.fate)) return 'would be undone';
  return isKeepable(group, context) ? 'undone unless kept' : 'undone';
}

function isKeepable(group: CardGroup, context: CardContext): boolean {
  return questionOf(group, 'drift', context) !== undefined;
}
