import { AgentformError, exitCodes } from '../../errors.ts';
import { commitFiles, isOurs } from '../../git/commit-files.ts';
import { authorIn, findRepository, type GitRepository } from '../../git/repository.ts';
import { fetchBranch, pushCommit, type RemoteBranch } from '../../record/git/remote.ts';
import { codeSpan, escapeProse, fencedDiffs } from '../../report/markdown/escape.ts';
import { joinBlocks } from '../../report/markdown/fit.ts';
import { shorten } from '../../text/wording.ts';
import { setOutput } from '../outputs.ts';
import { type ActionRun, runnerSignal } from '../run.ts';
import type { JobFailure } from '../verdict.ts';
import { repositoryUrl } from './event.ts';

// Pushes the files that a command wrote. The files go to a separate branch, from which a person can open a pull
// request.

/** Changed files to review, on a branch. */
export interface Proposal {
  /** The branch name. The name contains a hash of the files, so different files get different branches. */
  readonly branch: string;
  readonly patch: string;
  /** Why the branch could not be pushed, as a sentence without a final period. */
  readonly problem: string | undefined;
}

interface Proposing {
  /** The files, relative to the project folder. */
  readonly files: readonly string[];
  readonly message: string;
  readonly name: string;
  /** Files to omit from `patch`, but not from the commit. */
  readonly unshown?: readonly string[];
}

/**
 * Pushes the files as a branch on top of the checked-out commit, and sets the output `branch`. Returns undefined if
 * there are no files.
 */
export async function proposed(
  run: ActionRun,
  { files, message, name, unshown = [] }: Proposing,
): Promise<Proposal | undefined> {
  if (files.length === 0) return undefined;
  const repository = await checkedOut(run);
  const { commit, tree, patch } = await commitFiles(repository, {
    paths: files,
    parent: repository.head,
    message,
    author: await authorIn(run.root, run.host.env),
    unshown,
  });
  const branch = `agentform/${name}-${tree.slice(0, 10)}`;
  return { branch, patch, problem: await pushed(run, { at: { repository, remote: 'origin', branch }, commit }) };
}

/** Finds the repository of the checkout. Throws if the repository cannot be used. */
export async function checkedOut({ root, inputs }: ActionRun): Promise<GitRepository & { readonly head: string }> {
  const repository = await findRepository(root);
  if ('problem' in repository || repository.head === undefined) {
    throw new AgentformError(
      'git-failed',
      `${inputs.command} needs a checkout; add actions/checkout as an earlier step`,
    );
  }
  return { ...repository, head: repository.head };
}

interface Pushing {
  readonly at: RemoteBranch;
  readonly commit: string;
  /** If the push replaces the branch, the commit that the branch must still have. */
  readonly expected?: string;
}

/**
 * Pushes the commit as the branch, and sets the output `branch`. If the push fails, returns the reason, without a final
 * period.
 */
export async function pushed({ redact }: ActionRun, { at, commit, expected }: Pushing): Promise<string | undefined> {
  const why = await rejectionOf({ at, commit, ...(expected !== undefined && { expected }) });
  if (why === undefined) {
    setOutput('branch', at.branch);
    return undefined;
  }
  return pushProblem(at.branch, redact(why), 'give the workflow `permissions: { contents: write }`');
}

/**
 * Returns a sentence, without a final period, that says why a branch could not be pushed. Adds the remedy, which grants
 * the right to push, only if git reports that this right is missing. Protected branches, hooks, archived repositories
 * and proxies also refuse tokens that have this right.
 */
export function pushProblem(branch: string, reason: string, remedy: string): string {
  const problem = `the branch ${branch} could not be pushed (${reason})`;
  // Branch names and URLs may contain any words.
  const words = reason.replaceAll(branch, '').replace(/:\/\/\S+/g, '');
  const isRefused = /\b403\b|denied|not allowed|read[ -]only|not accessible|not granted/i.test(words);
  const isOther = /protected|hook declined|archived|proxy|tunnel/i.test(words);
  return isRefused && !isOther ? `${problem}; ${remedy}` : problem;
}

/** Pushes, and returns why the push failed. Returns undefined on success, or if another run pushed first. */
async function rejectionOf({ at, commit, ...more }: Pushing): Promise<string | undefined> {
  const signal = runnerSignal();
  try {
    const rejection = await pushCommit(at, commit, { ...more, signal });
    if (rejection === undefined) return undefined;
    if (!rejection.isRace) return rejection.reason;
    // Git rejects a push in the same way in two cases: a person pushed first, or a branch with the name `agentform`
    // exists.
    const tip = await fetchBranch(at, 'refs/agentform/pushed', { signal, tipOnly: true });
    const isPushed = tip !== undefined && (more.expected === undefined || (await isOurs(at.repository, tip)));
    return isPushed ? undefined : rejection.reason;
  } catch (error) {
    if (error instanceof AgentformError) return error.message;
    throw error;
  }
}

/** Returns the failure of a step that could not push its branch. */
export function failureOfProposal(proposal: Proposal | undefined): JobFailure | undefined {
  if (proposal?.problem === undefined) return undefined;
  return { reason: 'failed', code: exitCodes.failed, message: proposal.problem };
}

/** Returns a summary block with a link that opens a pull request from the branch, or with the problem. */
export function nextStep(proposal: Proposal | undefined): string[] {
  if (proposal === undefined) return [];
  const { branch, problem } = proposal;
  if (problem !== undefined) return [`❌ ${escapeProse(problem)}.`];
  const url = `${repositoryUrl()}/compare/${encodeURI(branch)}?expand=1`;
  return [`The change is on the branch ${codeSpan(branch)}. [Open a pull request](${url}) to review and merge it.`];
}

/** Returns versions of a summary, longest first: with the change as a patch, if any, and without the patch. */
export function withPatch(proposal: Pick<Proposal, 'patch'> | undefined, blocks: readonly string[]): string[] {
  const short = joinBlocks(blocks);
  if (proposal === undefined) return [short];
  const diffs = fencedDiffs(proposal.patch.trimEnd().split('\n'));
  return [joinBlocks([...blocks, '<details open>\n<summary>The change</summary>', ...diffs, '</details>']), short];
}

export function bullets(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${escapeProse(shorten(sentence, 500))}`).join('\n');
}
