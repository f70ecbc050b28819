import { addressOf } from '../../kinds/desired.ts';
import { differenceLines, type PlanSymbol, type TextStyle } from '../../report/plan/change-text.ts';
import { sentenceLines } from '../../report/plan/text.ts';
import { locationOf } from '../../report/plan/wording.ts';
import { createPaint } from '../../report/terminal/paint.ts';
import type { Drift, ResourceDrift } from '../../schemas/drift-types.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import {
  isEventful,
  quietSentences,
  remedySentence,
  summaryOfDrift,
  unmanagedSentences,
  viewOfDrift,
} from './wording.ts';

export interface DriftTextOptions {
  readonly color: boolean;
  /** Columns of the terminal; sentences are broken there, texts of values never. */
  readonly width: number;
  /** Whole texts. */
  readonly full?: boolean;
  /** The settings that nobody manages by name, not by number. */
  readonly verbose?: boolean;
}

/** What drifted, for a person at a terminal. */
export function renderDriftText(
  drift: Drift,
  { color, width, full = false, verbose = false }: DriftTextOptions,
): string {
  const style: TextStyle = { paint: createPaint(color), width: Math.max(40, width), full };
  const eventful = drift.resources.filter(isEventful);
  return joinLineBlocks([
    titleLines(drift, style),
    ...eventful.map((resource) => resourceLines(resource, drift, style)),
    [...quietSentences(drift), ...unmanagedSentences(drift, { verbose })].flatMap((sentence) =>
      prose(`· ${visibleLine(sentence)}`, style).map(style.paint.faint),
    ),
    drift.warnings.flatMap((warning) => prose(`warning: ${visibleLine(warning)}`, style).map(style.paint.warning)),
    closingLines(drift, style),
  ]);
}

const symbols = {
  drifted: { sign: '~', meaning: 'drifted', brush: 'drift' },
  'in doubt': { sign: '?', meaning: 'unverified', brush: 'warning' },
  blocked: { sign: '!', meaning: 'blocked', brush: 'blocked' },
  failed: { sign: '✗', meaning: 'failed', brush: 'failed' },
  quiet: { sign: '·', meaning: 'as applied', brush: 'faint' },
} as const satisfies Record<string, PlanSymbol>;

function symbolOf({ status }: ResourceDrift): PlanSymbol {
  return status in symbols ? symbols[status as keyof typeof symbols] : symbols.quiet;
}

/** What the signs mean, if any is used. */
function titleLines({ resources, environment }: Drift, { paint }: TextStyle): string[] {
  const used = new Map(
    resources.filter(isEventful).map((resource) => [symbolOf(resource).meaning, symbolOf(resource)]),
  );
  if (used.size === 0) return [];
  const meanings = [...used.values()].map(({ sign, meaning, brush }) => `${paint[brush](sign)} ${meaning}`);
  return [`${paint.strong(`Drift in ${visibleLine(environment)}`)}   ${meanings.join('   ')}`];
}

function resourceLines(resource: ResourceDrift, drift: Drift, style: TextStyle): string[] {
  const { paint } = style;
  const { sign, brush, meaning } = symbolOf(resource);
  const isLeftOut = resource.status === 'blocked' || resource.status === 'failed';
  const { written, moves, conflict, unverified } = viewOfDrift(resource, drift);
  const address = paint.strong(visibleLine(addressOf(resource)));
  const place = paint.faint(`(${visibleLine(locationOf(resource))})`);
  return [
    `${paint[brush](sign)} ${address}${isLeftOut ? ` ${paint[brush](meaning)}` : ''}  ${place}`,
    ...resource.reasons.flatMap((reason) => sentenceLines(reason, paint[brush], style)),
    ...(written === undefined ? [] : sentenceLines(written, paint.faint, style)),
    ...moves.flatMap(({ change, note }) => differenceLines(change, { note }, style)),
    ...(conflict === undefined ? [] : sentenceLines(conflict, paint.conflict, style)),
    ...unverified.flatMap(({ sentence, paths }) =>
      sentenceLines(`${sentence}: ${paths.map(visibleLine).join(', ')}`, paint.warning, style),
    ),
  ];
}

function closingLines(drift: Drift, style: TextStyle): string[] {
  const { paint } = style;
  const { verdict, moves, compared } = summaryOfDrift(drift);
  const remedy = remedySentence(drift);
  return [
    ...prose(verdict, style).map(paint.strong),
    ...(moves === undefined ? [] : prose(moves, style).map(paint.drift)),
    ...(compared === undefined ? [] : prose(compared, style)),
    ...(remedy === undefined ? [] : prose(visibleLine(`${remedy}.`), style)),
  ];
}

function prose(text: string, { width }: TextStyle): string[] {
  return wrapProse(text, { width, indent: 0, hanging: 2 });
}
