import type { ImportEntry, ImportLedger } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { sentenceOf, sentencesOf } from '../../report/notices.ts';
import { createPaint, type Paint, painted } from '../../report/terminal/paint.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, formatNumber, listCounts } from '../../text/wording.ts';

export interface ImportTextOptions {
  readonly color: boolean;
  readonly width: number;
  /** Set if the files are committed to a branch. The caller then prints the next steps. */
  readonly isProposed?: boolean;
}

interface Style {
  readonly paint: Paint;
  readonly width: number;
}

const groups = [
  { outcome: 'imported', title: 'Imported', sign: '✓', brush: 'create' },
  { outcome: 'present', title: 'Already imported', sign: '·', brush: 'faint' },
  { outcome: 'not attempted', title: 'Not attempted', sign: '·', brush: 'warning' },
  { outcome: 'failed', title: 'Failed', sign: '✗', brush: 'failed' },
] as const satisfies readonly { outcome: ImportEntry['outcome']; title: string; sign: string; brush: keyof Paint }[];

/** Renders an import for a terminal: agents by outcome, notices, counts, and the next step. */
export function renderImportText(
  ledger: ImportLedger,
  { color, width, isProposed = false }: ImportTextOptions,
): string {
  const style: Style = { paint: createPaint(color), width: Math.max(40, width) };
  return joinLineBlocks([
    ...groups.map((group) => groupLines(ledger, group, style)),
    generalLines(ledger, style),
    closingLines([importCounts(ledger), ...(isProposed ? [] : [nextStep(ledger)])], style),
  ]);
}

function groupLines({ entries }: ImportLedger, group: (typeof groups)[number], style: Style): string[] {
  const members = entries.filter(({ outcome }) => outcome === group.outcome);
  if (members.length === 0) return [];
  const title = style.paint.strong(`${group.title} (${formatNumber(members.length)})`);
  return [title, ...members.flatMap((entry) => entryLines(entry, group, style))];
}

function entryLines(entry: ImportEntry, { sign, brush }: (typeof groups)[number], style: Style): string[] {
  const { paint } = style;
  const { file, texts = [], reasons = [], notes = [], left = [] } = entry;
  const files =
    file === undefined ? '' : `: ${file}${texts.length === 0 ? '' : ` and ${counted(texts.length, 'text')}`}`;
  return [
    `  ${paint[brush](sign)} ${paint.strong(visibleLine(addressOf(entry)))}  ${paint.faint(`(${visibleLine(entry.id)})`)}${visibleLine(files)}`,
    ...reasons.flatMap((reason) => sentence(sentenceOf(reason), style)),
    ...notes.flatMap((note) => sentence(`note: ${sentenceOf(note)}`, style, paint.warning)),
    ...left.flatMap((one) => sentence(`the plan: ${sentenceOf(one)}`, style, paint.failed)),
  ];
}

/** Returns the sentences about one agent: failures, notes, and the remaining changes. */
export function importSentences({ reasons = [], notes = [], left = [] }: ImportEntry): string[] {
  return [...sentencesOf([...reasons, ...notes]), ...sentencesOf(left).map((line) => `the plan: ${line}`)];
}

function generalLines({ general }: ImportLedger, style: Style): string[] {
  return sentencesOf(general).flatMap((line) =>
    wrapProse(visibleLine(line), { ...style, indent: 0, hanging: 2 }).map(style.paint.failed),
  );
}

function closingLines(lines: readonly string[], { paint, width }: Style): string[] {
  return lines.flatMap((line) => wrapProse(line, { width, indent: 0 })).map(paint.strong);
}

/** Returns the result in one line: `Import: 2 imported, 1 failed.` */
export function importCounts(ledger: ImportLedger): string {
  const countOf = (outcome: ImportEntry['outcome']) =>
    ledger.entries.filter((entry) => entry.outcome === outcome).length;
  const counts = groups.map(
    ({ outcome }) => [countOf(outcome), outcome === 'present' ? 'already imported' : outcome] as const,
  );
  return `Import: ${listCounts(counts)}.`;
}

function nextStep({ entries, general, interrupted, environment }: ImportLedger): string {
  const plan = `\`agentform plan -e ${environment}\``;
  if (interrupted) {
    const isWhole = entries.every(({ outcome }) => outcome !== 'not attempted');
    const next = isWhole ? `run ${plan}` : 'run the same command again to import the rest';
    return `Interrupted: the imported agents are kept, but were not checked with a plan; ${next}.`;
  }
  if (!entries.some(({ outcome }) => outcome === 'imported')) return '';
  if (entries.some(({ left = [] }) => left.length > 0))
    return `The plan has unexpected changes, shown above. To see all of them, run ${plan}.`;
  if (general.length > 0) return `First resolve the problems above. Then run ${plan}.`;
  return `The plan has no changes beyond the description, which the service does not return. To see the plan, run ${plan}.`;
}

function sentence(text: string, { paint, width }: Style, brush = paint.plain): string[] {
  const lines = wrapProse(visibleLine(text), { width, indent: 6, hanging: 2 });
  return lines.map((line) => painted(line, brush));
}
