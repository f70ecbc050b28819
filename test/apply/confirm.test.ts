import { expect, test } from '@jest/globals';
import { sentSettings } from '../../src/apply/confirm.ts';
import type { Change } from '../../src/schemas/plan-types.ts';

function change(path: string, parts: Partial<Change> = {}): Change {
  return { op: 'set', path, cause: 'manifest', knowledge: 'compared', ...parts };
}

const results = [
  'settings.title',
  'settings.heartbeatEvery',
  'skills[billing].instructions',
  'backgroundAudio.url',
  'extraSettings.beta',
].map((path) => ({ path, result: 'stored' }) as const);
const body = { title: 'A', skills: [], backgroundAudio: {}, beta: 1 };

test.each<[string, readonly Change[], number, number]>([
  ['a request carries what did not change, and not what is left out of it', [change('settings.title')], 1, 4],
  ['an added element is one change and the settings in it', [change('skills[billing]')], 1, 4],
  ['an unset is sent beside what is declared', [change('settings.timezone', { op: 'unset' })], 1, 5],
  ['a release sends nothing', [change('settings.timezone', { op: 'release' })], 0, 4],
  [
    'what is in doubt is sent again, and is not known to have changed',
    [change('settings.title', { cause: 'unverified' })],
    0,
    4,
  ],
])('%s', (_name, changes, changed, sent) => {
  expect(sentSettings({ kind: 'Agent', changes, body, results })).toEqual({ changed, sent });
});

test('an element that was to go and is still there was one change, whatever its members', () => {
  const members = ['instructions', 'version'].map(
    (name) => ({ path: `apps[pay].${name}`, result: 'ignored' }) as const,
  );
  const changes = [change('apps[pay]', { op: 'unset' })];
  expect(
    sentSettings({ kind: 'Agent', changes, body: { ...body, apps: [] }, results: [...results, ...members] }),
  ).toEqual({
    changed: 1,
    sent: 5,
  });
});
