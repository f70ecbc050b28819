import { addressOf } from '../../kinds/desired.ts';
import { asJson } from '../../report/json.ts';
import { changeLines, type TextStyle } from '../../report/plan/change-text.ts';
import { createPaint } from '../../report/terminal/paint.ts';
import type { Change } from '../../schemas/plan-types.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, listSome } from '../../text/wording.ts';
import type { ManifestUpdates, UpdatedResource, UpdatedValue } from './check.ts';

export interface UpdateTextOptions {
  readonly color: boolean;
  readonly width: number;
  /** Whether the files are written already. */
  readonly state: 'planned' | 'written';
}

/** What was updated, for a person: each value with its place, then what else changes, then the files. */
export function renderUpdateText(result: ManifestUpdates, { color, width, state }: UpdateTextOptions): string {
  const style: TextStyle = { paint: createPaint(color), width: Math.max(40, width), full: false };
  return joinLineBlocks([
    ...result.resources.map((resource) => resourceBlock(resource, style)),
    alsoBlock(result, style),
    closingBlock(result, state, style),
  ]);
}

/** Only what was done in the end, where everything else was shown already. */
export function renderUpdateEnd(result: ManifestUpdates, { color, width, state }: UpdateTextOptions): string {
  const style: TextStyle = { paint: createPaint(color), width: Math.max(40, width), full: false };
  return `${closingBlock(result, state, style).join('\n')}\n`;
}

function resourceBlock(resource: UpdatedResource, style: TextStyle): string[] {
  const { updated, refused, left } = resource;
  const { paint } = style;
  return [
    paint.strong(visibleLine(addressOf(resource))),
    ...updated.flatMap((value) => valueLines(value, style)),
    ...refused.flatMap(({ path, reason }) =>
      sentence(`not updated: ${path === '' ? '' : `${path}: `}${reason}`, style).map(paint.warning),
    ),
    ...(left.length === 0
      ? []
      : sentence(
          `not updated, because only the manifests changed: ${listSome(left, 10)}; name a field with --field to update it`,
          style,
        )),
  ];
}

/** As a change that the manifests go through. */
function valueLines({ path, from, to, places }: UpdatedValue, style: TextStyle): string[] {
  const change: Change = {
    op: to === undefined ? 'unset' : 'set',
    path,
    ...(from !== undefined && { from: withPlainLines(from) }),
    ...(to !== undefined && { to: withPlainLines(to) }),
    cause: 'manifest',
    knowledge: 'compared',
  };
  const resource = { kind: '', name: '', action: 'update', digest: '', target: { host: '', query: {} } } as const;
  const empty = { coverage: { compared: 0, blind: 0, assumed: 0 }, reasons: [], warnings: [], changes: [] };
  const where = places.map(({ file, at }) => (at === undefined ? file : `${file}:${at.line}`));
  return [
    ...changeLines(change, { ...resource, ...empty }, style),
    `      ${style.paint.faint(`in ${where.join(', ')}`)}`,
  ];
}

/** Line ends do not count, and a file keeps its own. */
function withPlainLines(value: UpdatedValue['to']): UpdatedValue['to'] {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value;
}

function alsoBlock({ alsoChanged }: ManifestUpdates, style: TextStyle): string[] {
  if (alsoChanged.length === 0) return [];
  const lines = alsoChanged.map(
    ({ address, environment, paths }) => `${address} in ${environment}: ${listSome(paths, 5)}`,
  );
  const hidden = lines.length - mostElsewhere;
  return [
    style.paint.warning('Declared in the same place, so these change too:'),
    ...lines.slice(0, mostElsewhere).flatMap((line) => sentence(visibleLine(line), style)),
    ...(hidden > 0 ? sentence(`… and ${counted(hidden, 'resource')} more; --format json has all`, style) : []),
  ];
}

/** More resources than these are counted. */
const mostElsewhere = 20;

function closingBlock(
  { resources, files, environment }: ManifestUpdates,
  state: 'planned' | 'written',
  style: TextStyle,
): string[] {
  const count = resources.reduce((sum, { updated }) => sum + updated.length, 0);
  const layout = { width: style.width, indent: 0 };
  if (count === 0) return wrapProse(`Nothing was updated from ${visibleLine(environment)}.`, layout);
  const verb = state === 'written' ? 'Updated' : 'Would update';
  return wrapProse(
    `${verb} ${counted(count, 'value')} from ${visibleLine(environment)} in ${listSome(files, 10)}.`,
    layout,
  ).map(style.paint.strong);
}

function sentence(text: string, { width }: TextStyle): string[] {
  return wrapProse(visibleLine(text), { width, indent: 4, hanging: 2 });
}

/** What was updated, as data. */
export function renderUpdateJson(result: ManifestUpdates): string {
  return asJson(result);
}
