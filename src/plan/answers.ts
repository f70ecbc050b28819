import { AgentformError } from '../errors.ts';
import { grouped } from '../json/json.ts';
import { distinctNotices, type Notice, notice } from '../notices/notice.ts';
import type { Choice, Plan, Question, VoidAnswer } from '../schemas/plan-types.ts';
import { didYouMean } from '../text/suggest.ts';
import { joinWithOr, listSome, quote } from '../text/wording.ts';
import { type Decision, type Decisions, decisionNaming } from './decisions.ts';
import { matterOf, splitQuestions, subjectOf, withVoidAnswer } from './questions.ts';

/** A person's answer to a question, given with an option, in a file, on the terminal or in a comment. */
export interface GivenAnswer {
  /** The id of the question, or its number in the saved plan. */
  readonly question: string;
  /** The code of a choice, or its letter in the saved plan. */
  readonly choice: string;
  /**
   * The digests of the question, or of its parts about single resources, when the person answered. The answer is void
   * for parts whose digests have changed. An answer without digests is matched by the question's id or number.
   */
  readonly digests?: readonly string[] | undefined;
  readonly by?: string | undefined;
  /** Where the person answered, such as the pull request `#12`. */
  readonly in?: string | undefined;
  /**
   * Whether a newer comment no longer asks the question. If so, the answer is listed only if a resource is left out
   * because of it.
   */
  readonly isReplaced?: true | undefined;
}

/** A valid answer, with its question and choice in the current plan. */
export interface ValidAnswer extends Pick<GivenAnswer, 'by' | 'in'> {
  readonly question: Question;
  readonly code: Choice['code'];
  /** The resources for which the answer is valid. The question may also be about other resources. */
  readonly resources: readonly string[];
  /** The digests of the question's parts about these resources. */
  readonly digests: readonly string[];
}

export interface Answers {
  /** The valid answers, at most one for each resource of a question. */
  readonly answers: readonly ValidAnswer[];
  /**
   * The notices about answers that are not valid, because their questions have changed or different people gave
   * different answers.
   */
  readonly outdated: readonly Notice[];
  /** The decisions to leave out resources that were protected by answers that are no longer valid. */
  readonly leftOut: readonly Decision[];
  /** The invalid answers behind these decisions, by the digests of the current parts that need a new answer. */
  readonly voided: VoidAnswers;
}

export type VoidAnswers = ReadonlyMap<string, VoidAnswer>;

/** The answers that people gave on pull requests. */
export interface ReadAnswers {
  readonly answers: readonly GivenAnswer[];
  /** The notices about answers that have no effect, for example because the author has no write access. */
  readonly ignored?: readonly Notice[];
  /** Why some answers could not be read. Absent if all answers were read. */
  readonly unread?: Notice;
}

interface Part {
  readonly question: Question;
  readonly resource: string;
  readonly digest: string;
}

interface PartAnswer extends Pick<GivenAnswer, 'by' | 'in'> {
  readonly part: Part;
  readonly code: Choice['code'];
}

const shownQuestions = 5;

/**
 * Matches given answers with the questions of a plan. An answer to a shared question is valid for each resource whose
 * part has not changed. Numbers and letters are valid only with a saved plan. Throws `usage` for an unknown choice, and
 * for an answer without digests to an unknown or ambiguous question.
 *
 * If two answers differ, an answer given with the command takes precedence over an answer from a pull request. If both
 * were given with the command, throws `usage`. If both come from pull requests, ignores both.
 *
 * If an answer is no longer valid, the default must not do the opposite. If the answer protected a resource and the
 * default does not, the resource is left out until someone answers again. If some answers could not be read, the same
 * applies to each unanswered question.
 */
