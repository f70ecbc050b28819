import type { KindName } from '../schemas/fields.ts';
import type { JsonObject } from './json.ts';
import type { Secret } from './secret.ts';

/** Where the calls for a resource go. The token and the query decide which agent a write hits. */
export interface Target {
  /** Without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  /** Host and port of the base URL; `emulator` for the embedded emulator. */
  readonly host: string;
  readonly token: Secret;
  /** Extra query parameters of every call. */
  readonly query: Readonly<Record<string, string>>;
  /** Names of query parameters whose value holds a secret. */
  readonly sensitiveQuery: ReadonlySet<string>;
  /** Declared in the manifest; wins over the record's id. */
  readonly agentId?: string;
  /** The id that an update answers with, where it differs from the agentId. */
  readonly campaignId?: string;
}

/** What a manifest asks for, resolved for one environment. */
export interface Desired {
  readonly kind: KindName;
  readonly name: string;
  readonly environment: string;
  readonly target: Target;
  /**
   * The manifest's sections with every include and variable resolved, in the manifest's shape: for an Agent
   * `settings`, `skills`, `apps`, `backgroundAudio`, `transferRules` and `extraSettings`, each only if declared.
   */
  readonly sections: JsonObject;
  /** JSON pointers into `sections` (such as /skills/0/instructions) of the strings that hold a secret. */
  readonly sensitive: ReadonlySet<string>;
}

/** `Kind/name`, how a resource is addressed. */
export function addressOf(resource: { readonly kind: string; readonly name: string }): string {
  return `${resource.kind}/${resource.name}`;
}
