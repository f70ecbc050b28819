import { AgentformError } from '../../errors.ts';
import { parsedJson } from '../../json/document.ts';
import { areTexts, isJsonObject } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { shortDigest } from '../../plan/digests.ts';
import { isPlanned } from '../../plan/pending.ts';
import { partDigestsIn } from '../../plan/questions.ts';
import type { Plan, VoidAnswer } from '../../schemas/plan-types.ts';
import type { WorkflowRun } from './event.ts';

/** The subject of a comment by the action. Each subject has one comment, or several if the text is long. */
export interface CommentSubject {
  readonly environment: string;
  /** The project folder, relative to the repository. */
  readonly project: string;
  /** The step's selection of resources, sorted. This member is absent if all resources are selected. */
  readonly names?: readonly string[] | undefined;
  /** Whether the step uses the project's default environment because the step names no environment. */
  readonly isDefault?: true | undefined;
}

/** The changes that a complete plan on the pull request approves. This object is empty if the plan approves nothing. */
export interface Approvals {
  /** The digests of the planned resources, keyed by address. */
  readonly approves?: Readonly<Record<string, string>> | undefined;
  /**
   * The same digests, shortened and joined, if the full digests would be too long. Addresses are unnecessary, because
   * each digest covers its address.
   */
  readonly approvesShort?: string | undefined;
  /**
   * The digest of the plan, in addition to shortened digests. If even the shortened digests would be too long, only
   * this digest approves.
   */
  readonly approvesPlan?: string | undefined;
}

/** A question in the comment, with the data that later runs need. */
export interface AskedQuestion {
  /** The question's number. All comments of the pull request use it for the same digest. */
  readonly number: number;
  readonly id: string;
  readonly digest: string;
  /** The digests of the resources' parts, joined. This member is absent if the comment has no room for the digests. */
  readonly parts?: string | undefined;
  /** The codes of the choices, in the order of their letters. */
  readonly codes: readonly string[];
  /** When a comment first asked the question. Earlier comments cannot answer it. */
  readonly since: string;
  readonly answer?: CarriedAnswer | undefined;
  /** The earlier answer because of which the question has no default. */
  readonly voidAnswer?: VoidAnswer | undefined;
}

/**
 * Returns the digests that an answer is valid for: those of the parts if they are known, otherwise that of the
 * question.
 */
export function digestsOf({ digest, parts }: Pick<AskedQuestion, 'digest' | 'parts'>): string[] {
  return parts === undefined ? [digest] : partDigestsIn(parts);
}

interface CarriedAnswer {
  readonly letter: string;
  readonly by?: string | undefined;
  readonly at?: string | undefined;
}

/** An apply of the pull request that changed at least one resource. */
export interface Apply {
  /** When its result was written. The time also identifies the apply. */
  readonly at: string;
  readonly commit: string;
  /** What was applied, such as `3 agents`. */
  readonly what: string;
  readonly run?: WorkflowRun | undefined;
}

/** The data for later runs, in the first line of a comment. */
export interface Marker extends CommentSubject, Approvals {
  /** The head of the pull request at the time of the plan. */
  readonly commit: string;
  /** Whether parts were omitted, so that reviewers could not see the complete plan. */
  readonly shortened?: true | undefined;
  /** For a plan in several comments: the number of this part, the number of parts, and the digest of the plan. */
  readonly part?: { readonly number: number; readonly of: number; readonly plan: string } | undefined;
  /** The number of lines below the marker that belong to the result of an apply. */
  readonly statusLines?: number | undefined;
  /** Whether the comment contains only the result of an apply, and no plan. */
  readonly isResult?: true | undefined;
  /**
   * Whether the plan was applied, so the comment contains the result instead. The comment has no boxes. The comment's
   * questions are about resources that were left out, and can be answered with further comments.
   */
  readonly isApplied?: true | undefined;
  /** The applies whose results the comment keeps, newest first. */
  readonly applied?: readonly Apply[] | undefined;
  /** The questions, in the order of the plan. */
  readonly questions?: readonly AskedQuestion[] | undefined;
  /** Answered questions that this plan does not ask. A later plan may ask them again. */
  readonly answered?: readonly AskedQuestion[] | undefined;
  /** The highest question number that this comment has ever used. */
  readonly lastNumber?: number | undefined;
  /** The commit of `changed-since`, if the plan is limited to changes since then. */
  readonly changedSince?: string | undefined;
}

const formatVersion = 1;
/** Formats a marker as an HTML comment, which Markdown does not show. Its JSON cannot end the comment early. */
export function formatMarker(marker: Marker): string {
  return `<!-- agentform ${escapedJson({ formatVersion, ...marker })} -->`;
}

function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[-<>&\u2028\u2029]/g, escaped);
}

/**
 * Parses the marker in the first line of a comment. Returns undefined if there is no valid marker. Throws
 * `plan-unreadable` if a newer version wrote it.
 */
export function parseMarker(body: string): Marker | undefined {
  const json = /^<!-- agentform (\{.*\}) -->$/.exec(body.split(/\r?\n/, 1)[0] ?? '')?.[1];
  if (json === undefined) return undefined;
  const value = parsedJson(json);
  if (isJsonObject(value) && Number(value.formatVersion) > formatVersion) {
    const why = `has format version ${value.formatVersion}, but this agentform reads up to version ${formatVersion}; upgrade agentform`;
    throw new AgentformError('plan-unreadable', `a comment with a plan ${why}`);
  }
  return checked(value);
}

