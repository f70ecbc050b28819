import { AgentformError, type ExitCode, exitCodes } from '../../errors.ts';
import { type ReplacedFile, replaceFiles } from '../../files/swap.ts';
import { attended } from '../../interruption.ts';
import { type Json, withoutUndefined } from '../../json/json.ts';
import { addressOf, byAddress } from '../../kinds/desired.ts';
import {
  type FieldPath,
  fieldPathOf,
  formatPath,
  isWithin,
  parsePath,
  settingPath,
  typedPath,
} from '../../kinds/field-path.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { type Remedy, remedyIn } from '../../notices/notice.ts';
import { type FieldChange, fieldChanges } from '../../plan/fields/field-changes.ts';
import { type ResourceState, recordedState, resourceState } from '../../plan/fields/resource-state.ts';
import type { Observation } from '../../plan/observation.ts';
import { areSameChanges, isLiveEdit } from '../../plan/pending.ts';
import { remedyText } from '../../report/notices.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Host } from '../../session/host.ts';
import { type PreparedRun, prepare } from '../../session/prepare.ts';
import { isUnmanaged, nothingNamed, unknownField } from '../../session/selection.ts';
import { type SessionOptions, withSession } from '../../session/session.ts';
import { joinWithAnd, joinWithOr } from '../../text/wording.ts';
import { namesAround } from '../../yaml/tree.ts';
import { checkEdit, InvalidEdit, type ManifestUpdates, type Prepared, tryEdit, type UpdatedValue } from './check.ts';
import { type EditedTexts, editedTexts } from './edited-texts.ts';
import {
  type Favoured,
  type FieldUpdates,
  type FieldUpdatesInput,
  type RefusedField,
  refusedField,
  type UpdatedField,
  updateFields,
  withRefusals,
} from './fields.ts';
import {
  type EditedFiles,
  fieldEditorOf,
  refuseOverridesOfTemplate,
  type TemplateQuestion,
  usersOf,
} from './overrides.ts';

export type { ManifestUpdates } from './check.ts';
export { type Overrides, overridesFor, type ShownAgent } from './overrides.ts';
export { alsoSentences, unusedSentences, updateNotes } from './wording.ts';

export interface UpdateOptions extends SessionOptions {
  /** Paths to update, as in a plan. If empty, updates all settings that changed on the service. */
  readonly fields: readonly string[];
  /**
   * The side that wins a conflict. Defaults to the live value for named fields. For other fields, conflicts are skipped
   * by default.
   */
  readonly favoured?: Favoured | undefined;
  /** Whether to copy the live values of named fields without merging. */
  readonly isWhole?: boolean | undefined;
  /** A shared file that may be edited, relative to the project folder. */
  readonly to?: string | undefined;
  /**
   * Whether to give each rolled-back resource an override, even if several resources need the same edit to a shared
   * file.
   */
  readonly own?: boolean | undefined;
  /**
   * The changes that the answered questions showed, keyed by address. Throws `plan-mismatch` if the named fields now
   * have other changes.
   */
  readonly answered?: ReadonlyMap<string, readonly Change[]> | undefined;
  /** Whether to report the edits without writing them. */
  readonly dryRun: boolean;
  /** Asks before writing if values of other resources would change too. */
  readonly confirm: (prepared: ManifestUpdates) => Promise<boolean>;
}

/**
 * Copies live values back into the manifests, each value in the place that declares it, or as an override. Does not
 * change records.
 */
export async function update(host: Host, options: UpdateOptions): Promise<ManifestUpdates> {
  if (options.names.length === 0 && options.selector === undefined) throw nothingNamed('update', options.environment);
  return withSession(host, options, async (session) => {
    const run = await prepare(session, { ...options, ignores: 'kept' }, host);
    refuseOtherChanges(run, options);
    const asked = { environment: session.environment, names: options.names, selector: options.selector };
    const template = options.own || options.to !== undefined ? {} : { template: asked };
    const { result, files } = await manifestUpdates({ session, run, host }, { ...options, ...template });
    if (options.dryRun || files.length === 0) return result;
    if (result.alsoChanged.length > 0 && !(await options.confirm(result))) {
      throw new AgentformError('declined', 'nothing was written: the changes were not confirmed');
    }
    await attended(options.signal, () => replaceFiles(session.project.root, files));
    return result;
  });
}

/**
 * Throws `plan-mismatch` if the changes to a resource's named fields differ from those that the answered questions
 * showed.
 */
