import { addressOf } from '../../kinds/desired.ts';
import { differenceLines, type PlanSymbol, type TextStyle } from '../../report/plan/change-text.ts';
import { groupTitle } from '../../report/plan/sections.ts';
import { sentenceLines } from '../../report/plan/text.ts';
import { createPaint } from '../../report/terminal/paint.ts';
import type { EnvironmentDiff, ResourceDiff } from '../../schemas/diff-types.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { listNames } from '../../text/ranges.ts';
import { visibleLine } from '../../text/visible.ts';
import { type DiffSection, sectionsOfDiff, verdictOfDiff } from './wording.ts';

export interface DiffTextOptions {
  readonly color: boolean;
  /** Columns of the terminal; sentences are broken there, texts of values never. */
  readonly width: number;
  /** Whole texts. */
  readonly full?: boolean;
}

/** The difference of two environments, for a person at a terminal. */
export function renderDiffText(diff: EnvironmentDiff, { color, width, full = false }: DiffTextOptions): string {
  const style: TextStyle = { paint: createPaint(color), width: Math.max(40, width), full };
  const { paint } = style;
  const title = `${paint.strong(`${visibleLine(diff.environment)} → ${visibleLine(diff.with)}`)}`;
  const signs = `${paint.unset('-')} ${visibleLine(diff.environment)}   ${paint.create('+')} ${visibleLine(diff.with)}`;
  const sections = sectionsOfDiff(diff);
  return joinLineBlocks([
    ...(sections.length === 0 ? [] : [[`${title}   ${signs}`]]),
    ...sections.map((section) => sectionLines(section, style)),
    wrapProse(verdictOfDiff(diff), { width: style.width, indent: 0 }).map(paint.strong),
  ]);
}

const symbols = {
  same: { sign: '·', meaning: 'the same', brush: 'faint' },
  variables: { sign: '·', meaning: 'by variables alone', brush: 'faint' },
  differing: { sign: '~', meaning: 'differs', brush: 'update' },
  onlyFrom: { sign: '-', meaning: 'only in the first', brush: 'unset' },
  onlyTo: { sign: '+', meaning: 'only in the other', brush: 'create' },
} as const satisfies Record<ResourceDiff['status'], PlanSymbol>;

function sectionLines({ resources, changes, sentences }: DiffSection, style: TextStyle): string[] {
  const { paint } = style;
  const [first, ...others] = resources;
  const { sign, brush } = symbols[first.status];
  const isShared = others.length > 0;
  const title = isShared ? groupTitle(resources) : addressOf(first);
  return [
    `${paint[brush](sign)} ${paint.strong(visibleLine(title))}`,
    ...(isShared ? sentenceLines(listNames(resources.map(({ name }) => name)), paint.strong, style) : []),
    ...changes.flatMap((change) => differenceLines(change, {}, { ...style, isShared })),
    ...sentences.flatMap((sentence) => sentenceLines(sentence, paint.faint, style)),
  ];
}
