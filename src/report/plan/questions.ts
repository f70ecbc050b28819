import { accountParameter, addressOf, byAddress } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import type { Notice } from '../../notices/notice.ts';
import { plannedAction } from '../../plan/pending.ts';
import { isLeavingOut, kindOfQuestion } from '../../plan/questions.ts';
import type { Plan, Question as PlanQuestion, ResourcePlan } from '../../schemas/plan-types.ts';
import { isFingerprint } from '../../secrets/fingerprint.ts';
import { dayOf } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import {
  counted,
  formatNumber,
  itOrThem,
  joinWithAnd,
  listSome,
  lowerFirst,
  present,
  shorten,
  wasOrWere,
} from '../../text/wording.ts';
import { withGlob } from '../alike.ts';
import { type Answer, asSentence, type Inline, type Question } from '../blocks.ts';
import { viewChange } from '../change-view.ts';
import { keptText, undoneText } from '../changes.ts';
import { plainSentenceOf, remedyText } from '../notices.ts';
import { inSentence, isLongText, isPlural, plainValue, settingName, settingTitles, valueLines } from '../values.ts';
import { cardTitles, titlesTogether, withDistinctTitles } from '../wording.ts';
import { failedApplySentence } from './edits.ts';
import type { CardGroup } from './groups.ts';

export interface QuestionContext {
  readonly plan: Plan;
  readonly resources: ReadonlyMap<string, ResourcePlan>;
  /** The questions about each resource, keyed by address. */
  readonly byAddress: ReadonlyMap<string, readonly PlanQuestion[]>;
  readonly cardOf: (address: string) => Pick<CardGroup, 'id' | 'resources'> | undefined;
}

export function questionBlock(asked: PlanQuestion, context: QuestionContext): Question {
  const { number, kind } = asked;
  const about = aboutOf(asked, context);
  const { title, text, see } = sayings[kind](asked, about);
  const isMarked = asked.resources.length === 1 && kind !== 'prompt-loss' && kind !== 'check';
  const links = cardLinks(asked.resources, context, { see, ...(isMarked && { to: `q${number}-change` }) });
  const again = voidText(asked, about);
  return {
    id: `q${number}`,
    number,
    title,
    text: [present(text, hiddenText(asked, about), again).join(' '), ...(links.length > 0 ? [' ', ...links] : [])],
    answers: answersOf(asked, context),
    codes: `${asked.id}=${asked.choices.map(({ code }) => code).join('|')}`,
  };
}

/** Words questions for a list outside a document. Their answers have no links, and name no other questions. */
export function questionsInWords(listed: readonly PlanQuestion[], given: Plan): (asked: PlanQuestion) => Question {
  const plan = { ...given, questions: [...listed] };
  const resources = byAddress(withDistinctTitles(plan.resources));
  const context = { plan, resources, byAddress: questionsByAddress(plan), cardOf: () => undefined };
  return (asked) => questionBlock(asked, context);
}

export function answersOf(asked: PlanQuestion, context: QuestionContext): Answer[] {
  const about = aboutOf(asked, context);
  return asked.choices.map(({ letter, code, isDefault, remedies = [] }) => {
    const [command] = remedies.map((remedy) => withGlob(remedy, about.resources, about.plan.resources));
    return {
      letter,
      ...answerWords(asked.kind, code, about),
      defaultWhen: isDefault && defaultWhen(asked, context),
      command: command && remedyText(command),
    };
  });
}

/** Says why a question has no default, although there is an earlier answer. */
function voidText({ voidAnswer }: PlanQuestion, { who }: About): string | undefined {
  if (voidAnswer === undefined) return undefined;
  const { why, by = 'someone' } = voidAnswer;
  const causes = {
    changed: `This question changed after ${shorten(visibleLine(by), 100)} answered it.`,
    differ: 'The answers on several pull requests differ.',
    unread: 'The answers on pull requests could not be read.',
  };
  return `${causes[why]} Nothing changes in ${who} until you answer again.`;
}

