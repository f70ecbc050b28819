import { setOutput } from '@actions/core';
import { AgentformError, exitCodes } from '../errors.ts';
import { authorIn } from '../git/author.ts';
import { commitFiles } from '../git/commit-files.ts';
import { findRepository } from '../git/repository.ts';
import { pushCommit, type RemoteBranch } from '../record/git/remote.ts';
import { codeSpan, escapeProse, fencedDiffs } from '../report/markdown/escape.ts';
import { joinBlocks } from '../report/markdown/fit.ts';
import { shortened } from '../report/markdown/notices.ts';
import { type ActionRun, interruptSignal } from './run.ts';
import { repositoryUrl } from './run-link.ts';
import type { Failure } from './verdict.ts';

// What a command writes into the checkout goes the way of every other change: nobody has reviewed it yet, so it is a
// branch of its own, from which a person opens a pull request.

/** Files of the checkout, ready to be reviewed. */
export interface Proposal {
  /** Its name tells one content from another, so that a run never writes over what somebody went on with. */
  readonly branch: string;
  readonly patch: string;
  /** Why the branch is not there, in a sentence. */
  readonly problem: string | undefined;
}

interface Proposing {
  /** Relative to the project folder. */
  readonly files: readonly string[];
  /** Of the commit. */
  readonly message: string;
  /** Begins the name of the branch. */
  readonly name: string;
  /** Those of the files that the patch leaves out. */
  readonly unshown?: readonly string[];
}

/** Pushes the files as a branch on top of the commit that is checked out, and sets the output. Undefined without files. */
export async function proposed(
  { root, host, redact, inputs }: ActionRun,
  { files, message, name, unshown = [] }: Proposing,
): Promise<Proposal | undefined> {
  if (files.length === 0) return undefined;
  const repository = await findRepository(root);
  if ('problem' in repository || repository.head === undefined) {
    throw new AgentformError('git-failed', `${inputs.command} needs a checkout; check out with actions/checkout`);
  }
  const { commit, tree, patch } = await commitFiles(repository, {
    paths: files,
    parent: repository.head,
    message: `${message}\n`,
    author: await authorIn(root, host.env),
    unshown,
  });
  const branch = `agentform/${name}-${tree.slice(0, 10)}`;
  const why = await pushed({ repository, remote: 'origin', branch }, commit);
  if (why === undefined) {
    setOutput('branch', branch);
    return { branch, patch, problem: undefined };
  }
  const reason = redact(why);
  const problem = `the branch ${branch} could not be pushed (${reason}); give the workflow \`permissions: { contents: write }\``;
  return { branch, patch, problem };
}

/** Why the commit is on no branch; undefined if it is, or if the same files are there already from another run. */
async function pushed(at: RemoteBranch, commit: string): Promise<string | undefined> {
  try {
    const rejection = await pushCommit(at, commit, { signal: interruptSignal() });
    return rejection === undefined || rejection.isRace ? undefined : rejection.reason;
  } catch (error) {
    if (error instanceof AgentformError) return error.message;
    throw error;
  }
}

/** A branch that is not there fails the step. */
export function failureOfProposal(proposal: Proposal | undefined): Failure | undefined {
  if (proposal?.problem === undefined) return undefined;
  return { reason: 'failed', code: exitCodes.failed, message: proposal.problem };
}

/** Where a pull request is opened from the branch, as a block of a summary. */
export function nextStep(proposal: Proposal | undefined): string[] {
  if (proposal === undefined) return [];
  const { branch, problem } = proposal;
  if (problem !== undefined) return [`❌ ${escapeProse(problem)}.`];
  const url = `${repositoryUrl()}/compare/${encodeURI(branch)}?expand=1`;
  return [`The change is on the branch ${codeSpan(branch)}. [Open a pull request](${url}) to review and merge it.`];
}

/** The blocks with the change as a patch, and without it where there is no room. */
export function withPatch(proposal: Proposal | undefined, blocks: readonly string[]): string[] {
  const short = joinBlocks(blocks);
  if (proposal === undefined) return [short];
  const diffs = fencedDiffs(proposal.patch.trimEnd().split('\n'));
  return [joinBlocks([...blocks, '<details open>\n<summary>The change</summary>', ...diffs, '</details>']), short];
}

/** Sentences as a list. */
export function bullets(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${escapeProse(shortened(sentence))}`).join('\n');
}
