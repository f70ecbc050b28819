import type { ReplacedFile } from '../../files/swap.ts';
import type { Campaign } from '../../kinds/definition.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import { PathMap } from '../../kinds/path-map.ts';
import { type Secrecy, secrecyOf } from '../../kinds/sensitive.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { fieldChanges } from '../../plan/fields/field-changes.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Host } from '../../session/host.ts';
import { isValidWith } from './check.ts';
import { editedTexts, type FileEdit } from './edited-texts.ts';
import { FieldEditor } from './field-editor.ts';
import { type RefusedField, refusedField, sharedEdit, updateFields } from './fields.ts';
import { usersOf } from './used-files.ts';

/** An agent whose manifest should get the live values. */
export interface ShownAgent {
  /** The present content of the manifest. */
  readonly desired: Desired;
  readonly campaign: Campaign;
  /** With every live value to declare, as if it had been applied. */
  readonly shown: ResourceRecord;
  /** Names of settings with an invalid live value. */
  readonly unvalidated: ReadonlySet<string>;
}

export interface OverridesInput {
  readonly project: Project;
  readonly environment: string;
  /** The resources of the project, with all agents selected. */
  readonly resolution: Resolution;
  readonly agents: readonly ShownAgent[];
  /** Why a field of an agent must not be written, such as a value that no manifest may have. */
  readonly obstacle: (address: string, path: FieldPath) => string | undefined;
  readonly host: Pick<Host, 'env'>;
}

/** The files that give manifests the live values. */
export interface Overrides {
  /** Every file that changes, with its text before. */
  readonly files: readonly ReplacedFile[];
  /** By address, the files that are edited for it, its own manifest or override first. */
  readonly filesOf: ReadonlyMap<string, readonly string[]>;
  /** By address, values that the agent's own files cannot express. */
  readonly refused: ReadonlyMap<string, readonly RefusedField[]>;
}

/** The files that `update` would write for the agents if all live values had drifted; nothing is written. */
export async function overridesFor(input: OverridesInput): Promise<Overrides> {
  const { project, environment, resolution, agents, host } = input;
  const users = await usersOf(project, { environment, env: host.env });
  const ownFiles = new Map(resolution.all.map((one) => [addressOf(one), one.ownFile]));
  const run = {
    ...input,
    users,
    ownFiles,
    secrecy: secrecyOf(resolution.secrets),
    takesNothing: new PathMap<boolean>(),
  };
  const edits: FileEdit[] = [];
  const filesOf = new Map<string, readonly string[]>();
  const refused = new Map<string, readonly RefusedField[]>();
  for (const agent of agents) {
    const address = addressOf(agent.desired);
    const found = await overridesOf(agent, run);
    edits.push(...found.edits);
    if (found.edited.length > 0) filesOf.set(address, found.edited);
    if (found.refused.length > 0) refused.set(address, found.refused);
  }
  const { texts } = editedTexts(project.files, edits);
  const before = (path: string) => project.files.source(path)?.text;
  return { files: [...texts].map(([path, after]) => ({ path, before: before(path), after })), filesOf, refused };
}

interface OverridesRun extends OverridesInput {
  /** How many resources use each file. */
  readonly users: ReadonlyMap<string, number>;
  readonly ownFiles: ReadonlyMap<string, string | undefined>;
  readonly secrecy: Secrecy;
  readonly takesNothing: PathMap<boolean>;
}

interface AgentOverrides {
  readonly edits: readonly FileEdit[];
  /** The files of the edits, the agent's own file first. */
  readonly edited: readonly string[];
  readonly refused: readonly RefusedField[];
}

async function overridesOf(agent: ShownAgent, run: OverridesRun): Promise<AgentOverrides> {
  const { project, environment, resolution, obstacle, host, secrecy, takesNothing } = run;
  const { desired, campaign, shown } = agent;
  const address = addressOf(desired);
  const state = resourceState({ desired, reading: { campaign }, record: shown }, secrecy);
  const { changes } = fieldChanges(state, { unverified: 'report', secrecy, touched: false });
  const shownChanges = changes.filter(({ change }) => change.knowledge === 'compared');
  const left = shownChanges.flatMap(({ path, change }) => {
    const problem = obstacle(address, path);
    return problem === undefined ? [] : [refusedField(change.path, { why: 'edit-refused', problem })];
  });
  const open = shownChanges.filter(({ path }) => obstacle(address, path) === undefined);
  const checked = { project, environment, env: host.env, address };
  const found = await updateFields(open, {
    state,
    editor: editorOf(agent, run),
    files: project.files,
    hasNoErrors: (made) => isValidWith(checked, editedTexts(project.files, made)),
    favoured: 'theirs',
    placeOf: (path) => {
      const source = resolution.sourceAt(address, path);
      return source && { file: source.file, line: source.line };
    },
    deciding: (path) => [path],
    takesNothing,
  });
  const edits = found.updated.flatMap((one) => one.edits);
  const ownFile = run.ownFiles.get(address);
  const edited = [...new Set(edits.map(({ file }) => file))].sort(
    (one, other) => Number(other === ownFile) - Number(one === ownFile),
  );
  return { edits, edited, refused: [...found.refused, ...left] };
}

function editorOf({ desired, unvalidated }: ShownAgent, run: OverridesRun): FieldEditor {
  const { kind, name } = desired;
  const address = addressOf(desired);
  return new FieldEditor({
    kind,
    name,
    ownFile: run.ownFiles.get(address),
    isShared: (file) => (run.users.get(file) ?? 0) > 1,
    to: undefined,
    sharing: (file) => sharedEdit(run.environment, address, file),
    files: run.project.files,
    provenanceOf: (path) => run.resolution.provenanceOf(address, path),
    unvalidated,
    keepsReferences: true,
  });
}
