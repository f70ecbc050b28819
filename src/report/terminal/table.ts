import { cutToWidth, displayWidth, padToWidth } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { createPaint } from './paint.ts';

export interface TableOptions {
  readonly color: boolean;
  /** Columns of the terminal; the widest cells are cut to fit. Undefined: nothing is cut, as for a pipe. */
  readonly width?: number;
}

const gap = '  ';
const narrowest = 8;

/** A plain table: headers in capitals, columns aligned, nothing drawn. */
export function renderTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { color, width = Number.POSITIVE_INFINITY }: TableOptions,
): string {
  const paint = createPaint(color);
  const head = headers.map((header) => header.toUpperCase());
  const cells = rows.map((row) => headers.map((_, column) => visibleLine(row[column] ?? '')));
  const widths = fittedWidths([head, ...cells], width);
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => padToWidth(cutToWidth(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(gap)
      .trimEnd();
  return `${[paint.strong(lineOf(head)), ...cells.map(lineOf)].join('\n')}\n`;
}

/** The widths that the cells need; while they need too much, the widest column gives way. */
function fittedWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))));
  const excess = () => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1)) - width;
  while (excess() > 0 && Math.max(...widths) > narrowest) {
    const widest = widths.indexOf(Math.max(...widths));
    const others = widths.filter((_, column) => column !== widest);
    const floor = Math.max(narrowest, ...others.filter((each) => each < (widths[widest] ?? 0)));
    widths[widest] = Math.max(floor - 1, narrowest, (widths[widest] ?? 0) - excess());
  }
  return widths;
}
