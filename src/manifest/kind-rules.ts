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
  /** What comes of two manifests with the same identity. Of agents the plan speaks, which knows tokens and ids. */
  readonly twice?: { readonly rule: 'duplicate-identity' | 'duplicate-resource'; readonly consequence: string };
}

export const kindRules: Readonly<Record<KindName, KindRules>> = {
  Agent: {
    checks: agentChecks,
    lint: agentLint,
  },
  Organization: {
    checks: organizationChecks,
    lint: organizationLint,
    twice: { rule: 'duplicate-resource', consequence: 'two organizations of one name would be created' },
  },
  Member: {
    checks: memberChecks,
    lint: memberLint,
    twice: { rule: 'duplicate-identity', consequence: 'the person would be invited twice' },
  },
  AgentUrl: {
    checks: [],
    lint: [],
    twice: {
      rule: 'duplicate-identity',
      consequence: 'an agent has one URL, so that each apply would replace the other',
    },
  },
  PhoneNumber: {
    checks: [
      textCheck(
        (phoneNumber) => [phoneNumber.declared('number')],
        (checks) => checks.phoneNumber,
      ),
    ],
    lint: [],
    twice: {
      rule: 'duplicate-identity',
      consequence: 'a number belongs to one agent, and the last one applied would have it',
    },
  },
  Context: {
    checks: [
      textCheck(
        (context) => [context.declared('target')],
        ({ person }) => person,
      ),
    ],
    lint: [],
    twice: { rule: 'duplicate-resource', consequence: 'the text would be added twice' },
  },
};
