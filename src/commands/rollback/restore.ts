import { isDeepStrictEqual } from 'node:util';
import { undefinedIfExpected } from '../../errors.ts';
import type { Json } from '../../json/json.ts';
import { comparable } from '../../kinds/compare.ts';
import { addressOf, type Desired, hostKey } from '../../kinds/desired.ts';
import { type FieldPath, fieldAt, parsePath } from '../../kinds/field-path.ts';
import { comparedAs } from '../../kinds/kind.ts';
import { type Leaf, leavesOf, sectionsOf } from '../../kinds/leaves.ts';
import { PathMap } from '../../kinds/path-map.ts';
import { type Secrecy, secrecyOf } from '../../kinds/sensitive.ts';
import { desiredOfAll } from '../../manifest/resolve/resolution.ts';
import { type Notice, type NoticeFacts, notice } from '../../notices/notice.ts';
import type { Restoration } from '../../plan/observation.ts';
import { rolledBackFields } from '../../plan/verdicts/holds.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { AppliedField, ResourceRecord, RollbackHold } from '../../schemas/record-types.ts';
import { fingerprintOf } from '../../secrets/fingerprint.ts';
import { referredSecret, type Secret, secretsIn } from '../../secrets/secret.ts';
import { openCommit, withProjectAt } from '../../session/base/committed-project.ts';
import type { Host } from '../../session/host.ts';
import type { Restored } from '../../session/prepare.ts';
import { resolveRecorded } from '../../session/records/records.ts';
import type { Session } from '../../session/session.ts';
import { shortVersion } from '../../text/wording.ts';
import type { ChosenVersion } from './versions.ts';

interface RestoringResource {
  /** The desired state as the manifest declares it. */
  readonly desired: Desired;
  readonly record: ResourceRecord | undefined;
  readonly chosen: ChosenVersion | undefined;
}

interface Restoring {
  readonly session: Session;
  readonly host: Host;
  /** The new hold, without the members that depend on the version. */
  readonly hold: Omit<RollbackHold, 'fields' | 'to'>;
}

/**
 * Converts recorded versions to desired states. Records contain only fingerprints of sensitive values. If the
 * manifest's current value matches the fingerprint, this value is used. Otherwise, the value comes from the manifest at
 * the version's commit, with current secrets.
 */
export async function restoreAll(resources: readonly RestoringResource[], restoring: Restoring): Promise<Restored> {
  const earlier = await earlierManifests(resources.filter(lacksSecrets), restoring);
  const byAddress = new Map(
    resources.map((resource) => [addressOf(resource.desired), restoredResource(resource, { ...restoring, earlier })]),
  );
  return { byAddress, secrets: earlier.secrets };
}

function restoredResource(
  { desired, record, chosen }: RestoringResource,
  context: Restoring & { readonly earlier: EarlierManifests },
): { readonly desired: Desired; readonly restored: Restoration } {
  const problem = restoreProblem({ desired, record, chosen });
  if (problem !== undefined || record === undefined || chosen === undefined || 'problem' in chosen) {
    return { desired, restored: { problem: problem ?? notice('nothing-applied', {}) } };
  }
  const { to, record: old, doubt } = chosen;
  const version = { desired, old, isConfirmed: doubt === undefined };
  const secrecy = secrecyOf([...context.session.resolution.secrets, ...context.earlier.secrets]);
  const { leaves, notes, references } = restoredLeaves(version, context, secrecy);
  const restored = { ...desired, ...sectionsOf(desired.kind, leaves) };
  const fields = rolledBackFields({ manifest: desired, restored, record, secrecy });
  const hold = Object.keys(fields).length === 0 ? undefined : { ...heldSince(record, old, context.hold), to, fields };
  const warnings = [...(doubt === undefined ? [] : [doubt]), ...notes];
  const content = warnings.length > 0 ? {} : { content: old };
  return { desired: restored, restored: { hold, commit: old.commit, ...content, warnings, references } };
}

/**
 * Returns the new hold, or the earlier hold if that hold already keeps these values. A hold that is newer than the
 * apply would look like an interrupted rollback.
 */
function heldSince(record: ResourceRecord, old: ResourceRecord, made: Restoring['hold']): Restoring['hold'] {
  const { rollback } = record.holds ?? {};
  if (rollback === undefined || !isDeepStrictEqual(record.fields, old.fields)) return made;
  return { ...rollback, ...(made.reason !== undefined && { by: made.by, reason: made.reason }) };
}

