import { cutToWidth, displayWidth, padToWidth } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { createPaint } from './paint.ts';

export interface TableOptions {
  readonly color: boolean;
  /** The width of the terminal. Columns are shortened to fit. Undefined if there is no limit, as for a pipe. */
  readonly width?: number;
  /** The headers of the columns to shorten first, beginning with the widest. */
  readonly flexible?: readonly string[];
}

const gap = '  ';
const narrowest = 6;

/** The header of the column that tells the rows apart. Half of the terminal is always available to this column. */
const keyHeader = 'resource';

export function renderTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { color, width = Number.POSITIVE_INFINITY, flexible = [] }: TableOptions,
): string {
  const paint = createPaint(color);
  const head = headers.map((header) => header.toUpperCase());
  const cells = rows.map((row) => headers.map((_, column) => visibleLine(row[column] ?? '')));
  const columns = [...headers.keys()];
  const isFlexible = (column: number) => flexible.includes(headers[column] ?? '');
  const isKey = (column: number) => headers[column] === keyHeader;
  const groups = [
    { columns: columns.filter(isFlexible), min: narrowest },
    { columns: columns.filter((column) => !isFlexible(column) && !isKey(column)), min: narrowest },
    { columns: columns.filter(isKey), min: Math.max(narrowest, Math.floor(width / 2)) },
  ];
  const widths = fittedWidths([head, ...cells], { width, groups });
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => padToWidth(cutToWidth(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(gap)
      .trimEnd();
  return `${[paint.strong(lineOf(head)), ...cells.map(lineOf)].join('\n')}\n`;
}

interface Fitting {
  readonly width: number;
  /** The columns in the order in which to shorten them, with their minimum width. */
  readonly groups: readonly { readonly columns: readonly number[]; readonly min: number }[];
}

/** Fits the columns into the terminal by shortening the widest column of the first group that can shrink. */
function fittedWidths(rows: readonly (readonly string[])[], { width, groups }: Fitting): number[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? '')), 0),
  );
  const excess = () => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1)) - width;
  for (const { columns, min } of groups) {
    const widthsOf = () => columns.map((column) => widths[column] ?? 0);
    while (excess() > 0 && Math.max(0, ...widthsOf()) > min) {
      const widest = columns.find((column) => widths[column] === Math.max(...widthsOf())) ?? 0;
      const floor = Math.max(min, ...widthsOf().filter((each) => each < (widths[widest] ?? 0)));
      widths[widest] = Math.max(floor - 1, min, (widths[widest] ?? 0) - excess());
    }
  }
  return widths;
}
