import { addressOf } from '../kinds/desired.ts';
import { counted } from './counts.ts';
import { reasonText } from './explain-wording.ts';
import type { Explanation, FieldExplanation, Source } from './explanation.ts';
import { createPaint, type Paint } from './paint.ts';
import { wrapProse } from './prose.ts';
import { inlineValue, isShort, valueLines } from './value-text.ts';
import { visibleLine } from './visible-text.ts';

export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
}

/** Columns of a row's name, and before everything below a field's headline. */
const layout = { name: 14, indent: 4, mostLines: 8 } as const;

/** The explanation for a person: a block for each field, with its sides, where it comes from, and the reason. */
export function renderExplanationText(explanation: Explanation, { color, width }: ExplainTextOptions): string {
  const paint = createPaint(color);
  const { resource, environment } = explanation;
  const id = resource.id === undefined ? '' : `, ${resource.id}`;
  const head = `${paint.strong(visibleLine(addressOf(resource)))}  ${paint.faint(`(${visibleLine(environment + id)})`)}`;
  const blocks = explanation.fields.map((field) => [
    ...fieldLines(field, paint),
    '',
    ...wrapProse(visibleLine(reasonText(field, explanation)), { width, indent: layout.indent }),
  ]);
  const reasons = resource.reasons.flatMap((reason) =>
    wrapProse(visibleLine(reason), { width, indent: layout.indent, hanging: 2 }).map((line) => paint.blocked(line)),
  );
  return `${[[head, ...reasons], ...blocks].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function fieldLines(field: FieldExplanation, paint: Paint): string[] {
  const row = (name: string, lines: readonly string[]) => rowLines(name, lines, paint);
  const side = (name: string, value: unknown, none: string) =>
    row(name, value === undefined ? [paint.faint(none)] : sideLines(value, field.desired, paint));
  return [
    `  ${paint.strong(visibleLine(field.path))}`,
    ...row('desired', desiredLines(field, paint)),
    ...(field.source === undefined ? [] : sourceRows(field.source, paint)),
    ...side('live', field.live, field.readable ? 'nothing' : 'the service does not show it'),
    ...(field.managed ? side('last applied', field.lastApplied, 'nothing') : []),
    ...(field.managed ? row('compared', [comparedText(field)]) : []),
    ...(field.change === undefined ? [] : row('plan', [planText(field.change)])),
  ];
}

function rowLines(name: string, [first = '', ...more]: readonly string[], paint: Paint): string[] {
  const indent = ' '.repeat(layout.indent);
  const blank = ' '.repeat(layout.name);
  return [
    `${indent}${paint.faint(name.padEnd(layout.name))}${first}`,
    ...more.map((line) => `${indent}${blank}${line}`.trimEnd()),
  ];
}

function desiredLines({ desired, managed }: FieldExplanation, paint: Paint): string[] {
  if (desired !== undefined) return shownLines(desired, paint);
  return [paint.faint(managed ? 'not declared' : 'not managed')];
}

/** A long value that stands above already is not repeated. */
function sideLines(value: unknown, desired: unknown, paint: Paint): string[] {
  const isRepeated = desired !== undefined && !isShort(value) && inlineValue(value) === inlineValue(desired);
  return isRepeated ? [paint.faint('the same')] : shownLines(value, paint);
}

/** A long text by its first lines: the plan shows its difference, and JSON all of it. */
function shownLines(value: unknown, paint: Paint): string[] {
  if (isShort(value)) return [inlineValue(value)];
  const lines = valueLines(value);
  const shown = lines.slice(0, layout.mostLines).map((line) => (line.length > 160 ? `${line.slice(0, 160)}…` : line));
  const hidden = lines.length - shown.length;
  return hidden === 0 ? shown : [...shown, paint.faint(`… ${counted(hidden, 'more line')}`)];
}

function sourceRows({ declarations, files, include, variables }: Source, paint: Paint): string[] {
  const [counts, ...passed] = declarations;
  const row = (name: string, lines: readonly string[]) => (lines.length === 0 ? [] : rowLines(name, lines, paint));
  return [
    ...row('declared in', [counts === undefined ? 'nowhere: it is a documented default' : placeText(counts, files)]),
    ...row('text from', include === undefined ? [] : [include]),
    ...row(
      'variables',
      variables.map(({ name, text }) => `${name} = ${inlineValue(text)}`),
    ),
    ...row(
      'passed over',
      passed.map((declaration) => `${placeText(declaration, files)}: ${briefly(declaration.written)}`),
    ),
  ];
}

/** `shared/clinic.yaml:6:3 (a base, in its overlay of staging)`. */
function placeText({ at, environment, file }: Source['declarations'][number], files: readonly string[]): string {
  const through = files.indexOf(file) > 0 ? [`a base, through ${files.slice(0, files.indexOf(file)).join(', ')}`] : [];
  const overlay = environment === undefined ? [] : [`overlay of ${environment}`];
  const notes = [...through, ...overlay];
  return `${at.file}:${at.line}:${at.column}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function briefly(value: unknown): string {
  const text = inlineValue(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function comparedText({ readable, desired, lastApplied, equal, rules }: FieldExplanation): string {
  const other = readable ? 'live' : 'last applied';
  if (!readable && lastApplied === undefined) return 'with nothing: there is neither a live value nor a record';
  if (desired === undefined) return `with ${other}`;
  if (equal && rules.length === 0) return `with ${other}: equal as they are`;
  return `with ${other}: ${equal ? 'equal by' : 'different even under'} ${rules.join(', ')}`;
}

function planText({ op, path, cause, knowledge }: NonNullable<FieldExplanation['change']>): string {
  return `${op} ${visibleLine(path)}: ${cause}, ${knowledge}`;
}
