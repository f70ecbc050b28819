import type { Problem } from './problem.ts';
import { errorAt } from './problem-list.ts';
import type { Declared, ResourceView } from './resource-view.ts';
import type { Complaint, ValueCheck, ValueChecks } from './value-checks.ts';
import { showNode } from './wording.ts';

/** Finds what is wrong with a resource beyond its schema. */
export type ResourceCheck = (resource: ResourceView, checks: ValueChecks) => Promise<readonly Problem[]>;

/** Checks each text that `places` gives; what is unknown is left alone, and nothing of a secret is repeated. */
export function textCheck(
  places: (resource: ResourceView) => ReadonlyArray<Declared | undefined>,
  choose: (checks: ValueChecks) => ValueCheck,
): ResourceCheck {
  return async (resource, checks) => {
    const check = choose(checks);
    const problems = await Promise.all(places(resource).map((declared) => problemOf(declared, check)));
    return problems.flat();
  };
}

async function problemOf(declared: Declared | undefined, check: ValueCheck): Promise<Problem[]> {
  const node = declared?.node;
  if (declared === undefined || node?.type !== 'scalar' || node.opaque) return [];
  const complaint = typeof node.value === 'string' ? await check(node.value) : undefined;
  return complaint === undefined ? [] : [problemFrom(complaint, declared)];
}

function problemFrom({ severity, rule, message, hint = '' }: Complaint, { node, path, at }: Declared): Problem {
  const isSecret = node.type === 'scalar' && node.sensitive;
  return { ...errorAt(at, rule, `${path} is ${showNode(node)}: ${message}${isSecret ? '' : hint}`), severity };
}
