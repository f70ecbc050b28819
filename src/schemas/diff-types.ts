// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * What the manifests ask for in one environment and in another, and what was last applied in both.
 */
export interface EnvironmentDiff {
  formatVersion: 1;
  /**
   * The one whose values are under `from`.
   */
  environment: string;
  /**
   * The other one, whose values are under `to`.
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
   * Those that differ by variables alone.
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
   * `variables`: it differs by variables alone; `onlyFrom`, `onlyTo`: only that environment has it.
   */
  status: 'same' | 'variables' | 'differing' | 'onlyFrom' | 'onlyTo';
  differences: Difference[];
  /**
   * Variables that stand for different values in fields that say the same but for them.
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
   * Left out where that environment does not declare it. A sensitive value is a Sensitive, as in a plan; equal references to a secret have equal fingerprints.
   */
  from?: unknown;
  /**
   * The same of the other environment.
   */
  to?: unknown;
  source?: DifferenceSource;
}
/**
 * Where the value under `to` is written, or else that under `from`.
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
   * The fields that it is in.
   */
  paths: string[];
}
/**
 * What its record says; left out where there is none.
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
   * Whether all that the manifest asks for now was applied; left out where the record does not say.
   */
  isCurrent?: boolean;
  /**
   * A hold keeps it as it is: why.
   */
  held?: string;
}
