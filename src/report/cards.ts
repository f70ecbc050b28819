import { canonicalJson, mapTexts } from '../json/json.ts';
import { addressOf, commandIn } from '../kinds/desired.ts';
import { nounOf } from '../kinds/kind.ts';
import { keyOfNotices, type Notice } from '../notices/notice.ts';
import { leftPaths } from '../plan/questions.ts';
import { isAboutReplacing } from '../plan/verdicts/new-agents.ts';
import type { Change, Plan, Question, ResourcePlan } from '../schemas/plan-types.ts';
import { dayOf, momentOf } from '../text/time.ts';
import { counted, formatNumber, listNames, listSome, shorten } from '../text/wording.ts';
import {
  type Card,
  type ChangePart,
  type Fact,
  type Inline,
  type Mark,
  type Names,
  type NotePart,
  type Part,
  prose,
} from './blocks.ts';
import { appearanceOf } from './change-view.ts';
import { type ChangeOptions, changePart, conflictPart, gistOfAll, sourceText } from './changes.ts';
import { type Group, groupResources, keyOfText, type SharedChange } from './groups.ts';
import { plainSentenceOf, sentenceOf } from './notices.ts';
import { answersOf, type QuestionContext, questionsByAddress } from './questions.ts';
import { inlineValue, settingName, settingTitle } from './values.ts';
import {
  cardTitles,
  changesByOrigin,
  conflictNote,
  conflictsOf,
  editsNote,
  editsSentence,
  groupLocation,
  groupTitle,
  isOnlyDrift,
  isOnlySentAgain,
  keepSentence,
  locationOf,
  memberNames,
  renameNote,
  resourceLocation,
  titleOfResource,
} from './wording.ts';

// The cards of a plan: one for each resource, or for resources whose changes look the same.

/** The parts of a card that a list of contents shows. */
export function headOfCard({ first, resources }: CardGroup): Pick<Card, 'mark' | 'title'> {
  return { mark: markOf(first), title: cardTitles(resources).title };
}

/** A group with the id of its card. */
export interface CardGroup extends Group {
  readonly id: string;
  readonly first: ResourcePlan;
}

/** Groups resources into cards; each resource is in one. */
export function cardGroups(resources: readonly ResourcePlan[], takenIds: Set<string>, isShared: IsShared): CardGroup[] {
  const looks = rememberedLooks();
  const keyOf = (change: Change, { name }: ResourcePlan) => {
    const { op, path, cause, knowledge } = change;
    return canonicalJson({ op, path, cause, knowledge, ...(cause === 'conflict' && { name }) }) + looks(change);
  };
  const restOf = (resource: ResourcePlan) => {
    const { renamedFrom, reasons, warnings, held, kept = [] } = resource;
    const own = warnings.filter((warning) => !isShared(warning));
    const left = kept.map((change) => keyOf(change, resource));
    const causes = [causesKey(reasons, resource), causesKey(own, resource)];
    return JSON.stringify([renamedFrom, causes, left, held === undefined]);
  };
  return groupResources(resources, { keyOf, restOf }).flatMap((group) => {
    const [first] = group.resources;
    if (first === undefined) return [];
    const wanted = group.resources.length > 1 ? 'group-1' : first.name;
    return [{ ...group, first, id: freeId(wanted, takenIds) }];
  });
}

/** Whether a warning is shown once for all resources that have it. */
type IsShared = (warning: Notice) => boolean;

/** An id that no other block has, without a character that an address would escape. */
function freeId(wanted: string, taken: Set<string>): string {
  const plain = wanted.toLowerCase().replace(/[^a-z0-9-]+/g, '-') || 'card';
  let id = plain;
  for (let number = 2; taken.has(id); number += 1) id = `${plain}-${number}`;
  taken.add(id);
  return id;
}

/** Equal for notices that say the same of each resource. */
function causesKey(notices: readonly Notice[], resource: ResourcePlan): string {
  return keyOfNotices(notices.map((notice) => forAny(notice, resource, 'NAME')));
}

/** The notice with another word for its resource. */
function forAny(notice: Notice, resource: ResourcePlan, word: string): Notice {
  const address = addressOf(resource);
  return mapTexts(notice, (text) => (text === address || text === resource.name ? word : text));
}

