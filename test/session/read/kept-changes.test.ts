import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressOf } from '../../../src/kinds/desired.ts';
import { parsePath } from '../../../src/kinds/field-path.ts';
import type { Notice } from '../../../src/notices/notice.ts';
import type { PlannedResource } from '../../../src/plan/resource-plan.ts';
import type { Change } from '../../../src/schemas/plan-types.ts';
import { KeptChanges } from '../../../src/session/read/kept-changes.ts';
import { change, resource } from '../../report/plan/plan-builders.ts';
import { fuzzing } from '../../support/fuzz.ts';
import { saying } from '../../support/notices.ts';
import { desiredAgent } from '../../support/observations.ts';

const prompt = 'Ask the caller what it is about, and write it down. 😀\n'.repeat(30);

function planned(name: string, changes: readonly Change[], warnings: Notice[] = []): PlannedResource {
  return {
    observation: { desired: desiredAgent({}) },
    planned: resource({ name, changes: [...changes], warnings }),
    changes: changes.map((one) => ({ path: parsePath(one.path), change: one })),
  };
}

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    prompt,
    `${prompt}!`,
    '',
    'Front desk of the clinic',
    null,
    { url: 'u', gain: -6 },
    [prompt],
    '\ud800',
    5,
    ' 5',
    '5',
    true,
    ' true',
  ),
);
const anyChange = fc
  .record(
    {
      path: fc.constantFrom('settings.title', 'settings.description', 'skills[calendar].instructions', 'transferRules'),
      from: value,
      to: value,
      lastApplied: value,
      mergeable: fc.constant(true),
      source: fc.record({ file: fc.constantFrom('shared/base.yaml', 'agents/a.yaml'), line: fc.nat(3) }),
    },
    { requiredKeys: ['path'] },
  )
  // In the order in which a plan has them.
  .map(({ path, from, to, lastApplied, mergeable, source }): Change => {
    const made = { op: 'set', path, from, to, lastApplied, cause: 'drift', knowledge: 'compared', mergeable, source };
    return JSON.parse(JSON.stringify(made));
  });

test('changes that are kept say what they said, in the same order, as often as they are asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyChange, { maxLength: 4 }), { maxLength: 30 }), (all) => {
      const keeping = new KeptChanges();
      const given = all.map((changes, index) => planned(`a${index}`, changes, [saying(`warning ${index % 3}`)]));
      const kept = given.map((one) => keeping.kept(one));
      for (const _ of [1, 2]) {
        expect(JSON.stringify(kept.map((one) => one.planned))).toBe(JSON.stringify(given.map((one) => one.planned)));
        expect(kept.map(({ changes }) => changes)).toEqual(given.map(({ changes }) => changes));
      }
      expect(kept.map((one) => one.observation)).toEqual(given.map((one) => one.observation));
    }),
    fuzzing(60),
  );
});

test('what many resources say from one place is there once, and each has its own beside it', () => {
  const keeping = new KeptChanges();
  const source = { file: 'shared/base.yaml', line: 4 };
  const shared = () => change({ path: 'settings.description', from: prompt, to: `${prompt}More.`, source });
  const kept = ['a', 'b', 'c'].map((name, index) =>
    keeping.kept(planned(name, [shared(), change({ to: name, source: { file: `agents/${name}.yaml`, line: index } })])),
  );
  const [, second, third] = kept.map(({ planned: { changes } }) => changes);
  expect(second?.[0]).toBe(third?.[0]);
  expect(kept.map(({ planned: one }) => [addressOf(one), one.changes[1]?.to, one.changes[1]?.source?.file])).toEqual([
    ['Agent/a', 'a', 'agents/a.yaml'],
    ['Agent/b', 'b', 'agents/b.yaml'],
    ['Agent/c', 'c', 'agents/c.yaml'],
  ]);
});

test('a text is never taken for a value that is written like it', () => {
  const keeping = new KeptChanges();
  const values = [5, ' 5', '5', true, ' true', null, ' null', [], ' []', '[]'];
  const kept = values.map((to) => keeping.kept(planned('a', [change({ from: 'Old', to })])));
  expect(kept.map(({ planned: { changes } }) => changes[0]?.to)).toEqual(values);
});
