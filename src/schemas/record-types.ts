// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * What agentform last applied to one resource in one environment.
 */
export interface ResourceRecord {
  formatVersion: 1;
  environment: string;
  kind: string;
  name: string;
  /**
   * The id on the service. Absent during a create, or if the outcome of the create is unclear.
   */
  id?: string;
  /**
   * The host of the base URL, with its port if it has one. `emulator` for the embedded emulator.
   */
  host: string;
  /**
   * The extra query parameters. A sensitive parameter is stored as its fingerprint.
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
   * The lastUpdate that the read right after the last apply returned, in milliseconds since the epoch.
   */
  lastUpdate?: number;
  /**
   * For an agent: `written` if an apply wrote its draft but did not publish it, `published` if agentform published it since. Absent if neither.
   */
  draft?: 'written' | 'published';
  intent?: Intent;
  holds?: Holds;
  /**
   * What the last apply did. `adopt`: it was the first apply to an existing agent. `settle`: it recorded values and sent nothing. After an apply with an unknown outcome, this is `apply`. Absent after `record adopt`.
   */
  event?: 'create' | 'adopt' | 'apply' | 'rollback' | 'import' | 'settle';
  /**
   * The time of the last apply, as ISO 8601 in UTC.
   */
  appliedAt?: string;
  /**
   * In a rollout: when the service responded to the last write, by the service's clock, as ISO 8601 in UTC. Absent if the response had no time.
   */
  writtenAt?: string;
  /**
   * The person who ran the last apply. Absent if neither the pipeline nor git knows.
   */
  appliedBy?: string;
  /**
   * The project commit that was applied.
   */
  commit?: string;
  /**
   * The number of the pull request or merge request of the commit. Absent if unknown.
   */
  pullRequest?: number;
  /**
   * The web page of the pipeline run of the last apply.
   */
  run?: string;
  declared?: Declared;
  content?: Content;
  /**
   * Digest of the applied sections, with variables as references and without the fleet row. Absent if the apply was incomplete or the digest is unknown.
   */
  revision?: string;
  /**
   * Digest of the overlays of this environment at the last write. Absent if there were no overlays or the digest is unknown.
   */
  overlay?: string;
  failure?: Failure;
  /**
   * Values on the service that the last apply replaced and that agentform had not written.
   */
  overwrote?: Overwritten[];
  /**
   * The paths of settings that were edited on the service, if the manifest of the last apply declares the same value.
   */
  keptEdits?: string[];
  /**
   * Paths of settings that the last apply stopped managing. The service keeps their values.
   */
  released?: string[];
  adopted?: Deed;
  publication?: Publication;
  /**
   * Earlier names of the record, the latest last.
   */
  renames?: Rename[];
  approval?: Approval;
  /**
   * Decisions that overruled a refusal for the last apply.
   */
  overruled?: Overruled[];
  /**
   * An HMAC of all other members, made with the fingerprint key. Absent if the record was saved without the token. A rollback to a version with an invalid HMAC needs --to.
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
   * The token's fingerprint. Absent if the token was unknown.
   */
  fingerprint?: string;
  /**
   * The name of the secret that holds the token.
   */
  secret?: string;
}
/**
 * One value as it was sent, and the value that was read back, if different.
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
   * The rules that explain how the read-back differs from the sent value. Absent if the service stored another value.
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
   * A random id of the run that began the create.
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
  /**
   * Settings that stay as they are on the service.
   */
  kept?: KeptSettings[];
  released?: Release;
}
/**
 * A hold made by `agentform hold`. It ends with `agentform unhold`, or at the time in `until`.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Freeze".
 */
export interface Freeze {
  /**
   * Who made the hold.
   */
  by: string;
  /**
   * The time, as ISO 8601 in UTC.
   */
  since: string;
  reason: string;
  /**
   * The time when the hold ends, as ISO 8601 in UTC. Absent if the hold has no end.
   */
  until?: string;
}
/**
 * A hold made by `agentform rollback`. It ends with `agentform unhold`, or when the manifest changes a field that was rolled back.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "RollbackHold".
 */
export interface RollbackHold {
  /**
   * Who ran the rollback.
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
   * Digests or fingerprints of the values that were rolled back, by path. An empty string means no value.
   */
  fields: {
    [k: string]: string[];
  };
}
/**
 * A hold that an apply made because a person chose to keep the live values of these settings. It ends with `agentform unhold`. For a single setting, it also ends when the manifest changes that setting. For settings that cannot be read back, the hold ends for all of them together.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "KeptSettings".
 */
export interface KeptSettings {
  /**
   * Who answered.
   */
  by: string;
  /**
   * The time, as ISO 8601 in UTC.
   */
  since: string;
  /**
   * Where the person answered, such as `answered in #12`.
   */
  reason?: string;
  /**
   * Digests or fingerprints of the manifest's values, by path. Empty if the manifest has no value.
   */
  fields: {
    [k: string]: string[];
  };
  /**
   * The values on the service at that time, as far as the service shows them.
   */
  values?: KeptValue[];
}
/**
 * A value on the service that an apply left as it was.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "KeptValue".
 */
export interface KeptValue {
  path: string;
  /**
   * The value. Absent if the service has no value, or if only a fingerprint is kept.
   */
  value?: unknown;
  /**
   * Fingerprint of a value that contains a secret, looks like a credential or is too large.
   */
  fingerprint?: string;
  summary?: ValueSummary;
}
/**
 * Describes a value that is kept as a fingerprint.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "ValueSummary".
 */
export interface ValueSummary {
  type: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  /**
   * The number of lines of a string.
   */
  lines?: number;
  /**
   * The number of items or members.
   */
  items?: number;
}
/**
 * The last `agentform unhold`. It shows that a record with the hold is older.
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
 * The manifest that was applied completely. Absent if the apply was incomplete or the digest is unknown.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Declared".
 */