export function answersTo(
  questions: readonly Question[],
  given: readonly GivenAnswer[],
  { saved, unread }: { readonly saved?: readonly Question[] | undefined; readonly unread?: Notice | undefined } = {},
): Answers {
  const [present, former] = [indexOf(questions), saved && indexOf(saved)];
  const answers = new Map<string, PartAnswer>();
  const differing = new Map<string, string[]>();
  const changed: ChangedAnswer[] = [];
  for (const one of given) {
    const found = answeredParts(one, present, former);
    const { asked, parts, gone } = found;
    if (parts.length === 0 || gone.length > 0) changed.push({ given: one, ...found });
    for (const part of parts) {
      const { code } = chosenIn(asked ?? part.question, one, saved !== undefined);
      const answer = { part, code, by: one.by, in: one.in };
      const before = answers.get(part.digest) ?? answer;
      const preferred = preferredOf(before, answer);
      if (preferred === undefined)
        differing.set(part.digest, [...(differing.get(part.digest) ?? []), before.code, code]);
      answers.set(part.digest, preferred ?? answer);
    }
  }
  const contradictory = [...differing].flatMap(([digest, codes]): Ignored[] => {
    const answer = answers.get(digest);
    // An answer given with the command takes precedence over differing answers.
    if (answer?.in === undefined) return [];
    answers.delete(digest);
    return [differingAnswers(answer.part, codes)];
  });
  const unanswered = present.parts.filter(({ digest }) => !answers.has(digest));
  const ignored: readonly Ignored[] = [
    ...(unread === undefined
      ? []
      : [{ reason: unread, parts: unanswered, voidAnswer: { why: 'unread' }, isListed: false } as const]),
    ...changedAnswers(changed, present, answers),
    ...contradictory,
  ];
  return { answers: joined([...answers.values()]), ...consequencesOf(ignored) };
}

/** Separates the ignored answers that lead to left-out resources from the ignored answers that are only listed. */
function consequencesOf(ignored: readonly Ignored[]): Omit<Answers, 'answers'> {
  const all = ignored.map(({ parts, ...one }) => ({ ...one, parts: parts.filter(isUndoneByDefault) }));
  const protecting = all.filter(({ parts }) => parts.length > 0);
  return {
    outdated: distinctNotices(
      all.flatMap(({ reason, parts, isListed }) => (parts.length === 0 && isListed ? [reason] : [])),
    ),
    leftOut: protecting.map(({ reason, parts }) => {
      return { rule: 'leave-out', names: parts.map(({ resource }) => resource), by: 'answer', reason };
    }),
    voided: new Map(
      protecting.flatMap(({ parts, voidAnswer }) => parts.map(({ digest }) => [digest, voidAnswer] as const)),
    ),
  };
}

/** Returns the answer that takes precedence. Undefined if the two answers differ and both come from pull requests. */
function preferredOf(before: PartAnswer, answer: PartAnswer): PartAnswer | undefined {
  if (before.code === answer.code) return answer;
  if (before.in !== undefined) return answer.in === undefined ? answer : undefined;
  if (answer.in === undefined) throw contradiction(before.part.question.id, [before.code, answer.code]);
  return before;
}

function differingAnswers(part: Part, codes: readonly string[]): Ignored {
  const choices = [...new Set(codes)].sort();
  const reason = notice('answers-differ', { question: part.question.id, choices });
  return { reason, parts: choices.some(isProtective) ? [part] : [], voidAnswer: { why: 'differ' }, isListed: true };
}

/** An invalid answer, with the parts of questions that the answer protects. */
interface Ignored {
  readonly reason: Notice;
  readonly parts: readonly Part[];
  readonly voidAnswer: VoidAnswer;
  /** Whether to list the answer even if no resource is left out because of it. */
  readonly isListed: boolean;
}

/** The answers that keep a setting or agent as it is, with the kinds of questions to which they apply. */
const protectedKinds: ReadonlyMap<string, readonly Question['kind'][]> = new Map([
  ['keep', ['conflict', 'drift']],
  ['both', ['conflict', 'drift']],
  ['leave', ['conflict', 'drift', 'write-only']],
  ['leave-out', ['create-unknown', 'prompt-loss', 'check']],
]);

function isProtective(code: string): boolean {
  return protectedKinds.has(code);
}

/** Whether the default changes what a protective answer would keep. Conflicts have no default. */
function isUndoneByDefault({ question }: Part): boolean {
  return question.choices.some(({ code, isDefault }) => isDefault && !isProtective(code));
}

/** Combines equal answers to parts of the same question. */
function joined(answers: readonly PartAnswer[]): ValidAnswer[] {
  const groups = grouped(answers, ({ part, code, by, in: where }) =>
    JSON.stringify([part.question.id, code, by, where]),
  );
  return [...groups.values()].map((group) => {
    const [{ part, code, by, in: where }] = group;
    const [resources, digests] = [group.map((one) => one.part.resource), group.map((one) => one.part.digest)];
    return { question: part.question, code, resources, digests, by, in: where };
  });
}

/** An answer to a question that has changed in the meantime, and the parts for which the answer is still valid. */
interface ChangedAnswer extends AnsweredParts {
  readonly given: GivenAnswer;
}

