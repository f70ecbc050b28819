import { lineIn, lineStartsOf } from '../text/lines.ts';
import { type SourceFiles, type SpanFinder, spanFinderInYaml } from '../yaml/source-file.ts';
import type { Patched, ScalarNode } from '../yaml/tree.ts';

/** The text of a node before variables and secrets are inserted. Includes allow comments. */
export function sourceTextOf({ patched, from, raw, value }: ScalarNode): string {
  return patched?.after ?? from?.text ?? raw ?? String(value);
}

/**
 * Makes a function that finds the locations of ranges in a text. Lines that a patch added are located in the patch, and
 * other lines in the text that was patched.
 */
export function spanFinderOf(node: ScalarNode, sources: SourceFiles): SpanFinder {
  if (node.patched !== undefined) return spanFinderInPatched(node.patched, sources);
  const { from } = node;
  if (from !== undefined) return (start, end) => from.span(start, end);
  return spanFinderInYaml(node.at, sourceTextOf(node), sources);
}

function spanFinderInPatched(patched: Patched, sources: SourceFiles): SpanFinder {
  const { by, before, after, from, under, at } = patched;
  const [inAfter, inPatch, inBefore] = [lineStartsOf(after), lineStartsOf(by.text), lineStartsOf(before)];
  const beneath =
    under !== undefined
      ? spanFinderInPatched(under, sources)
      : from !== undefined
        ? (start: number, end: number) => from.span(start, end)
        : spanFinderInYaml(at, before, sources);
  return (start, end) => {
    const line = lineIn(inAfter, start);
    const column = start - (inAfter[line] ?? 0);
    const run = patched.runs.findLast((one) => one.at <= line);
    if (run === undefined) return at;
    const lineThere = run.line + line - run.at;
    const starts = run.in === 'patch' ? inPatch : inBefore;
    const length = Math.max(1, Math.min(end, (inAfter[line + 1] ?? after.length + 1) - 1) - start);
    const there = (starts[lineThere] ?? 0) + column + Number(run.in === 'patch');
    return run.in === 'patch' ? by.span(there, there + length) : beneath(there, there + length);
  };
}