/** Says when the default answer applies. Another unanswered question may leave out the whole resource. */
function defaultWhen(asked: PlanQuestion, { byAddress, resources: known }: QuestionContext): string {
  const blocking = (address: string) =>
    (byAddress.get(address) ?? []).filter((one) => one !== asked && isLeavingOut(one));
  const waiting = isLeavingOut(asked) ? [] : asked.resources.filter((address) => blocking(address).length > 0);
  const numbers = [...new Set(waiting.flatMap(blocking))].map(({ number }) => String(number));
  const others = `question${numbers.length === 1 ? '' : 's'} ${joinWithAnd(numbers)}`;
  if (waiting.length === 0) return 'if nobody answers';
  if (waiting.length === asked.resources.length) return `if you answer only ${others}`;
  const names = namesText(waiting.flatMap((one) => known.get(one) ?? []));
  return `if nobody answers; ${names} ${waiting.length === 1 ? 'waits' : 'wait'} for ${others}`;
}

/** Says where to read an edited value that the plan hides, so that the question can be decided. */
function hiddenText({ kind, paths }: PlanQuestion, { resources, kind: of }: About): string | undefined {
  if (kind !== 'conflict' && kind !== 'drift') return undefined;
  const warnings = resources.flatMap((one) => one.warnings);
  const hidden = warnings.flatMap((one) => (one.code === 'credential-hidden' ? one.facts.paths : []));
  const settings = [...new Set(paths.filter((path) => hidden.includes(path)))];
  const [value, it] = settings.length === 1 ? ['value', 'it'] : ['values', 'them'];
  if (settings.length === 0) return undefined;
  const whose = settings.length === paths.length ? '' : ` of ${settingTitles(of, settings, 3)}`;
  return `The live ${value}${whose} may contain a key or password, so this plan hides ${it}. Look in the dashboard before you answer.`;
}

type About = ReturnType<typeof aboutOf>;

function aboutOf(asked: PlanQuestion, { plan, resources: known, byAddress: questions }: QuestionContext) {
  const { resources: addresses, paths } = asked;
  const resources = addresses.flatMap((address) => known.get(address) ?? []);
  const isAsked = new Set(paths);
  // Resources that share a question about edits have the same edits.
  const shown = asked.kind === 'conflict' || asked.kind === 'drift' ? resources.slice(0, 1) : resources;
  // Dashboard edits may stay until the question is answered.
  const changes = shown.flatMap(({ changes: planned, kept = [] }) => {
    return [...planned, ...kept].filter(({ path }) => isAsked.has(path));
  });
  const changed = changes.map(({ path }) => path);
  const kind = resources[0]?.kind ?? '';
  const unclear = failedApplySentence(resources);
  const numbers = [...new Set(addresses.flatMap((address) => questions.get(address) ?? []))]
    .flatMap((one) => (one === asked ? [] : one.number))
    .sort((one, other) => one - other)
    .map(String);
  const own = resources.length === 1 ? resources.flatMap((one) => one.changes) : [];
  const others = own.flatMap(({ cause, path }) => (cause === 'unverified' || isAsked.has(path) ? [] : path));
  const names = namesText(resources);
  const these = `these ${counted(resources.length, nounOf(resources))}`;
  return {
    plan,
    resources,
    kind,
    names,
    /** The resources as the subject or object of a sentence, such as `After hours and Web chat` or `these 15 agents`. */
    who: resources.length > maxNames + 1 ? these : names,
    /** A short form of `who` after the names, such as `these 2 agents`. */
    these: resources.length > 1 ? these : names,
    /** Says that other questions about the same resources become irrelevant, if there are any. */
    whatever: numbers.length === 0 ? '' : `, whatever you answer to ${listSome(numbers, maxNames)}`,
    otherSettings: settingTitles(kind, others, 2),
    changes,
    settings: settingTitles(kind, changed, 3),
    unclear,
    /** The noun for the changes, which may not come from the dashboard. */
    edits: `the ${unclear === undefined ? 'edit' : 'change'}${changes.length === 1 ? '' : 's'}`,
  };
}

const maxNames = 3;

/** Names resources by title, as in `After hours, Web chat, Billing and 12 more`. */
export function namesText(resources: readonly ResourcePlan[]): string {
  const { titles, ofKind } = titlesTogether(resources);
  return `${listSome(titles, maxNames)}${ofKind}`;
}

interface Saying {
  readonly title: string;
  readonly text: string;
  readonly see: string;
}