export interface Declared {
  /**
   * Digest of the resolved manifest, with secrets as references.
   */
  digest: string;
  /**
   * The time since which this environment has had this manifest without interruption, by the service's clock if known, as ISO 8601 in UTC.
   */
  since: string;
}
/**
 * The content of the manifest for all environments when it was applied completely. Absent if the apply was incomplete or the digest is unknown.
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
   * The time since which this environment has had this content without interruption, by the service's clock if known, as ISO 8601 in UTC.
   */
  since: string;
}
/**
 * How the last update failed. Absent if it did not fail.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Failure".
 */
export interface Failure {
  /**
   * An error code if a request failed before or during the write. `interrupted` if the run ended before it recorded the result of the write. Otherwise, the code of the notice: `not-stored`, `not-read-back` or `not-recorded`. In these cases, the service carried out the write.
   */
  code: string;
  /**
   * Details, such as the paths of the settings that were not stored, or the operation and the status of a failed call. `cause` is the error code of a failure after the write.
   */
  facts: {
    [k: string]: unknown;
  };
  /**
   * The time, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * In a rollout: digest of the resolved manifest whose update failed.
   */
  declared?: string;
  /**
   * The person who ran the apply. Absent if unknown.
   */
  by?: string;
  /**
   * The commit that was applied.
   */
  commit?: string;
  /**
   * The number of the commit's pull request.
   */
  pullRequest?: number;
  /**
   * The web page of the pipeline run.
   */
  run?: string;
}
/**
 * A value that was on the service before the apply, and that agentform had not written.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Overwritten".
 */
export interface Overwritten {
  path: string;
  /**
   * `drift`: the value was edited on the service. `conflict`: the value was edited on the service and in the manifest. `adopt`: the service had the value before agentform managed the field.
   */
  cause: 'drift' | 'conflict' | 'adopt';
  /**
   * Set if the value may come from an earlier apply that failed or was killed during its write, instead of from an edit.
   */
  unclear?: true;
  /**
   * The value. Absent if it was removed on the service, or if only a fingerprint is kept.
   */
  value?: unknown;
  /**
   * Fingerprint of a value that contains a secret, looks like a credential or is too large.
   */
  fingerprint?: string;
  summary?: ValueSummary;
}
/**
 * Who adopted the record, and when.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Deed".
 */
export interface Deed {
  /**
   * The time, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * The person. Absent if unknown.
   */
  by?: string;
  /**
   * The commit of the project.
   */
  commit?: string;
  /**
   * The number of the commit's pull request.
   */
  pullRequest?: number;
  /**
   * The web page of the pipeline run.
   */
  run?: string;
}
/**
 * Who published the draft, and when.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Publication".
 */
export interface Publication {
  /**
   * The time, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * The person. Absent if unknown.
   */
  by?: string;
  /**
   * The commit of the project.
   */
  commit?: string;
  /**
   * The number of the commit's pull request.
   */
  pullRequest?: number;
  /**
   * The web page of the pipeline run.
   */
  run?: string;
  /**
   * The lastUpdate that the read right after the publish returned, in milliseconds since the epoch. Absent if it returned none.
   */
  lastUpdate?: number;
}
/**
 * A rename of the record.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Rename".
 */
export interface Rename {
  /**
   * The former name.
   */
  from: string;
  /**
   * The time, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * The person. Absent if unknown.
   */
  by?: string;
  /**
   * The commit of the project.
   */
  commit?: string;
  /**
   * The number of the commit's pull request.
   */
  pullRequest?: number;
  /**
   * The web page of the pipeline run.
   */
  run?: string;
}
/**
 * The approval of a resource that waits for its rollout step. The approval is valid until the declared settings change.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Approval".
 */
export interface Approval {
  /**
   * Digest of the resolved manifest.
   */
  declared: string;
  /**
   * Digest of the resource in the approved plan.
   */
  digest: string;
  /**
   * The time of the apply that left the resource waiting, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * Who ran that apply. Absent if unknown.
   */
  by?: string;
  /**
   * The commit that was approved.
   */
  commit?: string;
  /**
   * The number of the pull request in which it was approved.
   */
  pullRequest?: number;
  /**
   * Approved answers, such as that the agent is new.
   */
  decisions?: Overruled[];
  /**
   * Other answers that later runs carry out, such as that the resource is left out.
   */
  answers?: ApprovedAnswer[];
}
/**
 * A decision that overruled a refusal.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "Overruled".
 */
export interface Overruled {
  rule: 'conflict' | 'new-agent' | 'policies' | 'requires' | 'rollout' | 'tests';
  /**
   * Settings in conflict, the agent created as new, policies, required environments, rollout steps or Tests.
   */
  names: string[];
  /**
   * An option, or an answer to a question.
   */
  by: 'flag' | 'answer';
  /**
   * Who answered. Absent if unknown.
   */
  person?: string;
}
/**
 * An answer to a question about a waiting resource. It is valid while the question stays the same.
 *
 * This interface was referenced by `ResourceRecord`'s JSON-Schema
 * via the `definition` "ApprovedAnswer".
 */
export interface ApprovedAnswer {
  /**
   * The id of the question.
   */
  question: string;
  /**
   * The code of the choice.
   */
  choice: 'both' | 'leave-out' | 'undo';
  /**
   * Digest of the question's part about the resource.
   */
  digest: string;
  /**
   * Who answered. Absent if unknown.
   */
  by?: string;
  /**
   * Where the person answered, such as the pull request `#12`. Absent if unknown.
   */
  in?: string;
}
