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
   * For an agent: `written` if an apply wrote its draft but did not publish it, `published` if agentform published it since; absent if neither.
   */
  draft?: 'written' | 'published';
  intent?: Intent;
  holds?: Holds;
  /**
   * The time, as ISO 8601 in UTC.
   */
  appliedAt?: string;
  /**
   * The commit of the project that was applied.
   */
  commit?: string;
  /**
   * Digest of the manifest that was applied completely, with secrets as references; absent if the apply was incomplete or this is unknown.
   */
  declared?: string;
  content?: Content;
  /**
   * Digest of the overlays of this environment at the last write; absent if there were none or this is unknown.
   */
  overlay?: string;
  /**
   * Names of the policies that the last apply overrode with --skip-policies.
   */
  skippedPolicies?: string[];
  /**
   * Names of the failed Tests that the last apply overrode with --skip-tests.
   */
  skippedTests?: string[];
  /**
   * Required environments that the last apply overrode with --skip-requires.
   */
  skippedRequires?: string[];
  /**
   * HMAC of the rest of the record, under the key of its fingerprints; absent if the record was saved without the token. A rollback to a version with an invalid HMAC needs --to.
   */
  hmac?: string;
}
/**
 * Identifies the token that the resource was written with.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Credentials".
 */
export interface Credentials {
  /**
   * The token's fingerprint; absent if the token was unknown.
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
 * A create whose outcome is not known yet.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Intent".
 */
export interface Intent {
  operation: 'create';
  startedAt: string;
  /**
   * A random id of the run that began it.
   */
  runId: string;
}
/**
 * The hold that keeps apply from writing the resource.
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
 * Made by `agentform hold`. It ends with `agentform unhold` or on its day.
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
   * The time, as ISO 8601 in UTC.
   */
  since: string;
  reason: string;
  /**
   * The time when it ends, as ISO 8601 in UTC; open-ended if absent.
   */
  until?: string;
}
/**
 * Made by `agentform rollback`. It ends with `agentform unhold`, or when the manifest changes a field that was rolled back.
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
   * The time, as ISO 8601 in UTC.
   */
  since: string;
  reason?: string;
  /**
   * The version that was restored: a commit, the number of a change, or a saved plan.
   */
  to: string;
  /**
   * Digests or fingerprints of the values that were rolled back, by path; an empty text means no value.
   */
  fields: {
    [k: string]: string[];
  };
}
/**
 * The last `agentform unhold`, which shows that a record with the hold is older.
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
   * The time, as ISO 8601 in UTC.
   */
  at: string;
}
/**
 * The content of the manifest for all environments when it was applied completely; absent if the apply was incomplete or this is unknown.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Content".
 */
export interface Content {
  /**
   * Digest of the manifest, its bases, its row and its files, without overlays and values of environment variables.
   */
  digest: string;
  /**
   * The time since which it is applied here without interruption, as ISO 8601 in UTC.
   */
  since: string;
}
