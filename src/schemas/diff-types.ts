// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * The differences between the manifests of two environments, and the last applied state of both.
 */
export interface EnvironmentDiff {
  formatVersion: 1;
  /**
   * The environment of the values under `from`.
   */
  environment: string;
  /**
   * The environment of the values under `to`.
   */
  with: string;
  summary: DiffSummary;
  resources: ResourceDiff[];
}
/**
 * The number of resources with each status. Each resource counts once.
 *
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "DiffSummary".
 */
export interface DiffSummary {
  same: number;
  /**
   * The number of resources that differ only in variables.
   */
  variables: number;
  differing: number;
  onlyFrom: number;
  onlyTo: number;
}
/**
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "ResourceDiff".
 */
export interface ResourceDiff {
  kind: string;
  name: string;
  /**
   * `variables`: the resource differs only in variables. `onlyFrom`, `onlyTo`: only one of the environments has the resource.
   */
  status: 'same' | 'variables' | 'differing' | 'onlyFrom' | 'onlyTo';
  differences: Difference[];
  /**
   * Variables with different values, in fields that are otherwise equal.
   */
  variables: DifferingVariable[];
  applied: {
    from?: LastApplied;
    to?: LastApplied;
  };
}
/**
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "Difference".
 */
export interface Difference {
  /**
   * The path of the field, such as settings.title or skills[calendar].instructions.
   */
  path: string;
  /**
   * The value in the first environment. Omitted if that environment does not declare it. A sensitive value is a Sensitive, as in a plan. Equal references to a secret have equal fingerprints.
   */
  from?: unknown;
  /**
   * The value in the other environment, as under `from`.
   */
  to?: unknown;
  source?: DifferenceSource;
}
/**
 * The place of the value under `to`. Without such a value, the place of the value under `from`.
 *
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "DifferenceSource".
 */
export interface DifferenceSource {
  /**
   * The path of the file, relative to the project folder, with forward slashes.
   */
  file: string;
  /**
   * The number of the line, counted from 1.
   */
  line: number;
}
/**
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "DifferingVariable".
 */
export interface DifferingVariable {
  name: string;
  from: string;
  to: string;
  /**
   * The paths of the fields that use the variable.
   */
  paths: string[];
}
/**
 * What the record says about the last apply. Omitted if there is no record.
 *
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "LastApplied".
 */
export interface LastApplied {
  /**
   * The time of the last apply, as ISO 8601 in UTC.
   */
  at?: string;
  /**
   * The project commit that was applied.
   */
  commit?: string;
  /**
   * Whether the current manifest was applied completely. Omitted if unknown.
   */
  isCurrent?: boolean;
  /**
   * Who put the resource on hold, and why, as a sentence. Omitted if the resource is not on hold.
   */
  held?: string;
}
