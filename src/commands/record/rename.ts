import { fieldsAsSent } from '../../apply/settled-fields.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import { type Secrecy, secrecyOf } from '../../kinds/rules.ts';
import type { Project } from '../../manifest/project/project.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { resourceState } from '../../plan/resource-state.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';

type Fields = ResourceRecord['fields'];

export interface Renaming {
  readonly project: Project;
  readonly record: ResourceRecord;
  /** The new name. */
  readonly name: string;
  readonly env: Host['env'];
}

export interface RenamedFields {
  readonly fields: Fields;
  /** Paths of sensitive values that the record no longer knows. */
  readonly lost: readonly string[];
  /** There is a manifest of the new name. */
  readonly isDeclared: boolean;
}

/**
 * What was applied, for a record under another name. A fingerprint is salted with the name, so that it is made anew
 * where the manifest of the new name still has the value that it is of; otherwise it is given up.
 */
export async function renamedFields({ project, record, name, env }: Renaming): Promise<RenamedFields> {
  const { environment, kind, fields } = record;
  const prints = Object.keys(fields).filter((path) => fields[path]?.fingerprint !== undefined);
  const secrets = prints.length === 0 ? 'form' : 'values';
  const address = addressOf({ kind, name });
  const select = (candidate: string) => candidate === address;
  const keys = new FingerprintKeys(project.root);
  const resolution = await keys.resolution(await resolveProject(project, { environment, secrets, select, env }));
  const desired = prints.length === 0 ? undefined : resolution.desired[0];
  const anew = desired === undefined ? {} : fingerprintsAnew(desired, record, secrecyOf(resolution.secrets));
  const plain = Object.entries(fields).filter(([path]) => !prints.includes(path));
  return {
    fields: { ...Object.fromEntries(plain), ...anew },
    lost: prints.filter((path) => !(path in anew)),
    isDeclared: resolution.all.some((one) => addressOf(one) === address),
  };
}

function fingerprintsAnew(desired: Desired, record: ResourceRecord, secrecy: Secrecy): Fields {
  const under = (name: string) => resourceState({ desired: { ...desired, name }, record }, secrecy);
  const kept = under(record.name).fields.filter(({ sensitive, wantedIsLast }) => sensitive && wantedIsLast);
  const sent = fieldsAsSent(under(desired.name));
  return Object.fromEntries(kept.flatMap(({ text }) => (sent[text] === undefined ? [] : [[text, sent[text]]])));
}
