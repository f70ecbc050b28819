import { type Json, type JsonObject, withoutUndefined } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { type FieldPath, fieldAt, fieldPathOf, formatPath, isElement, parsePath } from '../../kinds/field-path.ts';
import { comparedAs, schemaAt } from '../../kinds/kind.ts';
import { PathMap } from '../../kinds/path-map.ts';
import { holdsEdits, mergeTexts, type Overlap } from '../../kinds/text-merge.ts';
import type { ProjectFiles } from '../../manifest/project/project-files.ts';
import { type Notice, notice, type Remedy } from '../../notices/notice.ts';
import type { FieldChange } from '../../plan/fields/field-changes.ts';
import type { FieldState } from '../../plan/fields/field-state.ts';
import { type ResourceState, shownPath } from '../../plan/fields/resource-state.ts';
import { isLiveEdit } from '../../plan/pending.ts';
import { assemblePlan } from '../../plan/plan.ts';
import type { CopyObstacle } from '../../schemas/notices-types.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { type FileEdit, invalidEdits } from './edited-texts.ts';
import { type FieldEdit, type FieldEditor, notAlone, type SharedValue } from './field-editor.ts';

/** A field that gets the live value, with the necessary edits. */
export interface UpdatedField {
  readonly change: Change;
  /** The field or list element, or the whole list if the manifest no longer declares the list. */
  readonly path: FieldPath;
  readonly edits: readonly FileEdit[];
  /** The value that declares the field as not set. */
  readonly nothing?: Json;
  /** The merged text, if both sides edited it. */
  readonly merged?: string;
  /** Variables that the value no longer uses. */
  readonly lost?: readonly string[];
  /** Set if the value was overridden instead of edited in its shared file. */
  readonly shared?: SharedValue;
}

export interface RefusedField {
  /** The path of the field. The path is empty if the whole resource was refused. */
  readonly path: string;
  readonly reason: Notice;
  /** The lines of a text that both sides changed. */
  readonly overlaps?: readonly Overlap[];
}

export function refusedField(path: string, obstacle: CopyObstacle, remedies: readonly Remedy[] = []): RefusedField {
  return { path, reason: notice('not-copied', { obstacle }, remedies) };
}

/** The side that wins if both the dashboard and the files changed a value. */
export type Favoured = 'ours' | 'theirs';

export interface FieldUpdatesInput {
  readonly state: ResourceState;
  readonly editor: FieldEditor;
  readonly files: ProjectFiles;
  /** The side that wins a conflict, or undefined if the user has not decided. */
  readonly favoured: Favoured | undefined;
  /** Whether to copy the live value without merging the manifest's edits. */
  readonly isWhole?: boolean | undefined;
  /**
   * Finds the place to edit a field by hand. In a text, the place is where the live text differs. Returns undefined if
   * no file declares the field.
   */
  readonly placeOf: (path: FieldPath, live: Json | undefined) => Pick<CopyObstacle, 'file' | 'line'> | undefined;
  /** The command that decides a conflict. */
  readonly deciding: (path: string, favoured: Favoured) => Remedy;
}

export interface FieldUpdates {
  readonly updated: readonly UpdatedField[];
  readonly refused: readonly RefusedField[];
  /** Paths of conflicts in which the manifest's value is kept. */
  readonly kept: readonly string[];
}

/** Finds the edits that copy live values into the manifests. */
export function updateFields(changes: readonly FieldChange[], input: FieldUpdatesInput): FieldUpdates {
  const { state } = input;
  const updated: UpdatedField[] = [];
  const refused: RefusedField[] = [];
  const kept: string[] = [];
  const lists = new PathMap<{ readonly list: FieldPath; readonly changes: FieldChange[] }>();
  const named = new Map<readonly FileEdit[], string>();
  for (const fieldChange of changes) {
    const { path, change } = fieldChange;
    const list = fieldPathOf(state.kind, path);
    const { merged, refusal, isKept } = outcomeOf(fieldChange, input);
    if (refusal !== undefined) refused.push(refusal);
    else if (isKept) kept.push(change.path);
    else if (isOfList(state, path)) lists.getOrAdd(list, () => ({ list, changes: [] })).changes.push(fieldChange);
    else {
      const field = updatedField(fieldChange, merged, input);
      if ('reason' in field) refused.push(field);
      else {
        named.set(field.edits, change.path);
        updated.push(field);
      }
    }
  }
  for (const { list, changes: ofList } of lists.values()) {
    const edit = listEdit(list, ofList, input);
    if (edit.edits === undefined) refused.push(refusedField(formatPath(state.kind, list), edit.refusal, edit.remedies));
    else {
      const isWhole = !state.declaredLists.has(list);
      const { edits } = edit;
      named.set(edits, formatPath(state.kind, list));
      for (const { path, change } of ofList) updated.push({ change, path: isWhole ? list : path, edits });
    }
  }
  const wrong = invalidEdits(input.files, [...named.keys()]);
  for (const edits of wrong) refused.push(refusedField(named.get(edits) ?? '', notAlone(edits[0])));
  return { updated: updated.filter(({ edits }) => !wrong.has(edits)), refused, kept };
}