function refuseOtherChanges(run: PreparedRun, { answered = new Map(), fields }: UpdateOptions): void {
  for (const [address, asked] of answered) {
    const { observation, changes = [] } = run.prepared.get(address) ?? {};
    const paths = observation && fields.map((text) => settingPath(observation.desired.kind, typedPath(text) ?? []));
    const named = changes.filter((one) => paths?.some((path) => touches(one, path)));
    const now = named.map(({ change }) => change);
    if (areSameChanges(now, asked)) continue;
    throw new AgentformError('plan-mismatch', `${address} was edited after the answered plan was made; plan again`);
  }
}

/** Computes and checks an update, but does not write it. */
export async function manifestUpdates(
  prepared: Prepared,
  options: ChoosingOptions,
): Promise<{ readonly result: ManifestUpdates; readonly files: readonly ReplacedFile[] }> {
  const { session } = prepared;
  const found = await updatesOf(prepared, options);
  if (options.template !== undefined) {
    const restored = found.filter(({ resource }) => isRolledBack(resource));
    refuseOverridesOfTemplate(restored, options.template);
  }
  const check = (some: readonly ResourceUpdates[]) => checkedEdits(prepared, some);
  const { updates, edited, alsoChanged, unused } = await validEdits(prepared, options, found, check);
  const result: ManifestUpdates = {
    environment: session.environment,
    resources: updates.flatMap(({ resource: { kind, name, action }, updated, refused, left, kept }) => {
      if (updated.length + refused.length + left.length + kept.length === 0) return [];
      return [{ kind, name, action, updated: updated.map(updatedValue), refused, left, kept }];
    }),
    alsoChanged,
    files: [...edited.texts.keys()].sort(),
    ...(unused.length > 0 && { unused }),
  };
  const before = (path: string) => session.project.files.source(path)?.text;
  return { result, files: [...edited.texts].map(([path, after]) => ({ path, before: before(path), after })) };
}

/**
 * Combines all edits except those that would make a manifest invalid. Leaving out an edit can change the other edits to
 * the same file, so all edits are made again.
 */
async function validEdits<Made>(
  prepared: Prepared,
  options: ChoosingOptions,
  found: readonly ResourceUpdates[],
  check: (updates: readonly ResourceUpdates[]) => Promise<Made>,
) {
  const invalid = new Map<string, string>();
  const noting = async (updates: readonly ResourceUpdates[]) => {
    try {
      return await check(updates);
    } catch (error) {
      const fields = error instanceof InvalidEdit ? await invalidFields(error, updates) : [];
      for (const [field, reason] of fields) invalid.set(field, reason);
      throw error;
    }
  };
  for (let updates = found; ; updates = await updatesOf(prepared, { ...options, invalid })) {
    const known = invalid.size;
    try {
      const made = options.onlyPossible
        ? await acceptedEdits(updates, noting)
        : { updates, ...(await noting(updates)) };
      if (invalid.size === known) return made;
    } catch (error) {
      if (invalid.size === known) throw error;
    }
  }
}

/**
 * Finds the fields whose edits are to blame, with the reasons. If an error is not in one of the edited settings, all
 * edits to its file are to blame.
 */
async function invalidFields({ faults, project }: InvalidEdit, updates: readonly ResourceUpdates[]) {
  const found: [field: string, reason: string][] = [];
  for (const fault of faults) {
    const { reason } = fault;
    if ('path' in fault) found.push([fieldKey(fault.address, fault.path), reason]);
    const at = 'at' in fault ? fault.at : undefined;
    if (at === undefined) continue;
    const inFile = updates.flatMap(({ address, kind, updated }) =>
      updated
        .filter(({ edits }) => edits.some(({ file }) => file === at.file))
        .map(({ change, path }) => ({ field: fieldKey(address, change.path), name: fieldPathOf(kind, path).at(-1) })),
    );
    const { resource } = inFile.length === 0 ? {} : await project.parsed.load(at.file);
    const names: readonly (string | undefined)[] = resource === undefined ? [] : namesAround(resource.root, at.offset);
    const named = inFile.filter(({ name }) => names.includes(name));
    for (const { field } of named.length > 0 ? named : inFile) found.push([field, reason]);
  }
  return found;
}

function fieldKey(address: string, path: string): string {
  return JSON.stringify([address, path]);
}

/** Combines all edits. Throws `edit-refused` if the edits clash or would have side effects. */
async function checkedEdits(prepared: Prepared, updates: readonly ResourceUpdates[]) {
  const { updated, edited } = editsOf(prepared, updates);
  const none = { alsoChanged: [], unused: [] };
  return { edited, ...(updated.size === 0 ? none : await checkEdit({ ...prepared, updated, edited })) };
}

