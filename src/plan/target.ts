import type { Aim, Desired } from '../kinds/desired.ts';
import { type FingerprintPlace, fingerprint } from '../kinds/fingerprint.ts';
import { canonicalJson } from '../kinds/json.ts';
import { kindNamed } from '../kinds/kind.ts';
import type { PlanTarget } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';

/** Where the calls for a resource go, as plans and records may hold it: without the token, secrets as fingerprints. */
export function shownTarget(desired: Aim): PlanTarget {
  const { host, query, sensitiveQuery } = desired.target;
  const shown = Object.entries(query).map(([name, value]) => [
    name,
    sensitiveQuery.has(name) ? fingerprint(queryPlace(desired, name), value) : value,
  ]);
  return { host, query: Object.fromEntries(shown) };
}

/** For a create also the token, as a fingerprint: nothing else says which agent it will hit. */
export function createTarget(desired: Aim): PlanTarget {
  const place = { environment: desired.environment, kind: '', name: '', path: 'target.token' };
  return { ...shownTarget(desired), credentials: fingerprint(place, desired.target.token.reveal()) };
}

/** The name of the resource is not in it: renaming a record does not make it speak of another agent. */
function queryPlace({ environment }: Aim, parameter: string): FingerprintPlace {
  return { environment, kind: '', name: '', path: `target.query.${parameter}` };
}

/** The id by which the agent is read: the manifest's, or else the recorded one. */
export function knownId(desired: Aim, record: ResourceRecord | undefined): string | undefined {
  return desired.target.agentId ?? record?.id;
}

/** In which respect the record speaks of another agent than the manifest; undefined if in none. */
export function targetMismatch(desired: Aim, record: ResourceRecord): string | undefined {
  const target = shownTarget(desired);
  const { agentId } = desired.target;
  if (agentId !== undefined && record.id !== undefined && record.id !== agentId) {
    return `the record is of agent ${record.id} and the manifest targets ${agentId}`;
  }
  if (record.host !== target.host) return `the record is of host ${record.host} and the target is ${target.host}`;
  if (sameQuery(record.query, target.query)) return undefined;
  return `the record's query is ${canonicalJson(record.query)} and the target's is ${canonicalJson(target.query)}`;
}

export function sameQuery(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** Whether nothing is known to be there yet: an agent has no id; what cannot be read has no record and no id either. */
export function isCreate(desired: Desired, record: ResourceRecord | undefined): boolean {
  const { live, isThere } = kindNamed(desired.kind);
  if (live !== undefined) return knownId(desired, record) === undefined;
  return record === undefined && isThere?.(desired) !== true;
}
