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
  code: string;
  level: 'error' | 'warning';
  /**
   * One sentence, lower case, without a final period, made of the other fields. Read those instead.
   */
  message: string;
  /**
   * The text in question.
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
   * The environments with the problem; absent if all checked ones have it.
   */
  environments?: string[];
  /**
   * Possible corrections, the likeliest first.
   */
  fixes: ReportedFix[];
  /**
   * Other places that belong to it, such as the first of two equal names.
   */
  related: RelatedPlace[];
}
/**
 * A change that settles a problem.
 *
 * This interface was referenced by `Problems`'s JSON-Schema
 * via the `definition` "ReportedFix".
 */
export interface ReportedFix {
  /**
   * `replace`: what was probably meant. `write`: the right form of what was found. `quote`, `unquote`: the same with or without quotes. `move`: the text belongs to another section. `add-pattern`: to `manifests`. `allow`: a comment allows a finding in a prompt.
   */
  action: 'replace' | 'write' | 'quote' | 'unquote' | 'move' | 'add-pattern' | 'allow';
  /**
   * What it does, for people.
   */
  title: string;
  /**
   * What is written or meant.
   */
  text: string;
  /**
   * Empty if no edit of a file is known.
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
   * The new text.
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
   * Describes the place.
   */
  message: string;
}
