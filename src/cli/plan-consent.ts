import { addressOf } from '../kinds/desired.ts';
import type { GivenAnswer } from '../plan/answers.ts';
import { isPending } from '../plan/pending.ts';
import type { Choice, Plan, Question } from '../schemas/plan-types.ts';
import { listSome } from '../text/wording.ts';
import { answerTo, confirm } from './confirm.ts';
import type { Console } from './console.ts';
import { printWarnings } from './problem-formats.ts';

/** The changes that a use case asks about. */
interface Planned {
  readonly plan: Plan;
  /** The plan with the decisions of the run. */
  readonly shown: Plan;
  /** Addresses of agents to publish without a change of their draft; undefined if nothing is published. */
  readonly publishes?: readonly string[];
  /** The questions that nothing settles yet. */
  readonly open?: readonly Question[];
}

/** Whether to go on, and with which answers. */
type Consent = false | { readonly answers: readonly GivenAnswer[] };

export interface ConsentOptions {
  /** The file of the plan. */
  readonly savedPlan?: string | undefined;
  /** Whether it was given beforehand. */
  readonly given: boolean;
  /** The verb of the question: `Apply this plan`. */
  readonly question: string;
  /** The action that was not done because no one could be asked, and the flag that answers in advance. */
  readonly otherwise: string;
}

/** Shows the plan, asks its open questions, and whether to go on if that would write or publish something. */
export async function consentToPlan(
  planned: Planned & Parameters<typeof printWarnings>[0],
  { savedPlan, given, question, otherwise }: ConsentOptions,
  console: Console,
): Promise<Consent> {
  const { plan, publishes, open = [] } = planned;
  const style = { color: console.sayColor, width: console.width };
  await printWarnings(planned, console);
  const { planText } = await import('../report/plan.ts');
  await console.inPieces('say', planText(planned.shown, { ...style, savedPlan }));
  console.say('\n');
  const answers = given || !console.interactive ? [] : await ask(open, console);
  const isDeclined = !given && !console.interactive;
  const leftOut = new Set(isDeclined ? [] : notCreated(open, answers));
  const writes = plan.resources.some((resource) => isPending(resource) && !leftOut.has(addressOf(resource)));
  if (publishes !== undefined) {
    const { renderWaitingDrafts } = await import('../report/ledger/publish.ts');
    console.say(`${renderWaitingDrafts({ writes, waiting: publishes }, style)}\n`);
  }
  const isIdle = !writes && (publishes ?? []).length === 0;
  if (given || isIdle) return { answers };
  const asked = publishes === undefined ? question : `${question} and publish`;
  const goesOn = await confirm(`${asked} to ${plan.environment}?`, console, otherwise);
  return goesOn && { answers };
}

/** A person answers no more of them one after the other; the rest has its defaults, and options for those who want others. */
const mostAsked = 7;

/** A question without an answer has its default. */
async function ask(open: readonly Question[], console: Console): Promise<GivenAnswer[]> {
  const answers: GivenAnswer[] = [];
  for (const question of open.slice(0, mostAsked)) {
    const choice = await choiceOf(question, console);
    if (choice === undefined) continue;
    const { id, digest } = question;
    answers.push({ question: id, choice: choice.code, digest, in: 'a terminal' });
  }
  const rest = open.slice(mostAsked).map(({ id }) => id);
  if (rest.length > 0) {
    console.say(
      `Without an answer, because there are more than ${mostAsked}: ${listSome(rest, 5)}. Use --answer for them.\n`,
    );
  }
  return answers;
}

/** Undefined for the default. */
async function choiceOf(question: Question, console: Console): Promise<Choice | undefined> {
  const { number, choices } = question;
  console.say(`${number}. ${asking[question.kind](listSome(question.resources, 3), listSome(question.paths, 3))}\n`);
  for (const { letter, code, isDefault } of choices) {
    console.say(`   ${letter}  ${words[code]}${isDefault ? ' (Enter)' : ''}\n`);
  }
  const otherwise = choices.some(({ isDefault }) => isDefault) ? '' : ', or Enter to leave it out';
  const letters = choices.map(({ letter }) => letter).join(', ');
  for (;;) {
    const typed = await answerTo(`   ${letters}${otherwise}:`, console);
    const chosen = choices.find(({ letter }) => letter === typed.toUpperCase());
    if (chosen !== undefined || typed === '') return chosen;
    console.say(`   Type one of ${letters}, or press Enter.\n`);
  }
}

const asking: Readonly<Record<Question['kind'], (who: string, what: string) => string>> = {
  conflict: (who, what) => `${who}: ${what} changed on the service and in the manifest. Which should it be?`,
  drift: (who, what) => `${who}: ${what} changed on the service. Keep that?`,
  'create-unknown': (who) => `Does the account of ${who} already have an agent? A create would replace its settings.`,
  'write-only': (who, what) => `${who}: was ${what} edited on the service? It cannot be read back, and is sent again.`,
  'prompt-loss': (who, what) => `${who}: ${what} loses a section or most of its text. Is that meant?`,
  check: (who, what) => `${who}: a check found something in ${what}. Apply it so?`,
};

const words: Readonly<Record<Choice['code'], string>> = {
  keep: 'Keep what is on the service',
  take: 'Take the manifest',
  both: 'Use both: leave it out until the manifest has both',
  undo: 'Undo it',
  create: 'No, create it',
  'leave-out': 'Leave it out',
  'send-again': 'Send the settings of the manifest again',
  leave: 'Leave the whole resource as it is',
  'go-on': 'Apply it',
};

/** Addresses of creates that are left out. */
function notCreated(open: readonly Question[], answers: readonly GivenAnswer[]): string[] {
  const created = new Set(answers.flatMap(({ question, choice }) => (choice === 'create' ? [question] : [])));
  return open.flatMap(({ id, kind, resources }) => (kind === 'create-unknown' && !created.has(id) ? resources : []));
}
