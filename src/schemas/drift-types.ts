// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * What moved on the service since the last apply, and what may have: the answer of `drift --format json`.
 */
export interface Drift {
  formatVersion: 1;
  environment: string;
  /**
   * Set if manifests declare resources and the environment has no record of any: what was applied is unknown.
   */
  noRecords?: true;
  changedSince?: ChangedSince;
  summary: DriftSummary;
  /**
   * What makes the answer doubtful as a whole, such as two manifests that write the same agent.
   */
  warnings: string[];
  resources: ResourceDrift[];
}
/**
 * Set with --changed-since: only resources that the manifests ask for differently since a commit were looked at.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
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
 * drifted to orphans count resources, each once; the others count fields.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "DriftSummary".
 */
export interface DriftSummary {
  drifted: number;
  inDoubt: number;
  unmoved: number;
  unapplied: number;
  unreadable: number;
  blocked: number;
  failed: number;
  orphans: number;
  /**
   * Fields that moved.
   */
  moves: number;
  /**
   * Those of them that the manifest moved too, differently.
   */
  conflicts: number;
  /**
   * Fields that cannot be read and may have moved.
   */
  doubts: number;
  /**
   * Applied fields that live shows.
   */
  compared: number;
  /**
   * Applied fields that cannot be read, of agents that nobody touched.
   */
  assumed: number;
}
/**
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "ResourceDrift".
 */
export interface ResourceDrift {
  kind: string;
  name: string;
  /**
   * The id on the service, where it is known.
   */
  id?: string;
  /**
   * `drifted`: something moved. `in doubt`: nothing that can be read moved, but the agent was touched. `unmoved`: as it was applied. `unapplied`: agentform applied nothing yet. `unreadable`: the service does not show this kind. `blocked`, `failed`, `orphan`: as in a plan; nothing is known.
   */
  status: 'drifted' | 'in doubt' | 'unmoved' | 'unapplied' | 'unreadable' | 'blocked' | 'failed' | 'orphan';
  target: DriftTarget;
  /**
   * Whether somebody wrote the agent since the last apply; left out where it was not read or never applied.
   */
  touched?: boolean;
  lastUpdate?: LastUpdate;
  compared: number;
  assumed: number;
  /**
   * Why nothing is known, and the ways out.
   */
  reasons: string[];
  moves: Move[];
  doubts: Doubt[];
  /**
   * Settings that the service shows with another value than their default, and that neither the manifest nor the record has. Left out where no fields were compared.
   */
  unmanaged?: string[];
}
/**
 * Where the agent was read, without the token.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "DriftTarget".
 */
export interface DriftTarget {
  host: string;
  query: {
    [k: string]: string;
  };
}
/**
 * When the service says that the agent was last written, in milliseconds since the epoch; each left out where it is not known.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "LastUpdate".
 */
export interface LastUpdate {
  /**
   * Right after the last apply.
   */
  seen?: number;
  /**
   * Now.
   */
  live?: number;
}
/**
 * A field, or an element of a list, that is not as it was applied. Sensitive values are masked.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "Move".
 */
export interface Move {
  /**
   * Such as settings.title or skills[calendar].instructions.
   */
  path: string;
  /**
   * Left out when it was not there.
   */
  lastApplied?: unknown;
  /**
   * Omitted if the value is gone. A line or item in the service's form of the sent one is shown as sent.
   */
  live?: unknown;
  /**
   * Left out when the manifest does not declare it.
   */
  wanted?: unknown;
  /**
   * What the next apply does about it. `set back`: sets what the manifest says. `conflict`: refuses it, because the manifest moved too. `wanted already`: records it, because the manifest moved alike, or sends a text that already has the live edits. `released`: stops managing it. `nothing`: the manifest no longer declares it, and there is nothing to unset. `held`: leaves it, because a hold keeps the resource as it is.
   */
  effect: 'set back' | 'conflict' | 'wanted already' | 'released' | 'nothing' | 'held';
  /**
   * Only for changes on the service: why `agentform update` cannot copy them into the manifests, such as a secret; omitted if it can. Lowercase, no period.
   */
  updateRefusal?: string;
  /**
   * Only of a conflict in a text: live and the manifest changed different lines, so `agentform update` can merge them.
   */
  mergeable?: true;
}
/**
 * A field that cannot be read, of an agent that somebody touched.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "Doubt".
 */
export interface Doubt {
  path: string;
  lastApplied?: unknown;
  /**
   * What the next apply does about it. `sent`: sends what the manifest says. `reported`: names it only (`unverified: report`). `released`: stops managing it. `held`: leaves it, because of a hold.
   */
  effect: 'sent' | 'reported' | 'released' | 'held';
}
