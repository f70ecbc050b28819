import { addressOf } from '../../kinds/desired.ts';
import { sentencesOf } from '../../report/notices.ts';
import { differenceLines, type PlanSymbol, type TextStyle } from '../../report/plan/change-text.ts';
import { groupLocation, groupTitle } from '../../report/plan/sections.ts';
import { sentenceLines } from '../../report/plan/text.ts';
import { changedSinceSentences, locationOf } from '../../report/plan/wording.ts';
import { createPaint } from '../../report/terminal/paint.ts';
import type { Drift, ResourceDrift } from '../../schemas/drift-types.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { listNames } from '../../text/ranges.ts';
import { visibleLine } from '../../text/visible.ts';
import {
  type DriftSection,
  isEventful,
  quietSentences,
  remedySentence,
  sectionsOfDrift,
  summaryOfDrift,
  unmanagedSentences,
} from './wording.ts';

export interface DriftTextOptions {
  readonly color: boolean;
  /** Columns of the terminal; sentences are broken there, texts of values never. */
  readonly width: number;
  /** Whole texts. */
  readonly full?: boolean;
  /** Unmanaged settings by name instead of their number. */
  readonly verbose?: boolean;
}

/** The drift for a person at a terminal. */
export function renderDriftText(
  drift: Drift,
  { color, width, full = false, verbose = false }: DriftTextOptions,
): string {
  const style: TextStyle = { paint: createPaint(color), width: Math.max(40, width), full };
  return joinLineBlocks([
    titleLines(drift, style),
    ...sectionsOfDrift(drift).map((section) => sectionLines(section, style)),
    [...quietSentences(drift), ...unmanagedSentences(drift, { verbose })].flatMap((sentence) =>
      prose(`· ${visibleLine(sentence)}`, style).map(style.paint.faint),
    ),
    sentencesOf(drift.warnings).flatMap((warning) =>
      prose(`warning: ${visibleLine(warning)}`, style).map(style.paint.warning),
    ),
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

/** The meaning of the signs, if any is used. */
function titleLines({ resources, environment }: Drift, { paint }: TextStyle): string[] {
  const used = new Map(
    resources.filter(isEventful).map((resource) => [symbolOf(resource).meaning, symbolOf(resource)]),
  );
  if (used.size === 0) return [];
  const meanings = [...used.values()].map(({ sign, meaning, brush }) => `${paint[brush](sign)} ${meaning}`);
  return [`${paint.strong(`Drift in ${visibleLine(environment)}`)}   ${meanings.join('   ')}`];
}

function sectionLines({ resources, view }: DriftSection, style: TextStyle): string[] {
  const { paint } = style;
  const [first, ...others] = resources;
  const { sign, brush, meaning } = symbolOf(first);
  const isLeftOut = first.status === 'blocked' || first.status === 'failed';
  const { written, moves, conflict, unverified } = view;
  const isShared = others.length > 0;
  const title = isShared ? groupTitle(resources) : addressOf(first);
  const location = isShared ? groupLocation(resources) : locationOf(first);
  const place = location === undefined ? '' : `  ${paint.faint(`(${visibleLine(location)})`)}`;
  const names = listNames(resources.map(({ name }) => name));
  return [
    `${paint[brush](sign)} ${paint.strong(visibleLine(title))}${isLeftOut ? ` ${paint[brush](meaning)}` : ''}${place}`,
    ...(isShared ? sentenceLines(names, paint.strong, style) : []),
    ...sentencesOf(first.reasons).flatMap((reason) => sentenceLines(reason, paint[brush], style)),
    ...(written === undefined ? [] : sentenceLines(written, paint.faint, style)),
    ...moves.flatMap(({ change, note }) => differenceLines(change, { note }, { ...style, isShared })),
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
    ...(drift.changedSince === undefined ? [] : prose(visibleLine(changedSinceSentences(drift.changedSince)), style)),
    ...(remedy === undefined ? [] : prose(visibleLine(`${remedy}.`), style)),
  ];
}

function prose(text: string, { width }: TextStyle): string[] {
  return wrapProse(text, { width, indent: 0, hanging: 2 });
}
