import { type Kind, requestBody } from '../definition.ts';
import { settingNamed } from '../field-path.ts';

export const member: Kind = {
  name: 'Member',
  noun: 'member',
  rank: 2,
  identity: {
    settings: ['email'],
    within: 'target',
    anyCase: true,
    twice: { rule: 'duplicate-identity', consequence: 'the person would be invited twice' },
  },
  adds: 'first',
  update: 'adds',
  operations: { create: 'inviteMember', update: 'updateMember' },
  body,
  isThere: ({ memberId }) => memberId !== undefined,
  updateObstacle: ({ memberId }) => (memberId === undefined ? 'member-id' : undefined),
};

/**
 * Makes the body of POST /api/v2/member, which invites a member, or of PUT, which updates the member with the given id.
 */
function body(...[desired, changes, write]: Parameters<Kind['body']>): ReturnType<Kind['body']> {
  const whole = requestBody('Member', desired.sections, changes);
  if (write === 'create') return whole;
  const kept = Object.entries(whole).filter(([name]) => !settingNamed('Member', name)?.createOnly);
  return { ...(desired.memberId !== undefined && { targetMemberId: desired.memberId }), ...Object.fromEntries(kept) };
}
