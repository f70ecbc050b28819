// Generated from schemas/ by `npm run generate`. Do not edit.
import type { Notice } from './notices-types.ts';

/**
 * The output of `drift --format json`: what changed on the service since the last apply, and what may have changed.
 */
export interface Drift {
  formatVersion: 1;
  environment: string;
  /**
   * Set if the manifests declare resources but the environment has no records, so the last applied values are unknown.
   */
  noRecords?: true;
  changedSince?: ChangedSince;
  summary: DriftSummary;
  /**
   * Problems that make the whole result doubtful, such as two manifests that write the same agent.
   */
  warnings: Notice[];
  resources: ResourceDrift[];
}
/**
 * Set with --changed-since: only resources that changed in the manifests since a commit are included.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "ChangedSince".
 */
export interface ChangedSince {
  /**
   * The name of the commit as it was given, such as origin/main.
   */
  ref: string;
  /**
   * The id of the commit that `ref` refers to.
   */
  commit: string;
  /**
   * Why every resource is included, for example because the commit has no agentform.yaml.
   */
  reason?: string;
  /**
   * The kinds of resources that the counts include.
   */
  kinds: string[];
  /**
   * The number of selected resources.
   */
  total: number;
  /**
   * The number of changed resources.
   */
  changed: number;
  /**
   * The number of unchanged resources that an apply includes, because their records do not show that they were applied completely.
   */
  unapplied?: number;
  /**
   * The number of resources that are no longer in the manifests.
   */
  deleted: number;
  /**
   * The changed files that the changed resources use, sorted.
   */
  files: string[];
}
/**
 * Counts. `drifted` to `orphans` count each resource once. The others count fields.
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
   * Fields that changed on the service.
   */
  moves: number;
  /**
   * Fields that also changed in the manifest, to a different value.
   */
  conflicts: number;
  /**
   * Fields that cannot be read back and may have changed.
   */
  doubts: number;
  /**
   * Applied fields that can be read back.
   */
  compared: number;
  /**
   * Applied fields that cannot be read back and belong to agents that were not edited.
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
   * The title that a plan shows. Omitted if it is unknown.
   */
  title?: string;
  /**
   * The id on the service, if known.
   */
  id?: string;
  /**
   * `drifted`: a setting changed on the service. `in doubt`: no readable setting changed, but the agent was edited. `unmoved`: the resource is unchanged since the last apply. `unapplied`: agentform has applied nothing yet. `unreadable`: the service does not show this kind. `blocked`, `failed`, `orphan`: as in a plan, and the live values are unknown.
   */
  status: 'drifted' | 'in doubt' | 'unmoved' | 'unapplied' | 'unreadable' | 'blocked' | 'failed' | 'orphan';
  target: DriftTarget;
  /**
   * Whether the agent was edited since the last apply. Omitted if the agent was not read or was never applied.
   */
  touched?: boolean;
  lastUpdate?: LastUpdate;
  compared: number;
  assumed: number;
  /**
   * Why nothing is known about the resource, why an apply leaves edits, or which values are hidden, and the remedies.
   */
  reasons: Notice[];
  moves: Move[];
  doubts: Doubt[];
  /**
   * Settings that differ from their default on the service, and are in neither the manifest nor the record. Omitted if no fields were compared.
   */
  unmanaged?: string[];
}
/**
 * The target that was read, without the token.
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
 * The agent's last update according to the service, in milliseconds since the epoch. Omitted if unknown.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "LastUpdate".
 */
export interface LastUpdate {
  /**
   * The value that the read right after the last apply returned, in milliseconds since the epoch.
   */
  seen?: number;
  /**
   * The value that the read of this run returned, in milliseconds since the epoch.
   */
  live?: number;
  failure?: UnclearApply;
}
/**
 * The last apply of the resource, if it failed and may have been carried out in part.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "UnclearApply".
 */
export interface UnclearApply {
  /**
   * The kind of failure.
   */
  code: string;
  /**
   * The time, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * The project commit that was applied.
   */
  commit?: string;
}
/**
 * A field, or a list element, that differs from the last applied value. Sensitive values are masked.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "Move".
 */
export interface Move {
  /**
   * The path of the field, such as settings.title or skills[calendar].instructions.
   */
  path: string;
  /**
   * The last applied value. Omitted if there was none.
   */
  lastApplied?: unknown;
  /**
   * The live value. Omitted if the service no longer has one. A line or item that the service rewrote is shown as it was sent.
   */
  live?: unknown;
  /**
   * The value in the manifest. Omitted if the manifest does not declare it.
   */
  wanted?: unknown;
  /**
   * What the next apply does with the setting. `set back`: restores the manifest's value. `conflict`: refuses the change, because the manifest changed too. `wanted already`: records the value, because the manifest has the same change, or sends a text that contains the live edits. `released`: stops managing the setting. `nothing`: changes nothing, because the manifest no longer declares the setting and the service has no value to unset. `held`: leaves the setting unchanged, because of a hold, or because the environment has `unanswered: leave`.
   */
  effect: 'set back' | 'conflict' | 'wanted already' | 'released' | 'nothing' | 'held';
  updateRefusal?: Notice;
  /**
   * Only for a conflict in a text: the service and the manifest changed different lines, so `agentform update` can merge them.
   */
  mergeable?: true;
}
/**
 * A field that cannot be read back and belongs to an agent that was edited.
 *
 * This interface was referenced by `Drift`'s JSON-Schema
 * via the `definition` "Doubt".
 */
export interface Doubt {
  path: string;
  lastApplied?: unknown;
  /**
   * The action of the next apply. `sent`: sends the manifest's value. `reported`: only lists the field (`unverified: report`). `released`: stops managing the field. `held`: leaves the field unchanged, because of a hold.
   */
  effect: 'sent' | 'reported' | 'released' | 'held';
}
