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
   * Whether the project has no errors. Warnings are allowed.
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
   * The problems, sorted by file and place. Problems without a file come first.
   */
  problems: ReportedProblem[];
}
/**
 * Set with --changed-since. Files of unchanged resources were then checked only individually.
 *
 * This interface was referenced by `Problems`'s JSON-Schema
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
   * The number of resources that are no longer in the manifests.
   */
  deleted: number;
  /**
   * The changed files that the changed resources use, sorted.
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
   * The path of the file, relative to the project folder, with forward slashes.
   */
  file?: string;
  /**
   * The number of the first line, counted from 1.
   */
  line?: number;
  /**
   * The column of the first character, counted from 1, in UTF-16 units.
   */
  column?: number;
  /**
   * The number of the last line, counted from 1.
   */
  endLine?: number;
  /**
   * The column after the last character, counted from 1, in UTF-16 units.
   */
  endColumn?: number;
  /**
   * A lint rule, a kind of error in a file, or an error code. See docs/reference.
   */
  code: string;
  level: 'error' | 'warning';
  /**
   * The problem as one sentence, in lower case, without a final period. Programs should read the other fields instead.
   */
  message: string;
  /**
   * The text that the problem is about.
   */
  found?: string;
  /**
   * The setting that a finding in a text is about.
   */
  path?: string;
  /**
   * The unset process variable that the problem is about.
   */
  secret?: string;
  /**
   * The environments with the problem. Absent if all checked environments have it.
   */
  environments?: string[];
  /**
   * Possible corrections, the most likely first.
   */
  fixes: ReportedFix[];
  /**
   * Other places that belong to the problem, such as the first of two equal names.
   */
  related: RelatedPlace[];
}
/**
 * A change that corrects a problem.
 *
 * This interface was referenced by `Problems`'s JSON-Schema
 * via the `definition` "ReportedFix".
 */
export interface ReportedFix {
  /**
   * `replace`: writes the text that was probably meant. `write`: writes the text in its correct form. `quote`, `unquote`: adds or removes quotes. `move`: moves the text to another section. `add-pattern`: adds a pattern to `manifests`. `allow`: adds a comment that allows a finding in a prompt.
   */
  action: 'replace' | 'write' | 'quote' | 'unquote' | 'move' | 'add-pattern' | 'allow';
  /**
   * A short description of the correction.
   */
  title: string;
  /**
   * The text to write, or the name that was probably meant.
   */
  text: string;
  /**
   * The edits that make the correction. Empty if no edit corrects the problem.
   */
  edits: ReportedEdit[];
}
/**
 * Replaces the text of a range, or inserts text if the range is empty.
 *
 * This interface was referenced by `Problems`'s JSON-Schema
 * via the `definition` "ReportedEdit".
 */
export interface ReportedEdit {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /**
   * The text that replaces the range.
   */
  text: string;
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
   * A short text that describes the place.
   */
  message: string;
}
