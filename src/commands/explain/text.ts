import { addressOf } from '../../kinds/desired.ts';
import { conflictNotice } from '../../plan/decisions.ts';
import { isUnclearEdit, plannedAction } from '../../plan/pending.ts';
import { sentenceOf, settlingSentence } from '../../report/notices.ts';
import { editedWords, failedApplySentence } from '../../report/plan/edits.ts';
import { createPaint, type Paint } from '../../report/terminal/paint.ts';
import { inlineValue, isShort, valueLines } from '../../report/values.ts';
import { unmanagedSentence } from '../../report/wording.ts';
import { joinLineBlocks, wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, shorten } from '../../text/wording.ts';
import { spanText } from '../../yaml/problem.ts';
import type { Explanation, FieldExplanation, FieldSource } from './explain.ts';

export interface ExplainTextOptions {
  readonly color: boolean;
  readonly width: number;
  /** Whether to list unmanaged settings by name. By default, only their number is shown. */
  readonly verbose?: boolean;
}

/** The width of row names, the indentation under a field, and the maximum number of lines of a value. */
const layout = { name: 14, indent: 4, maxLines: 8 } as const;

/** Renders an explanation for a terminal: a block for each field with its values, source and reason. */
export function renderExplanationText(
  explanation: Explanation,
  { color, width, verbose = false }: ExplainTextOptions,
): string {
  const paint = createPaint(color);
  const { resource, environment } = explanation;
  const id = resource.id === undefined ? '' : `, ${resource.id}`;
  const head = `${paint.strong(visibleLine(addressOf(resource)))}  ${paint.faint(`(${visibleLine(environment + id)})`)}`;
  const prose = (text: string, hanging = 0) => wrapProse(visibleLine(text), { width, indent: layout.indent, hanging });
  const { kind, renamedFrom: name } = resource;
  const rename =
    name === undefined ? [] : prose(`renamed from ${addressOf({ kind, name })}: the next apply renames its record`);
  const blocks = explanation.fields.map((field) => [
    ...fieldLines(field, explanation, paint),
    '',
    ...prose(reasonText(field, explanation)),
  ]);
  const reasons = resource.reasons.flatMap((reason) => prose(sentenceOf(reason), 2).map(paint.blocked));
  const unmanaged = unmanagedSentence(explanation.unmanaged, { owner: addressOf(resource), verbose });
  const closing = unmanaged === undefined ? [] : wrapProse(visibleLine(unmanaged), { width, indent: 0, hanging: 2 });
  return joinLineBlocks([[head, ...rename, ...reasons], ...blocks, closing.map(paint.faint)]);
}

function fieldLines(field: FieldExplanation, explanation: Explanation, paint: Paint): string[] {
  const undeclared = field.managed ? 'not declared' : 'not managed';
  const row = (name: string, lines: readonly string[]) => rowLines(name, lines, paint);
  const side = (name: string, value: unknown, none: string) =>
    row(name, value === undefined ? [paint.faint(none)] : sideLines(value, field.desired, paint));
  return [
    `  ${paint.strong(visibleLine(field.path))}`,
    ...row('desired', field.desired === undefined ? [paint.faint(undeclared)] : shownLines(field.desired, paint)),
    ...(field.source === undefined ? [] : sourceRows(field.source, paint)),
    ...side('live', field.live, noLiveText(field, explanation)),
    ...(field.managed ? side('last applied', field.lastApplied, 'nothing') : []),
    ...(field.managed ? row('compared', [comparedText(field)]) : []),
    ...(field.change === undefined ? [] : row('plan', [plannedChangeText(field.change, explanation)])),
  ];
}

function noLiveText({ readable }: FieldExplanation, { resource }: Explanation): string {
  if (resource.action === 'failed') return 'unknown: the read failed';
  if (plannedAction(resource) === 'create') return 'unknown: nothing was read';
  return readable ? 'nothing' : 'cannot be read back';
}

function rowLines(name: string, [first = '', ...more]: readonly string[], paint: Paint): string[] {
  const indent = ' '.repeat(layout.indent);
  const blank = ' '.repeat(layout.name);
  return [
    `${indent}${paint.faint(name.padEnd(layout.name))}${first}`,
    ...more.map((line) => `${indent}${blank}${line}`.trimEnd()),
  ];
}

/** Returns the lines of a value. Does not repeat a long value that equals the desired value. */
function sideLines(value: unknown, desired: unknown, paint: Paint): string[] {
  const isRepeated = desired !== undefined && !isShort(value) && inlineValue(value) === inlineValue(desired);
  return isRepeated ? [paint.faint('the same')] : shownLines(value, paint);
}