/** Remembers by value, because most of 10,000 changes look the same. */
function rememberedLooks(): (change: Change) => string {
  const looks = new Map<string, string>();
  return ({ from, to }) => {
    const value = keyOfText(canonicalJson({ from, to }));
    const known = looks.get(value) ?? keyOfText(appearanceOf({ from, to }).text);
    looks.set(value, known);
    return known;
  };
}

/** The data that the cards of a plan are made from. */
export interface CardContext {
  readonly plan: Plan;
  readonly questions: QuestionContext;
  readonly isShared: IsShared;
  /** The file of the plan, where a run applies it. */
  readonly savedPlan?: string | undefined;
  readonly homes: Homes;
  readonly mostOpen: number;
  readonly byAddress: ReadonlyMap<string, readonly Question[]>;
}

/** The card with a text that several cards have: the one of most resources. By the key of a change, and by that of its new text. */
type Homes = ReadonlyMap<string, { readonly group: CardGroup; readonly count: number }>;

/** The texts that more than one card has. */
export function homesOf(groups: readonly CardGroup[]): Homes {
  const holders = new Map<string, CardGroup[]>();
  for (const group of groups) {
    for (const shared of group.changes) {
      for (const key of isLong(shared.change) ? textKeys(shared, group.first) : []) {
        const known = holders.get(key);
        if (known === undefined) holders.set(key, [group]);
        else known.push(group);
      }
    }
  }
  const homes = new Map<string, { readonly group: CardGroup; readonly count: number }>();
  for (const [key, all] of holders) {
    // A difference shows more than a text.
    const best = all.filter(({ first }) => first.action !== 'create');
    const [first = all[0], ...others] = best.length > 0 ? best : all;
    if (all.length < 2 || first === undefined) continue;
    const group = others.reduce(
      (largest, one) => (one.resources.length > largest.resources.length ? one : largest),
      first,
    );
    homes.set(key, { group, count: all.reduce((sum, { resources }) => sum + resources.length, 0) });
  }
  return homes;
}

/** A create has nothing to compare with, so its texts are alike by what they will be. */
function textKeys({ change, key }: SharedChange, { action, kind }: ResourcePlan): string[] {
  const text = keyOfText(`${kind} ${change.path} ${canonicalJson(change.to ?? null)}`);
  return action === 'create' ? [text] : [key, text];
}

function isLong({ cause, from, to }: Change): boolean {
  const isText = (value: unknown) => typeof value === 'string' && (value.includes('\n') || value.length > 120);
  return cause !== 'conflict' && cause !== 'unverified' && (isText(from) || isText(to));
}

/** The card of a group. Its parts are made when they are asked for. */
export function cardOf(group: CardGroup, context: CardContext): Card {
  const { id, first, resources } = group;
  const isGroup = resources.length > 1;
  const tags = tagsOf(group, context);
  const numbers = numbersText(group, context);
  const what = whatOf(group);
  return {
    type: 'card',
    id,
    ...cardTitles(resources),
    mark: markOf(first),
    what: isGroup ? `the same change: ${what.replace(/^changed: /, '')}` : what,
    gist: () => `${gistText(group, context)}${numbers === '' ? '' : ` (${numbers})`}`,
    cell: cellOf(group, what, numbers),
    status: statusWords[first.action],
    place: isGroup ? groupLocation(resources) : resourceLocation(first),
    tags,
    names: isGroup ? namesOf(resources, context.plan) : undefined,
    isOpen: context.mostOpen > 0 || tags.length > 0,
    parts: { [Symbol.iterator]: () => partsOf(group, context) },
    technical: {
      *[Symbol.iterator]() {
        yield* technicalOf(group, context);
      },
    },
    hints: hintsOf(group, context),
    commands: answerFacts(group, context),
  };
}

const statusWords: Partial<Readonly<Record<ResourcePlan['action'], string>>> = {
  blocked: 'blocked',
  waiting: 'waiting',
  failed: 'failed',
  orphan: 'orphan',
};

