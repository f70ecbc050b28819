import { reasonOf } from '../errors.ts';
import { maskedWithin } from '../report/markdown/fit.ts';
import type { PlanMarkdown } from '../report/markdown/plan.ts';
import { warning } from './log.ts';
import { type CommentPlace, formatMarker, type Marker } from './marker.ts';
import type { ActionRun } from './run.ts';

/** GitHub's limit is 65,536 characters. */
const mostCommentCharacters = 65_000;
const shortenedNote =
  '_This comment had to be shortened, so it approves nothing. The summary of the run shows the plan whole._';

/** What is to stand in the comment. */
export interface CommentDraft {
  readonly place: CommentPlace;
  readonly render: (limit: number) => PlanMarkdown;
  /** A line at the end, such as the commit. */
  readonly footer?: string;
  /** Given the newest comment about the place, if there is one. */
  readonly markerOf: (before: Marker | undefined) => Marker;
}

/**
 * Writes the comment of a place on a pull request: the one that is there, or a new one. That it cannot be written does
 * not make the run fail, because the summary says the same.
 */
export async function writeComment(run: ActionRun, pullRequest: number, draft: CommentDraft): Promise<void> {
  const { comment: mode } = run.inputs;
  if (mode === 'off') return;
  try {
    if (run.github === undefined) throw new Error('the input token is empty');
    const before = (await run.github.findComments(pullRequest, draft.place)).at(-1);
    const body = commentBody(draft, { before: before?.marker, redact: run.redact });
    if (before === undefined || mode === 'new') await run.github.createComment(pullRequest, body);
    else if (!isSameText(before.body, body)) await run.github.updateComment(before.id, body);
  } catch (error) {
    warning(
      `The comment on pull request ${pullRequest} could not be written (${run.redact(reasonOf(error))}). The summary of the run ` +
        'has what it would have said. Commenting needs `permissions: { pull-requests: write }`, which a workflow for forks does not get.',
    );
  }
}

function commentBody(
  { render, footer = '', markerOf }: CommentDraft,
  { before, redact }: { readonly before: Marker | undefined; readonly redact: ActionRun['redact'] },
): string {
  const marker = markerOf(before);
  const head = formatMarker(marker);
  const room = mostCommentCharacters - head.length - footer.length - shortenedNote.length - 10;
  const { text, shortened } = maskedWithin(render, { limit: room, mask: redact });
  const isWhole = !shortened && marker.shortened !== true;
  const { approves: _, ...withoutApproval } = marker;
  const lines = [
    isWhole ? head : formatMarker({ ...withoutApproval, shortened: true }),
    text.trimEnd(),
    ...(isWhole ? [] : ['', shortenedNote]),
    ...(footer === '' ? [] : ['', footer]),
  ];
  return `${lines.join('\n')}\n`;
}

/** GitHub may change line ends and drop blanks at the end. */
function isSameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\r\n/g, '\n').trimEnd();
  return plain(one) === plain(other);
}
