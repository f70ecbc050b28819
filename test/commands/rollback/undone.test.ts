import { describe, expect, test } from '@jest/globals';
import { undone } from '../../../src/commands/rollback/rollback.ts';
import { wantedVersion } from '../../../src/commands/rollback/versions.ts';
import type { Change } from '../../../src/schemas/plan-types.ts';
import { agentRecord } from '../../support/observations.ts';

const change = (path: string, from?: unknown): Change =>
  ({ op: 'set', path, cause: 'manifest', knowledge: 'compared', ...(from !== undefined && { from }) }) as Change;

function undoing(fields: Readonly<Record<string, unknown>>, ...changes: Change[]) {
  const record = undone(agentRecord(fields, { commit: 'abc' }), { kind: 'Agent', changes });
  expect(record).not.toHaveProperty('commit');
  return Object.fromEntries(Object.entries(record.fields).map(([path, field]) => [path, field.value ?? field]));
}

describe('the record before a plan', () => {
  test('The record before a plan has the value that each change replaced, and no added value.', () => {
    const fields = { 'settings.title': 'new', 'settings.agentLang': 'en-US', 'settings.links': ['a'] };
    expect(undoing(fields, change('settings.title', 'old'), change('settings.links'))).toEqual({
      'settings.title': 'old',
      'settings.agentLang': 'en-US',
    });
  });

  test('The record before a plan has the removed list elements, and no added element.', () => {
    const fields = { 'skills[new].instructions': 'n', 'skills[kept].instructions': 'k' };
    const removed = change('skills[a.b]', { instructions: 'x', version: 'v' });
    expect(undoing(fields, change('skills[new]'), removed, change('skills[bare]', {}))).toEqual({
      'skills[kept].instructions': 'k',
      'skills[a.b].instructions': 'x',
      'skills[a.b].version': 'v',
      'skills[bare]': {},
    });
    expect(undoing({ skills: [] }, change('skills', { 'a.instructions': 'x', b: {} }))).toEqual({
      'skills[a].instructions': 'x',
      'skills[b]': {},
    });
  });

  test('The record before a plan has the fingerprint of a sensitive value.', () => {
    const masked = { sensitive: true, fingerprint: 'hmac:k:x' };
    expect(undoing({ 'settings.title': 'new' }, change('settings.title', masked))).toEqual({
      'settings.title': { fingerprint: 'hmac:k:x' },
    });
  });
});

describe('--to', () => {
  const now = new Date('2026-11-23T03:00Z');

  test.each([
    ['previous', { at: 'previous' }],
    ['4f2c01d9', { at: 'commit', commit: '4f2c01d9' }],
    ['17', { at: 'commit', commit: '17' }],
    ['2026-11-23T02:40Z', { at: 'time', time: new Date('2026-11-23T02:40:00Z') }],
    ['2026-11-23T02:40:30.123Z', { at: 'time', time: new Date('2026-11-23T02:40:30.123Z') }],
    ['2026-11-23 02:40', { at: 'time', time: new Date('2026-11-23T02:40:00Z') }],
    ['2026-11-23T02:40:30+01:00', { at: 'time', time: new Date('2026-11-23T01:40:30Z') }],
  ])('The option --to accepts %s.', (text, wanted) => {
    expect(wantedVersion(text, now)).toEqual(wanted);
  });

  test.each(['', 'HEAD', '--all', 'abc', '2026-11-23', '2026-13-45T02:40Z', '2026-02-30T02:40Z', '02:40', 'main~1'])(
    'The option --to refuses %j.',
    (text) => {
      expect(() => wantedVersion(text, now)).toThrow(/expected previous, a version that/);
    },
  );

  test('The option --to refuses a time in the far future, such as a mistyped year.', () => {
    expect(() => wantedVersion('2027-11-23T02:40Z', now)).toThrow(/which is in the future/);
    expect(wantedVersion('2026-11-23T03:10Z', now)).toMatchObject({ at: 'time' });
  });
});