/**
 * The answers that are no longer valid, or that are valid only for some resources. An answer that is valid only for
 * some resources is listed only if the plan still asks such a question. If it does not, the other resources may have
 * been applied in the meantime.
 */
function changedAnswers(
  changed: readonly ChangedAnswer[],
  present: QuestionIndex,
  answers: ReadonlyMap<string, unknown>,
): Ignored[] {
  const isOpen = ({ digest }: Part) => !answers.has(digest);
  return changed.flatMap((one): Ignored[] => {
    const { parts, given } = one;
    const { question, choice, by, isReplaced = false } = given;
    const ignored = {
      voidAnswer: { why: 'changed', ...(by !== undefined && { by }) },
      isListed: !isReplaced,
    } as const;
    const kinds = new Set(parts.map((part) => part.question.kind));
    const protectedParts = partsProtectedBy(one, present).filter(isOpen);
    if (parts.length === 0 || protectedParts.length > 0)
      return [{ ...ignored, reason: notice('answer-void', { question, choice }), parts: protectedParts }];
    if (!present.parts.some((part) => kinds.has(part.question.kind) && isOpen(part))) return [];
    const resources = parts.map(({ resource }) => resource);
    return [{ ...ignored, reason: notice('answer-void', { question, choice, resources }), parts: [] }];
  });
}

/** The parts of current questions that are about the settings or agents that an outdated answer kept. */
function partsProtectedBy({ given, asked, gone }: ChangedAnswer, { parts }: QuestionIndex): Part[] {
  const code = asked === undefined ? given.choice : chosenIn(asked, given, true).code;
  const kinds = protectedKinds.get(code) ?? [];
  const kept = parts.filter(({ question }) => kinds.includes(question.kind));
  const subjects = new Set(gone.map(subjectOf));
  const found = kept.filter(({ digest }) => subjects.has(subjectOf(digest)));
  if (!gone.some((digest) => digest.startsWith('sha256:'))) return found;
  // The digest of a whole question does not identify a resource. The question's id contains the resource's address, or
  // the kind of question if there are several resources.
  const [kind = ''] = given.question.split('/');
  const isNamed = ({ question, resource }: Part) =>
    `${given.question}/`.startsWith(`${resource}/`) || matterOf(question.kind) === matterOf(kind);
  return [...found, ...kept.filter(isNamed)];
}

interface QuestionIndex {
  readonly questions: readonly Question[];
  readonly parts: readonly Part[];
  readonly byId: ReadonlyMap<string, readonly Part[]>;
  /** The parts that are identified by the digest of a question or of a single part. */
  readonly byDigest: ReadonlyMap<string, readonly Part[]>;
}

function indexOf(questions: readonly Question[]): QuestionIndex {
  const parts = questions.map(partsOf);
  return {
    questions,
    parts: parts.flat(),
    byId: new Map([
      ...parts.flat().map((part): [string, Part[]] => [`${part.resource}/${part.question.kind}`, [part]]),
      ...questions.map(({ id }, index): [string, Part[]] => [id, parts[index] ?? []]),
    ]),
    byDigest: new Map([
      ...parts.flat().map((part): [string, Part[]] => [part.digest, [part]]),
      ...questions.map(({ digest }, index): [string, Part[]] => [digest, parts[index] ?? []]),
    ]),
  };
}

function partsOf(question: Question): Part[] {
  return question.resources.map((resource, index) => ({ question, resource, digest: question.digests[index] ?? '' }));
}

interface AnsweredParts {
  /** The question in the plan that the person saw, if the answer names that question. */
  readonly asked?: Question;
  /** The parts in the current plan that have not changed since the person answered. */
  readonly parts: readonly Part[];
  /** The digests in the answer that the current plan does not contain. */
  readonly gone: readonly string[];
}

function answeredParts(one: GivenAnswer, present: QuestionIndex, former: QuestionIndex | undefined): AnsweredParts {
  if (former === undefined && isNumber(one.question)) {
    throw wrong(
      `a number such as ${one.question} works only with a saved plan (--plan FILE); name the question, such as Agent/front-desk`,
    );
  }
  const named = one.digests === undefined ? partsNamed(one, former ?? present) : undefined;
  const digests = named?.map(({ digest }) => digest) ?? one.digests ?? [];
  const parts = digests.flatMap((digest) => present.byDigest.get(digest) ?? []);
  const gone = digests.filter((digest) => !present.byDigest.has(digest));
  const [first] = named ?? [];
  return { ...(first && { asked: first.question }), parts, gone };
}

