import { addressOf } from '../../kinds/desired.ts';
import { conflictRemedies } from '../../plan/remedies.ts';
import { asJson } from '../../report/json.ts';
import { inlineValue, isShort, valueLines } from '../../report/plan/change-view.ts';
import { createPaint, type Paint } from '../../report/terminal/paint.ts';
import { wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import type { Explanation, FieldExplanation, Source } from './explain.ts';

export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
}

/** Columns of a row's name, and before everything below a field's headline. */
const layout = { name: 14, indent: 4, mostLines: 8 } as const;

/** What explain tells, as data. */
export function renderExplanationJson(explanation: Explanation): string {
  return asJson(explanation);
}

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

// Why the plan says of a field what it says, in plain words.

/** One or two sentences on what an apply would do about the field, and why. */
function reasonText(field: FieldExplanation, explanation: Explanation): string {
  const { action } = explanation.resource;
  if (action === 'blocked' || action === 'failed') {
    return `The plan leaves ${addressOf(explanation.resource)} out, so nothing is decided about its fields.`;
  }
  if (!field.managed) return unmanagedText(field);
  if (field.lastIsForeign && (field.change !== undefined || !field.readable)) return foreignText(field, explanation);
  if (field.change === undefined) return restingText(field, explanation);
  return field.readable ? comparedReason(field, explanation) : darkText(field, explanation);
}

function unmanagedText({ source }: FieldExplanation): string {
  if (source === undefined) {
    return 'Not managed: no manifest, base or overlay declares it, so agentform neither compares nor sends it.';
  }
  return 'Declared, and not part of the plan: either extraSettings has it too and wins, or it counts for the creation only.';
}

function foreignText(field: FieldExplanation, { resource }: Explanation): string {
  const why = 'The record has a fingerprint of another token, so it is not known whether the value changed since.';
  if (field.change === undefined) return `${why} The manifest counts as applied.`;
  if (field.change.cause !== 'conflict') return `${why} ${outcomeText(field)}`;
  const refusal = `An apply refuses to choose: ${conflictRemedies(resource, [field.change.path])}.`;
  return `${why} Somebody touched the agent too. ${refusal}`;
}

/** Nothing is to be done. */
function restingText(field: FieldExplanation, { touched, unverified }: Explanation): string {
  if (field.desired === undefined) {
    return 'The manifest does not declare it, and the service does not have it: it leaves the record with the next apply.';
  }
  if (field.readable) return field.equal ? equalText(field) : 'An apply leaves it as it is.';
  if (touched !== true) {
    return 'The service does not show it. It is assumed to be what the last apply wrote, because nobody touched the agent since.';
  }
  return unverified === 'report'
    ? 'The service does not show it, and somebody touched the agent since the last apply: it is in doubt. The environment says `unverified: report`, so it is only reported.'
    : 'The service does not show it; the last apply wrote this value.';
}

function equalText({ rules, live }: FieldExplanation): string {
  if (rules.includes('default'))
    return 'The service shows nothing, which equals what the manifest wants: nothing to do.';
  if (rules.includes('read-back')) {
    return 'The service reads the value back in another form, as it did right after the last apply: nothing to do.';
  }
  if (live === undefined) return 'Neither the service nor the manifest has a value: nothing to do.';
  return 'The service has what the manifest wants: nothing to do.';
}

function comparedReason(field: FieldExplanation, { resource }: Explanation): string {
  const { change, live, lastApplied } = field;
  if (resource.action === 'create')
    return 'The agent is to be created, so nothing could be compared: an apply sends it.';
  const isUnset = change?.op !== 'set';
  const outcome = outcomeText(field);
  switch (change?.cause) {
    case 'drift':
      return isUnset
        ? `The service has something that the last apply did not put there and no manifest asks for: somebody added it. ${outcome}`
        : `The manifest still says what the last apply wrote, and the service says something else: somebody changed it there. ${outcome}`;
    case 'conflict':
      return `Both the manifest and the service moved away from what the last apply wrote, and not to the same value. An apply refuses to choose: ${conflictRemedies(resource, [change.path])}.`;
    case 'adopt':
      return `The service has had a value of its own since before agentform managed it: there is no record of an apply. ${outcome}`;
    default:
      if (isUnset) return `The manifest no longer declares it, and the service still has what was applied. ${outcome}`;
      if (lastApplied !== undefined) {
        return `The manifest changed since the last apply, and the service still has what was applied then. ${outcome}`;
      }
      return live === undefined
        ? `The manifest declares it, and neither the service nor the record has it. ${outcome}`
        : `The manifest declares it anew. ${outcome}`;
  }
}

function darkText(field: FieldExplanation, { resource }: Explanation): string {
  const { change, lastApplied } = field;
  const outcome = outcomeText(field);
  if (resource.action === 'create')
    return 'It is to be created, so there was nothing to compare with: an apply sends it.';
  if (change?.cause === 'unverified') {
    return 'The service does not show it, and somebody touched the agent since the last apply: it may have been changed. An apply sends it again.';
  }
  if (change?.op !== 'set') return `The manifest no longer declares it, and the service does not show it. ${outcome}`;
  return lastApplied === undefined
    ? `The service does not show it, and the record has no value: whatever is there is overwritten unseen. ${outcome}`
    : `The service does not show it, and the manifest no longer says what the last apply wrote. ${outcome}`;
}

function outcomeText({ change, path }: FieldExplanation): string {
  const whole = change === undefined || change.path === path ? 'it' : `the whole ${change.path}`;
  if (change?.op === 'set') return `An apply sets ${whole} to what the manifest wants.`;
  if (change?.op === 'unset') return `An apply takes ${whole} away.`;
  return 'An apply stops managing it and sends nothing: the service keeps what it has.';
}