function markOf(resource: ResourcePlan): Mark {
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

/** `changed: Greeting, Regular checks`. */
function whatOf({ first, changes }: CardGroup): string {
  const { action, kind, renamedFrom } = first;
  const titles = (wanted: (change: Change) => boolean) =>
    listSome(
      [...new Set(changes.filter(({ change }) => wanted(change)).map(({ change }) => settingTitle(kind, change.path)))],
      4,
    );
  if (action === 'create') return `new ${nounOf([first])}, ${counted(changes.length, 'setting')}`;
  if (action === 'forget') return 'no longer looked after';
  if (action === 'orphan') return 'not in the files';
  if (action === 'failed') return 'could not be read';
  const changed = titles(({ cause }) => cause !== 'drift' && cause !== 'unverified');
  const undone = titles(({ cause }) => cause === 'drift');
  const parts = [
    ...(action === 'blocked' ? ['cannot be applied'] : []),
    ...(renamedFrom === undefined ? [] : [`renamed from ${titleOfResource({ name: renamedFrom })}`]),
    ...(changed === '' ? [] : [`changed: ${changed}`]),
    ...(undone === '' ? [] : [`undone: ${undone}`]),
  ];
  if (parts.length > 0) return parts.join('; ');
  const resent = changes.filter(({ change }) => change.cause === 'unverified').length;
  return resent === 0 ? 'stays the same' : `${counted(resent, 'setting')} sent again`;
}

function cellOf({ first, resources }: CardGroup, what: string, numbers: string): string {
  const said = what.replace('changed: ', '').replace(/^new [a-z ]+, /, 'new: ');
  const all = resources.length > 1 && first.action !== 'create' ? ', the same in all' : '';
  return `${said}${all}${numbers === '' ? '' : ` (${numbers})`}`;
}

/** `question 1`, `questions 1 and 4`, `1 warning`. */
function numbersText(group: CardGroup, context: CardContext): string {
  const asked = tagsOf(group, context).filter(({ mark }) => mark !== 'stopped');
  const parts = asked.map(({ text }) => text.charAt(0).toLowerCase() + text.slice(1));
  return parts.join(', ');
}

function tagsOf({ first, resources }: CardGroup, { byAddress, isShared, plan }: CardContext): Card['tags'] {
  const numbers = [
    ...new Set(resources.flatMap((one) => byAddress.get(addressOf(one)) ?? []).map(({ number }) => number)),
  ];
  const [number, ...others] = numbers;
  const asked =
    number === undefined
      ? []
      : numbers.length > 3
        ? [`${formatNumber(numbers.length)} questions`]
        : [others.length === 0 ? `Question ${number}` : `Questions ${listSome(numbers.map(String), 3)}`];
  const warnings = first.warnings.filter((warning) => !isShared(warning) && !isAboutReplacing(warning)).length;
  const isForbidden = first.action === 'blocked' && first.reasons.some(({ code }) => code === 'policy');
  return [
    ...asked.map((text) => ({ text, mark: 'question' as const })),
    ...(isForbidden ? [{ text: 'Forbidden by a rule', mark: 'stopped' as const }] : []),
    ...(first.action === 'blocked' && !isForbidden ? [{ text: 'Cannot be applied', mark: 'stopped' as const }] : []),
    ...(first.action === 'failed' ? [{ text: 'Could not be read', mark: 'stopped' as const }] : []),
    ...(warnings > 0 && plan.refusals.length === 0
      ? [{ text: counted(warnings, 'warning'), mark: 'warning' as const }]
      : []),
  ];
}

/** The changes with their values, in a line. */
function gistText(group: CardGroup, context: CardContext): string {
  const { first, changes } = group;
  if (first.action === 'create' || changes.length === 0) return whatOf(group);
  const shown = changes.filter(({ change }) => change.cause !== 'unverified');
  if (shown.length === 0) return whatOf(group);
  const conflicts = shown.filter(({ change }) => change.cause === 'conflict');
  const others = shown.filter(({ change }) => change.cause !== 'conflict');
  const blocked = first.action === 'blocked' ? 'cannot be applied; ' : '';
  const torn = conflicts.map(({ change }) => settingTitle(first.kind, change.path));
  return `${blocked}${[...torn, ...(others.length === 0 ? [] : [gistOfAll(others.slice(0, 6).map((one) => partOf(one, group, context)))])].join(', ')}`;
}

/** A change with its notes. */
function partOf(
  shared: SharedChange,
  group: CardGroup,
  context: CardContext,
  more: Partial<ChangeOptions> = {},
): ChangePart {
  const { change } = shared;
  const { first, resources } = group;
  return changePart(change, {
    kind: first.kind,
    action: first.action,
    isShared: resources.length > 1,
    ...homeOptions(shared, group, context),
    marker: markerOf(change, first),
    note: noteOf(change),
    findings: findingsOf(change, first),
    ...more,
  });
}

/** A text that several cards have is in one of them, and the others have a link. */
function homeOptions(
  shared: SharedChange,
  group: CardGroup,
  { homes }: CardContext,
): Pick<ChangeOptions, 'about' | 'sameAs'> {
  const [key = ''] = isLong(shared.change) ? textKeys(shared, group.first) : [];
  const home = homes.get(key);
  if (home === undefined) return {};
  const others = home.count - group.resources.length;
  if (home.group === group) return { about: `also in ${counted(others, `other ${nounOf([group.first])}`)}` };
  const { title, address } = cardTitles(home.group.resources);
  return { sameAs: { text: title, to: home.group.id, address } };
}

function markerOf({ path, op, cause, knowledge }: Change, { action }: ResourcePlan): string | undefined {
  const isNews = knowledge === 'blind' && cause !== 'unverified' && op !== 'release' && action !== 'create';
  const marks = [
    ...(isNews ? ['cannot be read back'] : []),
    ...(path.startsWith('extraSettings') && op === 'set' ? ['not validated'] : []),
  ];
  return marks.length === 0 ? undefined : marks.join(', ');
}

function noteOf({ op, cause }: Change): string | undefined {
  if (op === 'release') return 'no longer looked after; the service keeps its value';
  if (cause === 'adopt')
    return `was set before agentform looked after it; will be ${op === 'unset' ? 'removed' : 'replaced'}`;
  return undefined;
}

/** The findings of prompt checks in the text of a file, by its lines. */
function findingsOf({ source, to }: Change, { warnings }: ResourcePlan): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (source === undefined || typeof to !== 'string' || /\.ya?ml$/i.test(source.file)) return found;
  for (const warning of warnings) {
    if (warning.code !== 'prompt-check' || warning.facts.at?.file !== source.file) continue;
    found.set(warning.facts.at.line, warning.facts.finding);
  }
  return found;
}

