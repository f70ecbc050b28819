// What was measured, as rows of a Markdown table.

/** A time beside the time of a reference in the same race; `aim` is the most that the ratio may be. */
export function ratioRow(what, { ms, reference, aim }) {
  const ratio = ms / reference;
  return [what, `${format(ms)} ms`, `${format(reference)} ms`, ratio.toFixed(2), ...judged(ratio, aim)];
}

/** A time alone, and the most that it may be. */
export function msRow(what, ms, aim) {
  return [what, `${format(ms)} ms`, '', '', ...judged(ms, aim)];
}

/** Memory in megabytes. */
export function memoryRow(what, { megabytes, aim }) {
  return [what, `${Math.round(megabytes)} MB`, '', '', ...judged(megabytes, aim)];
}

export function table(rows) {
  const header = ['', 'measured', 'reference', 'ratio', 'aim', ''];
  const widths = header.map((_, column) => Math.max(3, ...[header, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...rows].map(line).join('\n');
}

function judged(value, aim) {
  return aim === undefined ? ['', ''] : [`≤ ${aim}`, value <= aim ? 'met' : 'missed'];
}

function format(ms) {
  return ms < 1000 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en');
}
