import type { JsonObject } from '../../kinds/json.ts';
import { checkedBy } from '../../kinds/shape.ts';
import type { components } from '../../schemas/service-types.ts';
import { serviceOutcome } from '../../schemas/service-validators.js';
import type { Call } from '../call.ts';

type Outcome = components['schemas']['Outcome'];

const checkOutcome = checkedBy<Outcome>(serviceOutcome, { showTexts: false });

export function assignPhoneNumber(body: JsonObject): Call<Outcome> {
  return {
    operation: 'assignPhoneNumber',
    words: 'assigning the phone number',
    method: 'POST',
    path: '/api/v2/phoneNumber/byo/assign',
    body,
    repeatable: true,
    check: checkOutcome,
  };
}
