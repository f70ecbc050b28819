// What was measured, as rows of a Markdown table.

/** The most resident memory that a run may have at once, in megabytes. */
const mostMegabytes = 300;

/** A time beside the time of a reference in the same race; `aim` is the most that the ratio may be. */
export function ratioRow(what, measured, { reference, aim }) {
  const ratio = measured.ms / reference.ms;
  return [
    what,
    `${format(measured.ms)} ms`,
    `${format(reference.ms)} ms`,
    ratio.toFixed(2),
    ...judged(ratio, aim),
    memory(measured),
  ];
}

/** A time alone, and the most that it may be. */
export function msRow(what, measured, aim) {
  return [what, `${format(measured.ms)} ms`, '', '', ...judged(measured.ms, aim), memory(measured)];
}

export function table(rows) {
  const header = ['', 'measured', 'reference', 'ratio', 'aim', '', `peak memory (aim ≤ ${mostMegabytes} MB)`];
  const widths = header.map((_, column) => Math.max(3, ...[header, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...rows].map(line).join('\n');
}

function judged(value, aim) {
  return aim === undefined ? ['', ''] : [`≤ ${aim}`, value <= aim ? 'met' : 'missed'];
}

function memory({ megabytes }) {
  return `${Math.round(megabytes)} MB${megabytes > mostMegabytes ? ', missed' : ''}`;
}

function format(ms) {
  return ms < 1000 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en');
}
