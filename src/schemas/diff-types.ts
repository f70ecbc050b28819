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
 * Counts resources, each once.
 *
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "DiffSummary".
 */
export interface DiffSummary {
  same: number;
  /**
   * Resources that differ only in variables.
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
   * `variables`: it differs only in variables; `onlyFrom`, `onlyTo`: only that environment has it.
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
   * Such as settings.title or skills[calendar].instructions.
   */
  path: string;
  /**
   * Omitted if that environment does not declare it. A sensitive value is a Sensitive, as in a plan; equal references to a secret have equal fingerprints.
   */
  from?: unknown;
  /**
   * The value in the other environment.
   */
  to?: unknown;
  source?: DifferenceSource;
}
/**
 * The place of the value under `to`, or else of the one under `from`.
 *
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "DifferenceSource".
 */
export interface DifferenceSource {
  /**
   * Relative to the project folder, with forward slashes.
   */
  file: string;
  /**
   * Counts from 1.
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
   * The fields that use it.
   */
  paths: string[];
}
/**
 * The data of its record; omitted if there is none.
 *
 * This interface was referenced by `EnvironmentDiff`'s JSON-Schema
 * via the `definition` "LastApplied".
 */
export interface LastApplied {
  /**
   * An ISO 8601 UTC time.
   */
  at?: string;
  /**
   * The commit of the project that was applied.
   */
  commit?: string;
  /**
   * Whether the current manifest was applied completely; omitted if unknown.
   */
  isCurrent?: boolean;
  /**
   * The reason of its hold.
   */
  held?: string;
}
