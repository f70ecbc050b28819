import type { Suggestion } from '../yaml/fix.ts';
import type { Problem } from '../yaml/problem.ts';
import type { Rule } from '../yaml/rules.ts';

/** A problem in a CSV row. Fields are counted from 0. Without `field`, the problem applies to the whole row. */
export interface CellProblem extends Suggestion {
  readonly field?: number;
  readonly rule: Rule;
  readonly message: string;
  /** Set for a warning. All other problems are errors. */
  readonly severity?: 'warning';
}

/** A problem, and the byte range of its row. The range may include blank lines before the row. */
export interface RowProblem extends CellProblem {
  readonly start: number;
  readonly end: number;
  /** The exact position of the problem, in bytes from the start of the file. This position may be outside the row. */
  readonly byte?: number;
}

/**
 * Finds the line and column of each problem. Reads the file again, up to the last problem. Does not use the parser's
 * line count, which counts a CRLF inside quotes twice. Problems must be in row order.
 */
export async function placeProblems(
  chunks: AsyncIterable<Buffer>,
  { file, rowProblems }: { readonly file: string; readonly rowProblems: readonly RowProblem[] },
): Promise<Problem[]> {
  const problems: Problem[] = [];
  let offset = 0;
  let line = 1;
  let kept = Buffer.alloc(0);
  for await (const chunk of chunks) {
    kept = Buffer.concat([kept, chunk]);
    for (let next = rowProblems[problems.length]; next !== undefined; next = rowProblems[problems.length]) {
      if (next.end > offset + kept.length) break;
      line += lineEndsIn(kept.subarray(0, next.start - offset));
      kept = kept.subarray(next.start - offset);
      offset = next.start;
      const end = (next.byte ?? next.end) - offset;
      problems.push(problemAt(next, { file, line, text: kept.toString('utf8', 0, end) }));
    }
    const next = rowProblems[problems.length];
    if (next === undefined) break;
    // Bytes before the next row are dropped once their line endings are counted. A carriage return at the end is kept,
    // because its line feed may be in the next chunk.
    const isCut = kept.length < next.start - offset && kept.at(-1) === 13;
    const passed = Math.min(kept.length - Number(isCut), next.start - offset);
    line += lineEndsIn(kept.subarray(0, passed));
    kept = kept.subarray(passed);
    offset += passed;
  }
  const unread = rowProblems.slice(problems.length);
  return [...problems, ...unread.map((one) => problemAt(one, { file, line, text: kept.toString('utf8') }))];
}

interface RowText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

function problemAt({ field, byte, start: _, end: __, ...problem }: RowProblem, { file, line, text }: RowText): Problem {
  const blank = /^(?:[\r\n]|\ufeff)*/.exec(text)?.[0] ?? '';
  const before = byte === undefined ? blank + textBefore(text.slice(blank.length), field ?? 0) : text;
  const lines = before.split(/\r\n|\n|\r/);
  const column = (lines.at(-1) ?? '').replace('\ufeff', '').length + 1;
  const at = { file, line: line + lines.length - 1, column, offset: 0, end: 0 };
  return { severity: 'error', ...problem, at };
}

/** Returns the part of a row before a field. Commas inside quotes do not separate fields. */
function textBefore(row: string, field: number): string {
  let isQuoted = false;
  let left = field;
  for (let index = 0; index < row.length && left > 0; index += 1) {
    if (row[index] === '"') isQuoted = !isQuoted;
    else if (row[index] === ',' && !isQuoted) {
      left -= 1;
      if (left === 0) return row.slice(0, index + 1);
    }
  }
  return '';
}

/** Counts line endings. LF, CR and CRLF each count as one line ending. */
function lineEndsIn(bytes: Buffer): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] === 10 || (bytes[index] === 13 && bytes[index + 1] !== 10)) count += 1;
  }
  return count;
}
