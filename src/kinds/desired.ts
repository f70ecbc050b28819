import type { JsonObject } from '../json/json.ts';
import type { KindName } from '../schemas/fields.ts';
import type { FingerprintKey } from '../secrets/fingerprint.ts';
import { isLoopback, type Secret } from '../secrets/secret.ts';
import type { Labels } from './labels.ts';

/** The target of a resource's calls. The token and the query decide which agent is written. */
export interface Target {
  /** Without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  /** Host and port of the base URL; `emulator` for the embedded emulator. */
  readonly host: string;
  readonly token: Secret;
  /** The name of the secret with the token; none if the embedded emulator accepts any token. */
  readonly tokenName?: string;
  /** The place that names it, if a file does. */
  readonly tokenAt?: { readonly file: string; readonly line: number };
  /** Extra query parameters of every call. */
  readonly query: Readonly<Record<string, string>>;
  /** Names of query parameters with a secret. */
  readonly sensitiveQuery: ReadonlySet<string>;
  /** Declared in the manifest; wins over the record's id. */
  readonly agentId?: string;
  /** The id in the answer to an update, if it differs from the agentId. */
  readonly campaignId?: string;
}

/** The base URL of the embedded emulator, and its host in targets and records. */
export const emulator = 'emulator';

/**
 * A text that is equal for names of the same host and port, because this machine has several names. Secrets are still
 * only sent to a host by name.
 */
export function hostKey(host: string): string {
  const [, name = host, port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? [];
  return isLoopback(name) ? `localhost${port}` : host;
}

/** Distinguishes accounts or agents by id. */
export function idKey({ host }: { readonly host: string }, id: string | undefined): string {
  return `${hostKey(host)} ${id ?? ''}`;
}

/** Whether the calls go to the emulator that the command itself runs. */
export function isEmbedded({ baseUrl }: { readonly baseUrl: string }): boolean {
  return baseUrl === emulator;
}

/** A target with the key of its fingerprints, which is derived after the manifests are resolved. */
export interface KeyedTarget extends Target {
  readonly key: FingerprintKey;
}

/** A resolved manifest for one environment. */
export interface Desired<At extends Target = KeyedTarget> {
  readonly kind: KindName;
  readonly name: string;
  readonly environment: string;
  readonly target: At;
  /** Name of the Organization manifest whose account the calls act for. */
  readonly organization?: string;
  /** For a PhoneNumber: name of its Agent manifest, whose target it uses. */
  readonly agent?: string;
  /** For a Member: its user id, for updates. */
  readonly memberId?: number;
  /** For an Organization: the reseller under which it is created, from the manifest or the environment. */
  readonly resellerId?: string;
  /** The labels to select it by; never sent. */
  readonly labels?: Labels;
  /**
   * The manifest's sections with every include and variable resolved, in the manifest's shape: for an Agent
   * `settings`, `skills`, `apps`, `backgroundAudio`, `transferRules` and `extraSettings`, each only if declared. A known
   * setting is in its own section even if the manifest has it under `extraSettings`.
   */
  readonly sections: JsonObject;
  /** Names of known settings under `extraSettings`, which are not validated. */
  readonly unvalidated?: readonly string[];
  /**
   * JSON pointers into `sections` (such as /skills/0/instructions) of values that contain a secret or are sensitive in
   * the schema.
   */
  readonly sensitive: ReadonlySet<string>;
}

/** The part of a manifest that determines its target. */
export type TargetedResource<At extends Target = KeyedTarget> = Pick<
  Desired<At>,
  'kind' | 'name' | 'environment' | 'target' | 'organization' | 'resellerId'
>;

/** `Kind/name`, how a resource is addressed. */
export function addressOf(resource: { readonly kind: string; readonly name: string }): string {
  return `${resource.kind}/${resource.name}`;
}

/** The kind of an address. */
export function kindIn(address: string): string {
  return address.split('/', 1)[0] ?? '';
}

/** A command for a message. Without `-e` it would act in the default environment, which may be another one. */
export function commandIn(environment: string, words: string): string {
  return `\`agentform ${words} -e ${environment}\``;
}

/** The address of the Organization manifest that a manifest names. */
export function organizationAddress(name: string): string {
  return addressOf({ kind: 'Organization', name });
}

/** The query parameter that makes a call act for the account of an organization. */
export const accountParameter = 'targetAccountId';

/** The text in plans for the id of an organization that does not exist yet. */
export const knownAfterApply = '(known after apply)';

/** The addresses of the manifests that this one refers to. */
export function dependenciesOf({ organization, agent }: Pick<Desired, 'organization' | 'agent'>): string[] {
  return [
    ...(organization === undefined ? [] : [organizationAddress(organization)]),
    ...(agent === undefined ? [] : [addressOf({ kind: 'Agent', name: agent })]),
  ];
}

/** The resource with calls that act for its organization. `ids` has the known organization ids by address. */
export function inOrganization<Aimed extends TargetedResource<Target>>(
  desired: Aimed,
  ids: ReadonlyMap<string, string>,
): Aimed {
  if (desired.organization === undefined) return desired;
  const id = ids.get(organizationAddress(desired.organization)) ?? knownAfterApply;
  const { target } = desired;
  return { ...desired, target: { ...target, query: { ...target.query, [accountParameter]: id } } };
}