/** Returns the text of a comment without its marker and without the result of an apply. */
export function belowStatus(
  body: string,
  { statusLines = 0, isResult }: Pick<Marker, 'statusLines' | 'isResult'>,
): string {
  if (isResult) return '';
  return body
    .split(/\r?\n/)
    .slice(1 + statusLines)
    .join('\n');
}

/**
 * Whether two comments have the same subject. Steps with different selections have separate comments. If only the
 * default environment changes, a step keeps its comment.
 */
export function isSameSubject(one: CommentSubject, other: CommentSubject): boolean {
  const isSameStep = isSameProject(one, other) && JSON.stringify(one.names ?? []) === JSON.stringify(other.names ?? []);
  return isSameStep && (one.environment === other.environment || (one.isDefault === true && other.isDefault === true));
}

/** Whether two comments have the same project and environment. Their selections may differ. */
export function isSameEnvironment(one: CommentSubject, other: CommentSubject): boolean {
  return isSameProject(one, other) && one.environment === other.environment;
}

function isSameProject(one: CommentSubject, other: CommentSubject): boolean {
  return one.project === other.project;
}

/** The maximum total length of all digests, in characters. The comment also needs room for the plan. */
const maxDigests = { whole: 20_000, short: 40_000 } as const;

/** Returns the changes that a comment with the complete plan approves. Returns an empty object for an offline plan. */
export function approvedBy({ offline, digest, resources }: Pick<Plan, 'offline' | 'digest' | 'resources'>): Approvals {
  if (offline !== undefined) return {};
  const pending = resources.filter(isPlanned);
  const approves = Object.fromEntries(pending.map((resource) => [addressOf(resource), resource.digest]));
  if (escapedJson(approves).length <= maxDigests.whole) return { approves };
  const approvesShort = pending.map((resource) => shortDigest(resource.digest)).join('');
  return { ...(approvesShort.length <= maxDigests.short && { approvesShort }), approvesPlan: digest };
}

type Checks = { readonly [Name in keyof Marker]-?: (value: unknown) => value is NonNullable<Marker[Name]> };

const checks: Checks = {
  environment: isText,
  project: isText,
  names: areTexts,
  isDefault: isTrue,
  commit: isText,
  approves: isTexts,
  approvesShort: isText,
  approvesPlan: isText,
  shortened: isTrue,
  part: isPart,
  statusLines: isCount,
  isResult: isTrue,
  isApplied: isTrue,
  applied: areApplies,
  questions: areQuestions,
  answered: areQuestions,
  lastNumber: isCount,
  changedSince: isText,
};

/**
 * Removes invalid members from a marker. Returns undefined if a required member is missing, or if the format version is
 * not current.
 */
function checked(value: unknown): Marker | undefined {
  if (!isJsonObject(value) || value.formatVersion !== formatVersion) return undefined;
  const valid = Object.entries(checks).filter(([name, isValid]) => isValid(value[name]));
  const members: Readonly<Record<string, unknown>> = Object.fromEntries(valid.map(([name]) => [name, value[name]]));
  return isMarker(members) ? members : undefined;
}

function isMarker(members: Readonly<Record<string, unknown>>): members is Readonly<Record<string, unknown>> & Marker {
  return ['environment', 'project', 'commit'].every((name) => name in members);
}

function areApplies(value: unknown): value is readonly Apply[] {
  return Array.isArray(value) && value.every(isApply);
}

function isApply(value: unknown): value is Apply {
  if (!isJsonObject(value)) return false;
  const { at, commit, what, run } = value;
  // Other texts could end the hidden line that contains the time.
  const isTime = isText(at) && /^[\d:.TZ-]+$/.test(at);
  return isTime && isText(commit) && isText(what) && (run === undefined || isRun(run));
}

function isRun(value: unknown): value is WorkflowRun {
  if (!isJsonObject(value)) return false;
  const { id, number, attempt } = value;
  return isCount(id) && isCount(number) && (attempt === undefined || isCount(attempt));
}

function areQuestions(value: unknown): value is readonly AskedQuestion[] {
  return Array.isArray(value) && value.every(isQuestion);
}

function isQuestion(value: unknown): value is AskedQuestion {
  if (!isJsonObject(value)) return false;
  const { number, id, digest, parts, codes, since, answer, voidAnswer } = value;
  const isNamed = isCount(number) && isText(id) && isText(digest);
  const hasParts = parts === undefined || isText(parts);
  const hasAnswers = (answer === undefined || isAnswer(answer)) && (voidAnswer === undefined || isVoid(voidAnswer));
  return isNamed && hasParts && areTexts(codes) && isText(since) && hasAnswers;
}

function isVoid(value: unknown): value is VoidAnswer {
  return isJsonObject(value) && isText(value.why) && (value.by === undefined || isText(value.by));
}

function isAnswer(value: unknown): value is CarriedAnswer {
  if (!isJsonObject(value)) return false;
  const { letter, by, at } = value;
  return isText(letter) && (by === undefined || isText(by)) && (at === undefined || isText(at));
}

function isPart(value: unknown): value is NonNullable<Marker['part']> {
  return isJsonObject(value) && isCount(value.number) && isCount(value.of) && isText(value.plan);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTrue(value: unknown): value is true {
  return value === true;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every(isText);
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
