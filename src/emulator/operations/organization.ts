import { isJsonObject, type JsonObject } from '../../json/json.ts';
import {
  serviceMemberInvitation,
  serviceMemberUpdate,
  serviceOrganizationBody,
} from '../../schemas/service-validators.js';
import { Refusal } from '../errors.ts';
import { maskedCredentials } from '../journal.ts';
import { checkEmail, checkedBody, queryParameter } from '../request.ts';
import { type MemberEdit, nextId } from '../state/account-stores.ts';
import type { Account } from '../state/accounts.ts';
import type { EmulatedOperation, OperationResponse, ReceivedCall, Service } from './operation.ts';

/** Creates a child account of the reseller. If `accountName` is given, the account gets an agent with this title. */
function createOrganization({ caller, query, body }: ReceivedCall, service: Service): OperationResponse {
  const reseller = checkedReseller(caller, query, service);
  const settings = checkedBody(serviceOrganizationBody, body);
  checkEmail(settings);
  const { id, account } = addAccount(reseller, service);
  const { state } = service;
  state.organizations.push({ id, account: account.id, reseller: reseller.id, settings: keptSettings(settings) });
  if (typeof settings.accountName === 'string') {
    state.agents.write(state.agents.create(account.id), { settings: { title: settings.accountName } });
  }
  const message = `organization ${id} was created`;
  return { status: 201, body: { success: true, message, organization: shownOrganization(id, settings) } };
}

function checkedReseller(caller: Account, query: unknown, { accounts }: Service): Account {
  if (!caller.reseller) throw new Refusal(403, 'creating an organization needs a reseller token');
  const id = queryParameter(query, 'targetResellerId');
  if (!id) throw new Refusal(400, 'the query parameter targetResellerId is missing');
  if (!accounts.isReseller(caller, id))
    throw new Refusal(403, `the token belongs to account ${caller.id}, not to reseller ${id}`);
  return caller;
}

const firstOrganizationId = 1001;

function addAccount(reseller: Account, { accounts, state }: Service): { id: number; account: Account } {
  for (let id = nextId(state.organizations, firstOrganizationId); ; id += 1) {
    const account = accounts.addChild(reseller, String(id));
    if (account) return { id, account };
  }
}

/** Returns the settings to store. Credentials are masked, because the emulator does not need them. */
function keptSettings(settings: JsonObject): JsonObject {
  const kept = maskedCredentials(settings);
  return isJsonObject(kept) ? kept : {};
}

function shownOrganization(id: number, settings: JsonObject): JsonObject {
  const { orgName = null, email = null, orgAccountType = 'customer', externalAccountId = null } = settings;
  return { id, orgName, email, orgAccountType, externalAccountId };
}

export const organizationOperations: readonly EmulatedOperation[] = [
  { id: 'createOrganization', method: 'POST', path: '/createOrganization', writes: true, handle: createOrganization },
];

function inviteMember({ account, body }: ReceivedCall, { state }: Service): OperationResponse {
  const invitation = checkedBody(serviceMemberInvitation, body);
  checkEmail(invitation);
  const { redirectUrl } = invitation;
  if (redirectUrl !== undefined && !URL.canParse(String(redirectUrl))) {
    throw new Refusal(400, 'the body is invalid: /redirectUrl must be a URL');
  }
  const member = state.members.invite(account.id, { ...editOf(invitation), email: String(invitation.email) });
  return { status: 201, body: { success: true, message: `member ${member.id} was invited` } };
}

function updateMember({ account, body }: ReceivedCall, { state }: Service): OperationResponse {
  const update = checkedBody(serviceMemberUpdate, body);
  checkEmail(update);
  const id = Number(update.targetMemberId);
  const member = state.members.find(id);
  if (member?.account !== account.id) throw new Refusal(404, `account ${account.id} has no member ${id}`);
  state.members.update(member, editOf(update));
  return { status: 200, body: { success: true, message: `member ${id} was updated` } };
}

function editOf({ email, role, permittedAccountIds }: JsonObject): MemberEdit {
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof role === 'string' && { role }),
    ...(Array.isArray(permittedAccountIds) && { permittedAccountIds: permittedAccountIds.map(Number) }),
  };
}

export const memberOperations: readonly EmulatedOperation[] = [
  { id: 'inviteMember', method: 'POST', path: '/member', writes: true, handle: inviteMember },
  { id: 'updateMember', method: 'PUT', path: '/member', writes: true, handle: updateMember },
];