/** The parts of a card, from what has to be decided to what only explains. */
function* partsOf(group: CardGroup, context: CardContext): Generator<Part> {
  const { first, changes } = group;
  const numberOf = (kind: Question['kind']) => questionOf(group, kind, context);
  yield* reasonParts(group, context);
  const shared = new Map(changes.map((one) => [one.change, one]));
  const { decided, drifted, doubted } = changesByOrigin({ changes: changes.map(({ change }) => change) });
  const sharedOf = (change: Change) => shared.get(change) ?? { change, key: '' };
  yield* conflictParts(decided, group, context);
  const others = decided.filter(({ cause }) => cause !== 'conflict').map(sharedOf);
  if (first.action === 'create') {
    const asked = numberOf('create-unknown');
    if (asked !== undefined) yield askedNote(asked, 'The service does not show whether an agent is there already.');
    yield { type: 'values', rows: others.map((one) => partOf(one, group, context)) };
  } else for (const one of others) yield partOf(one, group, context);
  if (others.length > 0 && decided.length > others.length)
    yield { type: 'note', mark: 'question', text: ['The other changes of this agent wait for the answer.'] };
  yield* driftParts(drifted.map(sharedOf), group, context);
  yield* leftParts(group, context);
  if (doubted.length > 0) yield doubtPart(doubted.map(sharedOf), group, context);
  yield* variableParts(group);
  yield* warningParts(group, context);
}

function* reasonParts({ first, resources }: CardGroup, { plan }: CardContext): Generator<Part> {
  const rename = renameNote(first);
  if (rename !== undefined) yield { type: 'note', mark: 'changed', text: prose(rename) };
  for (const reason of first.reasons) {
    const { text, plain } = sayingOf(resources, reason, plan);
    const mark = first.action === 'failed' ? 'failed' : 'stopped';
    yield { type: 'note', mark, text: prose(text), plain: prose(plain) };
  }
}

/** One sentence for all resources that share a notice, with one command for all of them; also in plain words. */
export function sayingOf(
  resources: readonly ResourcePlan[],
  notice: Notice,
  plan: Plan,
): { readonly text: string; readonly plain: string } {
  const [first, ...others] = resources;
  const said = first === undefined || others.length === 0 ? notice : forAll(notice, { first, resources, plan });
  return { text: sentenceOf(said), plain: plainSentenceOf(said, first?.kind ?? '') };
}

