import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentformError } from '../../errors.ts';
import type { Json } from '../../json/json.ts';
import { comparable } from '../../kinds/compare.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import { type FieldPath, parsePath } from '../../kinds/field-path.ts';
import { comparedAs, nounOf } from '../../kinds/kind.ts';
import { PathMap } from '../../kinds/path-map.ts';
import { secrecyOf } from '../../kinds/secrecy.ts';
import { Leaf, leavesOf, sectionsOf, treeOf } from '../../kinds/tree.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import type { Restoration } from '../../plan/observation.ts';
import { rolledBackFields } from '../../plan/verdicts/holds.ts';
import type { AppliedField, ResourceRecord, RollbackHold } from '../../schemas/record-types.ts';
import { isFingerprintOf } from '../../secrets/fingerprint.ts';
import type { Secret } from '../../secrets/secret.ts';
import { withProjectAt } from '../../session/commits/base-project.ts';
import type { Host } from '../../session/host.ts';
import type { Restored } from '../../session/prepare.ts';
import { hideNamedSecrets } from '../../session/records/records.ts';
import type { Session } from '../../session/session.ts';
import type { ChosenVersion } from './versions.ts';

/** One resource that is to go back to an earlier version. */
export interface RestoringResource {
  /** What the manifest asks for. */
  readonly desired: Desired;
  readonly record: ResourceRecord | undefined;
  readonly chosen: ChosenVersion | undefined;
}

export interface Restoring {
  readonly session: Session;
  readonly host: Host;
  /** The hold that is made, but for its fields and the version. */
  readonly hold: Omit<RollbackHold, 'fields' | 'to'>;
}

/**
 * What the records held, as desired. A record has every value but the sensitive ones, of which it has fingerprints: those
 * are today's where the fingerprint says so, and else what the manifest at the commit of the version makes of today's
 * secrets.
 */
export async function restoreAll(resources: readonly RestoringResource[], restoring: Restoring): Promise<Restored> {
  const earlier = await earlierManifests(resources.filter(lacksSecrets), restoring);
  const byAddress = new Map(
    resources.map((resource) => [addressOf(resource.desired), restoredResource(resource, { ...restoring, earlier })]),
  );
  return { byAddress, secrets: earlier.secrets };
}

type RestoredResource = { readonly desired: Desired; readonly restored: Restoration };

function restoredResource(
  { desired, record, chosen }: RestoringResource,
  context: Restoring & { readonly earlier: EarlierManifests },
): RestoredResource {
  const problem = problemOf({ desired, record, chosen });
  if (problem !== undefined || record === undefined || chosen === undefined || 'problem' in chosen) {
    return { desired, restored: { problem: problem ?? '' } };
  }
  const { to, record: old } = chosen;
  const { leaves, warnings } = restoredLeaves({ desired, old }, context.earlier);
  const restored = { ...desired, ...sectionsOf(desired.kind, leaves) };
  const secrecy = secrecyOf([...context.session.resolution.secrets, ...context.earlier.secrets]);
  const fields = rolledBackFields({ manifest: desired, restored, record, secrecy });
  const hold = Object.keys(fields).length === 0 ? undefined : { ...context.hold, to, fields };
  const content = warnings.length > 0 ? {} : { content: old };
  return { desired: restored, restored: { hold, commit: old.commit, ...content, warnings } };
}

/** Why nothing can be restored. */
function problemOf({ desired, record, chosen }: RestoringResource): string | undefined {
  if (record === undefined) return 'nothing was applied to it yet, so there is nothing to roll back to';
  if (chosen === undefined) return 'the saved plan does not change it, so there is nothing to undo';
  if ('problem' in chosen) return chosen.problem;
  const { record: old, to } = chosen;
  if (old.id === record.id && old.host === record.host) return undefined;
  const noun = nounOf([desired]);
  return `its record at ${to} belongs to a different ${noun} (${old.id ?? 'no id'} on ${old.host}), so its values are not restored here`;
}

interface Version {
  readonly desired: Desired;
  readonly old: ResourceRecord;
}

/** A field that the version has, and what the manifest says in its place today. */
interface VersionField {
  readonly path: FieldPath;
  readonly text: string;
  readonly field: AppliedField;
  readonly today: Leaf | undefined;
}

/** In the order of the manifest, which is that of its lists; what only the version has comes last. */
function fieldsOf({ desired, old }: Version): VersionField[] {
  const today = new PathMap(leavesIn(desired).map(([path, leaf], index) => [path, { leaf, index }]));
  const fields = Object.entries(old.fields).map(([text, field]) => {
    const path = parsePath(text);
    const found = today.get(path);
    return { path, text, field, today: found?.leaf, index: found?.index ?? Number.POSITIVE_INFINITY };
  });
  return fields.sort((one, other) => (one.index === other.index ? 0 : one.index - other.index));
}

