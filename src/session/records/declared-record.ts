import { fieldsAsSent } from '../../apply/settled-fields.ts';
import { type Desired, inOrganization } from '../../kinds/desired.ts';
import { secrecyOf } from '../../kinds/secrecy.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import { assumedRecord } from '../../plan/plan.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';

/** The record that there would be if this had been applied: with it, a plan compares manifests with manifests. */
export function declaredRecord(declared: Desired): ResourceRecord {
  const desired = inOrganization(declared, new Map());
  return assumedRecord(desired, fieldsAsSent(resourceState({ desired }, secrecyOf([]))));
}