/** The parts that an answer names: all parts of a question, or the part about one resource. */
function partsNamed(given: GivenAnswer, index: QuestionIndex): readonly Part[] {
  const { questions, byId } = index;
  if (!isNumber(given.question)) {
    const found = byId.get(given.question) ?? onlyFitting(questions, given);
    if (found !== undefined) return found;
  }
  const numbered = questions.find(({ number }) => number === Number(given.question));
  if (numbered === undefined) throw unknownQuestion(given, questions);
  return partsOf(numbered);
}

/**
 * Finds the part for a short form such as `Agent/web-chat=keep`: the only part that is about this resource and whose
 * question offers the choice. Undefined if there is no such part. Throws `usage` if there are several.
 */
function onlyFitting(questions: readonly Question[], { question, choice }: GivenAnswer): Part[] | undefined {
  const about = questions.flatMap(partsOf).filter(({ resource }) => resource === question);
  const fitting = about.filter((part) => part.question.choices.some(({ code }) => code === choice));
  if (fitting.length < 2) return fitting.length === 0 ? undefined : fitting;
  const answers = fitting.map((part) => `${question}/${part.question.kind}=${choice}`);
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

function contradiction(id: string, codes: readonly string[]): AgentformError {
  return wrong(`the question ${id} has two answers, ${codes.join(' and ')}; give one`);
}

function wrong(message: string): AgentformError {
  return new AgentformError('usage', message);
}

/** Parses an answer such as `Agent/after-hours=keep`, or `1=C` or `1C` for a saved plan. */
export function typedAnswer(text: string): GivenAnswer {
  const [, question, choice] = /^([^=]+)=([^=]+)$/.exec(text) ?? /^(\d{1,9})([a-z])$/i.exec(text) ?? [];
  if (question === undefined || choice === undefined) {
    throw wrong(
      `the answer ${quote(text)} must be a question and a choice, such as Agent/front-desk=keep, or 1C with a saved plan`,
    );
  }
  return { question: question.trim(), choice: choice.trim() };
}

/** Converts answers to decisions. Other answers, such as "keep", are stored in a hold. */
export function decisionsOfAnswers(answers: readonly ValidAnswer[]): Decision[] {
  return answers.flatMap(({ code, resources, by }): Decision[] => {
    const rule = rulesOfAnswers[code];
    if (rule === undefined) return [];
    return [{ rule, names: resources, by: 'answer', ...(by !== undefined && { person: by }) }];
  });
}

const rulesOfAnswers: Partial<Readonly<Record<Choice['code'], Decision['rule']>>> = {
  take: 'conflict',
  create: 'new-agent',
  both: 'both',
  'leave-out': 'leave-out',
};

/** The rule whose option settles the question, by kind of question. */
const settling: Partial<Readonly<Record<Question['kind'], 'conflict' | 'new-agent'>>> = {
  conflict: 'conflict',
  'create-unknown': 'new-agent',
};

/** Throws `usage` if an option contradicts an answer. */
export function refuseContradictions(answers: readonly ValidAnswer[], decisions: Decisions): void {
  for (const { question, code, resources } of answers) {
    const rule = settling[question.kind];
    if (rule === undefined || code === 'take' || code === 'create') continue;
    const option = rule === 'conflict' ? '--overwrite' : '--new';
    const isDecided = resources.some((address) => decisionNaming(decisions, rule, address) !== undefined);
    if (isDecided) throw contradiction(question.id, [option, code]);
  }
}

/**
 * The questions that neither an answer nor an option settles, without the resources for which an answer or option
 * already settles them. If an answer about a resource is no longer valid, the question about that resource may lose its
 * default.
 */
export function openQuestions(
  plan: Plan,
  { answers, voided }: Pick<Answers, 'answers' | 'voided'>,
  decisions: Decisions,
): Question[] {
  const decided = plan.questions.flatMap((question) => {
    const rule = settling[question.kind];
    const isNamed = (address = '') => rule !== undefined && decisionNaming(decisions, rule, address) !== undefined;
    return question.digests.filter((_, index) => isNamed(question.resources[index]));
  });
  const settled = new Set([...answers.flatMap(({ digests }) => digests), ...decided]);
  const questions = splitQuestions(plan, (digest) => JSON.stringify([settled.has(digest), voided.get(digest)]));
  return questions.flatMap((question) => {
    const [digest = ''] = question.digests;
    return settled.has(digest) ? [] : [withVoidAnswer(question, voided.get(digest))];
  });
}
