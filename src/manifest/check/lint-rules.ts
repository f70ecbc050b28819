import { fieldsByKind, type KindName } from '../../schemas/fields.ts';
import type { Problem } from '../syntax/problem.ts';
import { kindRules } from './kind-rules.ts';
import type { LintLevel, LintRule } from './rule.ts';

export type { LintLevel, LintRule } from './rule.ts';

const generalRules: readonly LintRule[] = [
  {
    name: 'manifests-empty',
    description: 'A pattern under `manifests` in agentform.yaml matches no file.',
    level: 'warn',
  },
  {
    name: 'duplicate-resource',
    description:
      'Two Organizations have the same `orgName`, or two Contexts the same `target` and `context`, in the same account.',
    level: 'warn',
  },
  {
    name: 'extra-setting-shadows',
    description: '`extraSettings` has a setting that a section declares too; the one in `extraSettings` is sent.',
    level: 'warn',
  },
  {
    name: 'extra-setting-known',
    description: '`extraSettings` has a setting with a value that fits the schema, so that a section could declare it.',
    level: 'warn',
  },
  {
    name: 'environments-share-token',
    description:
      'Two environments use the same token reference and query on one host. Turn it off where the secret has another value in each, as in protected environments of GitHub.',
    level: 'warn',
  },
  {
    name: 'regex-slow',
    description: 'The time a regex takes grows with the square of the length of the text it is matched against.',
    level: 'warn',
  },
  {
    name: 'regex-unproven',
    description: 'It could not be shown in time that a regex does not backtrack catastrophically.',
    level: 'warn',
  },
  {
    name: 'regex-slashes',
    description: 'A regex is written between slashes, which it then matches literally.',
    level: 'warn',
  },
];

/** Every lint rule, by name: what `lint:` in agentform.yaml may name. Kinds may share a rule. */
export const lintRules: readonly LintRule[] = [...rulesByName().values()].sort((a, b) => (a.name < b.name ? -1 : 1));

const defaultLevels = new Map(lintRules.map(({ name, level }) => [name, level]));

/** Drops the warnings that are off and makes errors of those that are to be errors. Errors of other sorts stay. */
export function applyLevels(problems: readonly Problem[], levels: Readonly<Record<string, LintLevel>>): Problem[] {
  return problems.flatMap((problem) => {
    const level = defaultLevels.has(problem.rule)
      ? (levels[problem.rule] ?? defaultLevels.get(problem.rule))
      : undefined;
    if (level === undefined) return [problem];
    return level === 'off' ? [] : [{ ...problem, severity: level === 'error' ? 'error' : 'warning' }];
  });
}

function rulesByName(): Map<string, LintRule> {
  const ofKinds = kindNames().flatMap((kind) => kindRules[kind].lint);
  return new Map(
    [...generalRules, ...ofKinds].map(({ name, description, level }) => [name, { name, description, level }]),
  );
}

function kindNames(): KindName[] {
  return Object.keys(fieldsByKind).filter((name): name is KindName => name in kindRules);
}
