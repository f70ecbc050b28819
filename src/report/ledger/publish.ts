import type { PublishEntry, PublishLedger } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Publishing } from '../../plan/publishing.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { formatNumber, listCounts, listNames, listSome } from '../../text/wording.ts';
import { endedAlike } from '../alike.ts';
import { joinedSentences, sentencesOf } from '../notices.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { locationOf } from '../wording.ts';

export interface PublishTextOptions {
  readonly color: boolean;
  readonly width: number;
}

interface Style {
  readonly paint: Paint;
  readonly width: number;
}

const mostNamed = 10;

/** The agents to publish with reasons, and the others. */
export function renderPublishPlanText(
  { environment, publishing }: { readonly environment: string; readonly publishing: readonly Publishing[] },
  { color, width }: PublishTextOptions,
): string {
  const style: Style = { paint: createPaint(color), width: Math.max(40, width) };
  const of = (action: Publishing['action']) => publishing.filter((each) => each.action === action);
  const title = `Publish in ${visibleLine(environment)}: ${plannedCounts(of)}`;
  return `${[style.paint.strong(title), ...publishing.flatMap((each) => plannedLines(each, style))].join('\n')}\n`;
}

function plannedCounts(of: (action: Publishing['action']) => readonly Publishing[]): string {
  return listCounts([
    [of('publish').length, 'to publish'],
    [of('published').length, 'already published'],
    [of('blocked').length, 'refused'],
    [of('failed').length, 'failed'],
  ]);
}

const plannedSigns = {
  publish: { sign: '↑', brush: 'create', word: '' },
  blocked: { sign: '!', brush: 'blocked', word: ' refused' },
  failed: { sign: '✗', brush: 'failed', word: ' failed' },
} as const satisfies Record<
  Exclude<Publishing['action'], 'published'>,
  { sign: string; brush: keyof Paint; word: string }
>;

function plannedLines(publishing: Publishing, style: Style): string[] {
  const { paint } = style;
  const { action } = publishing;
  if (action === 'published') return [];
  const { sign, brush, word } = plannedSigns[action];
  const place = paint.faint(`(${visibleLine(locationOf(publishing))})`);
  return [
    `${paint[brush](sign)} ${paint.strong(visibleLine(addressOf(publishing)))}${paint[brush](word)}  ${place}`,
    ...sentencesOf(publishing.reasons).flatMap((reason) => sentence(reason, style, 4)),
  ];
}

/** The effects of `--publish` beyond the plan: it also publishes unchanged drafts that wait. */
export function renderWaitingDrafts(
  { writes, waiting }: { readonly writes: boolean; readonly waiting: readonly string[] },
  { width }: PublishTextOptions,
): string {
  const parts = [
    ...(writes ? ['the agents in this plan'] : []),
    ...(waiting.length > 0 ? [`${listSome(waiting, mostNamed)}, unchanged but not published yet`] : []),
  ];
  const text = parts.length === 0 ? 'Nothing to publish.' : `To publish after the apply: ${parts.join(', and ')}.`;
  return `${wrapProse(visibleLine(text), { width, indent: 0 }).join('\n')}\n`;
}

const endings = [
  { outcome: 'published', title: 'Published', sign: '✓', brush: 'create' },
  { outcome: 'not attempted', title: 'Not published', sign: '·', brush: 'warning' },
  { outcome: 'failed', title: 'Publishing failed', sign: '✗', brush: 'failed' },
  { outcome: 'unknown', title: 'Unknown: the publish may have succeeded', sign: '?', brush: 'conflict' },
] as const satisfies readonly { outcome: PublishEntry['outcome']; title: string; sign: string; brush: keyof Paint }[];

/** The end of a publish for a person: every agent by outcome, and the counts. */
export function renderPublishLedgerText(ledger: PublishLedger, { color, width }: PublishTextOptions): string {
  const style: Style = { paint: createPaint(color), width: Math.max(40, width) };
  const isClean =
    ledger.unshared === undefined &&
    ledger.publishing.every(({ outcome }) => outcome === 'published' || outcome === 'already published');
  const closing = `${ledger.interrupted ? 'Interrupted. ' : ''}${publishCounts(ledger.publishing)}`;
  return joinLineBlocks([
    ...publishBlocks(ledger.publishing, style),
    unsharedLines(ledger, style),
    wrapProse(closing, { width: style.width, indent: 0 }).map((line) =>
      style.paint.strong((isClean ? style.paint.create : style.paint.failed)(line)),
    ),
  ]);
}

