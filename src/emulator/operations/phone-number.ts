import { servicePhoneNumberBody } from '../../schemas/service-validators.js';
import { checkedBody } from '../body.ts';
import { Refusal } from '../refusal.ts';
import type { Answer, Call, Operation, Service } from './operation.ts';

const e164 = /^\+[1-9]\d{1,14}$/;

/** Assigns the number to the agent of the account that the call acts for. */
function assignPhoneNumber({ caller, account, body }: Call, { state }: Service): Answer {
  if (!caller.reseller) throw new Refusal(403, 'assigning a number needs the token of a reseller');
  const number = String(checkedBody(servicePhoneNumberBody, body).number);
  if (!e164.test(number)) throw new Refusal(400, 'the body is invalid: /number must be an E.164 phone number');
  const agent = state.agents.ofAccount(account.id);
  if (!agent) throw new Refusal(404, `account ${account.id} has no agent`);
  const reseller = state.phoneNumbers.find(number)?.reseller ?? caller.id;
  if (reseller !== caller.id) throw new Refusal(409, `the number ${number} belongs to another reseller`);
  state.phoneNumbers.assign({ number, reseller, account: account.id, agentId: agent.id });
  return { status: 200, body: { success: true, message: `the number ${number} was assigned to agent ${agent.id}` } };
}

/** Numbers that customers bring along. */
export const phoneNumberOperations: readonly Operation[] = [
  { id: 'assignPhoneNumber', method: 'POST', path: '/phoneNumber/byo/assign', writes: true, handle: assignPhoneNumber },
];
