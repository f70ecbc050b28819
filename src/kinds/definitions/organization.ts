import { isId } from '../../json/check.ts';
import { isJsonObject } from '../../json/json.ts';
import { type Kind, plainBody } from '../definition.ts';

export const organization: Kind = {
  name: 'Organization',
  noun: 'organization',
  rank: 1,
  identity: {
    settings: ['orgName'],
    within: 'target',
    twice: { rule: 'duplicate-resource', consequence: 'two organizations with the same name would be created' },
  },
  hasId: true,
  isAccount: true,
  hasReseller: true,
  adds: 'first',
  update: 'adds',
  operations: { create: 'createOrganization', update: 'createOrganization' },
  body: plainBody,
  answered: (answer) => ({ id: idIn(answer) }),
  updateObstacle: () => 'no-operation',
};

/**
 * Finds the id of a new organization. The specification does not list the response's fields. The function therefore
 * tries several names, both inside `organization` and at the top level. An integer above 2^53 is already a text, because
 * the client keeps its digits. No other number that lost digits is an id, because it could name another account.
 */
function idIn(answer: unknown): string | undefined {
  if (!isJsonObject(answer)) return undefined;
  const names = ['id', 'orgId', 'organizationId', 'accountId', 'orgAccountId', '_id'];
  const holders = [answer.organization, answer].filter((holder) => isJsonObject(holder));
  const values = holders.flatMap((holder) => names.map((name) => holder[name]));
  const ids = values.filter((value) => typeof value === 'string' || Number.isSafeInteger(value)).map(String);
  return ids.find((id) => isId(id));
}
