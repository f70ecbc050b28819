import type { JsonObject } from '../../kinds/json.ts';
import { checkedBy } from '../../kinds/shape.ts';
import type { components } from '../../schemas/service-types.ts';
import { serviceOutcome } from '../../schemas/service-validators.js';
import type { Call } from '../call.ts';

type Outcome = components['schemas']['Outcome'];

const checkOutcome = checkedBy<Outcome>(serviceOutcome, { showTexts: false });

/** Done twice, it would send two invitations. */
export function inviteMember(body: JsonObject): Call<Outcome> {
  return {
    operation: 'inviteMember',
    words: 'inviting the member',
    method: 'POST',
    path: '/api/v2/member',
    body,
    repeatable: false,
    check: checkOutcome,
  };
}

export function updateMember(body: JsonObject): Call<Outcome> {
  return {
    operation: 'updateMember',
    words: 'updating the member',
    method: 'PUT',
    path: '/api/v2/member',
    body,
    repeatable: true,
    check: checkOutcome,
  };
}