interface Sharers {
  readonly first: ResourcePlan;
  readonly resources: readonly ResourcePlan[];
  readonly plan: Plan;
}

function forAll(notice: Notice, { first, resources, plan }: Sharers): Notice {
  const words = selectorOf(resources, plan).split(' ');
  const remedies = notice.remedies.map((remedy) => {
    const instead = remedy[0]?.startsWith('-')
      ? [resources.length > 10 ? 'NAMES' : resources.map(addressOf).join(',')]
      : words;
    return remedy.flatMap((word) => (word === first.name || word === addressOf(first) ? instead : [word]));
  });
  return { ...forAny(notice, first, 'each of them'), remedies };
}

function isDrift({ cause }: Change): boolean {
  return cause === 'drift';
}

function questionOf(
  { resources }: CardGroup,
  kind: Question['kind'],
  { byAddress }: CardContext,
): Question | undefined {
  const [first] = resources;
  return first && byAddress.get(addressOf(first))?.find((one) => one.kind === kind);
}

/** The target of the link of a question about one resource is on its card. */
function anchorOf(question: Question | undefined): string | undefined {
  return question?.resources.length === 1 ? `q${question.number}-change` : undefined;
}

function linkTo(question: Question | undefined): Inline[] {
  return question === undefined ? [] : [' ', { text: `Question ${question.number}`, to: `q${question.number}` }];
}

function askedNote(question: Question, text: string): NotePart {
  return { type: 'note', id: anchorOf(question), mark: 'question', text: [text, ...linkTo(question)] };
}

function* conflictParts(decided: readonly Change[], group: CardGroup, context: CardContext): Generator<Part> {
  const conflicts = decided.filter(({ cause }) => cause === 'conflict');
  if (conflicts.length === 0) return;
  const question = questionOf(group, 'conflict', context);
  const answers = question === undefined ? [] : answersOf(question, context.questions);
  const day = dayOf(group.first.lastApply?.editedAt);
  const edited = day === undefined ? undefined : `Edited in the dashboard on ${day}`;
  for (const [index, change] of conflicts.entries()) {
    const id = index === 0 ? anchorOf(question) : undefined;
    const refusal = change.updateRefusal && sentenceOf(change.updateRefusal);
    yield conflictPart(change, { kind: group.first.kind, id, answers, edited, refusal });
  }
}

function* driftParts(drifted: readonly SharedChange[], group: CardGroup, context: CardContext): Generator<Part> {
  if (drifted.length === 0) return;
  const question = questionOf(group, 'drift', context);
  const [days, ...otherDays] = new Set(group.resources.map(({ lastApply }) => dayOf(lastApply?.editedAt)));
  const on = days === undefined || otherDays.length > 0 ? '' : ` on ${days}`;
  const text = `${drifted.length === 1 ? 'This was' : 'These were'} edited in the dashboard${on}, not in the files:`;
  yield { type: 'note', id: anchorOf(question), mark: 'undone', text: [text, ...linkTo(question)] };
  for (const one of drifted) yield partOf(one, group, context);
  if (question !== undefined)
    yield { type: 'answers', answers: answersOf(question, context.questions).map(withOutcome) };
}

/** Edits that stay, because the environment says so and no one answered: what a person decides about. */
function* leftParts(group: CardGroup, context: CardContext): Generator<Part> {
  const { first } = group;
  const paths = leftPaths(first);
  const left = (first.kept ?? []).filter(({ path }) => paths.includes(path));
  if (left.length === 0) return;
  const question = questionOf(group, 'drift', context);
  const text = `${left.length === 1 ? 'This was' : 'These were'} edited in the dashboard and ${left.length === 1 ? 'stays' : 'stay'} so until an answer:`;
  yield { type: 'note', id: anchorOf(question), mark: 'held', text: [...prose(text), ...linkTo(question)] };
  const rows = left.map((change): Fact => {
    const { name, values, about } = changePart(change, { kind: first.kind });
    const edit = `live now ${values?.from?.text ?? 'another text'}, in the files ${values?.to?.text ?? 'not set'}`;
    return { name, text: values === undefined ? (about ?? ['another text']) : [edit] };
  });
  yield { type: 'facts', rows };
}

const outcomes: Partial<Readonly<Record<string, string>>> = {
  Keep: 'The live values stay, on hold until the files change them.',
  Undo: 'Back to what the files say. The edits of the dashboard are lost.',
};

