import type { Decisions } from '../../src/plan/decisions.ts';
import { type Judgement, judge } from '../../src/plan/verdicts/policies.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { checkPolicyFile } from '../../src/policy/policy-file.ts';
import { problemSentence } from '../../src/report/problems/sentence.ts';
import type { Change, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { parseYaml } from '../../src/yaml/parse-yaml.ts';
import { SourceFile } from '../../src/yaml/source-file.ts';
import { createValueChecks } from '../../src/yaml/values.ts';

/**
 * Returns the problems in a policy file, as `line:column message`. If there are no problems, also returns the policy.
 */
export async function checkedPolicy(text: string): Promise<{ policy?: Policy; problems: string[] }> {
  const source = new SourceFile('policies/p.yaml', text);
  const { root, problems: syntax } = parseYaml(source);
  if (root?.type !== 'map') throw new Error(syntax.map(({ message }) => message).join('; '));
  const { policy, problems } = await checkPolicyFile({ root, source, checks: createValueChecks() });
  return {
    ...(policy && { policy }),
    problems: problems.map((one) => `${one.at?.line}:${one.at?.column} ${problemSentence(one)}`),
  };
}

/** Parses a valid policy. */
export async function policyOf(text: string): Promise<Policy> {
  const { policy, problems } = await checkedPolicy(text);
  if (policy === undefined) throw new Error(problems.join('\n'));
  return policy;
}

/** Returns the text of a policy with one rule. `rest` contains further keys. */
export function policyText(expression: string, { level = 'deny', rest = '', name = 'p' } = {}): string {
  const rule = `rules:\n  - ${level}: ${JSON.stringify(expression)}\n    message: It is broken.\n`;
  return `apiVersion: agentform/v1\nkind: Policy\nname: ${name}\n${rest}${rule}`;
}

/** Returns a change in a plan. */
export function change(path: string, others: Partial<Change> = {}): Change {
  return { op: 'set', path, cause: 'manifest', knowledge: 'compared', ...others };
}

/** Returns an update in a plan. The update is for the agent `desk`, unless `others` names another agent. */
export function updateOf(changes: readonly Change[], others: Partial<ResourcePlan> = {}): ResourcePlan {
  return {
    kind: 'Agent',
    name: 'desk',
    action: 'update',
    digest: 'sha256:1',
    target: { host: 'service.example.com', query: {} },
    coverage: { compared: 1, blind: 0, assumed: 0 },
    reasons: [],
    warnings: [],
    changes: [...changes],
    ...others,
  };
}

export interface Judged {
  readonly resources?: readonly ResourcePlan[];
  /** The desired values, in the form that expressions read. */
  readonly desired?: Readonly<Record<string, unknown>>;
  readonly now?: string;
  readonly decisions?: Decisions;
}

/** Evaluates policies for a plan. By default, the plan updates one agent. */
export function judged(policies: readonly Policy[], { resources, desired, now, decisions }: Judged): Judgement {
  const planned = resources ?? [updateOf([change('settings.title')])];
  return judge(
    'production',
    planned.map((one) => ({
      planned: one,
      hasManifest: one.action !== 'forget' && one.action !== 'orphan',
    })),
    {
      policies,
      now: new Date(now ?? '2026-11-23T12:00:00Z'),
      viewOf: (address) => {
        const [kind, name] = address.split('/');
        return { settings: {}, kind, name, environment: 'test', ...desired };
      },
      decisions,
    },
  );
}