function updatedField(
  { path, change }: FieldChange,
  merged: string | undefined,
  { state, editor }: FieldUpdatesInput,
): UpdatedField | RefusedField {
  const [field] = state.byPath.within(path);
  const live = merged ?? field?.liveAsSent?.value;
  const nothing = live === undefined ? nothingAt(state, path, field) : undefined;
  const value = live === undefined ? nothing : live;
  const edit =
    value === undefined ? editor.removeValue(path) : editor.setValue({ path, now: field?.wanted?.value, live: value });
  if (edit.edits === undefined) return refusedField(change.path, edit.refusal, edit.remedies);
  return {
    change,
    path,
    edits: edit.edits,
    ...withoutUndefined({ nothing, merged, lost: edit.lost, shared: edit.shared }),
  };
}

/**
 * Returns why a value must not be written: it cannot be read, it is or may be sensitive, or it contains a credential.
 * If the manifest or the last applied value contains a secret, the live text may contain this secret or an older
 * secret.
 */
function obstacleTo(path: FieldPath, { state, placeOf }: FieldUpdatesInput): CopyObstacle | undefined {
  if (!state.isReadable(path)) return { why: 'not-shown' };
  const parts = state.byPath.within(path);
  const secret = parts.find(({ sensitive }) => sensitive);
  const isMasked = (field: FieldState) =>
    field.live?.maskedAs !== undefined || shownPath(state, field.path) !== field.text;
  if (secret === undefined && parts.some(isMasked)) return { why: 'credential' };
  if (parts.length > 0 && secret === undefined) return undefined;
  return { why: 'secret', ...placeOf(secret?.path ?? path, secret?.live?.value) };
}

interface Outcome {
  readonly merged?: string;
  readonly refusal?: RefusedField;
  /** Whether the manifest's value is kept. */
  readonly isKept?: boolean;
}

/** Decides whether a field is copied, merged, kept or refused. */
function outcomeOf(fieldChange: FieldChange, input: FieldUpdatesInput): Outcome {
  const { path, change } = fieldChange;
  const obstacle = obstacleTo(path, input);
  if (obstacle !== undefined) return { refusal: refusedField(change.path, obstacle) };
  const outcome = conflictOutcome(fieldChange, input);
  if (outcome.refusal !== undefined || outcome.isKept || !isRemovedElement(input.state, path)) return outcome;
  const shared = input.editor.removalRefusal(path);
  return shared === undefined ? outcome : { refusal: refusedField(change.path, shared.refusal, shared.remedies) };
}

/**
 * Decides a field that both sides changed. Edits to different lines of a text are merged. Other conflicts need a
 * decision.
 */
function conflictOutcome({ path, change }: FieldChange, input: FieldUpdatesInput): Outcome {
  const { state, favoured } = input;
  if (change.cause !== 'conflict' || input.isWhole) return {};
  const sides = state.byPath.get(path)?.movedTexts;
  if (sides === undefined) {
    if (favoured === undefined) return { refusal: undecided(change.path, input) };
    return { isKept: favoured === 'ours' };
  }
  const { text, overlaps, isOurs } = mergeTexts(sides, favoured);
  if (favoured === 'ours') return isOurs ? { isKept: true } : { merged: text };
  // If the next plan did not recognise the written text as merged, it would report the conflict again.
  const isMerged = holdsEdits({ ...sides, ours: text });
  if (favoured === 'theirs') return isMerged ? { merged: text } : {};
  return overlaps.length === 0 && isMerged ? { merged: text } : { refusal: undecided(change.path, input, overlaps) };
}

function undecided(path: string, { deciding }: FieldUpdatesInput, overlaps: readonly Overlap[] = []): RefusedField {
  const lines = overlaps.map(({ line }) => line);
  const obstacle = { why: 'both-changed', ...(lines.length > 0 && { lines }) } as const;
  const field = refusedField(path, obstacle, [deciding(path, 'theirs'), deciding(path, 'ours')]);
  return { ...field, ...(overlaps.length > 0 && { overlaps }) };
}

