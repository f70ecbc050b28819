import type { KindName } from '../schemas/fields.ts';
import * as validators from '../schemas/manifest-validators.js';
import type { Validator } from '../schemas/validator.ts';
import { agentChecks } from './agent-checks.ts';
import { agentLint } from './agent-lint.ts';
import type { LintCheck } from './lint-check.ts';
import { memberChecks, memberLint } from './member-rules.ts';
import { organizationChecks, organizationLint } from './organization-rules.ts';
import { type ResourceCheck, textCheck } from './resource-check.ts';

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
  Agent: {
    authored: validators.authoredAgent,
    resolved: validators.resolvedAgent,
    checks: agentChecks,
    lint: agentLint,
  },
  Organization: {
    authored: validators.authoredOrganization,
    resolved: validators.resolvedOrganization,
    checks: organizationChecks,
    lint: organizationLint,
  },
  Member: {
    authored: validators.authoredMember,
    resolved: validators.resolvedMember,
    checks: memberChecks,
    lint: memberLint,
  },
  AgentUrl: { authored: validators.authoredAgentUrl, resolved: validators.resolvedAgentUrl, checks: [], lint: [] },
  PhoneNumber: {
    authored: validators.authoredPhoneNumber,
    resolved: validators.resolvedPhoneNumber,
    checks: [
      textCheck(
        (phoneNumber) => [phoneNumber.declared('number')],
        (checks) => checks.phoneNumber,
      ),
    ],
    lint: [],
  },
  Context: {
    authored: validators.authoredContext,
    resolved: validators.resolvedContext,
    checks: [
      textCheck(
        (context) => [context.declared('target')],
        ({ person }) => person,
      ),
    ],
    lint: [],
  },
};