const sayings: Readonly<Record<PlanQuestion['kind'], (asked: PlanQuestion, about: About) => Saying>> = {
  conflict: ({ paths }, { plan, who, settings, unclear }) => {
    const isOne = paths.length === 1;
    // A name in capitals, such as SMS, keeps its case.
    const named = /^[A-Z][a-z]/.test(settings) ? lowerFirst(settings) : settings;
    // The title already names a single setting.
    const edited = isOne ? 'Edited' : `${settings} were edited`;
    const how = unclear === undefined ? edited : `${settings} ${differ(settings, paths.length)}`;
    const where = plan.from?.pullRequest === undefined ? 'the files' : 'this pull request';
    return {
      title: `Which ${isOne ? named : 'values'} should ${who} have?`,
      text: present(
        `${how} in the dashboard and in ${where}.`,
        unclear,
        `Nothing changes in ${who} until you answer.`,
      ).join(' '),
      see: 'Compare',
    };
  },
  drift: ({ paths }, { resources, who, settings, unclear, edits }) => ({
    title: `Keep what ${unclear === undefined ? 'was edited' : 'changed'} in ${who}?`,
    text:
      unclear === undefined
        ? `${settings} ${wasWere(settings, paths.length)} edited in the dashboard${editedOn(resources)}.`
        : `${settings} ${differ(settings, paths.length)} in the dashboard and in the files. ${unclear}`,
    see: `See ${edits}`,
  }),
  'create-unknown': (_, { resources, names }) => {
    const [first] = resources;
    const account = first?.target.query[accountParameter];
    const isOne = resources.length === 1;
    const whose = isOne
      ? account === undefined || isFingerprint(account)
        ? `the account of ${names}`
        : `account ${account}`
      : `these ${counted(resources.length, 'account')}`;
    return {
      title: isOne ? `Does ${whose} already have an agent?` : `Do ${whose} already have agents?`,
      text: `${names} ${isOne ? 'is' : 'are'} new. An existing agent would be overwritten.`,
      see: `See ${isOne ? names : 'what is new'}`,
    };
  },
  'write-only': (_, { names, changes: { length: count } }) => ({
    title: `Send ${formatNumber(count)} possibly edited ${count === 1 ? 'setting' : 'settings'} of ${names} again?`,
    text: `The service does not show whether ${count === 1 ? 'it was' : 'they were'} edited.`,
    see: 'See which',
  }),
  'prompt-loss': (_, { resources, who }) => ({
    title: `Should ${who} lose this much text?`,
    text: warningsText(resources, 'prompt-loss'),
    see: 'See what is lost',
  }),
  check: (_, { resources, who }) => ({
    title: `Is the text of ${who} ready for callers?`,
    text: warningsText(resources, 'check'),
    see: 'See the text',
  }),
};

/** The maximum number of warnings in a question. The card shows all warnings. */
const maxWarnings = 2;

function warningsText([first]: readonly ResourcePlan[], kind: PlanQuestion['kind']): string {
  const found = (first?.warnings ?? [])
    .filter((warning) => kindOfQuestion(warning) === kind)
    .map((one) => asSentence(plainSentenceOf(one, { kind: first?.kind })));
  const left = found.length - maxWarnings;
  return present(...found.slice(0, maxWarnings), left > 0 && `${counted(left, 'more finding')}.`).join(' ');
}

/** Returns the day on which the resources were edited, such as ` on 25 Nov 2026`, if it is the same for all. */
export function editedOn(resources: readonly ResourcePlan[]): string {
  const [day, ...others] = new Set(resources.map(({ lastApply }) => dayOf(lastApply?.editedAt)));
  return day === undefined || others.length > 0 ? '' : ` on ${day}`;
}

/** Chooses `was` or `were`. The title of a single setting may be a plural, such as `Instructions`. */
function wasWere(settings: string, count: number): string {
  return wasOrWere(count === 1 && isPlural(settings) ? 2 : count);
}

function differ(settings: string, count: number): string {
  return wasWere(settings, count) === 'was' ? 'is different' : 'are different';
}

type Code = PlanQuestion['choices'][number]['code'];

type AnswerWords = Pick<Answer, 'title' | 'text' | 'effect' | 'loss'>;

