import { isDeepStrictEqual } from 'node:util';
import { fieldsAsSent } from '../../apply/records/settled-fields.ts';
import { AgentformError, ServiceError } from '../../errors.ts';
import { readUntilInterrupted } from '../../interruption.ts';
import { idSyntax, isId } from '../../json/check.ts';
import {
  addressOf,
  type Desired,
  inOrganization,
  knownAfterApply,
  organizationAddress,
  type Target,
} from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import type { Project } from '../../manifest/project/project.ts';
import { desiredOfAll, type Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { remedyIn } from '../../notices/notice.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import { withRename } from '../../plan/records/moves.ts';
import { hmacState, recordOf, withHmac } from '../../plan/records/record-of.ts';
import { targetMismatch } from '../../plan/records/target.ts';
import { otherAgentReasons } from '../../plan/verdicts/blocks.ts';
import type { RecordKey, RecordStore, StoredRecord } from '../../record/store.ts';
import { refusedBy, remedyText } from '../../report/notices.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { FingerprintKey } from '../../secrets/fingerprint.ts';
import { isLongEnough, redactor } from '../../secrets/redact.ts';
import { withConnections } from '../../session/connections.ts';
import { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';
import { tokenIn } from '../../session/identities.ts';
import {
  changingRecords,
  deedIn,
  hideNamedSecrets,
  type OpenRecords,
  onlyNamed,
  possiblyNamed,
  type RecordOptions,
} from '../../session/records/records.ts';
import { requireValid } from '../../session/session.ts';
import { refuseHeld, refuseLostHold } from './record.ts';

export interface AdoptOptions extends RecordOptions {
  readonly address: string;
  readonly id?: string | undefined;
}

export interface AdoptedRecord {
  readonly record: ResourceRecord;
  /** Whether the resource has no known id, so that other resources cannot refer to it. */
  readonly lacksId: boolean;
  /** Set if an earlier run has already adopted the resource, and no apply has changed the record since. */
  readonly isUnchanged?: true;
}

/**
 * Links a record to an existing resource. For an agent, sets the id and clears the last applied values, so that the
 * next plan compares all values. If the token is available, also checks that the service knows the id. For an
 * unreadable kind, the manifest's values count as applied.
 */
export function adoptRecord(host: Host, options: AdoptOptions): Promise<AdoptedRecord> {
  return changingRecords(host, { ...options, what: 'Adopt' }, (open) => adopt(host, options, open));
}

async function adopt(
  host: Host,
  options: AdoptOptions,
  { project, environment, store }: OpenRecords,
): Promise<AdoptedRecord> {
  const { address, signal } = options;
  const { desired, resolution, isTokenKnown } = await resolveOne(host, { project, environment }, address);
  const bound = await withOrganization(desired, store);
  const { kind } = bound;
  const before = await storedRecords(store, bound, resolution);
  const known = (before.stored ?? before.former)?.record;
  const recorded = recordedId(bound, known);
  const id = adoptedId(bound, { given: options.id, recorded, resolution });
  // A hold applies to the agent in the record, so linking another agent would lose the hold.
  if (known !== undefined && (recorded === undefined || id !== recorded)) refuseHeld(known, host.now());
  const signedWith = isTokenKnown ? bound.target.key : undefined;
  await refuseLostHold(store, { key: known ?? bound, record: known, id, signedWith, now: host.now() });
  const isReadable = kindNamed(kind).live !== undefined;
  if (isReadable && isTokenKnown) await requireKnown(host, { project, resolution, desired: bound, signal }, id);
  const fields = isReadable ? {} : fieldsAsSent(resourceState({ desired: bound }, secrecyOf(resolution.secrets)));
  const adopted = await deedIn({ project, store }, host);
  const { holds, renames } = known ?? {};
  const adopting = withRename(recordOf(bound, { id, fields, holds, renames, adopted }), known ?? bound, adopted);
  const record = isTokenKnown ? withHmac(adopting, bound.target.key) : withoutFingerprint(adopting);
  const lacksId = kindNamed(kind).hasId === true && id === undefined;
  const { stored } = before;
  if (isAdoptedAs(stored, { record, key: signedWith })) return { record: stored.record, lacksId, isUnchanged: true };
  await replaceRecord(store, record, before);
  return { record, lacksId };
}

/** Whether an earlier run has stored the result of the same adoption. An edited record must be adopted again. */
function isAdoptedAs(
  stored: StoredRecord | undefined,
  { record, key }: { readonly record: ResourceRecord; readonly key: FingerprintKey | undefined },
): stored is StoredRecord {
  if (stored?.record.adopted === undefined) return false;
  if (key !== undefined && hmacState(stored.record, key) !== 'holds') return false;
  const apart = { adopted: undefined, hmac: undefined };
  return isDeepStrictEqual({ ...record, ...apart }, { ...stored.record, ...apart });
}

/** Returns the id in the record, or undefined if the record has another target. */
function recordedId(desired: Desired, record: ResourceRecord | undefined): string | undefined {
  return record === undefined || targetMismatch(desired, record) !== undefined ? undefined : record.id;
}

async function replaceRecord(
  store: RecordStore,
  record: ResourceRecord,
  { stored, former }: StoredRecords,
): Promise<void> {
  await store.save(record, stored?.version);
  if (former !== undefined) await store.remove(former.record, former.version);
}

/** Removes the token's fingerprint. The record keeps the name of the token's secret. */
function withoutFingerprint(record: ResourceRecord): ResourceRecord {
  const { fingerprint: _, ...credentials } = record.credentials ?? {};
  return { ...record, credentials };
}

interface Adopted {
  readonly project: Project;
  readonly resolution: Resolution;
  readonly desired: Desired;
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks that the service knows the id, because a mistyped id would make every plan fail. A gateway that confuses
 * responses must not confirm the id of another agent.
 */
async function requireKnown(
  host: Host,
  { project, resolution, desired, signal }: Adopted,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return;
  const redact = redactor(resolution.secrets.filter(isLongEnough));
  await withConnections(host, { project, redact }, async (connect) => {
    const { service, connectionOf } = await connect([desired.target]);
    const campaign = await readUntilInterrupted(signal, service.getAgent(connectionOf(desired), id)).catch(
      (error: unknown) => {
        throw error instanceof ServiceError && error.status === 404 ? unknownAgent(desired, id, error) : error;
      },
    );
    const reasons = otherAgentReasons(
      { desired: { ...desired, target: { ...desired.target, agentId: id } } },
      campaign,
    );
    if (reasons.length > 0) throw refusedBy('adopt-refused', reasons);
  });
}

/** Returns the error for an unknown id. The id may be mistyped or belong to another account. */
function unknownAgent(desired: Desired, id: string, error: ServiceError): ServiceError {
  const { host, tokenName = 'the token' } = desired.target;
  const message =
    `the service at ${host} has no agent ${id}, so ${addressOf(desired)} was not adopted; check the id, and that ` +
    `${tokenName} belongs to the account with this agent`;
  const { outcome, call, facts, cause } = error;
  return new ServiceError('service-refused', message, { outcome, call, facts, cause });
}

interface StoredRecords {
  readonly stored?: StoredRecord;
  /** The record under a former name, if there is no other record. An apply would rename it. */
  readonly former?: StoredRecord;
}

async function storedRecords(store: RecordStore, key: RecordKey, { all }: Resolution): Promise<StoredRecords> {
  const stored = await store.read(key);
  if (stored !== undefined) return { stored };
  const names = all.find((one) => addressOf(one) === addressOf(key))?.renamedFrom ?? [];
  for (const { name } of names) {
    const former = await store.read({ ...key, name });
    if (former !== undefined) return { former };
  }
  return {};
}

/** Resolves one manifest. Needs secrets only if the record stores their fingerprints. The token is optional. */
async function resolveOne(
  host: Host,
  { project, environment }: Omit<OpenRecords, 'store'>,
  text: string,
): Promise<{ readonly desired: Desired; readonly resolution: Resolution; readonly isTokenKnown: boolean }> {
  const possible = new Set(possiblyNamed(text).map(addressOf));
  const select = (address: string) => possible.has(address);
  const resolve = async (secrets: 'names' | 'values') => {
    const { env, allowedSecrets } = host;
    const resolution = await resolveProject(project, { environment, secrets, select, env, allowedSecrets });
    return { desired: found(resolution, project, { text, select }), resolution };
  };
  const unresolved = await resolve('names');
  const { target, sensitive, kind } = unresolved.desired;
  const isKept = target.sensitiveQuery.size > 0 || (sensitive.size > 0 && kindNamed(kind).live === undefined);
  const { desired, resolution } = isKept ? await resolve('values') : unresolved;
  const { tokenName } = target;
  const token = isKept || tokenName === undefined ? desired.target.token : tokenIn(host.env, tokenName);
  hideNamedSecrets(host, resolution.secretNames);
  const aimed = { ...desired, target: { ...desired.target, token: token ?? target.token } };
  const keyed = await new FingerprintKeys(project.root).keyed(aimed);
  return { desired: keyed, resolution, isTokenKnown: token !== undefined };
}

function found(
  resolution: Resolution,
  project: Project,
  { text, select }: { readonly text: string; readonly select: (address: string) => boolean },
): Desired<Target> {
  const named = new Set(resolution.all.map(addressOf).filter(select));
  onlyNamed(text, [...named], String);
  const [desired] = desiredOfAll(resolution);
  if (desired !== undefined) return desired;
  requireValid(resolution.problems, { project });
  throw new AgentformError(
    'selection-empty',
    `no manifest declares ${text}, so it cannot be adopted; declare it first`,
  );
}

async function withOrganization(desired: Desired, store: RecordStore): Promise<Desired> {
  const { organization, environment } = desired;
  if (organization === undefined) return desired;
  const address = organizationAddress(organization);
  const stored = await store.read({ environment, kind: 'Organization', name: organization });
  const id = stored?.record.id ?? knownAfterApply;
  if (id !== knownAfterApply) return inOrganization(desired, new Map([[address, id]]));
  throw new AgentformError(
    'record-unknown',
    `${address} has no id yet, so the account of ${addressOf(desired)} is unknown; adopt or apply ${address} first`,
  );
}

interface KnownIds {
  readonly given: string | undefined;
  readonly recorded: string | undefined;
  readonly resolution: Resolution;
}

/** Returns the id to adopt. Throws `usage` for an unsuitable id, and if a necessary id is missing. */
function adoptedId(desired: Desired, { given, recorded, resolution }: KnownIds): string | undefined {
  const declared = desired.target.agentId;
  const address = addressOf(desired);
  if (given !== undefined && declared !== undefined && given !== declared) {
    throw new AgentformError(
      'usage',
      `the manifest of ${address} targets agent ${declared}, so ${given} cannot be adopted; change target.agentId first`,
    );
  }
  const { noun, hasId } = kindNamed(desired.kind);
  if (given !== undefined && !hasId) {
    throw new AgentformError(
      'usage',
      `the record of a ${noun} has no id; leave out ${JSON.stringify(given)} to mark its manifest as applied`,
    );
  }
  const id = given ?? declared ?? recorded;
  if (id === undefined && isIdNeeded(desired, resolution)) {
    const remedy = remedyIn(desired.environment, 'record', 'adopt', address, 'ID');
    throw new AgentformError('usage', `the id of the ${noun} to adopt is missing; run ${remedyText(remedy)}`, {
      remedies: [remedy],
    });
  }
  if (id === undefined || isId(id)) return id;
  throw new AgentformError('usage', `${JSON.stringify(id)} is not an id: expected ${idSyntax}`);
}

/**
 * Whether the record is useless without an id. An id is needed to read a resource, and to write the resources in the
 * account of an organization.
 */
function isIdNeeded({ kind, name }: Desired, { all }: Resolution): boolean {
  const { live, isAccount } = kindNamed(kind);
  return live !== undefined || (isAccount === true && all.some(({ organization }) => organization === name));
}
