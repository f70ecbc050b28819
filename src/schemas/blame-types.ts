// Generated from schemas/ by `npm run generate`. Do not edit.
import type { Notice } from './notices-types.ts';

/**
 * The output of `blame --format json`: the lines of an applied text, each with its origin.
 */
export interface Blame {
  formatVersion: 1;
  kind: string;
  name: string;
  /**
   * The path of the setting, as in a plan.
   */
  path: string;
  /**
   * The lines of the last applied text.
   */
  lines: BlamedLine[];
  /**
   * Notices about missing parts of the history. Absent if nothing is known to be missing.
   */
  warnings?: Notice[];
}
/**
 * One line of a text.
 *
 * This interface was referenced by `Blame`'s JSON-Schema
 * via the `definition` "BlamedLine".
 */
export interface BlamedLine {
  /**
   * The number of the line, counted from 1.
   */
  line: number;
  text: string;
  /**
   * The time when the line went live, as ISO 8601 in UTC.
   */
  at: string;
  /**
   * The event that added or changed the line.
   */
  event: 'apply' | 'create' | 'import' | 'adopt' | 'rollback' | 'edit-kept';
  /**
   * The author of the line in git, or `dashboard` if the line came from the dashboard. Absent if unknown.
   */
  by?: string;
  /**
   * The git commit of the line, or the applied commit. Absent if unknown.
   */
  commit?: string;
}