/** Returns why a resource cannot be restored, or undefined if the resource can be restored. */
function restoreProblem({ desired: { kind }, record, chosen }: RestoringResource): Notice | undefined {
  if (record === undefined) return notice('nothing-applied', {});
  if (chosen === undefined) return notice('not-in-saved-plan', {});
  if ('problem' in chosen) return chosen.problem;
  const { record: old, to } = chosen;
  const { id, host } = old;
  if (id === record.id && hostKey(host) === hostKey(record.host)) return undefined;
  return notice('version-of-other', { kind, version: shortVersion(to), ...(id !== undefined && { id }), host });
}

interface FoundVersion {
  readonly desired: Desired;
  readonly old: ResourceRecord;
  /** Whether a valid HMAC proves that an apply wrote the record. */
  readonly isConfirmed: boolean;
}

/** A field of the version, with its current value in the manifest, if any. */
interface VersionField {
  readonly path: FieldPath;
  readonly text: string;
  readonly field: AppliedField;
  readonly today: Leaf | undefined;
}

/** Returns the version's fields, in the order of the manifest. Fields that the manifest lacks come last. */
function fieldsOf({ desired, old }: Omit<FoundVersion, 'isConfirmed'>): VersionField[] {
  const today = new PathMap(leavesIn(desired).map(([path, leaf], index) => [path, { leaf, index }]));
  const fields = Object.entries(old.fields).map(([text, field]) => {
    const path = parsePath(text);
    const found = today.get(path);
    return { path, text, field, today: found?.leaf, index: found?.index ?? Number.POSITIVE_INFINITY };
  });
  return fields.sort((one, other) => (one.index === other.index ? 0 : one.index - other.index));
}

function leavesIn({ kind, sections, sensitive }: Pick<Desired, 'kind' | 'sections' | 'sensitive'>) {
  return leavesOf(kind, sections, sensitive);
}

function restoredLeaves(
  version: FoundVersion,
  { session: { resolution }, earlier }: Pick<Restoring, 'session'> & { readonly earlier: EarlierManifests },
  secrecy: Secrecy,
) {
  const { desired, old, isConfirmed } = version;
  const address = addressOf(desired);
  const today = { sourceAt: (path: FieldPath) => resolution.sourceValueAt(address, path) };
  const notes: Notice[] = [];
  const references: [FieldPath, string][] = [];
  const leaves = fieldsOf(version).flatMap((one): [FieldPath, Leaf][] => {
    const { path, text, field } = one;
    if (field.fingerprint === undefined) return [[path, { value: field.value as Json, sensitive: false }]];
    const found = isToday(version, one)
      ? { leaf: one.today, ...today }
      : earlier.leafOf(old, path, {
          isRecorded: (leaf) => isRecorded(version, one, leaf),
          mayRefer: isConfirmed ? referencesIn(desired, today.sourceAt) : new Set(),
        });
    if ('leaf' in found && found.leaf !== undefined) {
      const reference = shownReference(desired.kind, path, found.sourceAt(path));
      if (reference !== undefined) references.push([path, secrecy.redact(reference)]);
      return [[path, { value: found.leaf.value, sensitive: true }]];
    }
    const instead = one.today === undefined ? 'omitted' : 'manifest';
    if ('why' in found) notes.push(notice('secret-not-restored', { path: text, ...found, instead }));
    return one.today === undefined ? [] : [[path, one.today]];
  });
  return { leaves, notes, references: new PathMap(references) };
}

type SourceAt = (path: FieldPath) => Json | undefined;

/** Returns the names of secrets that the current sensitive settings of a resource refer to. */
function referencesIn(desired: Desired, sourceAt: SourceAt): ReadonlySet<string> {
  const sensitive = leavesIn(desired).filter(([, leaf]) => leaf.sensitive);
  return new Set(sensitive.flatMap(([path]) => secretsIn(jsonOf(sourceAt(path)))));
}

/** Returns the source text with secret references, for the plan, or undefined if the plan must not show it. */
function shownReference(kind: KindName, path: FieldPath, source: Json | undefined): string | undefined {
  if (typeof source !== 'string') return undefined;
  const isShown = fieldAt(kind, path)?.sensitive === true ? referredSecret(source) : secretsIn(source)[0];
  return isShown === undefined ? undefined : source;
}

function jsonOf(source: Json | undefined): string {
  return JSON.stringify(source ?? null);
}

/** Whether the manifest still has the version's sensitive value. */
function isToday(version: Omit<FoundVersion, 'isConfirmed'>, field: VersionField): boolean {
  return field.today !== undefined && isRecorded(version, field, field.today);
}

function isRecorded(
  { desired, old }: Omit<FoundVersion, 'isConfirmed'>,
  { path, text, field: { fingerprint = '' } }: VersionField,
  { value }: Leaf,
): boolean {
  const { key } = desired.target;
  const fingerprintContext = { environment: old.environment, kind: old.kind, name: old.name, path: text };
  const compared = comparable(value, comparedAs(desired.kind, path));
  return fingerprint === fingerprintOf(key, fingerprintContext, compared);
}

