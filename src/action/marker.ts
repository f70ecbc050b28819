import { isPending } from '../plan/digest.ts';
import type { Plan } from '../schemas/plan-types.ts';

/** What a comment of ours is about; there is one for each. */
export interface CommentPlace {
  readonly environment: string;
  /** The project folder, relative to the repository. */
  readonly project: string;
}

/** What the first line of a comment says to later runs. */
export interface Marker extends CommentPlace {
  /** Head of the pull request when the plan was made. */
  readonly commit: string;
  /** By address, the digests of the resources that the comment shows; absent if it approves nothing. */
  readonly approves?: Readonly<Record<string, string>> | undefined;
  /** Not everything fitted, so that nobody can have seen it all. */
  readonly shortened?: true | undefined;
}

const version = 1;
/** So much of a comment at most goes into what nobody sees. */
const mostMarkerCharacters = 24_000;

/** A comment that Markdown does not show. What it holds is JSON without a sign that could end it. */
export function formatMarker(marker: Marker): string {
  const json = JSON.stringify({ version, ...marker }).replace(/[-<>&\u2028\u2029]/g, escaped);
  return `<!-- agentform ${json} -->`;
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

export function isSamePlace(one: CommentPlace, other: CommentPlace): boolean {
  return one.environment === other.environment && one.project === other.project;
}

/** The marker of a plan that is shown whole. An offline plan approves nothing; one with too many resources for a comment approves nothing either. */
export function markerOfPlan(place: CommentPlace, commit: string, plan: Plan): Marker {
  if (plan.offline !== undefined) return { ...place, commit };
  const pending = plan.resources.filter(isPending);
  const approves = Object.fromEntries(pending.map(({ kind, name, digest }) => [`${kind}/${name}`, digest]));
  const marker: Marker = { ...place, commit, approves };
  return formatMarker(marker).length <= mostMarkerCharacters ? marker : { ...place, commit, shortened: true };
}

function checked(value: unknown): Marker | undefined {
  if (!isRecord(value) || value.version !== version) return undefined;
  const { environment, project, commit, approves, shortened } = value;
  if (typeof environment !== 'string' || typeof project !== 'string' || typeof commit !== 'string') return undefined;
  return {
    environment,
    project,
    commit,
    ...(isTexts(approves) && { approves }),
    ...(shortened === true && { shortened }),
  };
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
