import { checkedBy } from '../../kinds/shape.ts';
import type { components } from '../../schemas/service-types.ts';
import { serviceConversations } from '../../schemas/service-validators.js';
import type { Call } from '../call.ts';

export type Conversations = components['schemas']['Conversations'];
export type Room = components['schemas']['Room'];

const checkConversations = checkedBy<Conversations>(serviceConversations, { showTexts: false });

export function listConversations(query: Readonly<Record<string, string>>): Call<Conversations> {
  return {
    operation: 'listConversations',
    words: 'listing the conversations',
    method: 'GET',
    path: '/api/v2/conversations',
    query,
    repeatable: true,
    check: checkConversations,
  };
}
