import { foldOf } from '../../report/markdown/comment.ts';
import { escapeHtml, escapeProse } from '../../report/markdown/escape.ts';
import { maskedWithin } from '../../report/markdown/fit.ts';
import { present } from '../../text/wording.ts';
import { aboutRunOf } from './event.ts';
import type { FoundComment } from './github.ts';
import type { Apply, Marker } from './marker.ts';

// Keeps the changes that a pull request's applies made when later runs write the comment again. The marker lists the
// applies. The changes of each apply are in a fold, between two hidden lines:
//
//   <!-- applied 2026-11-30T10:00:00Z -->
//   #### Changes
//   <!-- end of 2026-11-30T10:00:00Z -->

/** An apply, and its changes as Markdown if the comment had room for the changes. */
export interface AppliedChanges {
  readonly apply: Apply;
  readonly changes?: string | undefined;
}

/** The apply that has just ended. */
export interface NewApply {
  readonly apply: Apply;
  /** Renders the changes of the apply as Markdown with at most the given number of characters. */
  readonly render: (limit: number) => string;
}

const maxApplies = 10;

/**
 * Returns the earlier applies that comments contain, newest first. An earlier attempt to write may already have added
 * the new apply.
 */
export function earlierApplies(comments: readonly FoundComment[], added?: NewApply): AppliedChanges[] {
  const found = comments.flatMap(({ body, marker: { applied = [] } }) => {
    const lines = body.split(/\r?\n/);
    return applied.map((apply) => ({ apply, changes: changesIn(lines, apply) }));
  });
  // Several comments may contain the same apply.
  const byTime = new Map(found.map((one) => [one.apply.at, one]));
  if (added !== undefined) byTime.delete(added.apply.at);
  return [...byTime.values()].sort((one, other) => (one.apply.at < other.apply.at ? 1 : -1));
}

/** Returns the applies for the marker of the next comment, newest first. */
export function listedApplies(earlier: readonly AppliedChanges[], added?: NewApply): Pick<Marker, 'applied'> {
  const applied = [...(added === undefined ? [] : [added]), ...earlier].map(({ apply }) => apply);
  return applied.length === 0 ? {} : { applied: applied.slice(0, maxApplies) };
}

/**
 * Finds the changes of an apply. Texts from manifests and the service are escaped, so they cannot imitate the hidden
 * lines.
 */
function changesIn(lines: readonly string[], apply: Apply): string | undefined {
  const [start, end] = hiddenLines(apply).map((line) => lines.indexOf(line));
  if (start === undefined || end === undefined || start < 0 || end < start) return undefined;
  return lines
    .slice(start + 1, end)
    .join('\n')
    .trim();
}

function hiddenLines({ at }: Apply): [start: string, end: string] {
  return [`<!-- applied ${at} -->`, `<!-- end of ${at} -->`];
}

/** The minimum number of characters for the applied changes. With fewer characters, the text could show no changes. */
const minChanges = 2_000;

/** Renders a text. Adds the changes of the new apply and of earlier applies below the text. */
export function withChanges(
  render: (limit: number) => string,
  { added, earlier }: { readonly added: NewApply | undefined; readonly earlier: readonly AppliedChanges[] },
  { limit, mask }: { readonly limit: number; readonly mask: (text: string) => string },
): string {
  const space = limit - earlierFolds(earlier, 0).length - 2;
  const text = maskedWithin(render, { limit: space, mask }).trimEnd();
  const room = space - text.length;
  const fold = added === undefined ? '' : newFold(added, { limit: room - 2, mask });
  return present(text, fold, earlierFolds(earlier, room - fold.length - 2)).join('\n\n');
}

function newFold(
  { apply, render }: NewApply,
  { limit, mask }: { readonly limit: number; readonly mask: (text: string) => string },
): string {
  const fold = (changes: string) => foldOf('What was applied', markedChanges(apply, changes));
  const room = limit - fold('').length;
  return room < minChanges ? '' : fold(maskedWithin(render, { limit: room, mask }).trim());
}

/**
 * Renders earlier applies as lines with links to their runs. Lines whose changes fit the additional room become folds.
 */
export function earlierFolds(applies: readonly AppliedChanges[], room: number): string {
  let left = room;
  return applies
    .slice(0, maxApplies)
    .map(({ apply, changes }) => {
      const { what, commit, run } = apply;
      const about = aboutRunOf(escapeProse(commit), run);
      const line = `Applied before: ${escapeProse(what)}. ${about}`;
      const summary = `Applied before: ${escapeHtml(`${what} (commit ${commit})`)}`;
      const fold = foldOf(summary, [about, ...markedChanges(apply, changes)]);
      if (changes === undefined || fold.length - line.length > left) return line;
      left -= fold.length - line.length;
      return fold;
    })
    .join('\n\n');
}

function markedChanges(apply: Apply, changes = ''): string[] {
  const [start, end] = hiddenLines(apply);
  return [start, changes, end];
}
