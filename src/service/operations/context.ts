import type { JsonObject } from '../../kinds/json.ts';
import { checkedBy } from '../../kinds/shape.ts';
import type { components } from '../../schemas/service-types.ts';
import { serviceOutcome } from '../../schemas/service-validators.js';
import type { Call } from '../call.ts';

type Outcome = components['schemas']['Outcome'];

const checkOutcome = checkedBy<Outcome>(serviceOutcome, { showTexts: false });

/** Done twice, it would say the same to the agent twice. */
export function addContext(body: JsonObject): Call<Outcome> {
  return {
    operation: 'addContext',
    words: 'adding the context',
    method: 'POST',
    path: '/api/v2/context',
    body,
    repeatable: false,
    check: checkOutcome,
  };
}
