import type { ImportEntry, ImportLedger } from '../../apply/events.ts';
import type { Group } from '../../json/json.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import type { Notice } from '../../notices/notice.ts';
import { alike, keyOfCauses, noticeForAll } from '../../report/alike.ts';
import { sentenceOf, sentencesOf } from '../../report/notices.ts';
import { createPaint, type Paint, painted } from '../../report/terminal/paint.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, formatNumber, listCounts, listNames } from '../../text/wording.ts';

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
    [importCounts(ledger), ...(isProposed ? [] : [nextStep(ledger)])]
      .flatMap((line) => wrapProse(line, { width: style.width, indent: 0 }))
      .map(style.paint.strong),
  ]);
}

function groupLines({ entries }: ImportLedger, group: (typeof groups)[number], style: Style): string[] {
  const members = entries.filter(({ outcome }) => outcome === group.outcome);
  if (members.length === 0) return [];
  const title = style.paint.strong(`${group.title} (${formatNumber(members.length)})`);
  return [title, ...alikeEntries(members).flatMap((same) => entryLines(same, group, style))];
}

/** The maximum number of agents with equal results to show separately, with their ids. */
const maxApart = 3;

/** Groups agents that were left out for the same reason, such as an outage. */
export function alikeEntries(entries: readonly ImportEntry[]): Group<ImportEntry>[] {
  const keyOf = (entry: ImportEntry) => {
    const { outcome, file, reasons = [], notes = [], left = [] } = entry;
    const notices = [...reasons, ...notes, ...left];
    // A command that names one agent or id does not help the others.
    return JSON.stringify([outcome, file, keyOfCauses(notices, entry), notices.map(({ remedies }) => remedies)]);
  };
  return alike(entries, keyOf).flatMap((same) =>
    same.length > maxApart && same[0].file === undefined ? [same] : same.map((one): Group<ImportEntry> => [one]),
  );
}

function entryLines(same: Group<ImportEntry>, { sign, brush }: (typeof groups)[number], style: Style): string[] {
  const { paint } = style;
  const [{ file, id, texts = [], reasons = [], notes = [], left = [] }, ...others] = same;
  const said = (notice: Notice) => sentenceOf(noticeForAll(notice, same, same));
  const idText = others.length > 0 ? '' : `  ${paint.faint(`(${visibleLine(id)})`)}`;
  const files =
    file === undefined ? '' : `: ${file}${texts.length === 0 ? '' : ` and ${counted(texts.length, 'text')}`}`;
  return [
    `  ${paint[brush](sign)} ${paint.strong(visibleLine(listNames(same.map(addressOf))))}${idText}${visibleLine(files)}`,
    ...reasons.flatMap((reason) => sentence(said(reason), style)),
    ...notes.flatMap((note) => sentence(`note: ${said(note)}`, style, paint.warning)),
    ...left.flatMap((one) => sentence(`the plan: ${said(one)}`, style, paint.failed)),
  ];
}

/** Returns the sentences about agents with the same result: failures, notes, and the remaining changes. */
export function importSentences(same: Group<ImportEntry>): string[] {
  const [{ reasons = [], notes = [], left = [] }] = same;
  const said = (notices: readonly Notice[]) => sentencesOf(notices.map((one) => noticeForAll(one, same, same)));
  return [...said([...reasons, ...notes]), ...said(left).map((line) => `the plan: ${line}`)];
}

function generalLines({ general }: ImportLedger, style: Style): string[] {
  return sentencesOf(general).flatMap((line) =>
    wrapProse(visibleLine(line), { ...style, indent: 0, hanging: 2 }).map(style.paint.failed),
  );
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
  const plan = commandIn(environment, 'plan');
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