function editsOf({ session }: Prepared, updates: readonly ResourceUpdates[]) {
  const updated = new Map(updates.filter((one) => one.updated.length > 0).map((one) => [one.address, one.updated]));
  const edits = [...updated.values()].flat().flatMap((one) => one.edits);
  const edited = editedTexts(session.project.files, edits);
  refuseClashes(edited.clashes, updated, session.environment);
  return { updated, edited };
}

async function acceptedEdits<Made>(
  all: readonly ResourceUpdates[],
  checked: (updates: readonly ResourceUpdates[]) => Promise<Made>,
) {
  let accepted = all.filter(({ updated }) => updated.length === 0);
  let made = await checked(accepted);
  const refused: ResourceUpdates[] = [];
  const open = [all.filter(({ updated }) => updated.length > 0)];
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    try {
      made = await checked([...accepted, ...group]);
      accepted = [...accepted, ...group];
    } catch (error) {
      if (!(error instanceof AgentformError) || error.code !== 'edit-refused') throw error;
      const half = Math.ceil(group.length / 2);
      if (others.length > 0) open.push(group.slice(half), group.slice(0, half));
      else refused.push(refusedWhole(first, error));
    }
  }
  const order = new Map(all.map(({ address }, index) => [address, index]));
  const updates = [...accepted, ...refused].sort(
    (one, other) => (order.get(one.address) ?? 0) - (order.get(other.address) ?? 0),
  );
  return { updates, ...made };
}

function refusedWhole(one: ResourceUpdates, { message, facts }: AgentformError): ResourceUpdates {
  const problem = typeof facts.reason === 'string' ? facts.reason : message;
  const own = one.updated.map(({ change: { path } }) => refusedField(path, { why: 'edit-refused', problem }));
  return { ...one, updated: [], refused: [...one.refused, ...own] };
}

interface ResourceUpdates extends FieldUpdates {
  readonly address: string;
  readonly kind: KindName;
  readonly resource: ResourcePlan;
  readonly left: readonly string[];
}

/**
 * In the plan, marks the live edits and rolled-back values that `update` would skip. The output then does not suggest
 * updating these values. Decides conflicts in favour of the service, and checks edits in this environment only. Writes
 * nothing.
 */
export async function withUpdateRefusals(prepared: Prepared): Promise<PreparedRun> {
  const { run } = prepared;
  const updatable = run.plan.resources.filter((one) => {
    return (one.action === 'update' && one.changes.some(isLiveEdit)) || isRolledBack(one);
  });
  const tried = new Set(updatable.map(addressOf));
  if (tried.size === 0) return run;
  const isTried = (address: string) => tried.has(address);
  const options = { fields: [], favoured: 'theirs', onlyPossible: true, isTried } as const;
  const found = await updatesOf(prepared, options);
  const { updates } = await validEdits(prepared, options, found, (some) => triedEdits(prepared, some));
  const refused = updates.filter((one) => one.refused.length > 0).map((one) => [one.address, one] as const);
  return refused.length === 0 ? run : { ...run, plan: withRefusals(run.plan, new Map(refused)) };
}

/** Checks edits in this environment only. Effects on other environments are checked before writing. */
async function triedEdits(prepared: Prepared, updates: readonly ResourceUpdates[]) {
  const made = editsOf(prepared, updates);
  if (made.updated.size > 0) await tryEdit({ ...prepared, ...made });
  return made;
}

type ChoosingOptions = Pick<UpdateOptions, 'fields' | 'favoured' | 'isWhole' | 'to'> & {
  /** Limits the update to some resources. */
  readonly isTried?: (address: string) => boolean;
  /**
   * The user's selection, for the suggested commands. If set, overrides with the same rolled-back value are refused.
   */
  readonly template?: TemplateQuestion;
  /**
   * Whether to skip what cannot be updated: settings without a recorded value, and resources that are blocked or whose
   * edits are impossible. If false, a resource with impossible edits prevents all edits, except when the edits are
   * impossible only because its manifest would become invalid.
   */
  readonly onlyPossible?: boolean;
  /** Fields that cannot be updated, because a manifest would be invalid, with reasons. */
  readonly invalid?: ReadonlyMap<string, string>;
};

