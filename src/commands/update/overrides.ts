import { AgentformError } from '../../errors.ts';
import type { ReplacedFile } from '../../files/swap.ts';
import { cached, canonicalJson } from '../../json/json.ts';
import type { Campaign } from '../../kinds/definition.ts';
import { addressOf, byAddress, type Desired } from '../../kinds/desired.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import { nounOf } from '../../kinds/kind.ts';
import { type Secrecy, secrecyOf } from '../../kinds/sensitive.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { remedyIn } from '../../notices/notice.ts';
import { fieldChanges } from '../../plan/fields/field-changes.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import { remedyText } from '../../report/notices.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Host } from '../../session/host.ts';
import { counted, joinWithAnd } from '../../text/wording.ts';
import { editedTexts, type FileEdit } from './edited-texts.ts';
import { FieldEditor, type FieldEditorInput } from './field-editor.ts';
import { type RefusedField, refusedField, type UpdatedField, updateFields } from './fields.ts';

/** An agent, with the live values that its manifest should declare. */
export interface ShownAgent {
  /** The desired state before the edits. */
  readonly desired: Desired;
  readonly campaign: Campaign;
  /** The probable keys and tokens in the live values. */
  readonly credentials: readonly string[];
  /** A record in which every live value to declare counts as applied. */
  readonly shown: ResourceRecord;
  /** Settings with an invalid live value. */
  readonly unvalidated: ReadonlySet<string>;
}

interface OverridesInput {
  readonly project: Project;
  readonly environment: string;
  /** The resolution of the project, with all agents selected. */
  readonly resolution: Resolution;
  readonly agents: readonly ShownAgent[];
  /** Why a field must not be written, for example because its value is invalid. */
  readonly obstacle: (address: string, path: FieldPath) => string | undefined;
  readonly host: Pick<Host, 'env'>;
}

/** The files that make manifests declare the live values. */
export interface Overrides {
  /** The files that change, with their current and new texts. */
  readonly files: readonly ReplacedFile[];
  /** The edited files by address. The agent's own manifest or override comes first. */
  readonly filesOf: ReadonlyMap<string, readonly string[]>;
  /** The fields that cannot be written, with reasons, keyed by address. */
  readonly refused: ReadonlyMap<string, readonly RefusedField[]>;
}

/** Computes the files that `update` would write if all live values had drifted. Writes nothing. */
export async function overridesFor(input: OverridesInput): Promise<Overrides> {
  const { project, resolution, agents, host } = input;
  const users = await usersOf(input, host.env);
  const secrecy = secrecyOf(resolution.secrets);
  const run = { ...input, users, manifests: byAddress(resolution.all), secrecy };
  const edits: FileEdit[] = [];
  const filesOf = new Map<string, readonly string[]>();
  const refused = new Map<string, readonly RefusedField[]>();
  for (const agent of agents) {
    const address = addressOf(agent.desired);
    const found = overridesOf(agent, run);
    edits.push(...found.edits);
    if (found.edited.length > 0) filesOf.set(address, found.edited);
    if (found.refused.length > 0) refused.set(address, found.refused);
  }
  const { texts } = editedTexts(project.files, edits);
  const before = (path: string) => project.files.source(path)?.text;
  return { files: [...texts].map(([path, after]) => ({ path, before: before(path), after })), filesOf, refused };
}

interface OverridesRun extends OverridesInput, Pick<EditedFiles, 'users' | 'manifests'> {
  readonly secrecy: Secrecy;
}

function overridesOf(agent: ShownAgent, run: OverridesRun) {
  const { project, resolution, obstacle, secrecy } = run;
  const { desired, campaign, credentials, shown, unvalidated } = agent;
  const address = addressOf(desired);
  const state = resourceState({ desired, reading: { campaign }, record: shown, credentials }, secrecy);
  const { changes } = fieldChanges(state, { unverified: 'report', secrecy, touched: false });
  const shownChanges = changes.filter(({ change }) => change.knowledge === 'compared');
  const left = shownChanges.flatMap(({ path, change }) => {
    const problem = obstacle(address, path);
    return problem === undefined ? [] : [refusedField(change.path, { why: 'edit-refused', problem })];
  });
  const open = shownChanges.filter(({ path }) => obstacle(address, path) === undefined);
  const editor = fieldEditorOf(desired, run, { to: undefined, unvalidated, keepsReferences: true });
  const found = updateFields(open, {
    state,
    editor,
    files: project.files,
    favoured: 'theirs',
    placeOf: (path) => resolution.sourceAt(address, path),
    deciding: (path) => [path],
  });
  const edits = found.updated.flatMap((one) => one.edits);
  // The agent's own file comes first.
  const edited = [...new Set(edits.map(({ file }) => file))].sort(
    (one, other) => Number(other === editor.ownFile) - Number(one === editor.ownFile),
  );
  return { edits, edited, refused: [...found.refused, ...left] };
}

