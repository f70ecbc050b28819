import { isJsonObject, type JsonObject } from '../../kinds/json.ts';
import { serviceOrganizationBody } from '../../schemas/service-validators.js';
import type { Account } from '../accounts.ts';
import { checkEmail, checkedBody } from '../body.ts';
import { withoutCredentials } from '../masked-body.ts';
import { queryParameter } from '../query.ts';
import { Refusal } from '../refusal.ts';
import type { Answer, Call, Operation, Service } from './operation.ts';

/** Creates an account below the reseller; with an accountName it has an agent of that title. */
function createOrganization({ caller, query, body }: Call, service: Service): Answer {
  const reseller = checkedReseller(caller, query, service);
  const settings = checkedBody(serviceOrganizationBody, body);
  checkEmail(settings);
  const { id, account } = addAccount(reseller, service);
  const { state } = service;
  state.organizations.add({ id, account: account.id, reseller: reseller.id, settings: keptSettings(settings) });
  if (typeof settings.accountName === 'string') {
    state.agents.write(state.agents.create(account.id), { settings: { title: settings.accountName } });
  }
  const message = `organization ${id} was created`;
  return { status: 201, body: { success: true, message, organization: shownOrganization(id, settings) } };
}

function checkedReseller(caller: Account, query: unknown, { accounts }: Service): Account {
  if (!caller.reseller) throw new Refusal(403, 'creating an organization needs the token of a reseller');
  const id = queryParameter(query, 'targetResellerId');
  if (!id) throw new Refusal(400, 'the query parameter targetResellerId is missing');
  if (!accounts.isReseller(caller, id)) throw new Refusal(403, `reseller ${id} is not account ${caller.id}`);
  return caller;
}

function addAccount(reseller: Account, { accounts, state }: Service): { id: number; account: Account } {
  for (let id = state.organizations.nextId(); ; id += 1) {
    const account = accounts.addChild(reseller, String(id));
    if (account) return { id, account };
  }
}

/** Credentials are not even kept: the emulator has no use for them. */
function keptSettings(settings: JsonObject): JsonObject {
  const kept = withoutCredentials(settings);
  return isJsonObject(kept) ? kept : {};
}

function shownOrganization(id: number, settings: JsonObject): JsonObject {
  const { orgName = null, email = null, orgAccountType = 'customer', externalAccountId = null } = settings;
  return { id, orgName, email, orgAccountType, externalAccountId };
}

/** Organizations. */
export const organizationOperations: readonly Operation[] = [
  { id: 'createOrganization', method: 'POST', path: '/createOrganization', writes: true, handle: createOrganization },
];
