import { isJsonObject, type Json } from '../../json/json.ts';
import { comparable, identifyingText } from '../../kinds/compare.ts';
import { type Desired, hostKey, type TargetedResource } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { fingerprintOf, isForeign } from '../../secrets/fingerprint.ts';
import { isOnHold } from '../verdicts/holds.ts';
import { isRecordedQuery, knownId, tokenFingerprint } from './target.ts';

/**
 * An index of the records on hold. It finds the hold on an agent under any manifest name and in any environment.
 * Records are indexed by target, id, token and secret, so that only a few records must be compared.
 */
export class HeldRecords {
  readonly #byKey = new Map<string, ResourceRecord[]>();
  readonly #environments = new Set<string>();

  /** Indexes the records whose holds have not ended at `now`. */
  constructor(records: Iterable<ResourceRecord>, now: Date | undefined) {
    for (const record of records) {
      if (!isOnHold(record, now)) continue;
      this.#environments.add(record.environment);
      for (const key of keysOf(record)) this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), record]);
    }
  }

  /** Finds another record on hold that describes this resource. Calls `desired` only for a matching key. */
  findHold(
    resource: TargetedResource,
    own: ResourceRecord | undefined,
    desired: () => Desired,
  ): ResourceRecord | undefined {
    if (this.#environments.size === 0) return undefined;
    const isOther = (record: ResourceRecord) =>
      own === undefined || record.name !== own.name || record.environment !== own.environment;
    const { kind, target } = resource;
    const id = knownId(resource, own);
    const ofId = id === undefined ? [] : this.#with(idOnHost(kind, target.host, id));
    return ofId.find(isOther) ?? this.#ofTarget(resource, desired).find(isOther);
  }

  #ofTarget(resource: TargetedResource, desired: () => Desired): ResourceRecord[] {
    const { target } = resource;
    return [...this.#environments].flatMap((environment) => {
      const there = { ...resource, environment };
      const prefix = targetKey(there, target.host, parametersOf(target));
      // Secrets can be compared only within one environment, because they may have different values in each
      // environment.
      const isHere = environment === resource.environment;
      const keys = [`token ${tokenFingerprint(there)}`, ...(isHere ? [`secret ${target.tokenName}`, 'any'] : [])];
      const found = keys.flatMap((key) => this.#with(`${prefix} ${key}`));
      return found.filter((record) => mayBeSame({ ...desired(), environment }, record));
    });
  }

  #with(key: string): readonly ResourceRecord[] {
    return this.#byKey.get(key) ?? [];
  }
}

function keysOf(record: ResourceRecord): string[] {
  const { kind, host, id, credentials, query } = record;
  const prefix = targetKey(record, host, Object.entries(query));
  const { fingerprint, secret } = credentials;
  return [
    ...(id === undefined ? [] : [idOnHost(kind, host, id)]),
    ...(fingerprint === undefined ? [`${prefix} any`] : [`${prefix} token ${fingerprint}`]),
    ...(fingerprint === undefined || secret === undefined ? [] : [`${prefix} secret ${secret}`]),
  ];
}

function idOnHost(kind: string, host: string, id: string): string {
  return JSON.stringify(['id', kind, hostKey(host), id]);
}

type Parameters = readonly (readonly [name: string, value: string])[];

function parametersOf({ query, sensitiveQuery }: Desired['target']): Parameters {
  return Object.entries(query).map(([name, value]) => [name, sensitiveQuery.has(name) ? 'hmac:' : value]);
}

/**
 * Makes a key from the target. The key leaves out the values of sensitive query parameters, because their fingerprints
 * change with the token.
 */
function targetKey(
  { environment, kind }: Pick<ResourceRecord, 'environment' | 'kind'>,
  host: string,
  parameters: Parameters,
): string {
  const shown = parameters.map(([name, value]) => [name, /^(?:hmac|scrypt):/.test(value) ? '' : value]);
  return JSON.stringify([
    environment,
    kind,
    hostKey(host),
    shown.sort(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  ]);
}

/**
 * Whether a record may belong to the manifest's resource. The kind, host, reseller, query, credentials and identifying
 * settings must match. A record without identifying settings, such as the record of an unfinished create, matches any
 * resource at the target.
 */
export function mayBeSame(desired: Desired, record: ResourceRecord): boolean {
  if (record.kind !== desired.kind || hostKey(record.host) !== hostKey(desired.target.host)) return false;
  if (record.resellerId !== desired.resellerId) return false;
  if (!isRecordedQuery(desired, record) || !mayBeSameCredentials(desired, record)) return false;
  return kindNamed(desired.kind).identity.settings.every((name) => isSameSetting(desired, record, name));
}

/**
 * Whether either the token or the secret's name matches. One match is enough, because a rotation changes the token, and
 * a rename changes the secret's name. A record without a token fingerprint matches any credentials.
 */
function mayBeSameCredentials(desired: Desired, { credentials }: ResourceRecord): boolean {
  if (credentials.fingerprint === undefined) return true;
  return (
    (credentials.secret !== undefined && credentials.secret === desired.target.tokenName) ||
    credentials.fingerprint === tokenFingerprint(desired)
  );
}

function isSameSetting(desired: Desired, record: ResourceRecord, name: string): boolean {
  const applied = record.fields[`settings.${name}`];
  if (applied === undefined) return true;
  const { settings } = desired.sections;
  const value = isJsonObject(settings) ? settings[name] : undefined;
  if (value === undefined) return false;
  if (applied.fingerprint !== undefined) {
    const context = { environment: record.environment, kind: record.kind, name: record.name, path: `settings.${name}` };
    const { key } = desired.target;
    const isUnknown = isForeign(applied.fingerprint, key);
    return isUnknown || applied.fingerprint === fingerprintOf(key, context, comparable(value, undefined));
  }
  const { identity } = kindNamed(desired.kind);
  return identifyingText(identity, value) === identifyingText(identity, applied.value as Json);
}
