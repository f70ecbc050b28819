import type { KindName } from '../schemas/fields.ts';
import { agentChecks } from './agent-checks.ts';
import { agentLint } from './agent-lint.ts';
import type { LintCheck } from './lint-check.ts';
import { memberChecks, memberLint } from './member-rules.ts';
import { organizationChecks, organizationLint } from './organization-rules.ts';
import { type ResourceCheck, textCheck } from './resource-check.ts';

/** All that src/manifest knows of a kind beyond its schema. */
export interface KindRules {
  /** What is certainly wrong though the schema allows it. */
  readonly checks: readonly ResourceCheck[];
  /** What is probably a mistake. */
  readonly lint: readonly LintCheck[];
}

export const kindRules: Readonly<Record<KindName, KindRules>> = {
  Agent: {
    checks: agentChecks,
    lint: agentLint,
  },
  Organization: {
    checks: organizationChecks,
    lint: organizationLint,
  },
  Member: {
    checks: memberChecks,
    lint: memberLint,
  },
  AgentUrl: { checks: [], lint: [] },
  PhoneNumber: {
    checks: [
      textCheck(
        (phoneNumber) => [phoneNumber.declared('number')],
        (checks) => checks.phoneNumber,
      ),
    ],
    lint: [],
  },
  Context: {
    checks: [
      textCheck(
        (context) => [context.declared('target')],
        ({ person }) => person,
      ),
    ],
    lint: [],
  },
};