function answerWords(kind: PlanQuestion['kind'], code: Code, about: About): AnswerWords {
  const { kind: ofKind, who, changes, settings, unclear, edits } = about;
  const it = itOrThem(changes.length);
  const one = changes.length === 1 && !isPlural(settings) ? 'one' : 'ones';
  const lasting = `Later applies keep ${it} until someone changes ${it} in the files.`;
  switch (code) {
    case 'keep':
      return kind === 'conflict'
        ? { title: `Keep the live ${one}`, text: '', effect: sideText(about, 'from') }
        : { title: 'Keep', text: edits, effect: keptText(changes, ofKind), loss: lasting };
    case 'take':
      return { title: `Take the proposed ${one}`, text: '', effect: sideText(about, 'to') };
    case 'both':
      return { title: 'Use both,', text: 'joined in the files first' };
    case 'undo':
      return {
        title: 'Undo',
        text: edits,
        effect: undoneText(changes, ofKind),
        loss: `You lose ${edits}${unclear === undefined ? ' made in the dashboard' : ''}.`,
      };
    case 'create':
      return { title: 'No,', text: `create ${who}` };
    case 'send-again':
      return { title: 'Yes,', text: `send ${it} again`, effect: 'any dashboard edits are lost' };
    case 'go-on':
      return { title: 'Yes,', text: 'go on' };
    case 'leave':
      return kind === 'conflict'
        ? { title: `Keep the live ${one}:`, text: nothingText(about, true) }
        : { title: 'No,', text: `or not sure: ${nothingText(about, true)}` };
    case 'leave-out':
      return kind === 'create-unknown'
        ? { title: 'Yes,', text: `or not sure: ${nothingText(about)}` }
        : { title: 'No,', text: nothingText(about) };
  }
}

/**
 * Words an answer that changes nothing in the resources. The answer lasts if later requests would contain the settings
 * that cannot be read back.
 */
function nothingText({ resources, who, these, whatever, otherSettings }: About, isLasting = false): string {
  // A resource that does not exist yet has nothing to change.
  if (resources.every((one) => plannedAction(one) === 'create')) return `do not create ${who}${whatever}`;
  const what = isLasting ? `${these} from now on` : who;
  const others = otherSettings === '' ? '' : ` (this includes ${otherSettings})`;
  return `change nothing in ${what}${others}${whatever}`;
}

/** Describes one side of a conflict by its value or, for a long text, by its changes since the last apply. */
function sideText({ kind, changes: [change, ...others] }: About, side: 'from' | 'to'): string | undefined {
  if (change === undefined || others.length > 0) return undefined;
  const { lastApplied } = change;
  const [text, other] = [change[side], change[side === 'from' ? 'to' : 'from']].map((value) => {
    if (!isLongText(value)) return inSentence(plainValue(value, settingName(kind, change.path)));
    const edits = isLongText(lastApplied) ? viewChange({ from: lastApplied, to: value }).summary : undefined;
    return edits ?? counted(valueLines(value).length, 'line');
  });
  return text === other ? undefined : text;
}

/** Links to the first cards. The link to a single card has the text `see`, and may lead to a part of it. */
export function cardLinks(
  addresses: readonly string[],
  { cardOf }: Pick<QuestionContext, 'cardOf'>,
  { see, to }: { readonly see: string; readonly to?: string },
): Inline[] {
  const cards = [...new Set(addresses.flatMap((address) => cardOf(address) ?? []))];
  const [first, ...others] = cards;
  if (first === undefined) return [];
  if (others.length === 0) return [{ text: see, to: to ?? first.id }];
  const shown = cards.length > maxNames + 1 ? maxNames : cards.length;
  const more = cards.length - shown;
  const links = cards.slice(0, shown).flatMap(({ id, resources }, index): Inline[] => {
    return [index === 0 ? 'See ' : ', ', { text: cardTitles(resources).title, to: id }];
  });
  return more > 0 ? [...links, ` and ${formatNumber(more)} more`] : links;
}

/** Returns whether a question about the resource already covers a warning. */
export function isAsked(warning: Notice, resource: ResourcePlan, { byAddress }: QuestionContext): boolean {
  const wanted = kindOfQuestion(warning);
  return byAddress.get(addressOf(resource))?.some(({ kind }) => kind === wanted) ?? false;
}

export function questionsByAddress(plan: Plan): ReadonlyMap<string, readonly PlanQuestion[]> {
  const byAddress = new Map<string, PlanQuestion[]>();
  for (const question of plan.questions) {
    for (const address of question.resources) byAddress.set(address, [...(byAddress.get(address) ?? []), question]);
  }
  return byAddress;
}