/**
 * Whether a change affects list elements: an element that only one side has, or a list that the manifest no longer
 * declares.
 */
function isOfList(state: ResourceState, path: FieldPath): boolean {
  const list = fieldPathOf(state.kind, path);
  return isElement(state.kind, path) || (fieldAt(state.kind, path)?.shape === 'map' && !state.declaredLists.has(list));
}

/** Whether a path is an element that only the manifest has. */
function isRemovedElement({ kind, declaredLists, liveElements }: ResourceState, path: FieldPath): boolean {
  return isElement(kind, path) && declaredLists.has(fieldPathOf(kind, path)) && !liveElements.has(path);
}

function listEdit(list: FieldPath, changes: readonly FieldChange[], { state, editor }: FieldUpdatesInput): FieldEdit {
  const { declaredLists, liveElements } = state;
  const isDeclared = declaredLists.has(list);
  const paths = isDeclared ? changes.map(({ path }) => path) : liveElements.within(list);
  const removed = paths.filter((path) => !liveElements.has(path)).map((path) => path.at(-1) ?? '');
  const added = paths.filter((path) => liveElements.has(path)).map((path) => liveElement(state, path));
  return editor.changeElements(list, removed, added);
}

function liveElement(state: ResourceState, path: FieldPath): JsonObject {
  const { mapKey = '', members = [] } = fieldAt(state.kind, path) ?? {};
  const values = new Map(
    state.byPath
      .within(path)
      .flatMap(({ path: at, liveAsSent }): [string, Json][] =>
        liveAsSent?.value === undefined || at.length === path.length ? [] : [[at.at(-1) ?? '', liveAsSent.value]],
      ),
  );
  const named = members.flatMap(({ name }): [string, Json][] => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries([[mapKey, path.at(-1) ?? ''], ...named]);
}

/**
 * Returns the value that declares "not set" in a manifest. This is null if null is valid, otherwise the default if
 * there is one, and otherwise an empty list or text. Returns undefined for a text in a required form, because an empty
 * text does not have this form.
 */
function nothingAt({ kind }: ResourceState, path: FieldPath, field: FieldState | undefined): Json | undefined {
  const { types, default: fallback, textForm } = schemaAt(kind, path) ?? comparedAs(kind, path) ?? { types: ['null'] };
  if (types.includes('null')) return null;
  if (fallback !== undefined) return fallback as Json;
  if (types.includes('array') || Array.isArray(field?.wanted?.value)) return [];
  return textForm === undefined ? '' : undefined;
}

/** Adds to each live edit and hold in a plan the reasons why `update` would skip fields. */
export function withRefusals(
  plan: Plan,
  refusals: ReadonlyMap<string, Pick<FieldUpdates, 'refused' | 'updated'>>,
): Plan {
  const marked = (resource: ResourcePlan): ResourcePlan => {
    const found = refusals.get(addressOf(resource));
    if (found === undefined) return resource;
    const whole = found.refused.find(({ path }) => path === '')?.reason;
    const byPath = new PathMap(found.refused.map(({ path, reason }) => [parsePath(path), reason]));
    const withRefusal = (change: Change): Change => {
      // A list can be refused as a whole.
      const reason = isLiveEdit(change) ? (whole ?? byPath.along(parsePath(change.path))[0]) : undefined;
      return reason === undefined ? change : { ...change, updateRefusal: reason };
    };
    return {
      ...resource,
      changes: resource.changes.map(withRefusal),
      reasons: resource.reasons.map((reason) => heldWithRefusals(reason, found)),
    };
  };
  return assemblePlan({ ...plan, resources: plan.resources.map(marked) });
}

/** Adds refusals to the notice about a hold. Removes the command `update` if it would copy nothing. */
function heldWithRefusals(reason: Notice, { refused, updated }: Pick<FieldUpdates, 'refused' | 'updated'>): Notice {
  if (reason.code !== 'held' || reason.facts.fields === undefined) return reason;
  const refusals = refused.flatMap(({ path, reason: { code, facts } }) =>
    code === 'not-copied' ? [{ path, reason: facts.obstacle }] : [],
  );
  const remedies = reason.remedies.filter(([command]) => updated.length > 0 || command !== 'update');
  return { ...reason, facts: { ...reason.facts, refusals }, remedies };
}
