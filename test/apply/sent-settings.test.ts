import { expect, test } from '@jest/globals';
import { sentSettings } from '../../src/apply/field-results.ts';
import { parsePath } from '../../src/kinds/field-path.ts';
import type { FieldChange } from '../../src/plan/fields/field-changes.ts';
import type { Change } from '../../src/schemas/plan-types.ts';

function change(path: string, parts: Partial<Change> = {}): FieldChange {
  return { path: parsePath(path), change: { op: 'set', path, cause: 'manifest', knowledge: 'compared', ...parts } };
}

const judged = [
  'settings.title',
  'settings.heartbeatEvery',
  'skills[billing].instructions',
  'backgroundAudio.url',
  'extraSettings.beta',
].map(parsePath);
const body = { title: 'A', skills: [], backgroundAudio: {}, beta: 1 };

test.each<[string, readonly FieldChange[], number, number]>([
  ['A request carries unchanged settings, but not omitted ones.', [change('settings.title')], 1, 4],
  ['An added element counts as one change and its settings.', [change('skills[billing]')], 1, 4],
  ['An unset is sent beside declared settings.', [change('settings.timezone', { op: 'unset' })], 1, 5],
  ['A release sends no setting.', [change('settings.timezone', { op: 'release' })], 0, 4],
  [
    'A setting in doubt is resent, and does not count as changed.',
    [change('settings.title', { cause: 'unverified' })],
    0,
    4,
  ],
])('%s', (_name, changes, changed, sent) => {
  expect(sentSettings({ kind: 'Agent', changes, body, judged })).toEqual({ changed, sent });
});

test('A removed element that the service still has counts as one change, whatever its members.', () => {
  const members = ['instructions', 'version'].map((name) => ['apps', 'pay', name]);
  const changes = [change('apps[pay]', { op: 'unset' })];
  expect(
    sentSettings({ kind: 'Agent', changes, body: { ...body, apps: [] }, judged: [...judged, ...members] }),
  ).toEqual({
    changed: 1,
    sent: 5,
  });
});
