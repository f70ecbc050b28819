import { AgentformError } from '../../errors.ts';
import { cached, canonicalJson, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { comparable } from '../../kinds/compare.ts';
import { addressOf, inOrganization } from '../../kinds/desired.ts';
import { type FieldPath, fieldPathOf, formatPath } from '../../kinds/field-path.ts';
import { leavesOf } from '../../kinds/leaves.ts';
import { PathMap, pathSet } from '../../kinds/path-map.ts';
import { editedProject, type Project } from '../../manifest/project/project.ts';
import { desiredOfAll, type Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Provenance } from '../../manifest/resolve/values/provenance.ts';
import { planResource } from '../../plan/resource-plan.ts';
import { problemSentence } from '../../report/problems/sentence.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Host } from '../../session/host.ts';
import type { PreparedRun } from '../../session/prepare.ts';
import { selector } from '../../session/selection.ts';
import type { Session } from '../../session/session.ts';
import { hasErrors, type Problem, type Span } from '../../yaml/problem.ts';
import type { EditedTexts } from './edited-texts.ts';
import type { RefusedField, UpdatedField } from './fields.ts';

/** The result of an update of the manifests, or of a dry run. */
export interface ManifestUpdates {
  readonly environment: string;
  /** The resources that were updated or have skipped fields, sorted by kind and name. */
  readonly resources: readonly UpdatedResource[];
  /** Other fields that change, because their value comes from an edited place. */
  readonly alsoChanged: readonly AlsoChanged[];
  /** The edited files, relative to the project folder. */
  readonly files: readonly string[];
  /** Files that no manifest uses after the update. */
  readonly unused?: readonly string[];
}

export interface UpdatedResource {
  readonly kind: string;
  readonly name: string;
  readonly action: ResourcePlan['action'];
  readonly updated: readonly UpdatedValue[];
  readonly refused: readonly RefusedField[];
  /** Fields that were skipped, because only the manifest changed. */
  readonly left: readonly string[];
  /** Conflicts in which the manifest's value was kept. */
  readonly kept: readonly string[];
}

/** A manifest value and the live value that replaces it. Never sensitive. */
export interface UpdatedValue {
  readonly path: string;
  readonly from?: Change['from'];
  readonly to?: Change['to'];
  /** Whether the manifest's own edits were merged into the value. */
  readonly merged?: true;
  /** Variables that the value no longer uses. */
  readonly lostVariables?: readonly string[];
  readonly places: ReadonlyArray<{ readonly file: string; readonly at?: Span }>;
}

export interface AlsoChanged {
  readonly address: string;
  readonly environment: string;
  readonly paths: readonly string[];
}

export interface Prepared {
  readonly session: Session;
  readonly run: PreparedRun;
  readonly host: Pick<Host, 'env' | 'allowedSecrets'>;
}

interface EditCheck extends Prepared {
  readonly updated: ReadonlyMap<string, readonly UpdatedField[]>;
  readonly edited: EditedTexts;
}

/**
 * Compares every field in every environment with and without the edits. Returns the changes to all fields except the
 * updated fields, and the files that no manifest uses any more. Each returned change must affect the same field of
 * another resource, or come from an edited place. Otherwise, this function throws. This function also throws if the
 * plan would still change an updated field.
 */
export async function checkEdit(check: EditCheck): Promise<Required<Pick<ManifestUpdates, 'alsoChanged' | 'unused'>>> {
  const { session, edited } = check;
  const project = editedProject(session.project, edited.texts);
  const alsoChanged: AlsoChanged[] = [];
  const [used, stillUsed] = [new Set<string>(), new Set<string>()];
  let isKnown = true;
  const updated = new Map([...check.updated].map(([address, fields]) => [address, byPath(fields)]));
  const anywhere = byPath([...check.updated.values()].flat());
  for (const environment of session.project.environments) {
    const options = { environment, secrets: 'names', env: check.host.env } as const;
    const before = await resolveProject(session.project, options);
    const after = await resolveProject(project, options);
    refuseNewErrors(before, after, { environment, project });
    const here = environment === session.environment ? updated : new Map<string, PathMap<UpdatedField>>();
    const fields = changedFields(before, after).filter((field) => !isUpdated(field, here.get(field.address)));
    refuseUnrelated(fields, check, { before, environment });
    alsoChanged.push(...byResource(fields, anywhere, environment));
    for (const file of filesIn(before)) used.add(file);
    for (const file of filesIn(after)) stillUsed.add(file);
    // A manifest with errors can use any file.
    isKnown &&= !hasErrors(after.problems);
  }
  await requireEmptyPlan(check, project);
  return { alsoChanged, unused: isKnown ? [...used].filter((file) => !stillUsed.has(file)).sort() : [] };
}

/** Returns the files of all resources, including bases and included texts. */
function filesIn({ all, declaredOf }: Resolution): string[] {
  return all.flatMap((one) => declaredOf(addressOf(one))?.files ?? []);
}

/** Checks edits only by planning the updated resources. Throws if the plan would still change an updated field. */
export function tryEdit(check: EditCheck): Promise<void> {
  return requireEmptyPlan(check, editedProject(check.session.project, check.edited.texts));
}

function byPath(fields: readonly UpdatedField[]): PathMap<UpdatedField> {
  return new PathMap(fields.map((one) => [one.path, one]));
}

/**
 * Whether a change is part of the update. A change to a list is part of the update if the list becomes empty or gets
 * its first element.
 */
function isUpdated({ path }: ChangedField, updated: PathMap<UpdatedField> | undefined): boolean {
  return updated !== undefined && (updated.along(path).length > 0 || updated.within(path).length > 0);
}

/** Why an edit must be left out: an error in a file with the edits, or a field that the plan would still change. */
type EditFault = { readonly reason: string } & (
  | { readonly at: Span | undefined }
  | { readonly address: string; readonly path: string }
);

/** Thrown if the manifests would have errors with the edits, or would not have the wanted values. */
export class InvalidEdit extends AgentformError {
  readonly faults: readonly EditFault[];
  /** The project with the edits. The places of the errors refer to this project. */
  readonly project: Project;

  constructor(faults: readonly EditFault[], project: Project) {
    const { message, facts } = refused(faults[0]?.reason ?? '');
    super('edit-refused', message, { facts });
    this.name = 'InvalidEdit';
    this.faults = faults;
    this.project = project;
  }
}

function refuseNewErrors(
  before: Resolution,
  after: Resolution,
  { environment, project }: { readonly environment: string; readonly project: Project },
): void {
  // Lines and columns are not part of the key, because edits change them.
  const keyOf = ({ rule, message, found, at }: Problem) => JSON.stringify([rule, message, found, at?.file]);
  const known = new Set(before.problems.map(keyOf));
  const fresh = after.problems.filter((problem) => problem.severity === 'error' && !known.has(keyOf(problem)));
  if (fresh.length === 0) return;
  const reasonFor = (problem: Problem) => {
    const fileText = problem.at === undefined ? '' : ` (${problem.at.file})`;
    return `the manifests would have an error in the environment ${environment}: ${problemSentence(problem)}${fileText}`;
  };
  throw new InvalidEdit(
    fresh.map((problem) => ({ at: problem.at, reason: reasonFor(problem) })),
    project,
  );
}

/** Throws if another field changes. Allows the same field of another resource, and values in an edited place. */
function refuseUnrelated(
  fields: readonly ChangedField[],
  check: EditCheck,
  { before, environment }: { readonly before: Resolution; readonly environment: string },
): void {
  const kinds = new Map(before.all.map((one) => [addressOf(one), one.kind]));
  const paths = [...check.updated.values()].flat().map(({ path }) => path);
  const updatedOf = new Map<KindName, PathMap<FieldPath>>();
  for (const { address, path, text } of fields) {
    const kind = kinds.get(address);
    if (kind === undefined) continue;
    const updated = cached(updatedOf, kind, () => pathSet(paths.map((one) => fieldPathOf(kind, one))));
    if (updated.has(fieldPathOf(kind, path)) || isInEditedPlace(before.provenanceOf(address, path), check.edited)) {
      continue;
    }
    throw refused(
      `the update would also change a different field: ${text} of ${address} in the environment ${environment}`,
    );
  }
}

function isInEditedPlace({ at, include }: Partial<Provenance> = {}, { splices }: EditedTexts): boolean {
  if (include !== undefined && splices.has(include)) return true;
  return at !== undefined && (splices.get(at.file) ?? []).some(({ start, end }) => start <= at.end && at.offset <= end);
}

/** Groups changed fields by resource. Fields that changed with a list element are reported as that element. */
function byResource(
  fields: readonly ChangedField[],
  updated: PathMap<UpdatedField>,
  environment: string,
): AlsoChanged[] {
  const byAddress = new Map<string, Set<string>>();
  for (const { address, path, text } of fields) {
    const [same] = updated.along(path);
    if (same === undefined && updated.within(path).length > 0 && fields.length > 1) continue;
    cached(byAddress, address, () => new Set()).add(same?.change.path ?? text);
  }
  return [...byAddress].map(([address, paths]) => ({ address, environment, paths: [...paths] }));
}

/**
 * Throws if a plan would still change an updated field. A merged text may differ from the live text by the manifest's
 * own edits.
 */
async function requireEmptyPlan({ session, run, host, updated }: EditCheck, project: Project): Promise<void> {
  const { environment } = session;
  const { env, allowedSecrets } = host;
  const select = selector({ names: [...updated.keys()] });
  const resolved = await resolveProject(project, { environment, secrets: 'values', select, env, allowedSecrets });
  refuseNewErrors(session.resolution, resolved, { environment, project });
  const desired = desiredOfAll(await session.keys.resolution(resolved));
  const faults = desired.flatMap((one) => {
    const address = addressOf(one);
    const prepared = run.prepared.get(address);
    if (prepared === undefined) return [];
    const observation = { ...prepared.observation, desired: inOrganization(one, run.organizations) };
    const left = new PathMap(planResource(observation, run.planning).changes.map(({ path, change }) => [path, change]));
    const open = (updated.get(address) ?? []).filter(({ path, merged }) =>
      [...left.along(path), ...left.within(path)].some(({ to }) => merged === undefined || !isSameText(to, merged)),
    );
    return open.map(({ change: { path } }) => {
      return { address, path, reason: `the plan would still change ${path} of ${address}` };
    });
  });
  if (faults.length > 0) throw new InvalidEdit(faults, project);
}

function isSameText(value: Change['to'], text: string): boolean {
  return typeof value === 'string' && comparable(value, undefined) === comparable(text, undefined);
}

function refused(why: string): AgentformError {
  const reason = `${why}; edit the manifests by hand`;
  return new AgentformError('edit-refused', `nothing was written: ${reason}`, { facts: { reason } });
}

/** A field whose value differs between two resolutions. */
interface ChangedField {
  readonly address: string;
  readonly path: FieldPath;
  /** The path as displayed. */
  readonly text: string;
}

/** Finds the fields that differ between two resolutions of the same environment. */
function changedFields(former: Resolution, latter: Resolution): ChangedField[] {
  return former.all.flatMap(({ kind, name }) => {
    const address = addressOf({ kind, name });
    const [one, other] = [former.shownValuesOf(address), latter.shownValuesOf(address)];
    if (canonicalJson(one) === canonicalJson(other)) return [];
    const [was, is] = [leafTexts(kind, one ?? {}), leafTexts(kind, other ?? {})];
    const [before, after] = [new PathMap(was), new PathMap(is)];
    return pathSet([...was, ...is].map(([path]) => path))
      .values()
      .filter((path) => before.get(path) !== after.get(path))
      .map((path) => ({ address, path, text: formatPath(kind, path) }))
      .sort((a, b) => (a.text < b.text ? -1 : 1));
  });
}

/**
 * Returns the comparable text of each leaf. Members outside sections, such as an organization's name, are leaves too.
 */
function leafTexts(kind: KindName, outline: JsonObject): (readonly [FieldPath, string])[] {
  const isPlain = ([, value]: readonly [string, Json]) => !isJsonObject(value) && !Array.isArray(value);
  const plain = Object.entries(outline).filter(isPlain);
  const sections = Object.fromEntries(Object.entries(outline).filter((entry) => !isPlain(entry)));
  const leaves = leavesOf(kind, sections).map(([path, { value }]) => [path, value] as const);
  const all = [...plain.map(([name, value]) => [[name], value] as const), ...leaves];
  return all.map(([path, value]) => [path, canonicalJson(value)]);
}
