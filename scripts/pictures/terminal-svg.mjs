// Draws the colored text of a terminal as an SVG.

const cell = { width: 8.4, height: 19 };
const margin = { x: 18, top: 46, bottom: 18 };
const colors = { 31: '#ff9b93', 32: '#8bdb9f', 33: '#f1c972', 35: '#e3a5f5', 36: '#7fd6e6' };

/** Draws a text below the command that printed it. The lines must fit into `columns`. */
export function terminalSvg(text, { title, command, columns }) {
  const lines = [...linesOf(`\u001b[2m$\u001b[22m \u001b[1m${command}\u001b[22m\n${text.trimEnd()}`)];
  const width = Math.ceil(columns * cell.width + 2 * margin.x);
  const height = margin.top + lines.length * cell.height + margin.bottom;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }</style>
<rect width="${width}" height="${height}" rx="8" fill="#171b21"/>
<circle cx="20" cy="20" r="6" fill="#e5645a"/><circle cx="40" cy="20" r="6" fill="#e0b03c"/><circle cx="60" cy="20" r="6" fill="#55b159"/>
${lines.map((runs, index) => lineSvg(runs, margin.top + (index + 0.72) * cell.height)).join('\n')}
</svg>
`;
}

/** Yields each line as a list of runs with the same style. */
function* linesOf(text) {
  let look = {};
  for (const line of text.split('\n')) {
    const runs = [];
    let column = 0;
    // The parts alternate between texts and codes.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: color codes contain it
    for (const [index, part] of line.split(/\u001b\[(\d+)m/).entries()) {
      if (index % 2 === 1) look = looking(look, Number(part));
      else if (part !== '') {
        runs.push({ ...look, text: part, column });
        column += [...part].length;
      }
    }
    yield runs;
  }
}

function looking(look, code) {
  if (code === 0) return {};
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isFaint: true };
  if (code === 22) return { ...look, isBold: false, isFaint: false };
  if (code === 7 || code === 27) return { ...look, isInverse: code === 7 };
  return { ...look, color: colors[code] };
}

function lineSvg(runs, y) {
  return runs
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, column, color = '#e6e8eb', isBold, isFaint, isInverse }) => {
      const x = (at) => (margin.x + at * cell.width).toFixed(1);
      const start = text.length - text.trimStart().length;
      const shown = text.trim();
      const length = ([...shown].length * cell.width).toFixed(1);
      const back = isInverse
        ? `<rect x="${x(column)}" y="${(y - 14).toFixed(1)}" width="${([...text].length * cell.width).toFixed(1)}" height="${cell.height}" fill="${color}"/>`
        : '';
      const fill = isInverse ? '#171b21' : isFaint ? '#a3abb5' : color;
      const bold = isBold ? ' font-weight="bold"' : '';
      return `${back}<text x="${x(column + start)}" y="${y.toFixed(1)}" textLength="${length}" fill="${fill}"${bold}>${escaped(shown)}</text>`;
    })
    .join('');
}

function escaped(text) {
  return text
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll('&#38;', '&amp;')
    .replaceAll('&#60;', '&lt;')
    .replaceAll('&#62;', '&gt;')
    .replaceAll('&#34;', '&quot;');
}
