import { expect, test } from '@jest/globals';
import { viewChange } from '../../src/report/change-view.ts';
import { changeParts } from '../../src/report/changes.ts';
import { change } from './plan/plan-builders.ts';

/** The name and values of each part. */
function shown(made: Parameters<typeof changeParts>[0], isNew = false) {
  return changeParts(made, { kind: 'Agent', isNew }).map(({ name, path, values }) => {
    return { name, path, from: values?.from?.text, to: values?.to?.text };
  });
}

test('An object shows its changed members at any depth.', () => {
  const from = { a: 'x'.repeat(80), b: { c: 1, d: [1, 2] } };
  const to = { a: 'x'.repeat(80), b: { c: 2, d: [1, 2] }, e: true };
  expect(shown(change({ path: 'extraSettings.x', from, to }))).toEqual([
    { name: 'extraSettings.x.b.c', path: 'extraSettings.x.b.c', from: '1', to: '2' },
    { name: 'extraSettings.x.e', path: 'extraSettings.x.e', from: 'not set', to: 'on' },
  ]);
});

test('A new list element shows its members by their titles, without its key.', () => {
  const to = { appId: 'squareUp', version: 'v1', instructions: 'Take bookings.' };
  expect(shown(change({ path: 'apps[squareUp]', to }), true)).toEqual([
    { name: 'App squareUp version', path: 'apps[squareUp].version', from: undefined, to: 'v1' },
    { name: 'App squareUp instructions', path: 'apps[squareUp].instructions', from: undefined, to: 'Take bookings.' },
  ]);
});

test('A list element with only a key is shown as on or not set.', () => {
  expect(shown(change({ path: 'skills[sms]', to: { slug: 'sms' } }))).toEqual([
    { name: 'Skill sms', path: 'skills[sms]', from: 'not set', to: 'on' },
  ]);
});

test('Nested members are shown up to a depth, and deeper ones as JSON.', () => {
  const deep = (depth: number): object => (depth === 0 ? { end: 1 } : { m: deep(depth - 1) });
  const [only, ...others] = shown(change({ path: 'extraSettings.x', to: deep(900) }));
  expect(only?.path).toBe('extraSettings.x.m.m.m');
  expect(others).toEqual([]);
});

test('Both sides of a changed list element have the same order of members.', () => {
  const { lines } = viewChange({ from: [{ m: 2, n: 1 }], to: [{ n: 1, m: 9 }] });
  expect(lines.map(({ sign, text }) => `${sign} ${text}`)).toEqual(['- { m: 2, n: 1 }', '+ { m: 9, n: 1 }']);
});
