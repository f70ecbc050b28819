// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * What `agentform validate --format json` answers: everything that is wrong with a project.
 */
export interface Problems {
  formatVersion: 1;
  /**
   * Absolute path of the project folder.
   */
  root: string;
  /**
   * Whether there is no error; warnings leave a project valid.
   */
  valid: boolean;
  /**
   * How many of the problems are errors.
   */
  errors: number;
  /**
   * How many of the problems are warnings.
   */
  warnings: number;
  changedSince?: ChangedSince;
  /**
   * By file and place; those without a file come first.
   */
  problems: ReportedProblem[];
}
/**
 * Set with --changed-since: of the resources that the manifests ask for as at the commit, only the files by themselves were checked.
 *
 * This interface was referenced by `Problems`'s JSON-Schema
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
   * How many resources the manifests no longer have.
   */
  deleted: number;
  /**
   * The files whose changes touched the resources, sorted.
   */
  files: string[];
}
/**
 * One complaint. It has all of file, line, column, endLine and endColumn, or none of them.
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
   * The column behind the last one.
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
   * What the place is.
   */
  message: string;
}
