import { duplicateItem, type LintCheck } from './lint-check.ts';
import { type ResourceCheck, textCheck } from './resource-check.ts';

/** What is certainly wrong with a Member, though its schema allows it. */
export const memberChecks: readonly ResourceCheck[] = [
  textCheck(
    (member) => [member.declared('email')],
    ({ email }) => email,
  ),
  textCheck(
    (member) => [member.declared('redirectUrl')],
    ({ httpUrl }) => httpUrl,
  ),
];

/** What is probably a mistake in a Member. */
export const memberLint: readonly LintCheck[] = [
  {
    name: 'restrictions-lifted',
    description: '`permittedAccountIds` is empty, which on an update lifts all restrictions of the member.',
    level: 'warn',
    find(member) {
      const permitted = member.declared('permittedAccountIds');
      if (permitted?.node.type !== 'list' || permitted.node.items.length > 0) return [];
      const message = `${permitted.path} is empty: an update then lifts all restrictions, so that the member may access every account`;
      return [{ severity: 'warning', rule: 'restrictions-lifted', message, at: permitted.at }];
    },
  },
  duplicateItem(['permittedAccountIds']),
];