function withOutcome<Some extends { readonly title: string; readonly text: string }>(answer: Some): Some {
  return { ...answer, text: outcomes[answer.title] ?? answer.text };
}

function doubtPart(doubted: readonly SharedChange[], group: CardGroup, context: CardContext): Part {
  const question = questionOf(group, 'write-only', context);
  const count = doubted.length;
  const they = count === 1 ? 'it is sent again as it is' : 'they are sent again as they are';
  const text = `${counted(count, 'setting')} cannot be read back and may have been edited, so ${they} in the files.`;
  return {
    type: 'values',
    id: anchorOf(question),
    intro: { text: [text, ...linkTo(question)], summary: `Show the ${counted(count, 'value')}` },
    rows: doubted.map((one) => partOf(one, group, context, { sameAs: undefined, about: undefined })),
  };
}

function* warningParts(
  { first, resources, changes }: CardGroup,
  { isShared, byAddress, plan }: CardContext,
): Generator<Part> {
  const isAsked = (byAddress.get(addressOf(first)) ?? []).some(({ kind }) => kind === 'create-unknown');
  const inText = new Set(changes.flatMap(({ change }) => [...findingsOf(change, first).values()]));
  const own = first.warnings.filter((warning) => !isShared(warning) && !(isAsked && isAboutReplacing(warning)));
  for (const warning of own) {
    const isInText =
      warning.code === 'drift-left' || (warning.code === 'prompt-check' && inText.has(warning.facts.finding));
    const { text, plain } = sayingOf(resources, warning, plan);
    yield { type: 'note', mark: 'warning', text: prose(text), plain: prose(plain), isInText };
  }
}

/** The members by name, or by exception, as far as the plan goes. */
export function namesOf(resources: readonly ResourcePlan[], plan: Plan): Names {
  const titles = resources.map(titleOfResource);
  const [first = '', ...others] = titles;
  const range = others.length < 3 ? listSome(titles, 3) : `${first} to ${others.at(-1) ?? ''}`;
  return {
    ...memberNames(resources, range),
    listed: groupNames(resources, plan),
    addresses: resources.map((resource) => `${addressOf(resource)}  (${resourceLocation(resource)})`),
  };
}

/** The exceptions are named instead of the members, if they are few and the members many. */
const mostOthers = 3;
const leastForOthers = 10;

export function groupNames(resources: readonly ResourcePlan[], plan: Plan): string {
  const [first] = resources;
  const names = resources.map(({ name }) => name);
  const inside = new Set(names);
  const peers = plan.resources.filter(
    ({ kind, action }) => kind === first?.kind && action !== 'orphan' && action !== 'forget',
  );
  const others = peers.map(({ name }) => name).filter((name) => !inside.has(name));
  if (names.length < leastForOthers || others.length > mostOthers) return listNames(names);
  const all = `all ${counted(peers.length, nounOf(peers))} of this plan`;
  return others.length === 0 ? all : `${all} but ${listNames(others, mostOthers)}`;
}

/** The words that select exactly these resources of the plan: `-l role=reception`, or their names. */
function selectorOf(resources: readonly ResourcePlan[], plan: Plan): string {
  const inside = new Set(resources);
  const [first] = resources;
  for (const [key, value] of Object.entries(first?.labels ?? {})) {
    const isOf = ({ labels }: ResourcePlan) => labels?.[key] === value;
    if (resources.every(isOf) && !plan.resources.some((other) => isOf(other) && !inside.has(other)))
      return `-l ${key}=${value}`;
  }
  const names = resources.map(({ name }) => name);
  return names.length > 10 ? 'NAMES' : names.join(' ');
}

/** The maximum number of settings with their names in the files. */
const mostNamed = 30;

