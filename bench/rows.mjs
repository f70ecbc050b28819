// These functions format measurements as rows of a Markdown table.

/**
 * Returns a row with a time relative to a reference in the same race. The aim `most` applies to the ratio, and
 * `megabytes` applies to the peak memory.
 */
export function ratioRow(what, measured, { reference, ...aims }) {
  return rowOf(what, { measured, reference, value: measured.ms / reference.ms, ...aims });
}

/** Returns a row with a time without a reference, with aims for the milliseconds and the memory. */
export function msRow(what, measured, aims = {}) {
  return rowOf(what, { measured, value: measured.ms, ...aims });
}

function rowOf(what, { measured, reference, value, most, megabytes }) {
  const ofMemory = `${what}: peak memory`;
  const checks = [
    ...(most === undefined ? [] : [{ what, value, most }]),
    ...(megabytes === undefined ? [] : [{ what: ofMemory, value: measured.megabytes, most: megabytes }]),
  ];
  return {
    cells: [
      what,
      `${format(measured.ms)} ms`,
      reference === undefined ? '' : `${format(reference.ms)} ms`,
      reference === undefined ? '' : value.toFixed(2),
      ...(most === undefined ? ['', ''] : [`≤ ${format(most)}`, value <= most ? 'met' : 'missed']),
      `${Math.round(measured.megabytes)} MB`,
      ...(megabytes === undefined
        ? ['', '']
        : [`≤ ${format(megabytes)} MB`, measured.megabytes <= megabytes ? 'met' : 'missed']),
      measured.firstMegabytes === undefined ? '' : `${Math.round(measured.firstMegabytes)} MB`,
    ],
    checks,
  };
}

export function table(rows) {
  const header = ['', 'measured', 'reference', 'ratio', 'aim', '', 'peak memory', 'aim', '', 'of the first run'];
  const all = [header, ...rows.map(({ cells }) => cells)];
  const widths = header.map((_, column) => Math.max(3, ...all.map((cells) => cells[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...rows.map(({ cells }) => cells)].map(line).join('\n');
}

/**
 * An aim that was once met only counts as missed if it is exceeded by a fifth. Two runs of one build differ by less
 * than this.
 */
const tolerance = 1.2;

/** Returns the names of all aims that were ever met, and a sentence about each of these aims that is missed now. */
export function judged(rows, metBefore) {
  const checks = rows.flatMap((row) => row.checks);
  const met = new Set([...metBefore, ...checks.filter(({ value, most }) => value <= most).map(({ what }) => what)]);
  const missed = checks.filter(({ what, value, most }) => met.has(what) && value > most * tolerance);
  return {
    met: [...met].sort(),
    missed: missed.map(({ what, value, most }) => `${what}: ${format(value)}, and it was once at most ${format(most)}`),
  };
}

function format(number) {
  if (number < 10) return String(Number(number.toFixed(2)));
  return number < 1000 ? String(Number(number.toFixed(1))) : Math.round(number).toLocaleString('en');
}
