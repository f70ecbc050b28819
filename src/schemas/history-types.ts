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
 * One event in the life of a resource: one line of `history --format jsonl`.
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
   * Its name at that time; for a rename, the new one.
   */
  name: string;
  /**
   * `edit-undone`: an apply undid a dashboard edit. `edit-kept`: it kept one, or the manifest already contained it.
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
   * The person who did it. Absent if unknown.
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
   * The version of the record, for `rollback --to`. Absent if it is not committed.
   */
  version?: string;
  /**
   * The settings that changed, by path; empty for an event without values.
   */
  changes: HistoryChange[];
  /**
   * Set if the previous version of the record is missing, so what the apply changed is unknown.
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
   * Its path, as in a plan; `name` for a rename.
   */
  path: string;
  /**
   * `release`: agentform no longer manages it, and the service keeps its value.
   */
  op: 'set' | 'unset' | 'release';
  /**
   * A one-line description of the change.
   */
  summary: string;
  /**
   * The value before; for an undone edit, the lost value. Absent if there was none or it is unknown.
   */
  from?: unknown;
  /**
   * The value after. Absent if there is none or it is unknown.
   */
  to?: unknown;
}
