// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * Why the resource is blocked, failed, forgotten or an orphan, and the remedies.
 */
export type Reasons = string[];
export type Warnings = string[];

/**
 * What an apply would do, as data: what `plan` prints and what `apply` runs.
 */
export interface Plan {
  formatVersion: 1;
  environment: string;
  /**
   * Set if nothing was read: the manifests are compared with those of a commit, and no apply takes the plan.
   */
  offline?: {
    /**
     * The commit.
     */
    base: string;
  };
  shard?: PlanShard;
  changedSince?: ChangedSince;
  /**
   * Digest of the resources with changes: what an approval covers.
   */
  digest: string;
  /**
   * Checksum of everything else that is written here, in every plan that is printed or saved. It shows that the plan is as it was saved; it has no key, so it does not show who saved it.
   */
  checksum?: string;
  summary: Summary;
  /**
   * Guards that refuse the whole run.
   */
  refusals: Refusal[];
  /**
   * The rules of policies that the plan breaks; left out if there is none.
   */
  policies?: PolicyVerdict[];
  /**
   * What `requires` in agentform.yaml says of the resources with changes; left out if nothing.
   */
  requires?: RequiresVerdict[];
  tests?: TestCounts;
  /**
   * The settings that the service does not show and that are assumed to be as the last apply left them; left out if there are none.
   */
  assumed?: AssumedSettings[];
  /**
   * What two or more resources share, written once; left out if they share nothing, and with `--expand`.
   */
  groups?: Group[];
  resources: ResourcePlan[];
  /**
   * By its digest, each text over 1 KB that occurs more than once; left out if there is none, and with `--expand`.
   */
  texts?: {
    [k: string]: string;
  };
}
/**
 * Set if the plan is that of one shard, to be joined with those of the others: which one it is, and what counts over all of them.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PlanShard".
 */
