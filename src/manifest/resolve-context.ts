import type { LintLevel } from './lint-rules.ts';
import type { ManifestIndex } from './manifest-index.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Scope } from './scope.ts';
import type { EnvironmentNode } from './target.ts';
import type { ValueChecks } from './value-checks.ts';

/** What manifests are resolved against: one environment of one project. */
export interface ResolveContext {
  readonly environment: EnvironmentNode;
  readonly scope: Scope;
  readonly files: ProjectFiles;
  readonly checks: ValueChecks;
  /** Levels that agentform.yaml sets. */
  readonly lint: Readonly<Record<string, LintLevel>>;
  readonly index: ManifestIndex;
  /** The query parameter that carries the reseller's id. */
  readonly resellerParameter: string;
}
