import { AgentformError } from '../errors.ts';

/** Rows of a CSV file of tasks, both ends included; the first row after the header is 1. */
interface RowRange {
  readonly firstRow: number;
  readonly lastRow: number;
}

/** Reads what an option that takes rows was given: ranges such as `9-12,20`, or `all` where it stands alone. */
export function rowsOf(name: string, given: string | undefined): readonly RowRange[] | 'all' | undefined {
  if (given === '') return 'all';
  // `--no-assume-queued` is false, whatever the type says.
  if (typeof given !== 'string') return undefined;
  return given.split(',').map((part) => {
    const [first = '', last = first, ...more] = part.trim().split('-');
    const [firstRow, lastRow] = [rowOf(first), rowOf(last)];
    if (more.length === 0 && firstRow <= lastRow) return { firstRow, lastRow };
    throw new AgentformError('usage', `--${name} takes rows such as 9-12,20, not ${JSON.stringify(shown(given))}`);
  });
}

/** A number has no leading zero, so that the `1,024` of a message is not read as rows 1 and 24. */
function rowOf(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
}

function shown(given: string): string {
  return given.length > 60 ? `${given.slice(0, 59)}…` : given;
}