export interface PlanShard {
  /**
   * From 1.
   */
  number: number;
  /**
   * How many shards there are.
   */
  of: number;
  /**
   * Digest of the commit, the resources, the selection and the limits that the plan was made from: the same in all shards.
   */
  basis: string;
  /**
   * The most resources that all shards together may create.
   */
  creates: number;
  /**
   * Resources with changes that were applied from a commit which the one that is checked out does not contain.
   */
  sources: PlanSource[];
  /**
   * The first cases of required Tests that did not pass, by the agents that they are about; left out if there are none.
   */
  failures?: TestFailure[];
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PlanSource".
 */
export interface PlanSource {
  address: string;
  /**
   * The commit that it was applied from.
   */
  commit: string;
  /**
   * How the commit relates to the one that is checked out; unanswered if git fails.
   */
  relation: 'descendant' | 'diverged' | 'unknown' | 'unanswered';
  /**
   * Why more of the history could not be fetched.
   */
  problem?: string;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "TestFailure".
 */
export interface TestFailure {
  address: string;
  /**
   * Why the case did not pass.
   */
  why: string;
}
/**
 * Set with --changed-since: only resources that the manifests ask for differently since a commit were looked at. No digest covers it, because the commit of an approval and that of an apply may differ.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "ChangedSince".
 */
export interface ChangedSince {
  /**
   * As it was given.
   */
  ref: string;
  /**
   * The commit that it stands for.
   */
  commit: string;
  /**
   * Why every resource counts as changed, such as that the commit has no agentform.yaml.
   */
  reason?: string;
  /**
   * The kinds of what is counted.
   */
  kinds: string[];
  /**
   * How many resources the names select.
   */
  total: number;
  /**
   * How many of them changed.
   */
  changed: number;
  /**
   * How many unchanged ones an apply takes in, because their records do not show that what the manifests ask for was applied.
   */
  unapplied?: number;
  /**
   * How many resources the manifests no longer have.
   */
  deleted: number;
  /**
   * The files whose changes touched the resources, sorted.
   */
  files: string[];
}
/**
 * create to orphans, and forget, count resources; the others count fields.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Summary".
 */
export interface Summary {
  create: number;
  update: number;
  unchanged: number;
  blocked: number;
  failed: number;
  orphans: number;
  /**
   * Records that are dropped, because agentform.yaml lists them as removed.
   */
  forget: number;
  /**
   * Changes with the cause drift.
   */
  drift: number;
  /**
   * Changes with the cause conflict.
   */
  conflicts: number;
  /**
   * Managed fields that are sent without being readable.
   */
  blind: number;
  /**
   * Managed fields compared with live.
   */
  compared: number;
  /**
   * Managed fields that cannot be read and are unchanged since the last apply.
   */
  assumed: number;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Refusal".
 */
export interface Refusal {
  rule: 'shared-target' | 'limit-creates' | 'older-commit' | 'policy' | 'tests';
  message: string;
}
/**
 * A rule of a policy that a resource, one of its changes or the plan breaks.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PolicyVerdict".
 */
export interface PolicyVerdict {
  /**
   * Its name.
   */
  policy: string;
  /**
   * `deny` blocks the resource, or refuses the run where there is none; `warn` is only said.
   */
  level: 'deny' | 'warn';
  message: string;
  /**
   * As Kind/name; left out if the plan as a whole breaks it.
   */
  resource?: string;
  /**
   * For a rule about changes: the path of the change.
   */
  path?: string;
  /**
   * The policy is that of the base commit.
   */
  fromBase?: true;
  /**
   * `--skip-policies` overruled it.
   */
  skipped?: true;
}
/**
 * A resource with changes that were not applied first to the environment that its environment requires, or that cannot be.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "RequiresVerdict".
 */
export interface RequiresVerdict {
  /**
   * As Kind/name.
   */
  resource: string;
  /**
   * The required environment.
   */
  environment: string;
  /**
   * `deny`: an apply refuses the resource. `note`: only variables of its own environment change, so there is nothing to try elsewhere.
   */
  level: 'deny' | 'note';
  message: string;
  /**
   * `--skip-requires` overruled it.
   */
  skipped?: true;
}
/**
 * How many cases of the Tests that the environment requires ended how; left out if it requires none.
 */
export interface TestCounts {
  passed: number;
  failed: number;
  /**
   * Cases that cannot be decided.
   */
  errors: number;
  /**
   * `--skip-tests` overruled the cases that did not pass.
   */
  skipped?: true;
  /**
   * With `skipped`: the agents with cases that did not pass.
   */
  overruled?: OverruledTests[];
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "OverruledTests".
 */
export interface OverruledTests {
  /**
   * As Kind/name.
   */
  resource: string;
  /**
   * Names of the Tests whose cases did not pass for it.
   */
  tests: string[];
}
/**
 * Resources of one kind that have the same settings assumed.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "AssumedSettings".
 */
export interface AssumedSettings {
  kind: string;
  names: string[];
  paths: string[];
}
/**
 * What resources share: its changes all of them, and of the rest what most of them have, where a resource has no other. In the texts of changes, `${var.NAME}` stands for the value that each resource has for NAME; where it has none, the text is meant as it stands.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Group".
 */
export interface Group {
  id: string;
  coverage?: Coverage;
  reasons?: Reasons;
  warnings?: Warnings;
  /**
   * Of the last apply what its times leave: those are with each resource.
   */
  lastApply?: {
    /**
     * The commit of the project that was applied.
     */
    commit?: string;
    /**
     * Whether somebody else wrote it since: `unknown` where the record has no time to tell by. The service does not tell who.
     */
    edited: 'yes' | 'no' | 'unknown';
  };
  changes: Change[];
}
/**
 * How the managed fields of the resource are known.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Coverage".
 */
export interface Coverage {
  compared: number;
  blind: number;
  assumed: number;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Change".
 */
export interface Change {
  op: 'set' | 'unset' | 'release';
  /**
   * Such as settings.title or skills[calendar].instructions.
   */
  path: string;
  /**
   * The live value, or for a field that cannot be read the value last applied; omitted if absent or unknown. A value in the service's form of the sent one is shown as sent. A sensitive value is a Sensitive.
   */
  from?: unknown;
  /**
   * In the place of `from`: its digest among the texts.
   */
  fromText?: string;
  /**
   * The value after; left out when absent. A sensitive value is a Sensitive.
   */
  to?: unknown;
  /**
   * In the place of `to`: its digest among the texts.
   */
  toText?: string;
  /**
   * Only of a conflict: the value that live and the manifest both moved away from; left out when there was none. A sensitive value is a Sensitive.
   */
  lastApplied?: unknown;
  /**
   * In the place of `lastApplied`: its digest among the texts.
   */
  lastAppliedText?: string;
  cause: 'manifest' | 'drift' | 'conflict' | 'adopt' | 'unverified';
  /**
   * Only of a conflict in a text: live and the manifest changed different lines, so `agentform update` can merge them.
   */
  mergeable?: true;
  /**
   * Only for changes on the service: why `agentform update` cannot copy them into the manifests, such as a secret; omitted if it can. Lowercase, no period.
   */
  updateRefusal?: string;
  knowledge: 'compared' | 'blind' | 'assumed';
  source?: ChangeSource;
}
/**
 * Where the value that wins is written, in the manifest, a base, an overlay, a variable of agentform.yaml or an included file; left out where no file declares it. No digest covers it.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "ChangeSource".
 */
export interface ChangeSource {
  /**
   * Relative to the project folder, with forward slashes.
   */
  file: string;
  /**
   * Counts from 1. Of the text of an included file, the first line that changes.
   */
  line: number;
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "TestCounts".
 */
export interface TestCounts1 {
  passed: number;
  failed: number;
  /**
   * Cases that cannot be decided.
   */
  errors: number;
  /**
   * `--skip-tests` overruled the cases that did not pass.
   */
  skipped?: true;
  /**
   * With `skipped`: the agents with cases that did not pass.
   */
  overruled?: OverruledTests[];
}
/**
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "ResourcePlan".
 */
export interface ResourcePlan {
  kind: string;
  name: string;
  /**
   * The id on the service, where it is known.
   */
  id?: string;
  action: 'create' | 'update' | 'forget' | 'none' | 'blocked' | 'failed' | 'orphan';
  /**
   * The name that its record has; an apply gives it the new one. Only of a create or an update, which may have no other change.
   */
  renamedFrom?: string;
  /**
   * Digest of the target, the operations, the rename and the before-values.
   */
  digest: string;
  target: PlanTarget;
  labels?: Labels;
  coverage: Coverage;
  reasons: Reasons;
  warnings: Warnings;
  /**
   * Set on a create of an agent whose account may already have one: the service does not tell, and an apply needs --new.
   */
  mayReplace?: true;
  held?: Held;
  lastApply?: LastApply;
  values?: Values;
  changes: Change[];
}
/**
 * Where the calls for this resource go, without the token.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "PlanTarget".
 */
export interface PlanTarget {
  host: string;
  query: {
    [k: string]: string;
  };
  /**
   * Fingerprint of the token of a create: it alone decides which agent the create hits.
   */
  credentials?: string;
}
/**
 * Its labels, which `--selector` selects by.
 */
export interface Labels {
  [k: string]: string;
}
/**
 * For a resource that a hold blocks: who made the hold, when and why, and when it ends.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Held".
 */
export interface Held {
  by: string;
  /**
   * An ISO 8601 UTC time.
   */
  since: string;
  reason?: string;
  /**
   * With `agentform hold --until`: when the hold ends, as an ISO 8601 UTC time.
   */
  until?: string;
  /**
   * After a rollback: the paths that were rolled back. The hold ends when the manifest changes one of them.
   */
  fields?: string[];
}
/**
 * Of an update of a resource that the service shows and that was applied before: what is known of its last apply, and whether somebody else wrote it since.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "LastApply".
 */
export interface LastApply {
  /**
   * When, as an ISO 8601 UTC time.
   */
  at?: string;
  /**
   * The commit of the project that was applied.
   */
  commit?: string;
  /**
   * Whether somebody else wrote it since: `unknown` where the record has no time to tell by. The service does not tell who.
   */
  edited: 'yes' | 'no' | 'unknown';
  /**
   * When it was last written, as an ISO 8601 UTC time, where that was somebody else.
   */
  editedAt?: string;
}
/**
 * By NAME, what `${var.NAME}` stands for in this resource: of the variables in its changes, those that other resources of the plan have with other values.
 */
export interface Values {
  [k: string]: string;
}
/**
 * A resource of a group: it has what its group says of all of them, besides its own.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "GroupedResource".
 */
export interface GroupedResource {
  kind: string;
  name: string;
  /**
   * The id on the service, where it is known.
   */
  id?: string;
  action: 'create' | 'update' | 'forget' | 'none' | 'blocked' | 'failed' | 'orphan';
  /**
   * The name that its record has; an apply gives it the new one. Only of a create or an update, which may have no other change.
   */
  renamedFrom?: string;
  /**
   * Digest of the target, the operations, the rename and the before-values.
   */
  digest: string;
  target: PlanTarget;
  labels?: Labels;
  /**
   * Set on a create of an agent whose account may already have one: the service does not tell, and an apply needs --new.
   */
  mayReplace?: true;
  held?: Held;
  /**
   * The id of its group, whose changes it has besides its own.
   */
  group: string;
  coverage?: Coverage;
  reasons?: Reasons;
  warnings?: Warnings;
  /**
   * Its own; without `edited`, only its times, and the rest is that of its group. Left out if nothing is known of one.
   */
  lastApply?: {
    /**
     * When, as an ISO 8601 UTC time.
     */
    at?: string;
    /**
     * The commit of the project that was applied.
     */
    commit?: string;
    /**
     * Whether somebody else wrote it since: `unknown` where the record has no time to tell by. The service does not tell who.
     */
    edited?: 'yes' | 'no' | 'unknown';
    /**
     * When it was last written, as an ISO 8601 UTC time, where that was somebody else.
     */
    editedAt?: string;
  };
  values?: Values;
  /**
   * Its changes, without those of its group.
   */
  changes: Change[];
}
/**
 * Stands in the place of a value that must not be shown; equal values have equal fingerprints.
 *
 * This interface was referenced by `Plan`'s JSON-Schema
 * via the `definition` "Sensitive".
 */
export interface Sensitive {
  sensitive: true;
  fingerprint: string;
  /**
   * In the plan of a rollback: the value as the manifest writes it, such as `Say ${secret.CODE}`.
   */
  reference?: string;
}
