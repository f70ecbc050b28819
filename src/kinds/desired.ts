import type { JsonObject } from '../json/json.ts';
import type { KindName } from '../schemas/fields.ts';
import type { FingerprintKey } from '../secrets/fingerprint.ts';
import { isLoopback, type Secret } from '../secrets/secret.ts';
import { shellWord } from '../text/wording.ts';
import type { Labels } from './labels.ts';

/** The destination of calls for a resource. The token and the query parameters determine which agent is written. */
export interface Target {
  /** The base URL, without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  /** The host and port of the base URL. `emulator` for the embedded emulator. */
  readonly host: string;
  readonly token: Secret;
  /** The name of the token's secret. Undefined for the embedded emulator without a token. */
  readonly tokenName?: string;
  /** The location where a file names the token. Absent if no file names the token. */
  readonly tokenAt?: { readonly file: string; readonly line: number };
  /** The query parameters to add to every call. */
  readonly query: Readonly<Record<string, string>>;
  /** The names of query parameters that contain a secret. */
  readonly sensitiveQuery: ReadonlySet<string>;
  /** The id in the manifest. It overrides the recorded id. */
  readonly agentId?: string;
  /** The id that updates return, if it differs from `agentId`. */
  readonly campaignId?: string;
}

/** The base URL of the embedded emulator, and its host in targets and records. */
export const emulator = 'emulator';

/**
 * Returns a key for a host. All loopback names have the same key. Do not use the key to decide whether a host may
 * receive secrets, because that decision depends on the host's exact name.
 */
export function hostKey(host: string): string {
  const [, name = host, port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? [];
  return isLoopback(name) ? `localhost${port}` : host;
}

/** Makes a key for an account or agent from its host and id. */
export function idKey({ host }: { readonly host: string }, id: string | undefined): string {
  return `${hostKey(host)} ${id ?? ''}`;
}

/** Whether calls for a target go to the emulator that agentform starts itself. */
export function isEmbedded({ baseUrl }: { readonly baseUrl: string }): boolean {
  return baseUrl === emulator;
}

/** A target with the key for its fingerprints. The key is derived after the manifests are resolved. */
export interface KeyedTarget extends Target {
  readonly key: FingerprintKey;
}

/** The desired state of a resource: its manifest, resolved for one environment. */
export interface Desired<At extends Target = KeyedTarget> {
  readonly kind: KindName;
  readonly name: string;
  readonly environment: string;
  readonly target: At;
  /** The name of the Organization manifest. Calls for the resource act for the account of this organization. */
  readonly organization?: string;
  /** For a PhoneNumber, the name of its Agent manifest. The PhoneNumber uses the Agent's target. */
  readonly agent?: string;
  /** For a Member, the id of the user to update. */
  readonly memberId?: number;
  /** For an Organization, the reseller under which the account is created. */
  readonly resellerId?: string;
  /** Labels for selectors. Labels are never sent. */
  readonly labels?: Labels;
  /**
   * The sections in the shape of a manifest, with all references resolved. For an Agent, these are `settings`,
   * `skills`, `apps`, `backgroundAudio`, `transferRules` and `extraSettings`, each only if declared. Known settings are
   * in their own section, even if the manifest has them under `extraSettings`.
   */
  readonly sections: JsonObject;
  /** The names of known settings under `extraSettings`. The values of these settings are not validated. */
  readonly unvalidated?: readonly string[];
  /**
   * JSON pointers into `sections`, such as /skills/0/instructions, of values that contain a secret or are sensitive in
   * the schema.
   */
  readonly sensitive: ReadonlySet<string>;
}

/** The properties of a resource that determine its target. */
export type TargetedResource<At extends Target = KeyedTarget> = Pick<
  Desired<At>,
  'kind' | 'name' | 'environment' | 'target' | 'organization' | 'resellerId'
>;

/** The address of a resource: `Kind/name`. */
export function addressOf(resource: { readonly kind: string; readonly name: string }): string {
  return `${resource.kind}/${resource.name}`;
}

/** Indexes resources by their addresses. */
export function byAddress<Resource extends { readonly kind: string; readonly name: string }>(
  resources: readonly Resource[],
): Map<string, Resource> {
  return new Map(resources.map((one) => [addressOf(one), one]));
}

export function kindIn(address: string): string {
  return address.split('/', 1)[0] ?? '';
}

/**
 * Formats a command for a message. Adds `-e` if an environment is given, because the reader's default environment may
 * be different.
 */
export function commandIn(environment: string | undefined, words: string): string {
  return `\`agentform ${words}${environment === undefined ? '' : ` -e ${shellWord(environment)}`}\``;
}

export function organizationAddress(name: string): string {
  return addressOf({ kind: 'Organization', name });
}

/** The query parameter that makes a call act for an organization's account. */
export const accountParameter = 'targetAccountId';

/** The text that plans show in place of the id of an organization that does not exist yet. */
export const knownAfterApply = '(known after apply)';

/** The addresses of manifests that a resource refers to. */
export function dependenciesOf({ organization, agent }: Pick<Desired, 'organization' | 'agent'>): string[] {
  return [
    ...(organization === undefined ? [] : [organizationAddress(organization)]),
    ...(agent === undefined ? [] : [addressOf({ kind: 'Agent', name: agent })]),
  ];
}

/**
 * If a resource has an organization, adds the organization's id to the query parameters. `ids` maps addresses to known
 * ids.
 */
export function inOrganization<Aimed extends TargetedResource<Target>>(
  desired: Aimed,
  ids: ReadonlyMap<string, string>,
): Aimed {
  if (desired.organization === undefined) return desired;
  const id = ids.get(organizationAddress(desired.organization)) ?? knownAfterApply;
  const { target } = desired;
  return { ...desired, target: { ...target, query: { ...target.query, [accountParameter]: id } } };
}
