// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * The output of `status --format json`: the version and the state of each resource.
 */
export interface Status {
  formatVersion: 1;
  environment: string;
  summary: StatusSummary;
  /**
   * The versions that the resources have, newest first.
   */
  revisions: RevisionStatus[];
  /**
   * The selected resources, by kind and name.
   */
  resources: ResourceStatus[];
}
/**
 * The number of resources in each state.
 *
 * This interface was referenced by `Status`'s JSON-Schema
 * via the `definition` "StatusSummary".
 */
export interface StatusSummary {
  total: number;
  /**
   * The declared values were applied. With --live, only resources of kinds that cannot be read count here.
   */
  applied: number;
  /**
   * With --live: the declared values were applied, and the service still has them.
   */
  inSync?: number;
  pending: number;
  waiting: number;
  held: number;
  failed: number;
  unfinished: number;
  neverApplied: number;
  unknown: number;
  /**
   * With --live: the number of resources in this state.
   */
  drifted?: number;
  /**
   * With --live: the number of resources in this state.
   */
  conflict?: number;
  /**
   * With --live: the number of resources in this state.
   */
  missing?: number;
}
/**
 * A version: a set of settings, with variables as references. Members of one template share a version.
 *
 * This interface was referenced by `Status`'s JSON-Schema
 * via the `definition` "RevisionStatus".
 */
export interface RevisionStatus {
  /**
   * The digest of the version.
   */
  revision: string;
  /**
   * The commit from which the version was first applied, as far as records show.
   */
  commit?: string;
  /**
   * When the first resource got the version, as ISO 8601 in UTC.
   */
  firstAppliedAt: string;
  /**
   * The number of resources that have the version.
   */
  resources: number;
}
/**
 * This interface was referenced by `Status`'s JSON-Schema
 * via the `definition` "ResourceStatus".
 */
export interface ResourceStatus {
  kind: string;
  name: string;
  /**
   * The declared title of the resource. Absent if there is no title, or if it contains a secret.
   */
  title?: string;
  labels: {
    [k: string]: string;
  };
  /**
   * `applied`: according to the record, the declared values were applied. `pending`: an apply would change the resource. `waiting`: pending, and its rollout step is not open yet. `held`: on hold. `failed`: the last apply failed. `unfinished`: the last apply is still running or was interrupted, so the service may have its values. `never applied`: nothing has been applied yet. `unknown`: the records do not show the state, for example after a create whose response was lost. With --live, `in sync` replaces `applied`, and there are three more states. `drifted`: edited on the service. `conflict`: edited there and in the manifest. `missing`: the service does not have the resource.
   */
  state:
    | 'applied'
    | 'pending'
    | 'waiting'
    | 'held'
    | 'failed'
    | 'unfinished'
    | 'never applied'
    | 'unknown'
    | 'in sync'
    | 'drifted'
    | 'conflict'
    | 'missing';
  /**
   * The number of the resource's rollout step, counted from 1. Absent without a rollout.
   */
  step?: number;
  /**
   * The version that the resource has. Absent if the last apply was incomplete or nothing was applied.
   */
  revision?: string;
  /**
   * The id of the commit from which the resource was applied.
   */
  commit?: string;
  /**
   * The time of the last apply, as ISO 8601 in UTC.
   */
  appliedAt?: string;
  /**
   * The time since which the resource has had its present settings, as ISO 8601 in UTC. An apply that only undid an edit does not change this time.
   */
  since?: string;
  /**
   * The person who ran the apply. Absent if unknown.
   */
  by?: string;
  /**
   * Whether, according to the record, agentform published the draft that it wrote. Publishing in the dashboard does not change this value. Absent if agentform wrote no draft.
   */
  published?: boolean;
  held?: HoldStatus;
}
/**
 * The hold that keeps an apply from writing the resource.
 *
 * This interface was referenced by `Status`'s JSON-Schema
 * via the `definition` "HoldStatus".
 */
export interface HoldStatus {
  by: string;
  /**
   * The time when the resource was put on hold, as ISO 8601 in UTC.
   */
  at: string;
  reason?: string;
  /**
   * The time when the hold ends. Absent if the hold has no end.
   */
  until?: string;
}
