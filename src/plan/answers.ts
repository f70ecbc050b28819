import { AgentformError } from '../errors.ts';
import { type Notice, notice } from '../notices/notice.ts';
import type { Choice, Question } from '../schemas/plan-types.ts';
import { didYouMean } from '../text/suggest.ts';
import { joinWithOr, listSome, quote } from '../text/wording.ts';
import { type Decision, type Decisions, decisionNaming } from './decisions.ts';

/** A person's answer to a plan's question, given with an option, in a file, on the terminal or in a comment. */
export interface GivenAnswer {
  /** The id of the question, or its number in the saved plan. */
  readonly question: string;
  /** The code of a choice, or its letter in the saved plan. */
  readonly choice: string;
  /**
   * The digest of the question when it was answered. If the question now has a different digest, the answer is void. An
   * answer without a digest is matched by the question's id or number.
   */
  readonly digest?: string | undefined;
  readonly by?: string | undefined;
  /** Where the person answered, such as the pull request `#12`. */
  readonly in?: string | undefined;
}

/** An answer that counts, with its question and choice in the current plan. */
export interface ValidAnswer extends Pick<GivenAnswer, 'by' | 'in'> {
  readonly question: Question;
  readonly code: Choice['code'];
}

export interface Answers {
  /** The answers that count, at most one for each question. */
  readonly answers: readonly ValidAnswer[];
  /** Notices about answers that do not count: their questions have changed, or people disagree. */
  readonly outdated: readonly Notice[];
}

const shownQuestions = 5;

/**
 * Matches given answers with the questions of a plan. Numbers and letters are only valid with a saved plan. Throws
 * `usage` for an unknown choice, for an unknown or ambiguous question without a digest, and for two different answers
 * to one question. If both of these answers come from pull requests, the run continues and ignores both.
 */
export function answersTo(
  questions: readonly Question[],
  given: readonly GivenAnswer[],
  saved?: readonly Question[],
): Answers {
  const [present, former] = [indexOf(questions), saved && indexOf(saved)];
  const answers = new Map<string, ValidAnswer>();
  const differing = new Map<string, Set<string>>();
  const outdated: Notice[] = [];
  for (const one of given) {
    const { asked, question } = answeredQuestion(one, present, former);
    if (asked === undefined || question === undefined) {
      outdated.push(notice('answer-void', { question: one.question, choice: one.choice }));
      continue;
    }
    const { code } = chosenIn(asked, one, saved !== undefined);
    const before = answers.get(question.id);
    if (before !== undefined && before.code !== code) {
      if (before.in === undefined || one.in === undefined) throw contradiction(question.id, [before.code, code]);
      const codes = differing.get(question.id) ?? new Set([before.code]);
      differing.set(question.id, codes.add(code));
    }
    answers.set(question.id, { question, code, by: one.by, in: one.in });
  }
  for (const [question, choices] of differing) {
    answers.delete(question);
    outdated.push(notice('answers-differ', { question, choices: [...choices].sort() }));
  }
  return { answers: [...answers.values()], outdated };
}

interface QuestionIndex {
  readonly questions: readonly Question[];
  readonly byId: ReadonlyMap<string, Question>;
  readonly byDigest: ReadonlyMap<string, Question>;
}

function indexOf(questions: readonly Question[]): QuestionIndex {
  return {
    questions,
    byId: new Map(questions.flatMap((question) => idsOf(question).map((id) => [id, question] as const))),
    byDigest: new Map(questions.map((question) => [question.digest, question])),
  };
}

/**
 * The names by which an answer can refer to a question. A question about one resource can be named with or without its
 * kind, because only some plans need the kind to keep ids unique.
 */
function idsOf({ id, kind, resources: [first, ...others] }: Question): string[] {
  return others.length === 0 ? [id, `${first}/${kind}`] : [id];
}

/**
 * Finds the question that an answer refers to. `asked` is the question in the plan that the person saw, and `question`
 * the one in the current plan. `question` is undefined if it has changed.
 */
function answeredQuestion(
  one: GivenAnswer,
  present: QuestionIndex,
  former: QuestionIndex | undefined,
): { readonly asked: Question | undefined; readonly question: Question | undefined } {
  if (former === undefined && isNumber(one.question)) throw numberAlone(one);
  if (one.digest !== undefined) {
    const question = present.byDigest.get(one.digest);
    return { asked: question, question };
  }
  const asked = questionNamed(one, former ?? present);
  return { asked, question: former === undefined ? asked : present.byDigest.get(asked.digest) };
}

function questionNamed(given: GivenAnswer, { questions, byId }: QuestionIndex): Question {
  const found = isNumber(given.question)
    ? questions.find(({ number }) => number === Number(given.question))
    : (byId.get(given.question) ?? onlyFitting(questions, given));
  if (found === undefined) throw unknownQuestion(given, questions);
  return found;
}

/**
 * Finds the question for a short form such as `Agent/web-chat=keep`: the only question that is about this resource
 * alone and offers the choice. Undefined if there is none. Throws `usage` if there are several.
 */
