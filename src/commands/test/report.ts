import type { Json } from '../../json/json.ts';

/** The results of a project's cases: the output of `test --format json`. */
export interface TestReport {
  readonly formatVersion: 1;
  readonly summary: { readonly passed: number; readonly failed: number; readonly errors: number };
  /** By environment, Test, agent and case, in the order of the files. */
  readonly cases: readonly CaseResult[];
  /** With `--coverage`: settings that no case checked. */
  readonly uncovered?: readonly UncoveredSettings[];
}

/** How one case ended for one agent in one environment. */
export interface CaseResult {
  /** The name of the Test. */
  readonly test: string;
  readonly agent: string;
  readonly environment: string;
  readonly case: string;
  /** `error`: the specification does not decide it, or it cannot be checked. */
  readonly outcome: 'passed' | 'failed' | 'error';
  readonly expected: Readonly<Record<string, Json>>;
  /** Absent of an error. */
  readonly got?: Readonly<Record<string, Json>>;
  /** Why there is no result. */
  readonly error?: string;
  /** The place of the case: `tests/callers.yaml:7:5`. */
  readonly at: string;
  readonly decidedBy: readonly DecidingSetting[];
  /** Assumptions: defaults of unmanaged settings, and decisions that the specification leaves open. */
  readonly assumed: readonly string[];
}

/** A setting that a manifest declares and the outcome rests on. */
export interface DecidingSetting {
  /** Such as `transferRules.cnamAutoRejectRegex`. */
  readonly setting: string;
  /** A text without what is after its first 200 characters. */
  readonly value: Json;
  /** The place of the value. */
  readonly at?: string;
}

/** Settings of an agent that affect callers and that no case checked. */
export interface UncoveredSettings {
  readonly agent: string;
  readonly environment: string;
  readonly settings: readonly string[];
}
