import { addressOf } from '../kinds/desired.ts';
import { isPending } from '../plan/pending.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';

/** What a comment of ours is about; there is one for each, or several where it is long. */
export interface CommentPlace {
  readonly environment: string;
  /** The project folder, relative to the repository. */
  readonly project: string;
  /** What the step selects, sorted; absent if that is everything. */
  readonly names?: readonly string[] | undefined;
  /** The step names no environment, so that it is about the project's default one, whichever that is. */
  readonly isDefault?: true | undefined;
}

/** What the first line of a comment says to later runs. */
export interface Marker extends CommentPlace {
  /** Head of the pull request when the plan was made. */
  readonly commit: string;
  /** By address, the digests of the resources that the comment shows; absent if it approves nothing. */
  readonly approves?: Readonly<Record<string, string>> | undefined;
  /** Not everything fitted, so that nobody can have seen it all. */
  readonly shortened?: true | undefined;
  /** Of a plan over several comments: which one this is, of how many, and the digest of the plan. */
  readonly part?: { readonly number: number; readonly of: number; readonly plan: string } | undefined;
  /** So many lines below the marker say how an apply ended. */
  readonly statusLines?: number | undefined;
  /** There is no plan in the comment, only how an apply ended. */
  readonly isResult?: true | undefined;
}

const version = 1;
/** A comment that Markdown does not show. What it holds is JSON without a sign that could end it. */
export function formatMarker(marker: Marker): string {
  return `<!-- agentform ${escapedJson({ version, ...marker })} -->`;
}

function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[-<>&\u2028\u2029]/g, escaped);
}

/** The marker in the first line of a comment; undefined if there is none that this agentform understands. */
export function parseMarker(body: string): Marker | undefined {
  const json = /^<!-- agentform (\{.*\}) -->$/.exec(body.split(/\r?\n/, 1)[0] ?? '')?.[1];
  if (json === undefined) return undefined;
  try {
    return checked(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Two steps with different names have two comments; a step keeps its own where only the default environment moved. */
export function isSamePlace(one: CommentPlace, other: CommentPlace): boolean {
  const isSameStep = isSameProject(one, other) && JSON.stringify(one.names ?? []) === JSON.stringify(other.names ?? []);
  return isSameStep && (one.environment === other.environment || (one.isDefault === true && other.isDefault === true));
}

/** Whatever was selected. */
export function isSameEnvironment(one: CommentPlace, other: CommentPlace): boolean {
  return isSameProject(one, other) && one.environment === other.environment;
}

function isSameProject(one: CommentPlace, other: CommentPlace): boolean {
  return one.project === other.project;
}

/** The digests that a comment with these resources approves; of an offline plan, none. */
export function approvedDigests(
  plan: Pick<Plan, 'offline'>,
  resources: readonly ResourcePlan[],
): Readonly<Record<string, string>> | undefined {
  if (plan.offline !== undefined) return undefined;
  return Object.fromEntries(resources.filter(isPending).map((resource) => [addressOf(resource), resource.digest]));
}

/** How many characters of a marker the digest of a resource takes. */
export function markerWeight({ kind, name, digest }: ResourcePlan): number {
  return escapedJson({ [addressOf({ kind, name })]: digest }).length;
}

function checked(value: unknown): Marker | undefined {
  if (!isRecord(value) || value.version !== version) return undefined;
  const { environment, project, names, isDefault, commit, approves, shortened, part, statusLines, isResult } = value;
  if (typeof environment !== 'string' || typeof project !== 'string' || typeof commit !== 'string') return undefined;
  return {
    environment,
    project,
    ...(isList(names) && { names }),
    ...(isDefault === true && { isDefault }),
    commit,
    ...(isTexts(approves) && { approves }),
    ...(shortened === true && { shortened }),
    ...(isPart(part) && { part }),
    ...(isCount(statusLines) && { statusLines }),
    ...(isResult === true && { isResult }),
  };
}

function isPart(value: unknown): value is NonNullable<Marker['part']> {
  return isRecord(value) && isCount(value.number) && isCount(value.of) && typeof value.plan === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((member) => typeof member === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