async function updatesOf(prepared: Prepared, options: ChoosingOptions): Promise<ResourceUpdates[]> {
  const { run } = prepared;
  const updates: ResourceUpdates[] = [];
  const states = new Map<string, ResourceState>();
  const rolledBack = new Set(run.plan.resources.filter(isRolledBack).map(addressOf));
  const { isTried = () => true } = options;
  for (const [address, { observation }] of run.prepared) {
    if (!isTried(address)) continue;
    const stateOf = rolledBack.has(address) ? recordedState : resourceState;
    states.set(address, stateOf(observation, run.planning.secrecy));
  }
  requireKnown(run, states, options.fields);
  const users = await usersOf(prepared.session, prepared.host.env);
  const manifests = byAddress(prepared.session.resolution.all);
  if (options.to !== undefined && !users.has(options.to)) {
    throw new AgentformError(
      'usage',
      `no manifest uses the file ${options.to}; give --to a path relative to the project folder`,
    );
  }
  for (const resource of run.plan.resources) {
    const address = addressOf(resource);
    const known = run.prepared.get(address);
    const state = states.get(address);
    if (known === undefined || state === undefined) continue;
    const changes = isRolledBack(resource) ? restoredChanges(resource, state, run) : known.changes;
    const subject = { ...prepared, users, manifests, resource, state, ...known, changes };
    updates.push({ address, kind: state.kind, resource, ...updatesOfResource(subject, options) });
  }
  return updates;
}

/**
 * Whether the manifest still declares the values that a rollback replaced. If so, the record contains the values to
 * copy, including write-only values.
 */
function isRolledBack({ held, reasons }: ResourcePlan): boolean {
  return held?.fields !== undefined && reasons.some(({ code }) => code === 'held');
}

/** Returns the changes to rolled-back fields. Excludes other manifest changes. */
function restoredChanges({ held }: ResourcePlan, state: ResourceState, { planning }: PreparedRun): FieldChange[] {
  const paths = (held?.fields ?? []).map(parsePath);
  const { changes } = fieldChanges(state, { ...planning, touched: false });
  return changes.filter((one) => paths.some((path) => touches(one, path)));
}

function requireKnown(run: PreparedRun, states: ReadonlyMap<string, ResourceState>, fields: readonly string[]): void {
  for (const text of fields) {
    const typed = typedPath(text);
    const isKnown = ([address, { kind, fields: known }]: readonly [string, ResourceState]) => {
      if (typed === undefined) return false;
      const path = settingPath(kind, typed);
      return (
        known.some((field) => isWithin(field.path, path)) ||
        isUnmanaged(kind, path, known) ||
        run.prepared.get(address)?.changes.some((change) => touches(change, path))
      );
    };
    if ([...states].some(isKnown)) continue;
    const [first] = run.prepared.values();
    const known = [...states.values()].flatMap((state) => state.fields);
    if (first !== undefined) throw unknownField(first.observation.desired, text, known);
  }
}

/** Whether a change and a named path overlap: one of them contains the other. */
function touches({ path }: FieldChange, named: FieldPath): boolean {
  return isWithin(path, named) || isWithin(named, path);
}

interface ChangedResource extends Prepared {
  readonly users: EditedFiles['users'];
  readonly manifests: EditedFiles['manifests'];
  readonly resource: ResourcePlan;
  readonly state: ResourceState;
  readonly observation: Observation;
  readonly changes: readonly FieldChange[];
}

function updatesOfResource(
  subject: ChangedResource,
  options: ChoosingOptions,
): FieldUpdates & { readonly left: readonly string[] } {
  const { changes, state } = subject;
  const obstacles = obstaclesTo(subject);
  if (obstacles.length > 0) {
    return { updated: [], refused: options.onlyPossible ? [] : obstacles, left: [], kept: [] };
  }
  const paths = options.fields.map((text) => settingPath(state.kind, typedPath(text) ?? []));
  // A write-only field is reported only if the user named exactly that field. A named section or list includes only
  // fields that can be updated.
  const shown = changes.filter(({ change }) => change.knowledge === 'compared');
  const isNamed = (one: FieldChange) => paths.some((path) => touches(one, path));
  const isKept = ({ change: { cause } }: FieldChange) =>
    (cause === 'manifest' && !isRolledBack(subject.resource)) || (options.onlyPossible === true && cause === 'adopt');
  const chosen = shown.filter((one) => (paths.length > 0 ? isNamed(one) : !isKept(one)));
  const left = paths.length > 0 || options.onlyPossible ? [] : shown.filter(isKept);
  const reasonOf = ({ change }: FieldChange) =>
    options.invalid?.get(fieldKey(addressOf(subject.resource), change.path));
  const invalid = chosen.flatMap((one) => {
    const problem = reasonOf(one);
    return problem === undefined ? [] : [refusedField(one.change.path, { why: 'edit-refused', problem })];
  });
  const valid = chosen.filter((one) => reasonOf(one) === undefined);
  const found = updateFields(valid, updatesInput(subject, options));
  const unmatched = paths.filter((path) => !chosen.some((one) => touches(one, path)));
  const refused = [...found.refused, ...invalid, ...unmatched.flatMap((path) => refusalOf(state, path))];
  return { ...found, refused, left: left.map(({ change }) => change.path) };
}

