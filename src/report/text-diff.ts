import { structuredPatch } from 'diff';
import { counted, formatNumber } from './counts.ts';

/** One line of a difference, without controls. `@` announces where in the text the next lines are. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

export interface TextDiff {
  /** How much changed, in words. */
  readonly summary: string;
  readonly lines: readonly DiffLine[];
  /** The texts were too different to compare in time: `lines` holds all of the old, then all of the new. */
  readonly isReplaced: boolean;
}

// jsdiff's cost grows with the square of the edit distance: two unlike texts of 5,000 lines would take minutes.
const limits = { maxEditLength: 800, timeout: 300 } as const;

/** Texts of more lines than this are compared only if they have a tenth of their lines in common. */
const alwaysCompared = 100;

/** The unified difference of two texts, line by line, with a little context. */
export function diffLines(from: readonly string[], to: readonly string[], context = 2): TextDiff {
  if (areUnlike(from, to)) return replaced(from, to);
  const patch = structuredPatch('', '', asFile(from), asFile(to), '', '', { context, ...limits });
  if (patch === undefined) return replaced(from, to);
  const lines = patch.hunks.flatMap((hunk) => [
    ...(hunk.newStart > 1 ? [{ sign: '@', text: `line ${formatNumber(hunk.newStart)}` } as const] : []),
    ...hunk.lines.map(asDiffLine),
  ]);
  return { summary: changedLines(lines), lines, isReplaced: false };
}

/** `2 lines changed`, `1 line added, 3 removed`. */
function changedLines(lines: readonly DiffLine[]): string {
  const removed = lines.filter(({ sign }) => sign === '-').length;
  const added = lines.filter(({ sign }) => sign === '+').length;
  if (added === removed) return added === 0 ? 'line breaks at the end changed' : `${counted(added, 'line')} changed`;
  if (removed === 0) return `${counted(added, 'line')} added`;
  if (added === 0) return `${counted(removed, 'line')} removed`;
  return `${counted(added, 'line')} added, ${formatNumber(removed)} removed`;
}

/** A cheap look that spares the search for a difference that would say "everything". */
function areUnlike(from: readonly string[], to: readonly string[]): boolean {
  const most = Math.max(from.length, to.length);
  if (most <= alwaysCompared) return false;
  const known = new Set(from);
  return to.filter((line) => line.trim() !== '' && known.has(line)).length < most / 10;
}

function replaced(from: readonly string[], to: readonly string[]): TextDiff {
  return {
    summary: `replaced: ${counted(from.length, 'line')} → ${counted(to.length, 'line')}`,
    lines: [...from.map((text) => ({ sign: '-', text }) as const), ...to.map((text) => ({ sign: '+', text }) as const)],
    isReplaced: true,
  };
}

function asFile(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function asDiffLine(line: string): DiffLine {
  const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' ';
  return { sign, text: line.slice(1) };
}
