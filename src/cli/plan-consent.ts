import { addressOf } from '../kinds/desired.ts';
import type { GivenAnswer } from '../plan/answers.ts';
import { isPending } from '../plan/pending.ts';
import type { WaitingDrafts } from '../plan/publishing.ts';
import { fatesIn, isLeavingOut, isLeft } from '../plan/questions.ts';
import { answerText, plainText, type Question as WordedQuestion } from '../report/blocks.ts';
import type { Choice, Plan, Question } from '../schemas/plan-types.ts';
import { wrapProse } from '../text/layout.ts';
import { visibleLine } from '../text/visible.ts';
import { listSome } from '../text/wording.ts';
import { answerTo, confirm } from './confirm.ts';
import type { Console } from './console.ts';
import { printWarnings } from './problem-formats.ts';

interface Planned {
  readonly plan: Plan;
  /** The plan to show, with the run's decisions applied. */
  readonly shown: Plan;
  /** The drafts to publish after the apply, or undefined if the run does not publish. */
  readonly drafts?: WaitingDrafts;
  readonly open?: readonly Question[];
}

/** The user's decision: false to stop, or the answers to the questions. */
type Consent = false | { readonly answers: readonly GivenAnswer[]; readonly approvesNothing?: true };

interface ConsentOptions {
  readonly savedPlan?: string | undefined;
  /** Whether `--yes` gave consent in advance. */
  readonly given: boolean;
  /** The beginning of the question, such as `Apply this plan`. */
  readonly question: string;
  /** The message if there is no terminal: what is not done, and the option that consents in advance. */
  readonly otherwise: string;
}

/**
 * Shows the plan. Unless consent was given, asks the plan's open questions, and asks for confirmation if the plan
 * writes or publishes.
 */
export async function consentToPlan(
  planned: Planned & Parameters<typeof printWarnings>[0],
  { savedPlan, given, question, otherwise }: ConsentOptions,
  console: Console,
): Promise<Consent> {
  const { plan, drafts, open = [] } = planned;
  await printWarnings(planned, console);
  const { planText } = await import('../report/plan.ts');
  await console.inPieces('say', planText(planned.shown, { ...console.sayStyle, savedPlan }));
  console.say('\n');
  const answers = given || !console.interactive ? [] : await ask(open, planned.shown, console);
  if (answers === undefined) return false;
  const isDeclined = !given && !console.interactive;
  const fateOf = fatesIn(planned.shown, new Set(leftOutBy(open, answers)));
  const written = planned.shown.resources.filter((one) => isPending(one) && (isDeclined || !isLeft(fateOf(one))));
  if (drafts !== undefined) {
    const { waitingDraftsSentence } = await import('../report/ledger.ts');
    const answered = new Set(answers.map(({ question }) => question));
    const settled = open.filter(({ id, kind }) => kind === 'drift' && answered.has(id));
    const undecided = drafts.undecided.filter((address) => !settled.some((one) => one.resources.includes(address)));
    const writes = written.some((resource) => !undecided.includes(addressOf(resource)));
    const text = visibleLine(waitingDraftsSentence({ ...drafts, undecided, writes }));
    console.say(`${wrapProse(text, { width: console.sayStyle.width, indent: 0 }).join('\n')}\n\n`);
  }
  const isIdle = written.length === 0 && (drafts?.unchanged ?? []).length === 0;
  if (given) return { answers };
  if (isIdle) return { answers, approvesNothing: true };
  const asked = drafts === undefined ? question : `${question} and publish`;
  const goesOn = await confirm(`${asked} to ${plan.environment}?`, console, otherwise);
  return goesOn && { answers };
}

/** The maximum number of questions to ask. Further questions get their defaults. */
const maxAsked = 7;

/** Asks the open questions. Returns undefined if the user ends the run. */
async function ask(open: readonly Question[], plan: Plan, console: Console): Promise<GivenAnswer[] | undefined> {
  const answers: GivenAnswer[] = [];
  const asked = open.slice(0, maxAsked);
  const { questionsInWords } = await import('../report/plan/questions.ts');
  const inWords = questionsInWords(asked, plan);
  for (const [index, question] of asked.entries()) {
    const leftOut = leftOutBy(asked.slice(0, index), answers);
    if (question.resources.every((address) => leftOut.includes(address))) continue;
    const choice = await choiceOf(question, inWords(question), console);
    if (choice === 'ended') return undefined;
    if (choice === 'default') continue;
    const { id, digests } = question;
    answers.push({ question: id, choice: choice.code, digests, in: 'a terminal' });
  }
  const rest = open.slice(maxAsked).map(({ id }) => id);
  if (rest.length > 0) {
    console.say(
      `Not asked, because there are more than ${maxAsked} questions: ${listSome(rest, 5)}. Answer these questions with --answer.\n`,
    );
  }
  return answers;
}

async function choiceOf(
  { number, choices }: Question,
  { title, text, answers }: Pick<WordedQuestion, 'title' | 'text' | 'answers'>,
  console: Console,
): Promise<Choice | 'default' | 'ended'> {
  console.say(`${number}. ${visibleLine(title)} ${visibleLine(plainText(text))}\n`);
  for (const answer of answers) {
    console.say(`   ${answer.letter}  ${answerText(answer)}${answer.defaultWhen === undefined ? '' : ' (Enter)'}\n`);
  }
  const otherwise = choices.some(({ isDefault }) => isDefault) ? '' : ', or Enter to leave it out';
  const letters = choices.map(({ letter }) => letter).join(', ');
  for (;;) {
    const typed = (await answerTo(`   ${letters}${otherwise}:`, console))?.toUpperCase();
    if (typed === undefined) return 'ended';
    if (typed === '') return 'default';
    const chosen = choices.find(({ letter }) => typed === letter || typed === `${number}${letter}`);
    if (chosen !== undefined) return chosen;
    console.say(`   Type one of ${letters}, or press Enter.\n`);
  }
}

/** Returns the addresses of resources that the answers, or the lack of an answer, leave out. */
function leftOutBy(open: readonly Question[], answers: readonly GivenAnswer[]): string[] {
  const given = new Map(answers.map(({ question, choice }) => [question, choice]));
  return open.flatMap((question) => (isLeavingOut(question, given.get(question.id)) ? question.resources : []));
}
