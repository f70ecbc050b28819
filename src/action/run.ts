import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { AgentformError, type ErrorCode } from '../errors.ts';
import { abortBySignals } from '../interruption.ts';
import { projectFileName } from '../manifest/project/load-project.ts';
import { plainProgress } from '../report/progress/progress.ts';
import { joinedRedactor } from '../secrets/redact.ts';
import type { NoTrust } from '../session/base/base-trust.ts';
import { type LocatedProject, locationOfProject } from '../session/base/repository.ts';
import type { CacheFolder, Host } from '../session/host.ts';
import { listSome } from '../text/wording.ts';
import { type ActionEvent, type DescribedPullRequest, type EventPullRequest, eventOfRun } from './github/event.ts';
import { failedRead, GitHub } from './github/github.ts';
import type { CommentSubject } from './github/marker.ts';
import { hiddenSecrets, type Inputs, restrictedEnv, selectionWords } from './inputs.ts';
import { progressStream } from './log.ts';

/** A run before it has read the project: its inputs, its event, and its access to the process and GitHub. */
export interface StartedRun {
  /** `inputs.environment` is undefined for the project's default environment, until the project has been read. */
  readonly inputs: Inputs;
  readonly event: ActionEvent;
  /** The subject of the step's comments. Its environment is empty until the project has been read. */
  readonly subject: CommentSubject;
  /** The absolute path of the project folder. */
  readonly root: string;
  /**
   * The path of the project folder in the repository, with forward slashes. The path is empty for the repository's
   * root.
   */
  readonly folder: string;
  readonly host: Host;
  readonly github: GitHub | undefined;
  /** Finds the pull request of the run. The pull request is fetched once, on first use. */
  readonly origin: () => Promise<RunOrigin>;
  /** Redacts all known secrets in a text. */
  readonly redact: (text: string) => string;
}

/** A run of a project, with its permissions. */
export interface ActionRun extends StartedRun {
  readonly record: LocatedProject['record'];
  /** Set if the run must not use the service. It then has no secrets and may reach no host. */
  readonly offline: Offline | undefined;
}

/** Why a run must not use the service. */
export interface Offline extends NoTrust {
  readonly code: ErrorCode;
}

export async function startRun(inputs: Inputs): Promise<StartedRun> {
  const github = inputs.token === '' ? undefined : new GitHub(inputs.token);
  const event = await eventOfRun((number) => commentedPullRequest(github, number));
  const hidden = hiddenSecrets(inputs.secrets, process.env);
  let redact = hidden.redact;
  const latest = (text: string) => redact(text);
  const host: Host = {
    env: restrictedEnv(inputs.secrets, process.env),
    allowedSecrets: { names: new Set(inputs.secrets), from: 'the input `secrets`' },
    hiddenSecrets: hidden.secrets,
    now: () => new Date(),
    emit: plainProgress({ stream: progressStream, color: false }).emit,
    hideSecrets: (next) => {
      redact = joinedRedactor(redact, next);
    },
    redact: latest,
    startEmulator: refuseEmulator,
    verdicts: verdictFolder(event),
  };
  const { root, folder } = locationOfProject(inputs.project);
  let asked: Promise<RunOrigin> | undefined;
  const origin = () => {
    asked ??= originOf({ event, github, redact: latest });
    return asked;
  };
  return { inputs, event, subject: subjectOf(folder, inputs), root, folder, host, github, origin, redact: latest };
}

/** Reads the pull request with the comment that started the run. */
async function commentedPullRequest(github: GitHub | undefined, number: number): Promise<EventPullRequest> {
  try {
    if (github === undefined) throw new Error('the input token is empty');
    return await github.pullRequest(number);
  } catch (cause) {
    const why = `pull request ${number} could not be read (${failedRead(cause)})`;
    throw new AgentformError('run-refused', `${why}, so agentform cannot decide which hosts and records to trust`, {
      cause,
    });
  }
}

