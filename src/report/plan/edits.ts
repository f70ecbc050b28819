import type { ResourcePlan } from '../../schemas/plan-types.ts';
import { utcMinutes } from '../../text/time.ts';
import { formatNumber } from '../../text/wording.ts';

type Written = Pick<ResourcePlan, 'lastApply'>;

/**
 * Whether the resources were edited since their last apply, and when. Undefined if nothing is known.
 */
export function editsSentence(resources: readonly Written[]): string | undefined {
  const applies = resources.flatMap(({ lastApply }) => (lastApply === undefined ? [] : [lastApply]));
  const [first, ...others] = applies;
  if (first === undefined || applies.length < resources.length) return undefined;
  if (others.length === 0) return editSentence(first);
  const edited = applies.filter((one) => one.edited !== 'no').length;
  if (edited === 0) return 'no one edited them on the service since their last apply';
  const which = edited === applies.length ? 'each of them' : `${formatNumber(edited)} of them`;
  return `someone edited ${which} on the service since the last apply; ${nobodyKnows}`;
}

/** The same if it explains a change, and nothing without edits. */
export function editsNote(resources: readonly (Written & Pick<ResourcePlan, 'changes'>)[]): string | undefined {
  const isExplained = resources.some(({ lastApply, changes }) => {
    return lastApply?.edited !== 'no' && changes.some(({ cause }) => cause !== 'manifest' && cause !== 'adopt');
  });
  return isExplained ? editsSentence(resources) : undefined;
}

const nobodyKnows = 'the service does not tell who';

function editSentence({ at, commit, edited, editedAt }: NonNullable<Written['lastApply']>): string {
  const from = commit !== undefined && isCommit(commit) ? ` (commit ${commit.slice(0, 7)})` : '';
  const time = timeText(at);
  const apply = time === undefined ? `the last apply${from}` : `the apply of ${time}${from}`;
  if (edited === 'no') return `no one edited it on the service since ${apply}`;
  const last = timeText(editedAt);
  const when = last === undefined ? '' : `, last at ${last}`;
  if (edited === 'yes') return `someone edited it on the service${when}, after ${apply}; ${nobodyKnows}`;
  const written = last === undefined ? '' : `it was last written at ${last}, and `;
  return `someone may have edited it on the service: ${written}the record does not tell when it was applied`;
}

function timeText(time: string | undefined): string | undefined {
  return time === undefined ? undefined : utcMinutes(time);
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(text);
}
