import { setOutput } from '@actions/core';
import type { ManifestUpdates, UpdatedResource } from '../../commands/update/check.ts';
import { alsoSentences, notUpdatedSentences, renderUpdateText, updateVerdict } from '../../commands/update/text.ts';
import { update } from '../../commands/update/update.ts';
import { AgentformError, exitCodes } from '../../errors.ts';
import { authorIn } from '../../git/author.ts';
import { commitFiles } from '../../git/commit-files.ts';
import { findRepository } from '../../git/repository.ts';
import { addressOf } from '../../kinds/desired.ts';
import { pushCommit, type RemoteBranch } from '../../record/git/remote.ts';
import { codeSpan, escapeProse, fencedDiffs } from '../../report/markdown/escape.ts';
import { firstFitting, joinBlocks } from '../../report/markdown/fit.ts';
import { shortened } from '../../report/markdown/notices.ts';
import { listSome } from '../../text/wording.ts';
import { sayQuoted } from '../log.ts';
import type { CommentPlace } from '../marker.ts';
import { type ActionRun, concurrency, interruptSignal, titleOf } from '../run.ts';
import { repositoryUrl } from '../run-link.ts';
import { writeSummary } from '../summary.ts';
import { requireMerged, requireOnline, type Trust } from '../trust.ts';
import { type Failure, failureOfUpdate } from '../verdict.ts';

/**
 * Copies live values into the manifests, on a branch of its own: nobody has reviewed them yet, so they go the way of every
 * other change, through a pull request. The summary links to where it is opened, and has the change as a patch.
 */
export async function updateCommand(trust: Trust, place: CommentPlace): Promise<Failure | undefined> {
  const { run } = trust;
  const { inputs, host, redact } = run;
  requireMerged(run);
  requireOnline(trust);
  const { project, names, fields, force } = inputs;
  const result = await update(host, {
    project,
    names,
    environment: place.environment,
    concurrency,
    fields,
    force,
    dryRun: false,
    // What else changes is in the summary, and in the pull request.
    confirm: async () => true,
  });
  sayQuoted(redact(renderUpdateText(result, { color: false, width: 120, state: 'written' })));
  const proposal = result.files.length === 0 ? undefined : await proposalOf(run, result);
  const title = titleOf('update', place);
  await writeSummary((limit) => redact(firstFitting(summariesOf(result, { title, proposal }), limit)));
  if (proposal?.problem !== undefined) return { reason: 'failed', code: exitCodes.failed, message: proposal.problem };
  if (proposal !== undefined) setOutput('branch', proposal.branch);
  return failureOfUpdate(result);
}

/** Updated manifests, ready to be reviewed. */
interface Proposal {
  /** Its name tells one content from another, so that a run never writes over what somebody went on with. */
  readonly branch: string;
  readonly patch: string;
  /** Why the branch is not there, in a sentence. */
  readonly problem: string | undefined;
}

async function proposalOf({ root, host, redact }: ActionRun, result: ManifestUpdates): Promise<Proposal> {
  const repository = await findRepository(root);
  if ('problem' in repository || repository.head === undefined) {
    throw new AgentformError('git-failed', 'update needs a checkout; check out with actions/checkout');
  }
  const { environment, files, resources } = result;
  const updated = resources.filter((resource) => resource.updated.length > 0).map(addressOf);
  const { commit, tree, patch } = await commitFiles(repository, {
    paths: files,
    parent: repository.head,
    message: `Update ${listSome(updated, 3)} from ${environment}\n`,
    author: await authorIn(root, host.env),
  });
  const branch = `agentform/update-${environment}-${tree.slice(0, 10)}`;
  const why = await pushed({ repository, remote: 'origin', branch }, commit);
  if (why === undefined) return { branch, patch, problem: undefined };
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

interface SummaryParts {
  readonly title: string;
  readonly proposal: Proposal | undefined;
}

/** With the patch, and without it where there is no room. */
function summariesOf(result: ManifestUpdates, { title, proposal }: SummaryParts): string[] {
  const [heading, ...also] = alsoSentences(result);
  const head = [
    `### ${escapeProse(title)}`,
    `**${escapeProse(updateVerdict(result, 'written'))}**`,
    ...(proposal === undefined ? [] : [nextStep(proposal)]),
    ...result.resources.flatMap(notUpdatedBlock),
    ...(heading === undefined ? [] : [escapeProse(heading), bullets(also)]),
  ];
  const short = joinBlocks(head);
  if (proposal === undefined) return [short];
  const diffs = fencedDiffs(proposal.patch.trimEnd().split('\n'));
  const patch = ['<details open>\n<summary>The change</summary>', ...diffs, '</details>'];
  return [joinBlocks([...head, ...patch]), short];
}

function nextStep({ branch, problem }: Proposal): string {
  if (problem !== undefined) return `❌ ${escapeProse(problem)}.`;
  const url = `${repositoryUrl()}/compare/${encodeURI(branch)}?expand=1`;
  return `The change is on the branch ${codeSpan(branch)}. [Open a pull request](${url}) to review and merge it.`;
}

function notUpdatedBlock(resource: UpdatedResource): string[] {
  const sentences = notUpdatedSentences(resource);
  return sentences.length === 0 ? [] : [`${codeSpan(addressOf(resource))}`, bullets(sentences)];
}

function bullets(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${escapeProse(shortened(sentence))}`).join('\n');
}
