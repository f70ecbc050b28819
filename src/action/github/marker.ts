import { AgentformError } from '../../errors.ts';
import { parsedJson } from '../../json/document.ts';
import { areTexts, canonicalJson, isJsonObject } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { shortDigest, textDigest } from '../../plan/digests.ts';
import { isPlanned } from '../../plan/pending.ts';
import { partDigestsIn } from '../../plan/questions.ts';
import type { Plan, VoidAnswer } from '../../schemas/plan-types.ts';
import type { WorkflowRun } from './event.ts';

/** The subject of a comment by the action. Each subject has one comment, or several if the text is long. */
export interface CommentSubject {
  readonly environment: string;
  /** The project folder, or a project file with another name than agentform.yaml. Relative to the repository. */
  readonly project: string;
  /** The step's selection of resources, sorted. This member is absent if all resources are selected. */
  readonly names?: readonly string[] | undefined;
  /** Whether the step uses the project's default environment because the step names no environment. */
  readonly isDefault?: true | undefined;
}

/** Returns a short digest of the project, the selection and `more`, such as the environment. */
export function subjectDigest({ project, names = [] }: CommentSubject, ...more: readonly string[]): string {
  return textDigest(canonicalJson([project, names, ...more])).slice(7, 15);
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

type Check<Value> = (value: unknown) => value is Value;

/** The checks of an object's members. An optional member may be missing, but must not have another type. */
type Checks<Value> = { readonly [Name in keyof Value]-?: Check<NonNullable<Value[Name]>> };

const isText: Check<string> = (value) => typeof value === 'string';
const isTrue: Check<true> = (value) => value === true;
const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) > 0;
const isTexts: Check<Readonly<Record<string, string>>> = (value): value is Readonly<Record<string, string>> =>
  isJsonObject(value) && Object.values(value).every(isText);
// Other texts could end the hidden line that contains the time.
const isTime: Check<string> = (value): value is string => isText(value) && /^[\d:.TZ-]+$/.test(value);

/** Checks an object. `required` names the members that must not be missing. */
function objectOf<Value>(checks: Checks<Value>, required: readonly (keyof Value & string)[]): Check<Value> {
  return (value): value is Value =>
    isJsonObject(value) &&
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries<Check<unknown>>(checks).every(
      ([name, isValid]) => value[name] === undefined || isValid(value[name]),
    );
}

function listOf<Value>(isItem: Check<Value>): Check<readonly Value[]> {
  return (value): value is readonly Value[] => Array.isArray(value) && value.every(isItem);
}

const isRun = objectOf<WorkflowRun>({ id: isCount, number: isCount, attempt: isCount }, ['id', 'number']);
const isApply = objectOf<Apply>({ at: isTime, commit: isText, what: isText, run: isRun }, ['at', 'commit', 'what']);
const isAnswer = objectOf<CarriedAnswer>({ letter: isText, by: isText, at: isText }, ['letter']);
const isWhy: Check<VoidAnswer['why']> = (value) => value === 'changed' || value === 'differ' || value === 'unread';
const isVoid = objectOf<VoidAnswer>({ why: isWhy, by: isText }, ['why']);
const isQuestion = objectOf<AskedQuestion>(
  {
    number: isCount,
    id: isText,
    digest: isText,
    parts: isText,
    codes: areTexts,
    since: isText,
    answer: isAnswer,
    voidAnswer: isVoid,
  },
  ['number', 'id', 'digest', 'codes', 'since'],
);

const checks: Checks<Marker> = {
  environment: isText,
  project: isText,
  names: areTexts,
  isDefault: isTrue,
  commit: isText,
  approves: isTexts,
  approvesShort: isText,
  approvesPlan: isText,
  shortened: isTrue,
  part: objectOf<NonNullable<Marker['part']>>({ number: isCount, of: isCount, plan: isText }, ['number', 'of', 'plan']),
  statusLines: isCount,
  isResult: isTrue,
  isApplied: isTrue,
  applied: listOf(isApply),
  questions: listOf(isQuestion),
  answered: listOf(isQuestion),
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

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
