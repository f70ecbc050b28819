import type { KindName } from '../schemas/fields.ts';
import { authoredAgent, resolvedAgent } from '../schemas/manifest-validators.js';
import type { Validator } from '../schemas/validator.ts';
import { agentChecks } from './agent-checks.ts';
import { agentLint } from './agent-lint.ts';
import type { LintCheck } from './lint-check.ts';
import type { ResourceCheck } from './resource-check.ts';

/** All that src/manifest knows of a kind beyond its schema. */
export interface KindRules {
  /** Checks a file as it is written. */
  readonly authored: Validator;
  /** Checks what all files of a resource come to. */
  readonly resolved: Validator;
  /** What is certainly wrong though the schema allows it. */
  readonly checks: readonly ResourceCheck[];
  /** What is probably a mistake. */
  readonly lint: readonly LintCheck[];
}

export const kindRules: Readonly<Record<KindName, KindRules>> = {
  Agent: { authored: authoredAgent, resolved: resolvedAgent, checks: agentChecks, lint: agentLint },
};
