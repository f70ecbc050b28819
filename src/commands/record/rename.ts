import { addressOf } from '../../kinds/desired.ts';
import { secrecyOf } from '../../kinds/secrecy.ts';
import type { Project } from '../../manifest/project/project.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { type MovedRecord, renamedRecord, renamedWithoutManifest } from '../../plan/moves.ts';
import { keepingHmac } from '../../plan/record-hmac.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import { hideNamedSecrets, type RecordHost } from '../../session/records/records.ts';

export interface Renaming {
  readonly project: Project;
  readonly record: ResourceRecord;
  /** The new name. */
  readonly name: string;
  readonly host: RecordHost;
}

export interface RenamedRecord extends MovedRecord {
  /** There is a manifest of the new name. */
  readonly isDeclared: boolean;
}

/**
 * A record under another name, as an apply gives it to a manifest with `renamedFrom`. Secrets are needed only where the
 * record has fingerprints of them; without a manifest those are given up.
 */
export async function renamed({ project, record, name, host }: Renaming): Promise<RenamedRecord> {
  const { environment, kind, fields } = record;
  const prints = Object.keys(fields).filter((path) => fields[path]?.fingerprint !== undefined);
  const secrets = prints.length === 0 ? 'form' : 'values';
  const address = addressOf({ kind, name });
  const select = (candidate: string) => candidate === address;
  const keys = new FingerprintKeys(project.root);
  const { env, allowedSecrets } = host;
  const resolved = await resolveProject(project, { environment, secrets, select, env, allowedSecrets });
  hideNamedSecrets(host, resolved.secretNames);
  const resolution = await keys.resolution(resolved);
  const [declared] = resolution.desired;
  const desired = prints.length === 0 ? undefined : declared;
  const secrecy = secrecyOf(resolution.secrets);
  const moved =
    desired === undefined
      ? renamedWithoutManifest(record, { environment, name })
      : renamedRecord({ desired, record }, secrecy);
  const key = declared && (await keys.atHand(declared.target, env));
  return {
    ...moved,
    record: keepingHmac(moved.record, { before: record, key }),
    isDeclared: resolution.all.some((one) => addressOf(one) === address),
  };
}
