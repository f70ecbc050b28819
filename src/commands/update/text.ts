import { addressOf } from '../../kinds/desired.ts';
import { changeParts } from '../../report/changes.ts';
import { createPaint } from '../../report/terminal/paint.ts';
import { changeLines, type TextStyle } from '../../report/terminal/text.ts';
import type { Change } from '../../schemas/plan-types.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, formatNumber, listSome } from '../../text/wording.ts';
import type { ManifestUpdates, UpdatedResource, UpdatedValue } from './check.ts';
import {
  alsoSentences,
  keptSentences,
  leftSentences,
  lostSentences,
  refusedSentence,
  unusedSentences,
} from './wording.ts';

export interface UpdateTextOptions {
  readonly color: boolean;
  readonly width: number;
  readonly state: 'planned' | 'written';
}

/** Renders an update for a terminal: values with their places, then other changes, unused files, and the outcome. */
export function renderUpdateText(result: ManifestUpdates, options: UpdateTextOptions): string {
  const style = styleOf(options);
  return joinLineBlocks([
    ...result.resources.map((resource) => resourceBlock(resource, result.environment, style)),
    alsoBlock(result, style),
    unusedSentences(result).flatMap((text) => wrapProse(visibleLine(text), { width: style.width, indent: 0 })),
    closingBlock(result, options.state, style),
  ]);
}

/** Renders only the outcome, for edits that were shown before. */
export function renderUpdateEnd(result: ManifestUpdates, options: UpdateTextOptions): string {
  return `${closingBlock(result, options.state, styleOf(options)).join('\n')}\n`;
}

function styleOf({ color, width }: UpdateTextOptions): TextStyle {
  return { paint: createPaint(color), width: Math.max(40, width), full: false };
}

function resourceBlock(resource: UpdatedResource, environment: string, style: TextStyle): string[] {
  const { updated, refused, left } = resource;
  const { paint } = style;
  return [
    paint.strong(visibleLine(addressOf(resource))),
    ...updated.flatMap((value) => updatedValueLines(value, style)),
    ...refused.flatMap((one) => [
      ...sentence(refusedSentence(one), style).map(paint.warning),
      ...overlapLines(one).map((line) => `      ${line}`),
    ]),
    ...keptSentences(resource, environment).flatMap((text) => sentence(text, style)),
    ...leftSentences(left).flatMap((text) => sentence(text, style)),
  ];
}

/** Shows the lines that both sides changed: the last applied, live and manifest versions, one above the other. */
export function overlapLines({ overlaps = [] }: UpdatedResource['refused'][number]): string[] {
  const hidden = overlaps.length - maxOverlaps;
  return [
    ...overlaps
      .slice(0, maxOverlaps)
      .flatMap(({ line, base, ours, theirs }) => [
        `line ${formatNumber(line)}`,
        ...sideLines('last applied', base),
        ...sideLines('on the service', theirs),
        ...sideLines('in the manifest', ours),
      ]),
    ...(hidden > 0 ? [`… and ${counted(hidden, 'more place')}; --format json lists all`] : []),
  ];
}

/**
 * The maximum number of overlaps to show, and the maximum number of lines on each side. Further overlaps and lines are
 * only counted.
 */
const maxOverlaps = 5;
const maxLines = 8;

function sideLines(label: string, lines: readonly string[]): string[] {
  const hidden = lines.length - maxLines;
  const shown = lines.slice(0, maxLines).map(visibleLine);
  const rest = hidden > 0 ? [`… and ${counted(hidden, 'more line')}`] : [];
  const texts = lines.length === 0 ? ['(no lines)'] : [...shown, ...rest];
  return texts.map((text, index) =>
    `  ${(index === 0 ? label : '').padEnd('in the manifest'.length)}  ${text}`.trimEnd(),
  );
}

function updatedValueLines(value: UpdatedValue, style: TextStyle): string[] {
  const { path, from, to, merged, places } = value;
  const change: Change = {
    op: to === undefined ? 'unset' : 'set',
    path,
    ...(from !== undefined && { from: withPlainLines(from) }),
    ...(to !== undefined && { to: withPlainLines(to) }),
    cause: 'manifest',
    knowledge: 'compared',
  };
  const where = places.map(({ file, at }) => (at === undefined ? file : `${file}:${at.line}`));
  return [
    ...changeParts(change, { kind: '' }).flatMap((part) => changeLines(part, style)),
    `      ${style.paint.faint(`${merged ? "merged with the manifest's own edits " : ''}in ${where.join(', ')}`)}`,
    ...lostSentences(value).flatMap((text) => wrapProse(visibleLine(text), { width: style.width, indent: 6 })),
  ];
}

/** Converts line endings to LF. Line endings do not count as changes, and a file keeps its line endings. */
function withPlainLines(value: UpdatedValue['to']): UpdatedValue['to'] {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value;
}

function alsoBlock(result: ManifestUpdates, style: TextStyle): string[] {
  const [heading, ...lines] = alsoSentences(result);
  if (heading === undefined) return [];
  return [style.paint.warning(heading), ...lines.flatMap((line) => sentence(visibleLine(line), style))];
}

function closingBlock(
  result: ManifestUpdates,
  state: UpdateTextOptions['state'],
  { paint, width }: TextStyle,
): string[] {
  const lines = wrapProse(visibleLine(updateVerdict(result, state)), { width, indent: 0 });
  return countOf(result) === 0 ? lines : lines.map(paint.strong);
}

/** Returns the result in one line: `Updated 2 values from production in agents/front-desk.yaml.` */
export function updateVerdict(result: ManifestUpdates, state: UpdateTextOptions['state']): string {
  const { files, environment } = result;
  const count = countOf(result);
  if (count === 0) return `Nothing was updated from ${environment}.`;
  const verb = state === 'written' ? 'Updated' : 'Would update';
  return `${verb} ${counted(count, 'value')} from ${environment} in ${listSome(files, 10)}.`;
}

function countOf({ resources }: ManifestUpdates): number {
  return resources.reduce((sum, { updated }) => sum + updated.length, 0);
}

function sentence(text: string, { width }: TextStyle): string[] {
  return wrapProse(visibleLine(text), { width, indent: 4, hanging: 2 });
}