export interface EditedFiles extends Pick<OverridesInput, 'project' | 'environment'> {
  readonly resolution: Pick<Resolution, 'provenanceOf'>;
  /** All manifests, by address. */
  readonly manifests: ReadonlyMap<string, Pick<Resolution['all'][number], 'ownFile'>>;
  /** The number of resources that use a file, by path. */
  readonly users: ReadonlyMap<string, number>;
}

/** Makes the editor of a resource's files. `to` is the shared file that the user chose to edit. */
export function fieldEditorOf(
  { kind, name }: Pick<Desired, 'kind' | 'name'>,
  { project, environment, resolution, manifests, users }: EditedFiles,
  options: Pick<FieldEditorInput, 'to' | 'keepsReferences' | 'unvalidated'>,
): FieldEditor {
  const address = addressOf({ kind, name });
  return new FieldEditor({
    ...{ kind, name, ...options },
    ownFile: manifests.get(address)?.ownFile,
    isShared: (file) => file !== options.to && (users.get(file) ?? 0) > 1,
    sharing: (file) => remedyIn(environment, 'update', address, '--to', file),
    files: project.files,
    provenanceOf: (path) => resolution.provenanceOf(address, path),
  });
}

interface UsedFiles extends Pick<OverridesInput, 'project' | 'environment'> {
  readonly resolution: Pick<Resolution, 'all' | 'declaredOf'>;
}

/** Counts the resources of the environment that use each file, including bases and included texts. */
export async function usersOf(
  { project, environment, resolution }: UsedFiles,
  env: Host['env'],
): Promise<ReadonlyMap<string, number>> {
  const isWhole = resolution.all.every((one) => resolution.declaredOf(addressOf(one)) !== undefined);
  const { all, declaredOf } = isWhole
    ? resolution
    : await resolveProject(project, { environment, secrets: 'names', env });
  const users = new Map<string, number>();
  const add = (file: string) => users.set(file, (users.get(file) ?? 0) + 1);
  for (const one of all) {
    for (const file of declaredOf(addressOf(one))?.files ?? []) add(file);
    // Rows that are added later will also use the template.
    if (one.ownFile !== one.file) add(one.file);
  }
  return users;
}

interface RestoredResource {
  readonly kind: KindName;
  readonly updated: readonly UpdatedField[];
}

export interface TemplateQuestion {
  readonly environment: string;
  /** The selection as the user typed it. */
  readonly names: readonly string[];
  readonly selector?: string | undefined;
}

/**
 * Throws if several resources would override a value of a shared file, such as a template, with the same rolled-back
 * value. If the shared file is not edited, new resources would get the value that the rollback replaced.
 */
export function refuseOverridesOfTemplate(resources: readonly RestoredResource[], asked: TemplateQuestion): void {
  const groups = new Map<
    string,
    { readonly file: string; readonly field: string; readonly members: Set<RestoredResource> }
  >();
  for (const resource of resources) {
    for (const { path, change, shared } of resource.updated) {
      if (shared === undefined) continue;
      const key = JSON.stringify([path, shared.file, canonicalJson(shared.value)]);
      cached(groups, key, () => ({ file: shared.file, field: change.path, members: new Set() })).members.add(resource);
    }
  }
  const large = [...groups.values()].filter(({ members }) => members.size > 1);
  const [first] = large;
  if (first === undefined) return;
  const members = [...new Set(large.flatMap((group) => [...group.members]))];
  const files = [...new Set(large.map(({ file }) => file))].sort();
  const typed = [...asked.names, ...(asked.selector === undefined ? [] : ['-l', asked.selector])];
  const command = (...options: string[]) => remedyIn(asked.environment, 'update', ...typed, ...options);
  const shared = files.map((file) => {
    const fields = [...new Set(large.filter((group) => group.file === file).map(({ field }) => field))];
    return command(...fields.flatMap((field) => ['--field', field]), '--to', file);
  });
  const own = command('--own');
  const noun = nounOf(members);
  throw new AgentformError(
    'edit-refused',
    `nothing was written: ${counted(members.length, noun)} would get the same ${files.length === 1 ? 'override' : 'overrides'}. ` +
      `To change ${joinWithAnd(files)} instead, run ${joinWithAnd(shared.map(remedyText))}. ` +
      `To give each ${noun} an override, run ${remedyText(own)}`,
    { remedies: [...shared, own] },
  );
}
