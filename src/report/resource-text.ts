import { addressOf } from '../kinds/desired.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import { changeLines, headLine, indents, type TextStyle } from './change-text.ts';
import { viewChange } from './change-view.ts';
import { type Brush, painted } from './paint.ts';
import { wrapProse } from './prose.ts';
import { symbolOfAction } from './symbols.ts';
import { visible, visibleLine } from './visible-text.ts';
import { blindNote, conflictNote, conflictPaths, placeOf, remarksOn, unverifiedNote } from './wording.ts';

/** One resource of a plan: who it is, why it is left out, what changes, what to mind. */
export function resourceLines(resource: ResourcePlan, style: TextStyle): string[] {
  const { paint } = style;
  const { brush } = symbolOfAction(resource.action);
  const note = blindNote(resource);
  const conflict = conflictNote(resource, conflictPaths(resource));
  return [
    resourceHeader(resource, style),
    ...resource.reasons.flatMap((reason) => sentenceLines(reason, paint[brush], style)),
    ...allChangeLines(resource, style),
    ...(conflict === undefined ? [] : sentenceLines(conflict, paint.conflict, style)),
    ...(note === undefined ? [] : sentenceLines(note, paint.faint, style)),
    ...resource.warnings.flatMap((warning) => sentenceLines(`warning: ${warning}`, paint.warning, style)),
  ];
}

/** `~ Agent/front-desk  (camp_1 on service.example.com)`. */
export function resourceHeader(resource: ResourcePlan, { paint }: TextStyle): string {
  const { sign, meaning, brush } = symbolOfAction(resource.action);
  const isSaid = ['create', 'update', 'none'].includes(resource.action);
  const place = paint.faint(`(${visibleLine(placeOf(resource))})`);
  const address = paint.strong(visibleLine(addressOf(resource)));
  return `${paint[brush](sign)} ${address}${isSaid ? '' : ` ${paint[brush](meaning)}`}  ${place}`;
}

/** Indented under the header, broken at the width. */
export function sentenceLines(text: string, brush: Brush, { width }: TextStyle): string[] {
  const [first = '', ...more] = visible(text).split('\n');
  const layout = { width, indent: indents.change };
  return [first, ...more]
    .flatMap((line, index) => wrapProse(line, { ...layout, indent: layout.indent + (index === 0 ? 0 : 2), hanging: 2 }))
    .map((line) => painted(line, brush));
}

/** Several unverified settings are not news one by one: they come last, under one note, without their texts. */
function allChangeLines(resource: ResourcePlan, style: TextStyle): string[] {
  const doubted = resource.changes.filter(({ cause }) => cause === 'unverified');
  if (doubted.length < 2) return resource.changes.flatMap((change) => changeLines(change, resource, style));
  const decided = resource.changes.filter(({ cause }) => cause !== 'unverified');
  return [
    ...decided.flatMap((change) => changeLines(change, resource, style)),
    ...sentenceLines(unverifiedNote(doubted.length), style.paint.warning, style),
    ...doubted.map((change) => doubtedLine(change, resource, style)),
  ];
}

function doubtedLine(change: Change, resource: ResourcePlan, style: TextStyle): string {
  const { marker } = remarksOn(change, resource);
  return headLine(change, { view: viewChange(change), remarks: { marker, action: resource.action } }, style);
}
