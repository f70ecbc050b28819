// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * What agentform applied last time to one resource in one environment.
 */
export interface ResourceRecord {
  formatVersion: 1;
  environment: string;
  kind: string;
  name: string;
  /**
   * The id on the service; absent while a create is under way or its outcome unclear.
   */
  id?: string;
  /**
   * Host, and port if any, of the base URL; `emulator` for the embedded emulator.
   */
  host: string;
  /**
   * The extra query parameters; a sensitive one as its fingerprint.
   */
  query: {
    [k: string]: string;
  };
  credentials: Credentials;
  /**
   * For an organization: the reseller under which it was created.
   */
  resellerId?: string;
  /**
   * For an organization: agentform created it, so its default agent was not used before.
   */
  created?: true;
  /**
   * The values last applied, by path.
   */
  fields: {
    [k: string]: AppliedField;
  };
  /**
   * lastUpdate of the read right after the last apply, in milliseconds since the epoch.
   */
  lastUpdate?: number;
  /**
   * Of an agent: `written` if an apply wrote its draft and did not publish it, `published` if agentform published it since; absent where agentform did neither.
   */
  draft?: 'written' | 'published';
  intent?: Intent;
  holds?: Holds;
  /**
   * When, as an ISO 8601 UTC time.
   */
  appliedAt?: string;
  /**
   * The commit of the project that was applied.
   */
  commit?: string;
  /**
   * Digest of what the manifest asked for when all of it was applied, a secret by its reference; absent where something was not, or nobody knows.
   */
  declared?: string;
  content?: Content;
  /**
   * Digest of what overlays of this environment said at the last write; absent where there were none, or nobody knows.
   */
  overlay?: string;
  /**
   * Names of the policies that the last apply overruled with --skip-policies.
   */
  skippedPolicies?: string[];
  /**
   * Names of the Tests with cases that did not pass, which the last apply overruled with --skip-tests.
   */
  skippedTests?: string[];
  /**
   * Environments to which the content was not applied first, which the last apply overruled with --skip-requires.
   */
  skippedRequires?: string[];
  /**
   * HMAC of the rest of the record, under the key of its fingerprints; absent if the record was saved without the token. A rollback to a version with an invalid HMAC needs --to.
   */
  hmac?: string;
}
/**
 * What tells the token that the resource was written with from another one.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Credentials".
 */
export interface Credentials {
  /**
   * The token's fingerprint; absent where the token was not known.
   */
  fingerprint?: string;
  /**
   * The name of the secret that holds the token.
   */
  secret?: string;
}
/**
 * One value as it was sent, and its read-back if that differs.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "AppliedField".
 */
export interface AppliedField {
  value?: unknown;
  readBack?: unknown;
  fingerprint?: string;
  readBackFingerprint?: string;
  /**
   * The rules that make the read-back the service's form of the sent value; absent if the service stored another value.
   */
  rules?: ('html-escapes' | 'unicode' | 'quotes' | 'url' | 'white-space' | 'letter-case')[];
}
/**
 * A create that was begun and has not been settled.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Intent".
 */
export interface Intent {
  operation: 'create';
  startedAt: string;
  /**
   * A random id of the run that began it, which tells its intent from that of any other run.
   */
  runId: string;
}
/**
 * What keeps apply from writing the resource.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Holds".
 */
export interface Holds {
  freeze?: Freeze;
  rollback?: RollbackHold;
  released?: Release;
}
/**
 * Made by `agentform hold`. It ends by `agentform unhold`, or on its day.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Freeze".
 */
export interface Freeze {
  /**
   * Who made it.
   */
  by: string;
  /**
   * When, as an ISO 8601 UTC time.
   */
  since: string;
  reason: string;
  /**
   * When it ends, as an ISO 8601 UTC time; open-ended without.
   */
  until?: string;
}
/**
 * Made by `agentform rollback`. It ends by `agentform unhold`, or when the manifest asks for another value of a field that was rolled back.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "RollbackHold".
 */
export interface RollbackHold {
  /**
   * Who rolled back.
   */
  by: string;
  /**
   * When, as an ISO 8601 UTC time.
   */
  since: string;
  reason?: string;
  /**
   * The version that was restored: a commit, the number of a change, or a saved plan.
   */
  to: string;
  /**
   * By path, the digests or fingerprints of the values that were rolled back; an empty text stands for no value.
   */
  fields: {
    [k: string]: string[];
  };
}
/**
 * The last `agentform unhold`, so that a record from before it is known to be older.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Release".
 */
export interface Release {
  /**
   * Who released the resource.
   */
  by: string;
  /**
   * When, as an ISO 8601 UTC time.
   */
  at: string;
}
/**
 * What the manifest said in every environment when all of it was applied; absent where something was not, or nobody knows.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Content".
 */
export interface Content {
  /**
   * Digest of the manifest, its bases, its row and its files, without overlays and what variables of environments stand for.
   */
  digest: string;
  /**
   * Since when it is applied here without a break, as an ISO 8601 UTC time.
   */
  since: string;
}