/**
 * Returns the lines of a value. Shortens long lines and long lists of lines. The plan shows the difference, and JSON
 * has the whole value.
 */
function shownLines(value: unknown, paint: Paint): string[] {
  if (isShort(value)) return [inlineValue(value)];
  const lines = valueLines(value);
  const shown = lines.slice(0, layout.maxLines).map((line) => (line.length > 160 ? `${line.slice(0, 160)}…` : line));
  const hidden = lines.length - shown.length;
  return hidden === 0 ? shown : [...shown, paint.faint(`… ${counted(hidden, 'more line')}`)];
}

function sourceRows({ declarations, files, include, patch, variables }: FieldSource, paint: Paint): string[] {
  const [counts, ...passed] = declarations;
  const row = (name: string, lines: readonly string[]) => (lines.length === 0 ? [] : rowLines(name, lines, paint));
  return [
    ...row('declared in', [counts === undefined ? 'nowhere: this is a documented default' : declaredAt(counts, files)]),
    ...row('text from', include === undefined ? [] : [include]),
    ...row('text from', patch?.of === undefined ? [] : [patch.of]),
    ...row('patched by', patch === undefined ? [] : [patch.file]),
    ...row(
      'variables',
      variables.map(
        ({ name, text, at }) =>
          `${name} = ${inlineValue(text)} (${at === undefined ? `AGENTFORM_VAR_${name}` : spanText(at)})`,
      ),
    ),
    ...row(
      'overridden',
      passed.map(
        (declaration) => `${declaredAt(declaration, files)}: ${shorten(inlineValue(declaration.written), 60)}`,
      ),
    ),
  ];
}

/** Describes the place of a declaration, such as `shared/clinic.yaml:6:3 (a base, extended by agents/elm.yaml)`. */
function declaredAt({ at, environment, file }: FieldSource['declarations'][number], files: readonly string[]): string {
  const through =
    files.indexOf(file) > 0 ? [`a base, extended by ${files.slice(0, files.indexOf(file)).join(', ')}`] : [];
  const overlay = environment === undefined ? [] : [`overlay of ${environment}`];
  const notes = [...through, ...overlay];
  return `${spanText(at)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function comparedText({ readable, desired, lastApplied, equal, rules }: FieldExplanation): string {
  const other = readable ? 'live' : 'last applied';
  if (!readable && lastApplied === undefined) return 'with nothing: neither the service nor the record has a value';
  if (desired === undefined) return `with ${other}`;
  if (rules.length === 0) return `with ${other}: ${equal ? 'identical' : 'different'}`;
  const which = `${rules.length === 1 ? 'the rule' : 'the rules'} ${rules.join(', ')}`;
  return `with ${other}: ${equal ? 'equal under' : 'different even under'} ${which}`;
}

function plannedChangeText(
  { op, path, cause, knowledge }: NonNullable<FieldExplanation['change']>,
  { resource }: Explanation,
): string {
  const certainty = knowledge === 'compared' ? '' : ', not compared';
  return `${op} ${visibleLine(path)}: ${causeText(cause, editedWords(isUnclearEdit(resource)))}${certainty}`;
}

function causeText(cause: NonNullable<FieldExplanation['change']>['cause'], edited: string): string {
  switch (cause) {
    case 'manifest':
      return 'from the manifest';
    case 'drift':
      return edited;
    case 'conflict':
      return `${edited} and in the manifest`;
    case 'adopt':
      return 'managed for the first time';
    case 'unverified':
      return `possibly ${edited}`;
  }
}

// The functions below explain in plain words why the plan changes a field or leaves it alone.

function reasonText(field: FieldExplanation, explanation: Explanation): string {
  const { action } = explanation.resource;
  if (action === 'blocked' || action === 'failed') {
    return `${addressOf(explanation.resource)} ${action === 'blocked' ? 'is blocked' : 'could not be read'}, so the plan has no changes for its fields.`;
  }
  if (!field.managed) return unmanagedText(field);
  if (field.lastIsForeign && (field.change !== undefined || !field.readable)) return foreignText(field, explanation);
  if (field.change === undefined) return restingText(field, explanation);
  return field.readable ? comparedReason(field, explanation) : darkText(field, explanation);
}

function unmanagedText({ source }: FieldExplanation): string {
  if (source === undefined) {
    return 'Not managed: no manifest, base or overlay declares this field, so agentform does not compare or send it.';
  }
  return 'Declared, but not part of the plan: this field is sent only when the resource is created.';
}

function foreignText(field: FieldExplanation, { environment, resource }: Explanation): string {
  const why = "The record's fingerprint belongs to a different token, so a change to the value cannot be detected.";
  if (field.change === undefined) return `${why} The manifest is assumed to be applied.`;
  if (field.change.cause !== 'conflict') return `${why} ${outcomeText(field)}`;
  const refusal = `${settlingSentence(conflictNotice(environment, resource, [field.change]))}.`;
  return `${why} The agent was edited on the service, too. ${refusal}`;
}

function restingText(field: FieldExplanation, { touched, resource }: Explanation): string {
  if (field.kept !== undefined) return `${sentenceOf(field.kept)}.`;
  if (field.desired === undefined) {
    return 'Neither the manifest nor the service has a value. The next apply removes the field from the record.';
  }
  if (field.readable) return field.equal ? equalText(field) : 'An apply does not change this field.';
  if (touched === undefined) return 'This field cannot be read back, so its last applied value is assumed unchanged.';
  if (!touched) {
    return 'This field cannot be read back. The agent was not edited since the last apply, so the value is assumed unchanged.';
  }
  return `This field cannot be read back. ${doubtText(resource)} The environment sets \`unverified: report\`, so an apply does not send the field.`;
}