function technicalOf(group: CardGroup, context: CardContext): Fact[] {
  const { first, resources, changes } = group;
  const { plan } = context;
  const isGroup = resources.length > 1;
  const edits = editsSentence(resources);
  const applied = first.lastApply && momentOf(first.lastApply.at);
  const fact = (name: string, text: string | undefined): Fact[] => (text === undefined ? [] : [{ name, text: [text] }]);
  const settings = changes.slice(0, mostNamed).flatMap(({ change }) => {
    const { path, knowledge, to, from } = change;
    const words = settingName(first.kind, path);
    const exact =
      words?.form === 'regex' || words?.form === 'any-or-regex'
        ? `: ${shorten(inlineValue(to ?? from ?? null), 200)}`
        : '';
    const how = knowledge === 'compared' ? 'compared' : 'cannot be read back';
    return fact(
      words?.title ?? 'Setting',
      `${path}, ${how}${exact}${change.source === undefined ? '' : `, ${sourceText(change.source)}`}`,
    );
  });
  return [
    ...fact(
      isGroup ? 'Names in the files' : 'Name in the files',
      isGroup ? groupNames(resources, plan) : addressOf(first),
    ),
    ...fact(isGroup ? 'Where' : 'Agent', isGroup ? groupLocation(resources) : locationOf(first)),
    ...fact('Last applied', applied === undefined ? undefined : `${applied}${edits === undefined ? '' : `; ${edits}`}`),
    ...settings,
    ...(isGroup
      ? fact('Plan them alone', commandIn(plan.environment, `plan ${selectorOf(resources, plan)}`).replaceAll('`', ''))
      : []),
    ...answerFacts(group, context),
    ...(isGroup ? [] : fact('Digest', first.digest)),
  ];
}

/** The values of variables in a group's changes: `${var.brand}` is `"Acme" in acme and "Bolt" in bolt`. */
function variableParts({ resources, changes }: CardGroup): NotePart[] {
  if (resources.length === 1 || resources.every(({ variables }) => variables === undefined)) return [];
  const names = new Set(resources.flatMap(({ variables = {} }) => Object.keys(variables)));
  const text = changes.map(({ change }) => appearanceOf(change).text).join('\n');
  return [...names]
    .filter((name) => text.includes(`\${var.${name}}`))
    .map((name) => {
      const values = resources.map(
        ({ name: member, variables = {} }) => `${inlineValue(shorten(variables[name] ?? '', 60))} in ${member}`,
      );
      return { type: 'note', mark: 'same', text: [`\${var.${name}} is ${listSome(values, 5)}`] };
    });
}

function answerFacts(group: CardGroup, { byAddress, questions, plan }: CardContext): Fact[] {
  const { first, resources } = group;
  if (resources.length > 1) return [];
  const asked = byAddress.get(addressOf(first)) ?? [];
  const ofQuestions = asked.flatMap((question) =>
    answersOf(question, questions).flatMap(({ letter, command }): Fact[] => {
      return command === undefined
        ? []
        : [{ name: `Answer ${question.number}${letter}`, text: [command.replaceAll('`', '')] }];
    }),
  );
  const drifted = first.changes.filter(isDrift);
  if (ofQuestions.length > 0 || drifted.length === 0) return ofQuestions;
  return [{ name: 'Keep the edits', text: [keepSentence(plan.environment, first, drifted).replaceAll('`', '')] }];
}

/** The commands that a terminal shows below the changes. */
function hintsOf(group: CardGroup, context: CardContext): Card['hints'] {
  const { first, resources } = group;
  const { plan, savedPlan } = context;
  const { environment } = plan;
  const edits = editsNote(resources);
  // The question above has the commands, but not why there is none, and others in a run that applies a saved plan.
  const keeps = questionOf(group, 'conflict', context)?.choices[0]?.remedies ?? [];
  const isSaid = savedPlan === undefined && keeps.length > 0;
  const conflicts = resources.length > 1 || isSaid ? [] : conflictsOf(first);
  const note = conflictNote(environment, first, { conflicts, savedPlan });
  return [
    ...(edits === undefined ? [] : [{ text: edits, mark: 'same' } as const]),
    ...(note === undefined ? [] : [{ text: note, mark: 'question' } as const]),
  ];
}

export function contextOf(plan: Plan, parts: Omit<CardContext, 'plan' | 'byAddress'>): CardContext {
  return { ...parts, plan, byAddress: questionsByAddress(plan) };
}

/** Resources on hold for the same reason: one card, however many they are. */
export function holdCards(held: readonly ResourcePlan[], takenIds: Set<string>, context: CardContext): Card[] {
  const groups = new Map<string, ResourcePlan[]>();
  for (const resource of held) {
    const { by, reason, fields, until } = resource.held ?? { by: '' };
    const key = JSON.stringify([resource.kind, by, reason, fields, until]);
    groups.set(key, [...(groups.get(key) ?? []), resource]);
  }
  return [...groups.values()].flatMap((resources) => {
    const [first] = resources;
    return first === undefined ? [] : [holdCard(first, resources, freeId('hold', takenIds), context)];
  });
}

