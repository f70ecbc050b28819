import type { JsonObject } from '../json/json.ts';
import { fieldsByKind } from '../schemas/fields.ts';
import type { Desired } from './desired.ts';
import { type BodyChange, requestBody } from './request-body.ts';

const invitationOnly = fieldsByKind.Member.filter((field) => field.createOnly).map((field) => field.name);

/** The body of POST /api/v2/member, which invites, or of PUT, which updates the member of this id. */
export function memberBody(desired: Desired, changes: readonly BodyChange[], write: 'create' | 'update'): JsonObject {
  const body = requestBody('Member', desired.sections, changes);
  if (write === 'create') return body;
  const kept = Object.entries(body).filter(([name]) => !invitationOnly.includes(name));
  return { ...(desired.memberId !== undefined && { targetMemberId: desired.memberId }), ...Object.fromEntries(kept) };
}