function equalText({ rules, live }: FieldExplanation): string {
  if (rules.includes('default'))
    return 'The service has no value, which counts as equal to the value in the manifest: nothing to do.';
  if (rules.includes('read-back')) {
    return 'The service returns the value in its own form, as it did after the last apply: nothing to do.';
  }
  if (live === undefined) return 'Neither the service nor the manifest has a value: nothing to do.';
  return 'The live value equals the value in the manifest: nothing to do.';
}

function comparedReason(field: FieldExplanation, { environment, resource }: Explanation): string {
  const { change, lastApplied } = field;
  if (plannedAction(resource) === 'create') return 'The agent does not exist yet. An apply creates it with this value.';
  const isUnset = change?.op !== 'set';
  const outcome = outcomeText(field);
  switch (change?.cause) {
    case 'drift':
      return isUnset
        ? `This field was added on the service. Neither the last apply nor a manifest contains it. ${outcome}`
        : `${changedText(resource)} The manifest still has the last applied value. ${outcome}`;
    case 'conflict':
      return `The manifest and the service both changed since the last apply, ${change.mergeable ? 'in different lines' : 'to different values'}. ${settlingSentence(conflictNotice(environment, resource, [change]))}.`;
    case 'adopt':
      return `The service had this value before agentform managed the field. The record has no applied value. ${outcome}`;
    default:
      if (field.lastIsAnother) {
        return `In the last apply, the service stored a value other than the one sent. ${outcome}`;
      }
      if (isUnset)
        return `The manifest no longer declares this field, but the service still has the applied value. ${outcome}`;
      if (lastApplied !== undefined) {
        return `The manifest changed since the last apply. The service still has the applied value. ${outcome}`;
      }
      return `The manifest declares this field, but neither the service nor the record has a value. ${outcome}`;
  }
}

function darkText(field: FieldExplanation, { resource }: Explanation): string {
  const { change, lastApplied } = field;
  const outcome = outcomeText(field);
  if (plannedAction(resource) === 'create')
    return 'The resource does not exist yet. An apply creates it with this value.';
  if (change?.cause === 'unverified') {
    return `This field cannot be read back. ${doubtText(resource)} An apply sends the field again.`;
  }
  if (change?.op !== 'set') return `The manifest no longer declares this field, which cannot be read back. ${outcome}`;
  return lastApplied === undefined
    ? `This field cannot be read back, and the record has no value, so any live value is overwritten. ${outcome}`
    : `This field cannot be read back, and the manifest changed since the last apply. ${outcome}`;
}

/** Why a field that cannot be read back may differ. */
function doubtText(resource: Explanation['resource']): string {
  if (isUnclearEdit(resource)) return `It may have changed. ${failedApplySentence([resource])}`;
  return 'It may have been edited, because the agent was edited on the service since the last apply.';
}

function changedText(resource: Explanation['resource']): string {
  if (isUnclearEdit(resource)) return `The live value is different. ${failedApplySentence([resource])}`;
  return 'This field was changed on the service.';
}

function outcomeText({ change, path }: FieldExplanation): string {
  const whole = change === undefined || change.path === path ? 'it' : `the whole ${change.path}`;
  if (change?.op === 'set') return `An apply sets ${whole} to the value in the manifest.`;
  if (change?.op === 'unset') return `An apply removes ${whole}.`;
  return 'An apply stops managing it and sends nothing. The service keeps the current value.';
}
