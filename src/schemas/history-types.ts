// Generated from schemas/ by `npm run generate`. Do not edit.
import type { Notice } from './notices-types.ts';

/**
 * The output of `history --format json`: what changed on the service through agentform, newest first.
 */
export interface History {
  formatVersion: 1;
  environment: string;
  /**
   * One entry for each event, newest first.
   */
  entries: HistoryEntry[];
  /**
   * Notices about missing parts of the history. Absent if nothing is known to be missing.
   */
  warnings?: Notice[];
}
/**
 * One event in the history of a resource: one line of `history --format jsonl`.
 *
 * This interface was referenced by `History`'s JSON-Schema
 * via the `definition` "HistoryEntry".
 */
export interface HistoryEntry {
  /**
   * The time, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * The kind of the resource.
   */
  kind: string;
  /**
   * The name of the resource at that time. For a rename, the new name.
   */
  name: string;
  /**
   * The last applied title at that time. Absent if there is none, or if it may contain a credential.
   */
  title?: string;
  /**
   * `edit-undone`: an apply undid a dashboard edit. `edit-kept`: an apply kept a dashboard edit, or the manifest already contained the edit.
   */
  event:
    | 'apply'
    | 'create'
    | 'import'
    | 'adopt'
    | 'rollback'
    | 'hold'
    | 'unhold'
    | 'rename'
    | 'forget'
    | 'publish'
    | 'edit-undone'
    | 'edit-kept';
  /**
   * The person who caused the event. Absent if unknown.
   */
  by?: string;
  /**
   * The project commit that was applied. For a rollback, the commit that was restored.
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
   * The reason that the person gave.
   */
  reason?: string;
  /**
   * The version of the record, for `rollback --to`. Absent if the version is not committed.
   */
  version?: string;
  /**
   * The settings that changed, by path. Empty for an event without values.
   */
  changes: HistoryChange[];
  /**
   * Set for `edit-undone` and `edit-kept` if the previous apply failed and may have made the edit.
   */
  isUnclear?: true;
  /**
   * Set if the previous version of the record is missing, so the changes of the apply are unknown.
   */
  changesUnknown?: true;
}
/**
 * A setting that changed.
 *
 * This interface was referenced by `History`'s JSON-Schema
 * via the `definition` "HistoryChange".
 */
export interface HistoryChange {
  /**
   * The path of the setting, as in a plan. For a rename, `name`.
   */
  path: string;
  /**
   * `release`: agentform no longer manages the setting, and the service keeps its value.
   */
  op: 'set' | 'unset' | 'release';
  /**
   * A one-line description of the change.
   */
  summary: string;
  /**
   * The value before the event. For an undone edit, the lost value. Absent if there was no value or it is unknown.
   */
  from?: unknown;
  /**
   * The value after the event. Absent if there is no value or it is unknown.
   */
  to?: unknown;
}