function holdCard(first: ResourcePlan, resources: readonly ResourcePlan[], id: string, context: CardContext): Card {
  const { plan } = context;
  const { held = { by: '', since: '' }, kind } = first;
  const isGroup = resources.length > 1;
  const words = selectorOf(resources, plan);
  const fields = held.fields?.map((path) => settingTitle(kind, path)) ?? [];
  const until = dayOf(held.until);
  const [since, ...others] = new Set(resources.map((one) => dayOf(one.held?.since)));
  const lifted = 'when the hold is lifted';
  const end =
    fields.length > 0
      ? `when the files change ${listSome([...new Set(fields)], 3)}, or ${lifted}`
      : `${until === undefined ? '' : `on ${until}, or `}${lifted}`;
  const why = held.reason ?? 'rolled back to an earlier version';
  const waiting = waitingText(resources);
  const keep = first.reasons.flatMap(({ remedies }) => remedies).some(([command]) => command === 'update');
  const rows = [
    { name: 'Held by', text: [`${held.by}${since === undefined || others.length > 0 ? '' : `, since ${since}`}`] },
    { name: 'Ends', text: [end] },
    ...(waiting === '' ? [] : [{ name: 'Waiting', text: [waiting] }]),
  ];
  const edits = editsNote(resources);
  const commands = [
    ...(keep
      ? [{ name: 'Keep the held values', text: [commandIn(plan.environment, `update ${words}`).replaceAll('`', '')] }]
      : []),
    { name: 'Lift the hold', text: [commandIn(plan.environment, `unhold ${words}`).replaceAll('`', '')] },
  ];
  const sentence = `on hold by ${held.by}${since === undefined ? '' : ` since ${momentOf(held.since) ?? since}`} (“${why}”) until ${end.replace(/^when |^on /, '')}`;
  return {
    type: 'card',
    id,
    mark: 'held',
    ...cardTitles(resources),
    what: why,
    gist: () => `on hold, because ${why}`,
    status: 'on hold',
    place: isGroup ? groupLocation(resources) : resourceLocation(first),
    names: isGroup ? namesOf(resources, plan) : undefined,
    tags: [{ text: isGroup ? 'Stay as they are' : 'Stays as it is', mark: 'held' }],
    isOpen: true,
    parts: [
      { type: 'facts', rows },
      ...(edits === undefined ? [] : [{ type: 'note', mark: 'again', text: prose(edits) } as const]),
    ],
    technical: [...commands, ...fieldsFact(held.fields)],
    hints: [
      sentence,
      ...(keep ? [`${commandIn(plan.environment, `update ${words}`)} keeps the held values`] : []),
      `${commandIn(plan.environment, `unhold ${words}`)} lifts the hold`,
      ...unheldReasons(resources),
    ].map((text) => ({ text, mark: 'held' })),
  };
}

/** Other reasons why they are left out. */
function unheldReasons(resources: readonly ResourcePlan[]): string[] {
  const others = resources
    .flatMap(({ reasons }) => reasons)
    .filter(({ code }) => code !== 'held' && code !== 'settings-kept');
  return [...new Set(others.map(sentenceOf))].slice(0, 3);
}

function fieldsFact(fields: readonly string[] | undefined): Fact[] {
  return fields === undefined ? [] : [{ name: 'Held settings', text: [fields.join(', ')] }];
}

/** The changes that wait for the end of a hold. */
function waitingText(resources: readonly ResourcePlan[]): string {
  const titles = resources.flatMap(({ kind, changes }) => changes.map(({ path }) => settingTitle(kind, path)));
  return listSome([...new Set(titles)], 4);
}

/** One card of names alone. */
export function namesCard(
  resources: readonly ResourcePlan[],
  { id, mark, tag, plan }: { readonly id: string; readonly mark: Mark; readonly tag: string; readonly plan: Plan },
): Card {
  const names = namesOf(resources, plan);
  const title = groupTitle(resources);
  return {
    type: 'card',
    id,
    mark,
    title,
    what: names.range,
    names,
    gist: () => `${title} ${tag.toLowerCase()}`,
    address: title,
    tags: [{ text: tag, mark }],
    isOpen: false,
    parts: [],
    technical: [],
    hints: [],
  };
}
