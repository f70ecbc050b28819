import type { LintCheck } from './lint-check.ts';
import type { Problem } from './problem.ts';
import { type ResourceCheck, textCheck } from './resource-check.ts';
import type { ResourceView } from './resource-view.ts';

/** What is certainly wrong with an Organization, though its schema allows it. */
export const organizationChecks: readonly ResourceCheck[] = [
  textCheck(
    (organization) => [organization.declared('email')],
    ({ email }) => email,
  ),
];

/** What is probably a mistake in an Organization. */
export const organizationLint: readonly LintCheck[] = [
  {
    name: 'default-provider-twice',
    description: 'More than one of the `numberingProviders` has `default: true`.',
    level: 'warn',
    find: findDefaultProviders,
  },
];

function findDefaultProviders(organization: ResourceView): readonly Problem[] {
  const providers = organization.declared('numberingProviders')?.node;
  if (providers?.type !== 'list') return [];
  const defaults = providers.items
    .flatMap((_item, index) => organization.at(['settings', 'numberingProviders', String(index), 'default']) ?? [])
    .filter(({ node }) => node.type === 'scalar' && !node.opaque && node.value === true);
  const [first, ...others] = defaults;
  return others.map(({ path, at }) => ({
    severity: 'warning',
    rule: 'default-provider-twice',
    message: `${path} is true, but another provider is the default already`,
    at,
    ...(first === undefined ? {} : { also: { message: 'first here', at: first.at } }),
  }));
}
