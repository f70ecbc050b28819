// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * The output of `agentform validate --format json`: all problems of a project.
 */
export interface Problems {
  formatVersion: 1;
  /**
   * Absolute path of the project folder.
   */
  root: string;
  /**
   * Whether there are no errors; warnings are allowed.
   */
  valid: boolean;
  /**
   * The number of errors.
   */
  errors: number;
  /**
   * The number of warnings.
   */
  warnings: number;
  changedSince?: ChangedSince;
  /**
   * By file and place; those without a file come first.
   */
  problems: ReportedProblem[];
}
/**
 * Set with --changed-since: files of unchanged resources were checked only individually.
 *
 * This interface was referenced by `Problems`'s JSON-Schema
 * via the `definition` "ChangedSince".
 */
export interface ChangedSince {
  /**
   * As given.
   */
  ref: string;
  /**
   * The commit that it refers to.
   */
  commit: string;
  /**
   * Why every resource counts as changed, for example because the commit has no agentform.yaml.
   */
  reason?: string;
  /**
   * The kinds that are counted.
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
   * The number of resources that are no longer in the manifests.
   */
  deleted: number;
  /**
   * The files that changed the resources, sorted.
   */
  files: string[];
}
/**
 * One problem. It has all of file, line, column, endLine and endColumn, or none of them.
 *
 * This interface was referenced by `Problems`'s JSON-Schema
 * via the `definition` "ReportedProblem".
 */
export interface ReportedProblem {
  /**
   * Relative to the project folder, with forward slashes.
   */
  file?: string;
  /**
   * Counts from 1.
   */
  line?: number;
  /**
   * Counts UTF-16 units from 1.
   */
  column?: number;
  /**
   * The last line.
   */
  endLine?: number;
  /**
   * One past the last column.
   */
  endColumn?: number;
  /**
   * A lint rule, a kind of error in a file, or an error code; see docs/reference.
   */
  rule: string;
  level: 'error' | 'warning';
  /**
   * One sentence, lower case, without a final period.
   */
  message: string;
  /**
   * Other places that belong to it, such as the first of two equal names.
   */
  related: RelatedPlace[];
}
/**
 * This interface was referenced by `Problems`'s JSON-Schema
 * via the `definition` "RelatedPlace".
 */
export interface RelatedPlace {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /**
   * Describes the place.
   */
  message: string;
}
