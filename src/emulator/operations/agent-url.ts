import { serviceAgentUrlBody } from '../../schemas/service-validators.js';
import { checkedBody } from '../body.ts';
import { Refusal } from '../refusal.ts';
import type { Answer, Call, Operation, Service } from './operation.ts';

function setAgentUrl({ account, body }: Call, { state }: Service): Answer {
  const checked = checkedBody(serviceAgentUrlBody, body);
  const [slug, targetUsername] = [String(checked.slug), String(checked.targetUsername)];
  if (targetUsername === '') throw new Refusal(400, 'the body is invalid: /targetUsername is empty');
  if (!/^[^\s/?#]+$/.test(slug)) throw new Refusal(400, 'the body is invalid: /slug must be one segment of a URL');
  const url = { account: account.id, targetUsername, slug };
  if (state.agentUrls.isTaken(url)) throw new Refusal(409, `the slug ${slug} belongs to another agent`);
  state.agentUrls.set(url);
  return { status: 200, body: { success: true, slug } };
}

/** Public URLs of agents. */
export const agentUrlOperations: readonly Operation[] = [
  { id: 'setAgentUrl', method: 'POST', path: '/agentUrl', writes: true, handle: setAgentUrl },
];
