import { canonicalJson } from '../../json/json.ts';
import { type Desired, hostKey, type Target, type TargetedResource } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { NoticeFacts } from '../../notices/notice.ts';
import type { PlanTarget } from '../../schemas/plan-types.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { type FingerprintContext, fingerprintOf, isForeign } from '../../secrets/fingerprint.ts';

/** The target in the form that plans and records store, without token and with secrets as fingerprints. */
export function shownTarget(desired: TargetedResource): Pick<PlanTarget, 'host' | 'query'> {
  const { host, query, sensitiveQuery, key } = desired.target;
  const shown = Object.entries(query).map(([name, value]) => [
    name,
    sensitiveQuery.has(name) ? fingerprintOf(key, queryContext(desired, name), value) : value,
  ]);
  return { host, query: Object.fromEntries(shown) };
}

/** The target of a create, with the token's fingerprint, because the token alone decides what is written. */
export function createTarget(desired: TargetedResource): PlanTarget {
  return Object.assign(shownTarget(desired), { credentials: tokenFingerprint(desired) });
}

/** The token's fingerprint. Its salt lacks the resource's name, so that the fingerprint survives a rename. */
export function tokenFingerprint({ environment, target }: TargetedResource): string {
  return fingerprintOf(target.key, { environment, kind: '', name: '', path: 'target.token' }, target.token.reveal());
}

/** Adapts a recorded target to the manifest's environment after the environment was renamed. */
export function retargeted(
  desired: TargetedResource,
  { environment, query, credentials }: ResourceRecord,
): Pick<ResourceRecord, 'query' | 'credentials'> {
  const before = { ...desired, environment };
  const { query: wanted, sensitiveQuery, key } = desired.target;
  const parameters = Object.entries(query).map(([name, fingerprint]) => {
    const value = wanted[name];
    if (value === undefined || !sensitiveQuery.has(name)) return [name, fingerprint];
    const isOf = fingerprint === fingerprintOf(key, queryContext(before, name), value);
    return [name, isOf ? fingerprintOf(key, queryContext(desired, name), value) : fingerprint];
  });
  const isToken = credentials.fingerprint === tokenFingerprint(before);
  return {
    query: Object.fromEntries(parameters),
    credentials: isToken ? { ...credentials, fingerprint: tokenFingerprint(desired) } : credentials,
  };
}

/** The fingerprint context of a query parameter, without the resource's name, so that it survives a rename. */
function queryContext({ environment }: Pick<TargetedResource, 'environment'>, parameter: string): FingerprintContext {
  return { environment, kind: '', name: '', path: `target.query.${parameter}` };
}

/** The id by which to read the agent: the manifest's or, if it has none, the record's. */
export function knownId(
  desired: Pick<TargetedResource<Target>, 'target'>,
  record: ResourceRecord | undefined,
): string | undefined {
  return desired.target.agentId ?? record?.id;
}

/** Explains how the record's target differs from the manifest's target, if it does. */
export function targetMismatch(
  desired: TargetedResource,
  record: ResourceRecord,
): Omit<NoticeFacts['other-target'], 'kind'> | undefined {
  const { agentId, host } = desired.target;
  if (agentId !== undefined && record.id !== undefined && record.id !== agentId) {
    return { difference: 'id', recorded: record.id, wanted: agentId };
  }
  if (hostKey(record.host) !== hostKey(host)) return { difference: 'host', recorded: record.host, wanted: host };
  if (record.resellerId !== desired.resellerId) {
    return { difference: 'resellerId', recorded: String(record.resellerId), wanted: String(desired.resellerId) };
  }
  if (isRecordedQuery(desired, record)) return undefined;
  const { query } = shownTarget(desired);
  return { difference: 'query', recorded: canonicalJson(record.query), wanted: canonicalJson(query) };
}

/** Whether record and manifest have the same query. Sensitive values of another token count as equal. */
export function isRecordedQuery(
  desired: TargetedResource,
  { query: recorded }: Pick<ResourceRecord, 'query'>,
): boolean {
  const { query, sensitiveQuery, key } = desired.target;
  return (
    Object.keys(recorded).length === Object.keys(query).length &&
    Object.entries(query).every(([name, value]) => {
      const fingerprint = recorded[name];
      if (fingerprint === undefined || !sensitiveQuery.has(name)) return fingerprint === value;
      return isForeign(fingerprint, key) || fingerprint === fingerprintOf(key, queryContext(desired, name), value);
    })
  );
}

/**
 * Whether the resource must be created. A resource of a readable kind is created if its id is unknown. A resource of an
 * unreadable kind is created if the resource was never written and its manifest does not imply that the resource
 * exists.
 */
export function isCreate(desired: Desired, record: ResourceRecord | undefined): boolean {
  const { live, isThere } = kindNamed(desired.kind);
  if (live !== undefined) return knownId(desired, record) === undefined;
  return hasOnlyDecisions(record) && isThere?.(desired) !== true;
}

/** Whether the resource was never applied. Its record may still have decisions, such as an approval. */
export function hasOnlyDecisions(record: ResourceRecord | undefined): boolean {
  if (record === undefined) return true;
  const { id, appliedAt, adopted, intent, failure, fields } = record;
  const known = [id, appliedAt, adopted, intent, failure];
  return known.every((one) => one === undefined) && Object.keys(fields).length === 0;
}
