import { branchNotes, type DriftUpdate, driftTitle } from '../../commands/drift/branch.ts';
import { renderDriftMarkdown } from '../../commands/drift/document.ts';
import { AgentformError, reasonOf } from '../../errors.ts';
import { commitFiles, type FilesCommit, isOnHead, isOurs } from '../../git/commit-files.ts';
import { authorIn, type GitRepository } from '../../git/repository.ts';
import { canonicalJson } from '../../json/json.ts';
import { commandIn } from '../../kinds/desired.ts';
import { textDigest } from '../../plan/digests.ts';
import { fetchBranch } from '../../record/git/remote.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import { joinBlocks } from '../../report/markdown/fit.ts';
import { counted } from '../../text/wording.ts';
import { setOutput } from '../outputs.ts';
import { type ActionRun, runnerSignal } from '../run.ts';
import { aboutRun, repositoryUrl } from './event.ts';
import { type GitHub, isForbidden } from './github.ts';
import type { CommentSubject } from './marker.ts';
import { bullets, checkedOut, pushed } from './proposal.ts';

/** The outcome of maintaining the pull request with dashboard edits. */
export interface DriftPullRequest {
  /** A sentence without a final period. */
  readonly sentence: string;
  /** A page with more details. */
  readonly url?: string;
  /** The patch, if the branch or the pull request could not be written. */
  readonly patch?: string;
  /** Whether the step fails. */
  readonly isProblem?: true;
}

interface Keeping {
  readonly run: ActionRun;
  readonly found: DriftUpdate;
  readonly repository: GitRepository & { readonly head: string };
  readonly branch: string;
  readonly baseBranch: string;
  /** The commit at the head of the branch, or undefined if there is no such branch. */
  readonly tip: string | undefined;
}

/**
 * Maintains one pull request with the dashboard edits: opens it, updates it, and closes it when nothing is left to
 * merge. Does not change a branch with commits by other authors.
 */
export async function keepPullRequest(run: ActionRun, found: DriftUpdate): Promise<DriftPullRequest> {
  const { branch: baseBranch } = run.event;
  if (baseBranch === undefined) {
    throw new AgentformError(
      'run-refused',
      'the input pull-request needs a branch to merge into; run the workflow on a branch, not on a tag',
    );
  }
  const repository = await checkedOut(run);
  const branch = branchOf(run.subject, run.event.isOnDefaultBranch ? [] : [baseBranch]);
  const at = { repository, remote: 'origin', branch };
  const tip = await fetchBranch(at, 'refs/agentform/drift', { signal: runnerSignal(), tipOnly: true });
  const keeping = { run, found, repository, branch, baseBranch, tip };
  if (tip !== undefined && !(await isOurs(repository, tip))) return leftAlone(keeping, tip);
  if (found.texts.size === 0) return closePullRequest(keeping);
  const made = await commitOf(keeping);
  const isThere = tip !== undefined && (await isOnHead(repository, tip, made.tree));
  const problem = isThere ? undefined : await pushed(run, { at, commit: made.commit, expected: tip ?? '' });
  if (isThere) setOutput('branch', branch);
  if (problem !== undefined) return { sentence: problem, patch: made.patch, isProblem: true };
  return shown(keeping, made);
}

/**
 * Returns the name of the branch for an environment, folder, selection and, if it is not the default branch, base. A run
 * on another branch would otherwise add the commits of that branch to the pull request into the default branch.
 */
function branchOf({ environment, project, names = [] }: CommentSubject, base: readonly string[]): string {
  const isUsual = project === '.' && names.length + base.length === 0;
  const part = isUsual ? '' : `-${textDigest(canonicalJson([[project, ...names], ...base])).slice(7, 15)}`;
  return `agentform/drift-${environment}${part}`;
}

function commitOf({ run: { root, host }, found, repository }: Keeping): Promise<FilesCommit> {
  return authorIn(root, host.env).then((author) =>
    commitFiles(repository, {
      paths: [],
      texts: found.texts,
      parent: repository.head,
      message: driftTitle(found),
      author,
    }),
  );
}