function onlyFitting(questions: readonly Question[], { question, choice }: GivenAnswer): Question | undefined {
  const [found, ...more] = questions.filter(({ resources: [first, ...others], choices }) => {
    return first === question && others.length === 0 && choices.some(({ code }) => code === choice);
  });
  if (found === undefined || more.length === 0) return found;
  const answers = [found, ...more].map(({ id }) => `${id}=${choice}`);
  throw wrong(
    `the answer ${question}=${choice} matches several questions; give ${joinWithOr(answers)}, or an answer to each`,
  );
}

function isNumber(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}

function chosenIn({ id, choices }: Question, { choice }: GivenAnswer, takesLetters: boolean): Choice {
  const letter = takesLetters ? choice.toUpperCase() : '';
  const found = choices.find((one) => one.code === choice || one.letter === letter);
  if (found !== undefined) return found;
  const codes = choices.map((one) => (takesLetters ? `${one.letter} (${one.code})` : one.code));
  const why = /^[a-c]$/i.test(choice) && !takesLetters ? '; letters work only with a saved plan (--plan FILE)' : '';
  throw wrong(`the answer to ${id} is ${quote(choice)}: expected ${joinWithOr(codes)}${why}`);
}

function unknownQuestion({ question, choice }: GivenAnswer, questions: readonly Question[]): AgentformError {
  const about = questions.filter(({ resources }) => resources.includes(question));
  if (about.length > 0) {
    const fitting = about.flatMap(({ id, choices }) => choices.map(({ code }) => `${id}=${code}`));
    return wrong(`the answer ${question}=${choice} matches no question; expected ${joinWithOr(fitting)}`);
  }
  const [shown, ids] = [quote(question), questions.map(({ id }) => id)];
  if (ids.length === 0) return wrong(`there is no question ${shown}: the plan has no questions`);
  return wrong(
    `there is no question ${shown}${didYouMean(question, ids)}; the plan asks ${listSome(ids, shownQuestions)}`,
  );
}

function numberAlone({ question }: GivenAnswer): AgentformError {
  return wrong(
    `a number such as ${question} works only with a saved plan (--plan FILE); name the question, such as Agent/front-desk`,
  );
}

function contradiction(id: string, codes: readonly string[]): AgentformError {
  return wrong(`the question ${id} has two answers, ${codes.join(' and ')}; give one`);
}

function wrong(message: string): AgentformError {
  return new AgentformError('usage', message);
}

/**
 * Parses an answer such as `Agent/after-hours=keep`, or `1=C` or `1C` for a saved plan. Throws `usage` for other texts.
 */
export function typedAnswer(text: string): GivenAnswer {
  const [, question, choice] = /^([^=]+)=([^=]+)$/.exec(text) ?? /^(\d{1,9})([a-z])$/i.exec(text) ?? [];
  if (question === undefined || choice === undefined) {
    throw wrong(
      `the answer ${quote(text)} must be a question and a choice, such as Agent/front-desk=keep, or 1C with a saved plan`,
    );
  }
  return { question: question.trim(), choice: choice.trim() };
}

/** Converts answers to decisions. Some answers need none: for example, a hold remembers "keep" and "leave". */
export function decisionsOfAnswers(answers: readonly ValidAnswer[]): Decision[] {
  return answers.flatMap(({ question, code, by }): Decision[] => {
    const rule = ruleOf(question.kind, code);
    if (rule === undefined) return [];
    return [{ rule, names: question.resources, by: 'answer', ...(by !== undefined && { person: by }) }];
  });
}

function ruleOf(kind: Question['kind'], code: Choice['code']): Decision['rule'] | undefined {
  if (code === 'take') return 'conflict';
  if (code === 'create') return 'new-agent';
  if (code === 'both') return 'both';
  // An unanswered create is left out anyway, so it needs no decision.
  return code === 'leave-out' && kind !== 'create-unknown' ? 'leave-out' : undefined;
}

/** For each kind of question, the rule whose option settles it. */
const settling = { conflict: 'conflict', 'create-unknown': 'new-agent' } as const;

/** Throws `usage` if an option contradicts an answer. */
export function refuseContradictions(answers: readonly ValidAnswer[], decisions: Decisions): void {
  for (const { question, code } of answers) {
    const rule = settlingRule(question);
    if (rule === undefined || code === 'take' || code === 'create') continue;
    const option = rule === 'conflict' ? '--overwrite' : '--new';
    const isDecided = question.resources.some((address) => decisionNaming(decisions, rule, address) !== undefined);
    if (isDecided) throw contradiction(question.id, [option, code]);
  }
}

/** The questions that neither an answer nor an option settles. */
export function openQuestions(
  questions: readonly Question[],
  answers: readonly ValidAnswer[],
  decisions: Decisions,
): Question[] {
  const answered = new Set(answers.map(({ question }) => question.id));
  return questions.filter((question) => {
    const rule = settlingRule(question);
    const isNamed = (address: string) => rule !== undefined && decisionNaming(decisions, rule, address) !== undefined;
    return !answered.has(question.id) && !question.resources.every(isNamed);
  });
}

function settlingRule({ kind }: Question): 'conflict' | 'new-agent' | undefined {
  return kind === 'conflict' || kind === 'create-unknown' ? settling[kind] : undefined;
}
