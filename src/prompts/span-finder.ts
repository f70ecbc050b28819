import { lineIn, lineStartsOf } from '../text/lines.ts';
import type { Span } from '../yaml/problem.ts';
import type { SourceFile } from '../yaml/source-file.ts';
import type { Patched, ScalarNode } from '../yaml/tree.ts';

type SourceFiles = (file: string) => SourceFile | undefined;

/** Converts a range of a text to a location in a file. */
export type SpanFinder = (start: number, end: number) => Span;

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

/**
 * Makes a function that finds the locations of ranges in a YAML scalar or a table cell. If the exact location is
 * unknown, the function returns `at`.
 */
export function spanFinderInYaml(at: Span, text: string, sources: SourceFiles): SpanFinder {
  let offsets: Int32Array | undefined | null = null;
  return (start, end) => {
    const source = sources(at.file);
    if (source === undefined) return at;
    if (offsets === null) offsets = offsetsInYaml(source.text, at, text);
    const first = offsets?.[start];
    if (offsets === undefined || first === undefined) return at;
    const last = offsets[Math.max(start, end - 1)] ?? first;
    return source.span(first, Math.max(first, last) + 1);
  };
}

/**
 * Returns the offset in the file for each character of a value. Because YAML folds white space and escapes characters,
 * reads the value and the file in parallel. Undefined if the value does not match the file.
 */
function offsetsInYaml(file: string, { offset, end }: Span, value: string): Int32Array | undefined {
  const style = file[offset] ?? '';
  const isQuoted = style === '"' || style === "'";
  let at = isQuoted ? offset + 1 : offset;
  if (style === '|' || style === '>') at = file.indexOf('\n', offset) + 1;
  const offsets = new Int32Array(value.length + 1);
  for (let index = 0; index < value.length; index += 1) {
    const wanted = value[index] ?? '';
    let found = characterAt(file, at, style);
    if (isSpace(wanted)) {
      offsets[index] = at;
      if (isSpace(found.text)) at += found.length;
      continue;
    }
    while (at < end && (isSpace(found.text) || found.text === '')) {
      at += found.length;
      found = characterAt(file, at, style);
    }
    if (found.text !== wanted || at >= end) return undefined;
    offsets[index] = at;
    at += found.length;
  }
  offsets[value.length] = Math.min(at, end);
  return offsets;
}

/**
 * The source of one character of a scalar: the character itself, or the escape that represents it. An escaped line
 * break produces no character.
 */
function characterAt(file: string, at: number, style: string): { readonly text: string; readonly length: number } {
  const text = file[at] ?? '';
  if (style === "'" && text === "'" && file[at + 1] === "'") return { text, length: 2 };
  if (style !== '"' || text !== '\\') return { text, length: 1 };
  const kind = file[at + 1] ?? '';
  const digits = { x: 2, u: 4 }[kind];
  if (digits === undefined) return { text: escapes.get(kind) ?? kind.trim(), length: 2 };
  const code = Number.parseInt(file.slice(at + 2, at + 2 + digits), 16);
  return { text: String.fromCharCode(code), length: 2 + digits };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  [' ', ' '],
  ['_', '\u00a0'],
  ['0', '\0'],
]);

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
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