/** Whether the manifest lacks a sensitive value that the version had. */
function lacksSecrets({ desired, chosen }: RestoringResource): boolean {
  if (chosen === undefined || 'problem' in chosen) return false;
  const version = { desired, old: chosen.record };
  return fieldsOf(version).some((one) => one.field.fingerprint !== undefined && !isToday(version, one));
}

/** The checks that decide whether a value in an earlier manifest is the applied value. Either check suffices. */
interface Confirming {
  readonly isRecorded: (leaf: Leaf) => boolean;
  /**
   * The secrets whose references are trusted after a rotation, when no fingerprint matches. The set is empty unless an
   * HMAC confirms the record, because a forged reference could put any secret of the run into a prompt.
   */
  readonly mayRefer: ReadonlySet<string>;
}

type Unknown = Pick<NoticeFacts['secret-not-restored'], 'why' | 'commit'>;

/** The manifests at earlier commits, resolved with current secrets. */
interface EarlierManifests {
  /** Finds a value in the manifest at the version's commit, or the reason why that is impossible. */
  readonly leafOf: (
    old: ResourceRecord,
    path: FieldPath,
    confirming: Confirming,
  ) => { readonly leaf: Leaf; readonly sourceAt: SourceAt } | Unknown;
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
  const found = new Map<string, ManifestsThen | undefined>();
  for (const commit of commits) {
    const addresses = new Set(versions.filter((one) => one.commit === commit).map(addressOf));
    found.set(commit, await manifestsAt(commit, addresses, restoring).catch(undefinedIfExpected));
  }
  return {
    secrets: [...found.values()].flatMap((one) => one?.secrets ?? []),
    leafOf(old, path, confirming) {
      if (old.commit === undefined) return { why: 'no-commit' };
      const commit = old.commit.slice(0, 12);
      const manifests = found.get(old.commit);
      if (manifests === undefined) return { why: 'manifests-unusable', commit };
      return leafIn({ manifests, commit }, old, path, confirming);
    },
  };
}

function leafIn(
  { manifests, commit }: { readonly manifests: ManifestsThen; readonly commit: string },
  old: ResourceRecord,
  path: FieldPath,
  { isRecorded, mayRefer }: Confirming,
): ReturnType<EarlierManifests['leafOf']> {
  const manifest = manifests.byAddress.get(addressOf(old));
  if (manifest === undefined) return { why: 'manifest-invalid', commit };
  const { declared, leaves, sourceAt } = manifest;
  const leaf = leaves.get(path);
  if (leaf === undefined) return { why: 'not-declared', commit };
  const names = secretsIn(jsonOf(sourceAt(path)));
  const isApplied = declared !== undefined && declared === old.declared?.digest;
  const isRotated = isApplied && names.length > 0 && names.every((name) => mayRefer.has(name));
  if (isRotated || isRecorded(leaf)) return { leaf, sourceAt };
  return { why: 'rotated', commit };
}

interface ManifestThen {
  /** The digest of the declaration, or undefined if it is unknown. */
  readonly declared: string | undefined;
  readonly leaves: PathMap<Leaf>;
  readonly sourceAt: SourceAt;
}

interface ManifestsThen {
  readonly byAddress: ReadonlyMap<string, ManifestThen>;
  readonly secrets: readonly Secret[];
}

/**
 * Resolves the manifests at a commit. If the manifests have errors, uses the values that can be resolved. Returns
 * undefined if the environment did not exist.
 */
async function manifestsAt(
  commit: string,
  addresses: ReadonlySet<string>,
  { session, host }: Restoring,
): Promise<ManifestsThen | undefined> {
  const open = await openCommit(session.project.root, commit);
  return withProjectAt(session.project, open, async (committedProject) => {
    const project = await committedProject.load();
    const { environment } = session;
    if (!project?.environments.includes(environment)) return undefined;
    const select = (address: string) => addresses.has(address);
    const resolved = await resolveRecorded(host, { project, environment }, { secrets: 'values', select });
    const manifests = desiredOfAll(resolved).map((one): [string, ManifestThen] => {
      const address = addressOf(one);
      const leaves = leavesIn(one);
      const source = new PathMap(leaves.map(([path]) => [path, resolved.sourceValueAt(address, path)] as const));
      const declared = resolved.declaredOf(address)?.digest;
      return [address, { declared, leaves: new PathMap(leaves), sourceAt: (path) => source.get(path) }];
    });
    return { byAddress: new Map(manifests), secrets: resolved.secrets };
  });
}
