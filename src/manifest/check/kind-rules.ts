import type { KindName } from '../../schemas/fields.ts';
import type { Problem } from '../../yaml/problem.ts';
import { agentLint, checkTransferHasDestination } from './agent-rules.ts';
import type { ResourceView } from './resource-view.ts';
import { duplicateItem, formCheck, type LintCheck, type ResourceCheck } from './rule.ts';

/** What is probably a mistake in an Organization. */
const organizationLint: readonly LintCheck[] = [
  {
    name: 'default-provider-twice',
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
    message: `${path} is true, but another provider is already the default`,
    at,
    ...(first === undefined ? {} : { also: { message: 'first here', at: first.at } }),
  }));
}

/** What is probably a mistake in a Member. */
const memberLint: readonly LintCheck[] = [
  {
    name: 'restrictions-lifted',
    find(member) {
      const permitted = member.declared('permittedAccountIds');
      if (permitted?.node.type !== 'list' || permitted.node.items.length > 0) return [];
      const message = `${permitted.path} is empty: an update lifts all restrictions, and the member can access every account`;
      return [{ severity: 'warning', rule: 'restrictions-lifted', message, at: permitted.at }];
    },
  },
  duplicateItem(['permittedAccountIds']),
];

/** What its schema cannot say of a kind. */
export interface KindRules {
  /** What is certainly wrong though the schema allows it. */
  readonly checks: readonly ResourceCheck[];
  /** What is probably a mistake. */
  readonly lint: readonly LintCheck[];
}

const ownRules: Readonly<Partial<Record<KindName, Partial<KindRules>>>> = {
  Agent: { checks: [checkTransferHasDestination], lint: agentLint },
  Organization: { lint: organizationLint },
  Member: { lint: memberLint },
};

const known = new Map<KindName, KindRules>();

/** The rules of a kind; most kinds do with their schema and the forms that it gives texts. */
export function rulesOf(kind: KindName): KindRules {
  const made = known.get(kind);
  if (made !== undefined) return made;
  const { checks = [], lint = [] } = ownRules[kind] ?? {};
  const rules = { checks: [formCheck(kind), ...checks], lint };
  known.set(kind, rules);
  return rules;
}
