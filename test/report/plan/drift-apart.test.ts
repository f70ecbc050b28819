import { expect, test } from '@jest/globals';
import { planMarkdown } from '../../../src/report/markdown/plan.ts';
import { renderPlanText } from '../../../src/report/plan/text.ts';
import { isOnlyDrift, verdictSentence } from '../../../src/report/plan/wording.ts';
import { change, plan, resource } from './plan-builders.ts';

const drift = change({ cause: 'drift' });
const changed = resource({ name: 'changed', changes: [change(), drift] });
const drifted = (name: string) => resource({ name, changes: [change({ from: name, cause: 'drift' })] });

test('what only drifted is counted and told apart from what the manifests change', () => {
  const made = plan([drifted('a'), changed, drifted('b')]);
  expect(verdictSentence(made)).toBe(
    'Applying this will change 1 agent and undo 3 edits that someone made on the service in 3 agents.',
  );
  const text = renderPlanText(made, { color: false, width: 100 });
  const { text: markdown } = planMarkdown(made);
  for (const shown of [text, markdown]) {
    expect(shown).toContain('Plan: 0 to create, 1 to update, 2 to revert.');
    expect(
      [...shown.matchAll(/Agent\/(?:changed|a|b)(?:<| {2})|Changed on the service only/g)].map(([found]) => found),
    ).toEqual([
      expect.stringContaining('Agent/changed'),
      'Changed on the service only',
      'Changed on the service only',
      expect.stringContaining('Agent/a'),
      expect.stringContaining('Agent/b'),
    ]);
  }
});

test('Within a resource, what only drifted is counted and shown behind what the manifests change.', () => {
  const own = ['a', 'c'].map((name) => change({ path: `settings.${name}` }));
  const mixed = resource({ name: 'changed', changes: [...own, change({ path: 'settings.b', cause: 'drift' })] });
  const made = plan([mixed]);
  const { text: markdown } = planMarkdown(made);
  for (const shown of [renderPlanText(made, { color: false, width: 100 }), markdown]) {
    const order = ['settings.c', 'Changed on the service only:', 'settings.b'].map((part) => shown.lastIndexOf(part));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(order).not.toContain(-1);
    expect(shown).toContain('2 settings change as the manifests say; 1 edit on the service is reverted (drift).');
  }
  expect(markdown).toContain('<code>Agent/changed</code>: 2 changes, 1 drifted setting ');
});

test('drift alone needs no heading', () => {
  const made = plan([drifted('a')]);
  expect(verdictSentence(made)).toBe('Applying this will undo 1 edit that someone made on the service in 1 agent.');
  expect(renderPlanText(made, { color: false, width: 100 })).not.toContain('Changed on the service only');
});

test.each([
  ['a create', resource({ action: 'create', changes: [drift] }), false],
  ['a change of the manifest beside it', changed, false],
  ['a conflict', resource({ changes: [change({ cause: 'conflict' })] }), false],
  ['only what is unverified', resource({ changes: [change({ cause: 'unverified' })] }), false],
  ['what is unverified beside it', resource({ changes: [drift, change({ cause: 'unverified' })] }), true],
  ['a rename beside it', resource({ renamedFrom: 'old', changes: [drift] }), false],
])('%s counts as drift only: %#', (_, one, expected) => {
  expect(isOnlyDrift(one)).toBe(expected);
});
