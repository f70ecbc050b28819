import type { JsonObject } from '../../kinds/json.ts';
import { serviceMemberInvitation, serviceMemberUpdate } from '../../schemas/service-validators.js';
import { checkEmail, checkedBody } from '../body.ts';
import type { MemberEdit } from '../member-store.ts';
import { Refusal } from '../refusal.ts';
import type { Answer, Call, Operation, Service } from './operation.ts';

function inviteMember({ account, body }: Call, { state }: Service): Answer {
  const invitation = checkedBody(serviceMemberInvitation, body);
  checkEmail(invitation);
  const { redirectUrl } = invitation;
  if (redirectUrl !== undefined && !URL.canParse(String(redirectUrl))) {
    throw new Refusal(400, 'the body is invalid: /redirectUrl must be a URL');
  }
  const member = state.members.invite(account.id, { ...editOf(invitation), email: String(invitation.email) });
  return { status: 201, body: { success: true, message: `member ${member.id} was invited` } };
}

function updateMember({ account, body }: Call, { state }: Service): Answer {
  const update = checkedBody(serviceMemberUpdate, body);
  checkEmail(update);
  const id = Number(update.targetMemberId);
  const member = state.members.find(id);
  if (member?.account !== account.id) throw new Refusal(404, `account ${account.id} has no member ${id}`);
  state.members.update(member, editOf(update));
  return { status: 200, body: { success: true, message: `member ${id} was updated` } };
}

/** What a body that fits its schema says about a member. */
function editOf({ email, role, permittedAccountIds }: JsonObject): MemberEdit {
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof role === 'string' && { role }),
    ...(Array.isArray(permittedAccountIds) && { permittedAccountIds: permittedAccountIds.map(Number) }),
  };
}

/** Members of an account. */
export const memberOperations: readonly Operation[] = [
  { id: 'inviteMember', method: 'POST', path: '/member', writes: true, handle: inviteMember },
  { id: 'updateMember', method: 'PUT', path: '/member', writes: true, handle: updateMember },
];