/** Determines the subject of the step's comments without reading the project. */
function subjectOf(folder: string, inputs: Inputs): CommentSubject {
  const { environment } = inputs;
  const names = selectionWords(inputs);
  return {
    environment: environment ?? '',
    project: join(folder, ...projectFileOf(inputs.project)),
    ...(names.length > 0 && { names: [...new Set(names)].sort() }),
    ...(environment === undefined && { isDefault: true }),
  };
}

/**
 * Returns the name of the project file if it is not the one that a project folder implies. A folder can have several
 * project files, and each has its own comments.
 */
function projectFileOf(project: string): string[] {
  const name = basename(project);
  const isFile = statSync(project, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && name !== projectFileName ? [name] : [];
}

/** Adds the environment that the project determines. */
export function inEnvironment(run: StartedRun, environment: string): StartedRun {
  const { inputs, subject } = run;
  return { ...run, inputs: { ...inputs, environment }, subject: { ...subject, environment } };
}

/**
 * Returns the folder of cached verdicts that AGENTFORM_CACHE names, if any. Only runs on the default branch use it. See
 * decision 102.
 */
function verdictFolder({ isOnDefaultBranch }: ActionEvent): CacheFolder | undefined {
  const { AGENTFORM_CACHE: folder = '' } = process.env;
  if (!isOnDefaultBranch || !isAbsolute(folder)) return undefined;
  const program = readFileSync(fileURLToPath(import.meta.url));
  return { folder, build: createHash('sha256').update(program).digest('hex') };
}

/** Refuses to use the embedded emulator. Other runs could not reach it, and its data would be lost after the job. */
async function refuseEmulator(): Promise<never> {
  throw new AgentformError(
    'emulator-unusable',
    'the environment has baseUrl: emulator, which the action cannot use; set the input environment to one that uses a service',
  );
}

/** Returns the heading of a result: what it is, and what it is about. */
export function titleOf(what: string, { subject }: Pick<StartedRun, 'subject'>): string {
  const { environment, project, names = [] } = subject;
  const folder = project === '.' ? '' : ` in ${project}`;
  const selected = names.length === 0 ? '' : ` (${listSome(names, 5)})`;
  return `agentform ${what}${environment === '' ? '' : ` for ${environment}`}${folder}${selected}`;
}

/**
 * Returns a signal that aborts when the job is cancelled, so that requests in flight are completed and recorded. The
 * runner sends SIGINT, some seconds later SIGTERM, and then kills the job.
 */
export function runnerSignal(): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  abortBySignals(controller.signal, {
    install: () => process.on('SIGINT', abort).on('SIGTERM', abort),
    remove: () => process.off('SIGINT', abort).off('SIGTERM', abort),
  });
  return controller.signal;
}

/**
 * The pull request of a run or of its commit. If the pull request is unknown, the reason as the start of a sentence.
 */
export type RunOrigin =
  | { readonly pullRequest: DescribedPullRequest }
  | { readonly because: string; readonly isProblem: boolean; readonly several?: readonly DescribedPullRequest[] };

/**
 * Finds the pull request of the run, or the one whose merge started the run. `isProblem` is set if GitHub cannot be
 * read.
 */
async function originOf({
  event,
  github,
  redact,
}: Pick<StartedRun, 'event' | 'github' | 'redact'>): Promise<RunOrigin> {
  if (event.pullRequest !== undefined) return { pullRequest: event.pullRequest };
  const commit = `commit ${event.commit.slice(0, 12)}`;
  const because = (text: string, isProblem = false) => ({ because: text, isProblem });
  if (github === undefined) {
    return because(`the input token is empty, so the pull request of ${commit} cannot be found`);
  }
  try {
    const several = await github.mergedPullRequests(event.commit);
    const [found, ...others] = several;
    if (found === undefined) return because(`${commit} does not belong to a merged pull request that could approve it`);
    if (others.length === 0) return { pullRequest: found };
    const numbers = several.map(({ number }) => `#${number}`).slice(0, 5);
    return { ...because(`${commit} belongs to several merged pull requests (${numbers.join(', ')})`), several };
  } catch (error) {
    return because(`the pull request of ${commit} could not be found (${redact(failedRead(error))})`, true);
  }
}