/** A block of lines for each outcome; also below the ledger of an apply. */
export function publishBlocks(publishing: readonly PublishEntry[], style: Style): string[][] {
  const already = publishing.filter(({ outcome }) => outcome === 'already published');
  const named = listSome(already.map(addressOf), mostNamed);
  const endingBlocks = endings.flatMap(({ outcome, title, sign, brush }) => {
    const members = publishing.filter((entry) => entry.outcome === outcome);
    if (members.length === 0) return [];
    const heading = style.paint.strong(`${title} (${formatNumber(members.length)})`);
    return [
      [heading, ...publishEntriesAlike(members).flatMap((entries) => entryLines(entries, { sign, brush }, style))],
    ];
  });
  return already.length === 0
    ? endingBlocks
    : [...endingBlocks, [style.paint.faint(`· already published: ${visibleLine(named)}`)]];
}

/** The records of the run are kept, and others do not see them yet. Undefined where they do. */
export function unsharedSentence({ unshared }: Pick<PublishLedger, 'unshared'>): string | undefined {
  return unshared === undefined ? undefined : `Records not shared: ${unshared}.`;
}

export function unsharedLines(ledger: Pick<PublishLedger, 'unshared'>, { paint, width }: Style): string[] {
  const text = unsharedSentence(ledger);
  return text === undefined ? [] : wrapProse(visibleLine(text), { width, indent: 0 }).map(paint.failed);
}

/** The number of entries by result, in the given order; successful ones are counted even if there are none. */
export function outcomeCounts<Outcome extends string>(
  entries: readonly { readonly outcome: Outcome }[],
  outcomes: readonly Outcome[],
): string {
  const countOf = (outcome: Outcome) => entries.filter((entry) => entry.outcome === outcome).length;
  return listCounts(outcomes.map((outcome) => [countOf(outcome), outcome]));
}

/** `Publish: 2 published, 1 failed.` */
export function publishCounts(entries: readonly PublishEntry[]): string {
  const outcomes = ['published', 'already published', 'failed', 'unknown', 'not attempted'] as const;
  return `Publish: ${outcomeCounts(entries, outcomes)}.`;
}

export function publishEntriesAlike(entries: readonly PublishEntry[]): PublishEntry[][] {
  return endedAlike(entries, ({ refused, reasons }) => JSON.stringify([refused, reasons]));
}

function entryLines(
  entries: readonly PublishEntry[],
  { sign, brush }: { readonly sign: string; readonly brush: keyof Paint },
  style: Style,
): string[] {
  const [entry, ...others] = entries;
  if (entry === undefined) return [];
  const { id = '', reasons } = entry;
  return [
    ...headLines(entries, { sign: style.paint[brush](sign), about: others.length > 0 ? '' : id }, style),
    ...(reasons === undefined ? [] : sentence(endingText(entry), style, 6)),
  ];
}

/** Why a resource was not applied, or an agent not published; without reasons, those are in the plan above it. */
export function endingText({ refused, reasons = [] }: Pick<PublishEntry, 'refused' | 'reasons'>): string {
  const why = reasons.length === 0 ? 'blocked; the plan above says why' : joinedSentences(reasons);
  return `${refused ? 'refused: ' : ''}${why}`;
}

/** `  ✓ Agent/front-desk  (camp_1, updated)`, or the names of several. */
export function headLines(
  entries: readonly Pick<PublishEntry, 'kind' | 'name'>[],
  { sign, about }: { readonly sign: string; readonly about: string },
  { paint, width }: Style,
): string[] {
  const names = visibleLine(listNames(entries.map(addressOf)));
  const [first = '', ...rest] = wrapProse(names, { width, indent: 4 }).map((line) => paint.strong(line.trimStart()));
  const lines = [`  ${sign} ${first}`, ...rest.map((line) => `    ${line}`)];
  const end = about === '' ? '' : `  ${paint.faint(`(${visibleLine(about)})`)}`;
  return lines.map((line, index) => (index === lines.length - 1 ? `${line}${end}` : line));
}

function sentence(text: string, { width }: Style, indent: number): string[] {
  return wrapProse(visibleLine(text), { width, indent, hanging: 2 });
}
