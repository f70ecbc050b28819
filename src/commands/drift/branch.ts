import { AgentformError } from '../../errors.ts';
import { replacements } from '../../files/swap.ts';
import { commitFiles, moveBranch, requireBranchName, uncommitted } from '../../git/commit-files.ts';
import { authorIn, findRepository, type GitRepository } from '../../git/repository.ts';
import { addressOf } from '../../kinds/desired.ts';
import { editNoun } from '../../report/plan/edits.ts';
import type { Host } from '../../session/host.ts';
import type { SessionOptions } from '../../session/session.ts';
import { visibleLine } from '../../text/visible.ts';
import { capitalised, counted, joinWithAnd, listSome, shellWord } from '../../text/wording.ts';
import {
  alsoSentences,
  type ManifestUpdates,
  manifestUpdates,
  unusedSentences,
  updateNotes,
} from '../update/update.ts';
import { type DriftResult, driftIn } from './drift.ts';
import { isUnclearDrift } from './wording.ts';

/** The drift, with updated manifests that are not written yet. */
export interface DriftUpdate extends DriftResult {
  readonly update: ManifestUpdates;
  /** The new texts of changed files, by path relative to the project folder. */
  readonly texts: ReadonlyMap<string, string>;
  readonly root: string;
}

/** Finds drift, and computes manifests that contain the live values. */
export function driftUpdate(host: Host, options: SessionOptions): Promise<DriftUpdate> {
  return driftIn(host, options, async (found, session, run) => {
    const choosing = { fields: [], onlyPossible: true };
    const { result, files } = await manifestUpdates({ session, run, host }, choosing);
    const { root } = session.project;
    return { ...found, update: result, texts: await replacements(root, files), root };
  });
}

interface DriftBranch extends DriftUpdate {
  /** `nothing`: the manifests need no update. `already`: the branch already has the same commit. */
  readonly outcome: 'nothing' | 'already' | 'committed';
}

/** Commits the updated manifests to a local branch, on top of HEAD. Does not change the work tree. */
export async function driftOnBranch(
  host: Host,
  options: SessionOptions & { readonly branch: string },
): Promise<DriftBranch> {
  const found = await driftUpdate(host, options);
  const { root, texts } = found;
  const repository = await repositoryOf(root);
  const own = { repository, branch: options.branch };
  await requireBranchName(own);
  if (texts.size === 0) return { ...found, outcome: 'nothing' };
  const open = await uncommitted(repository, [...texts.keys()]);
  if (open.length > 0) {
    const have = open.length === 1 ? 'has' : 'have';
    const message = `${listSome(open, 10)} ${have} uncommitted changes, which the branch would include; commit or stash them first`;
    throw new AgentformError('run-refused', message);
  }
  const made = await commitFiles(repository, {
    paths: [],
    texts,
    parent: repository.head,
    message: driftTitle(found),
    author: await authorIn(root, host.env),
  });
  return { ...found, outcome: (await moveBranch(own, made)) ? 'committed' : 'already' };
}

async function repositoryOf(root: string): Promise<GitRepository & { readonly head: string }> {
  const repository = await findRepository(root);
  if ('problem' in repository) {
    throw new AgentformError(
      'git-failed',
      `--branch needs a git repository, but git cannot read ${root}: ${repository.problem}`,
    );
  }
  const { head } = repository;
  if (head === undefined)
    throw new AgentformError('git-failed', '--branch needs a commit to start from; commit the project first');
  return { ...repository, head };
}

/** Returns the commit title, such as `Dashboard edits: 3 agents (production)`. */
export function driftTitle({ update, drift }: Pick<DriftUpdate, 'update' | 'drift'>): string {
  const updated = new Set(update.resources.filter((one) => one.updated.length > 0).map(addressOf));
  const origins = drift.resources.filter((one) => updated.has(addressOf(one))).map(isUnclearDrift);
  const nouns = [false, true]
    .filter((isUnclear) => origins.includes(isUnclear))
    .map((isUnclear) => editNoun(isUnclear, 2));
  return `${capitalised(joinWithAnd(nouns))}: ${counted(updated.size, 'agent')} (${update.environment})`;
}

/** Whether an edit could not be copied. */
export function isRefused({ resources }: ManifestUpdates): boolean {
  return resources.some(({ refused }) => refused.length > 0);
}

/** Describes the result for a terminal, after the notes. */
export function branchText({ update, outcome }: DriftBranch, branch: string): string {
  const count = update.resources.reduce((sum, { updated }) => sum + updated.length, 0);
  const verb = outcome === 'already' ? 'Already committed:' : 'Committed';
  const what =
    outcome === 'nothing'
      ? `Nothing to commit on the branch ${branch}: no manifest ${isRefused(update) ? 'can be updated' : 'needs an update'}.`
      : `${verb} ${counted(count, 'value')} on the branch ${branch}. To review it, run \`git diff ${shellWord(`HEAD...${branch}`)}\`.`;
  return `${[...branchNotes(update), what].map(visibleLine).join('\n')}\n`;
}

/** Returns notes about removed variables, drift that is not on the branch, and changes to other resources. */
export function branchNotes(update: ManifestUpdates): string[] {
  const { resources, environment } = update;
  const left = resources.flatMap((one) => updateNotes(one, environment).map((text) => `${addressOf(one)}: ${text}`));
  return [...left, ...alsoSentences(update), ...unusedSentences(update)];
}