async function leftAlone(keeping: Keeping, tip: string): Promise<DriftPullRequest> {
  const { branch, found } = keeping;
  const sentence =
    `the branch ${branch} has a commit that agentform did not make (${tip.slice(0, 12)}), so the branch was not changed; ` +
    'merge or delete the branch, and the next run continues';
  return found.texts.size === 0 ? { sentence } : { sentence, patch: (await commitOf(keeping)).patch };
}

/** Closes the pull request, unless it may contain an edit to an agent that this run could not check. */
async function closePullRequest(keeping: Keeping): Promise<DriftPullRequest> {
  return asked(keeping, undefined, async (github) => {
    const open = await github.openPullRequests(keeping.branch);
    const [first] = open;
    if (first === undefined) return { sentence: 'no manifest needs an update, so there is no pull request' };
    const { blocked, failed } = keeping.found.drift.summary;
    if (blocked + failed > 0) {
      const sentence = `pull request ${first} stays open, because ${counted(blocked + failed, 'agent')} could not be checked`;
      return { sentence, url: urlOf(first) };
    }
    for (const number of open) await github.closePullRequest(number);
    return { sentence: `pull request ${first} is closed, because nothing is left to merge`, url: urlOf(first) };
  });
}

async function shown(keeping: Keeping, made: FilesCommit): Promise<DriftPullRequest> {
  const { run, branch, baseBranch, found } = keeping;
  const content = { title: driftTitle(found), body: run.redact(bodyOf(keeping)), baseBranch };
  return asked(keeping, made, async (github) => {
    const [open] = await github.openPullRequests(branch);
    const number = open ?? (await github.createPullRequest(branch, content));
    if (open !== undefined) await github.updatePullRequest(number, content);
    setOutput('pull-request', number);
    const verb = open === undefined ? 'was opened' : 'is up to date';
    return {
      sentence: `pull request ${number} ${verb}; it copies the edits into the manifests`,
      url: urlOf(number),
    };
  });
}

/** Sends requests to GitHub. If a request fails, the result contains the patch, if any, so that no edit is lost. */
async function asked(
  { run, branch }: Keeping,
  made: FilesCommit | undefined,
  ask: (github: GitHub) => Promise<DriftPullRequest>,
): Promise<DriftPullRequest> {
  try {
    if (run.github === undefined) throw new Error('the input token is empty');
    return await ask(run.github);
  } catch (error) {
    const remedy = isForbidden(error)
      ? '; give the workflow `permissions: { pull-requests: write }`, and in the repository settings, allow GitHub Actions to create pull requests'
      : '';
    const sentence = `the pull request for the branch ${branch} could not be written (${run.redact(reasonOf(error))})${remedy}`;
    const url = `${repositoryUrl()}/compare/${encodeURI(branch)}?expand=1`;
    return { sentence, isProblem: true, ...(made && { patch: made.patch, url }) };
  }
}

/** The maximum length of the pull request's text in characters. GitHub accepts 65,536. */
const maxCharacters = 60_000;

function bodyOf({ run, baseBranch, found: { drift, update } }: Keeping): string {
  const intro =
    `To keep the live values below, merge this pull request into ${baseBranch}. ` +
    `To undo them, run ${commandIn(drift.environment, 'apply')}. Until then, each drift check updates this pull request.`;
  const left = branchNotes(update);
  const more = left.length === 0 ? [] : [`**Before you merge:**`, bullets(left.slice(0, 50))];
  const foot = aboutRun(run.event.commit);
  const head = joinBlocks([escapeProse(intro), ...more]);
  const limit = Math.max(maxCharacters - head.length - foot.length, 2_000);
  return joinBlocks([head, renderDriftMarkdown(drift, { limit }).trimEnd(), foot]);
}

function urlOf(number: number): string {
  return `${repositoryUrl()}/pull/${number}`;
}
