import type { ReplacedFile } from '../../files/swap.ts';
import type { Campaign } from '../../kinds/definition.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import { PathMap } from '../../kinds/path-map.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { fieldChanges } from '../../plan/fields/field-changes.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Host } from '../../session/host.ts';
import { isValidWith } from './check.ts';
import { editedTexts, type FileEdit } from './edited-texts.ts';
import { FieldEditor } from './field-editor.ts';
import { type RefusedField, sharedEdit, updateFields } from './fields.ts';
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
  const { project, environment, resolution, agents, obstacle, host } = input;
  const users = await usersOf(project, { environment, env: host.env });
  const homes = new Map(resolution.all.map((one) => [addressOf(one), one.home]));
  const secrecy = secrecyOf(resolution.secrets);
  const takesNothing = new PathMap<boolean>();
  const edits: FileEdit[] = [];
  const filesOf = new Map<string, readonly string[]>();
  const refused = new Map<string, readonly RefusedField[]>();
  for (const { desired, campaign, shown, unvalidated } of agents) {
    const { kind, name } = desired;
    const address = addressOf(desired);
    const home = homes.get(address);
    const editor = new FieldEditor({
      kind,
      name,
      home,
      isShared: (file) => (users.get(file) ?? 0) > 1,
      to: undefined,
      sharing: (file) => sharedEdit(environment, address, file),
      files: project.files,
      provenanceOf: (path) => resolution.provenanceOf(address, path),
      unvalidated,
      keepsReferences: true,
    });
    const state = resourceState({ desired, reading: { campaign }, record: shown }, secrecy);
    const { changes } = fieldChanges(state, { unverified: 'report', secrecy, touched: false });
    const shownChanges = changes.filter(({ change }) => change.knowledge === 'compared');
    const left = shownChanges.flatMap(({ path, change }) => {
      const reason = obstacle(address, path);
      return reason === undefined ? [] : [{ path: change.path, reason }];
    });
    const found = await updateFields(
      shownChanges.filter(({ path }) => obstacle(address, path) === undefined),
      {
        state,
        editor,
        files: project.files,
        hasNoErrors: (made) =>
          isValidWith({ project, environment, env: host.env, address }, editedTexts(project.files, made)),
        favoured: 'theirs',
        placeOf: (path) => {
          const place = resolution.writtenAt(address, path);
          return place && `${place.file}:${place.line}`;
        },
        deciding: (path) => [path],
        takesNothing,
      },
    );
    const own = found.updated.flatMap((one) => one.edits);
    edits.push(...own);
    const edited = [...new Set(own.map(({ file }) => file))].sort(
      (one, other) => Number(other === home) - Number(one === home),
    );
    if (edited.length > 0) filesOf.set(address, edited);
    if (found.refused.length + left.length > 0) refused.set(address, [...found.refused, ...left]);
  }
  const { texts } = editedTexts(project.files, edits);
  const before = (path: string) => project.files.source(path)?.text;
  return { files: [...texts].map(([path, after]) => ({ path, before: before(path), after })), filesOf, refused };
}