/** Returns why there is nothing to update at a path. Returns an empty list if both sides of the field are equal. */
function refusalOf(state: ResourceState, path: FieldPath): RefusedField[] {
  const text = formatPath(state.kind, path);
  const fields = state.fields.filter((field) => isWithin(field.path, path));
  if (fields.length === 0) return [refusedField(text, { why: 'undeclared' })];
  const isNamed = fields.some((field) => field.path.length === path.length && !field.isMarker && !field.readable);
  return isNamed ? [refusedField(text, { why: 'not-shown' })] : [];
}

function obstaclesTo({ resource, observation }: ChangedResource): RefusedField[] {
  if (isRolledBack(resource)) return [];
  const { kind } = observation.desired;
  if (kindNamed(kind).live === undefined) return [refusedField('', { why: 'kind-not-shown', kind })];
  const { action, reasons } = resource;
  if (action === 'blocked' || action === 'failed') return reasons.map((reason) => ({ path: '', reason }));
  return action === 'create' ? [refusedField('', { why: 'id-unknown' })] : [];
}

function updatesInput(
  { session, state, observation, users, manifests }: ChangedResource,
  { fields, favoured, isWhole, to }: ChoosingOptions,
): FieldUpdatesInput {
  const address = addressOf(observation.desired);
  const { project, resolution } = session;
  const editor = fieldEditorOf(observation.desired, { ...session, users, manifests }, { to, keepsReferences: false });
  const decided = favoured ?? (fields.length > 0 ? 'theirs' : undefined);
  const deciding = (path: string, side: Favoured) =>
    remedyIn(session.environment, 'update', address, '--field', path, `--${side}`);
  const placeOf = (path: FieldPath, live: Json | undefined) =>
    resolution.sourceAt(address, path, typeof live === 'string' ? live : undefined);
  const { files } = project;
  return { state, editor, files, favoured: decided, isWhole, placeOf, deciding };
}

/** Reverses a planned change: from the manifest's value to the live value. */
function updatedValue({ change: { path, from, to }, edits, nothing, merged, lost }: UpdatedField): UpdatedValue {
  const live = merged ?? from ?? nothing;
  return {
    path,
    ...withoutUndefined({ from: to, to: live }),
    ...(merged !== undefined && merged !== from && { merged: true }),
    ...(lost !== undefined && { lostVariables: lost }),
    places: edits.map(({ file, at }) => ({ file, ...(at && { at }) })),
  };
}

function refuseClashes(
  [clash]: EditedTexts['clashes'],
  updated: ReadonlyMap<string, readonly UpdatedField[]>,
  environment: string,
): void {
  if (clash === undefined) return;
  const all = [...updated].flatMap(([address, fields]) =>
    fields.map(({ change: { path }, edits }) => ({ address, path, edits })),
  );
  const fields = clash.flatMap((edit) => all.find(({ edits }) => edits.includes(edit)) ?? []);
  const names = joinWithAnd(fields.map(({ address, path }) => `${path} of ${address}`));
  const { file, at } = clash[0];
  const remedies = fields.map(
    ({ address, path }): Remedy => ['update', address, '-e', environment, '--field', path, '--to', file],
  );
  const placeText = at === undefined ? file : `${file}:${at.line}`;
  throw new AgentformError(
    'edit-refused',
    `nothing was written: ${names} have different live values, but share a declaration in ${placeText}; ` +
      `to choose one of them, run ${joinWithOr(remedies.map(remedyText))}`,
    { remedies },
  );
}

/** Returns the exit code of an update. A failed read takes precedence over a skipped field. */
export function exitCodeOfUpdate({ resources }: ManifestUpdates): ExitCode {
  if (resources.some(({ action }) => action === 'failed')) return exitCodes.failed;
  return resources.some(({ refused }) => refused.length > 0) ? exitCodes.refused : exitCodes.done;
}