function leavesIn({ kind, sections, sensitive }: Pick<Desired, 'kind' | 'sections' | 'sensitive'>) {
  return leavesOf(kind, treeOf(kind, sections, sensitive));
}

function restoredLeaves(version: Version, earlier: EarlierManifests) {
  const warnings: string[] = [];
  const leaves = fieldsOf(version).flatMap((one): [FieldPath, Leaf][] => {
    const { path, text, field, today } = one;
    if (field.fingerprint === undefined) return [[path, new Leaf(field.value as Json, false)]];
    const leaf = isToday(version, one) ? today : earlier.leafOf(version.old, path);
    if (leaf instanceof Leaf) return [[path, new Leaf(leaf.value, true)]];
    const instead = today === undefined ? 'it is left out' : 'the value of the manifest is kept';
    warnings.push(`not restored: ${text} holds a secret, and ${leaf}; ${instead}`);
    return today === undefined ? [] : [[path, today]];
  });
  return { leaves, warnings };
}

/** Whether the manifest still has the sensitive value that the version had. */
function isToday({ desired, old }: Version, { path, text, field, today }: VersionField): boolean {
  if (today === undefined || field.fingerprint === undefined) return false;
  const place = { environment: old.environment, kind: old.kind, name: old.name, path: text };
  const compared = comparable(today.value, comparedAs(desired.kind, path));
  return isFingerprintOf(field.fingerprint, compared, place, desired.target.key);
}

/** Whether the manifest of today lacks a sensitive value of the version. */
function lacksSecrets({ desired, chosen }: RestoringResource): boolean {
  if (chosen === undefined || 'problem' in chosen) return false;
  const version = { desired, old: chosen.record };
  return fieldsOf(version).some((one) => one.field.fingerprint !== undefined && !isToday(version, one));
}

/** The manifests of earlier commits, with the secrets of today. */
interface EarlierManifests {
  /** What the manifest said where the version was applied from; why nobody knows, as the end of a sentence. */
  readonly leafOf: (old: ResourceRecord, path: FieldPath) => Leaf | string;
  readonly secrets: readonly Secret[];
}

async function earlierManifests(
  resources: readonly RestoringResource[],
  restoring: Restoring,
): Promise<EarlierManifests> {
  const versions = resources.flatMap(({ chosen }) =>
    chosen === undefined || 'problem' in chosen ? [] : [chosen.record],
  );
  const commits = new Set(versions.flatMap(({ commit }) => commit ?? []));
  const found = new Map<string, ManifestsThen | string>();
  for (const commit of commits) {
    const addresses = new Set(versions.filter((one) => one.commit === commit).map(addressOf));
    found.set(commit, await manifestsAt(commit, addresses, restoring));
  }
  return {
    secrets: [...found.values()].flatMap((one) => (typeof one === 'string' ? [] : one.secrets)),
    leafOf(old, path) {
      const manifests = found.get(old.commit ?? '') ?? 'its record names no commit';
      if (typeof manifests === 'string') return manifests;
      const at = `commit ${(old.commit ?? '').slice(0, 12)}`;
      const leaves = manifests.leaves.get(addressOf(old));
      if (leaves === undefined) return `its manifest at ${at} has errors today, such as a secret that is unset`;
      return leaves.get(path) ?? `its manifest at ${at} does not have it`;
    },
  };
}

interface ManifestsThen {
  /** By address. */
  readonly leaves: ReadonlyMap<string, PathMap<Leaf>>;
  readonly secrets: readonly Secret[];
}

/** They need not be sound as a whole: what can be resolved counts. */
async function manifestsAt(
  commit: string,
  addresses: ReadonlySet<string>,
  { session, host }: Restoring,
): Promise<ManifestsThen | string> {
  const { root, file } = session.project;
  const unusable = `the manifests at commit ${commit.slice(0, 12)} cannot be used`;
  try {
    return await withProjectAt(root, commit, async ({ folder }) => {
      if (folder === undefined || !existsSync(join(folder, file))) return unusable;
      const project = await loadProject(join(folder, file));
      const { environment } = session;
      if (!project.environments.includes(environment)) return unusable;
      const { env, allowedSecrets } = host;
      const select = (address: string) => addresses.has(address);
      const resolved = await resolveProject(project, { environment, secrets: 'values', select, env, allowedSecrets });
      hideNamedSecrets(host, resolved.secretNames);
      const leaves = resolved.desired.map((one) => [addressOf(one), new PathMap(leavesIn(one))] as const);
      return { leaves: new Map(leaves), secrets: resolved.secrets };
    });
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    return unusable;
  }
}
