import { serviceContextBody } from '../../schemas/service-validators.js';
import { checkedBody } from '../body.ts';
import type { Answer, Call, Operation, Service } from './operation.ts';

function addContext({ account, body }: Call, { state }: Service): Answer {
  const { context, target } = checkedBody(serviceContextBody, body);
  state.contexts.add({
    account: account.id,
    context: String(context),
    target: typeof target === 'string' ? target : null,
  });
  return { status: 201, body: { success: true, message: 'the context was added' } };
}

/** Context about people. */
export const contextOperations: readonly Operation[] = [
  { id: 'addContext', method: 'POST', path: '/context', writes: true, handle: addContext },
];
