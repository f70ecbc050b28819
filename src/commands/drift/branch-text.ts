import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import { alsoSentences, type ManifestUpdates, unusedSentences, updateNotes } from '../update/update.ts';
import type { DriftBranch } from './branch.ts';

/** The result for the branch, in lines for a terminal. */
export function branchText({ update, commit, isUnchanged }: DriftBranch, branch: string): string {
  const count = update.resources.reduce((sum, { updated }) => sum + updated.length, 0);
  const verb = isUnchanged ? 'The branch has already' : 'Committed';
  const what =
    commit === undefined
      ? `Nothing to commit on the branch ${branch}: no manifest needs an update.`
      : `${verb} ${counted(count, 'value')} on the branch ${branch}. Review with \`git diff HEAD...${branch}\`.`;
  return `${[...branchNotes(update), what].map(visibleLine).join('\n')}\n`;
}

/** Variables that the branch takes out, what it leaves out, and what changes with it elsewhere. */
export function branchNotes(update: ManifestUpdates): string[] {
  const { resources, environment } = update;
  const left = resources.flatMap((one) => updateNotes(one, environment).map((text) => `${addressOf(one)}: ${text}`));
  return [...left, ...alsoSentences(update), ...unusedSentences(update)];
}
