import { expect, test } from '@jest/globals';
import { renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
import { editsNote, editsSentence } from '../../../src/report/wording.ts';
import type { ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { change, plan, resource } from './plan-builders.ts';

type LastApply = NonNullable<ResourcePlan['lastApply']>;

const apply = { at: '2026-11-20T14:03:11.000Z', commit: '3f2a1c9d00ffee' } as const;
const edited: LastApply = { ...apply, edited: 'yes', editedAt: '2026-11-23T09:12:30.250Z' };
const note =
  'edited in the dashboard on 23 Nov 2026, 09:12 UTC, after the last apply (20 Nov 2026, 14:03 UTC, 3f2a1c9); ' +
  'the service does not record by whom';

test.each<[string, LastApply, string]>([
  ['the times and the commit', edited, note],
  [
    'no more than is known',
    { edited: 'yes' },
    'edited in the dashboard, after the last apply; the service does not record by whom',
  ],
  [
    'nothing that is no time and no commit',
    { at: '`x`', commit: '`y`', edited: 'no' },
    'not edited in the dashboard since the last apply',
  ],
  [
    'that nobody can tell',
    { edited: 'unknown', editedAt: apply.at },
    'may have been edited in the dashboard (last written on 20 Nov 2026, 14:03 UTC); the record does not show when it was applied',
  ],
  [
    'an apply of ours that may have been carried out, not the dashboard',
    { ...edited, failure: { code: 'service-unclear', at: '2026-11-22T08:00:00.000Z', commit: 'beef1234' } },
    'the last apply (22 Nov 2026, 08:00 UTC, beef123) may have been carried out in part',
  ],
])('The sentence about an edit names %s.', (_, lastApply, sentence) => {
  expect(editsSentence([{ lastApply }])).toBe(sentence);
});

test('The sentence about edits counts several resources.', () => {
  const untouched = { lastApply: { ...apply, edited: 'no' } } as const;
  const [one, other] = [{ lastApply: edited }, { lastApply: edited }];
  expect(editsSentence([one, other])).toContain('each was edited in the dashboard since the last apply');
  expect(editsSentence([one, untouched])).toContain('1 of them was edited in the dashboard');
  expect(editsSentence([untouched, untouched])).toBe('not edited in the dashboard since the last apply');
  expect(editsSentence([untouched, {}])).toBeUndefined();
  const unclear = { lastApply: { edited: 'unknown', failure: { code: 'service-unclear', at: apply.at } } } as const;
  expect(editsSentence([unclear, unclear])).toBe('the last apply of each may have been carried out in part');
  expect(editsSentence([unclear, one, untouched])).toBe(
    'the last apply of 1 of them may have been carried out in part; 1 of them was edited in the dashboard since the ' +
      'last apply; the service does not record by whom',
  );
});

test('The sentence about edits is in text and Markdown if it explains a change.', () => {
  const shown = (cause: 'drift' | 'manifest') => plan([resource({ lastApply: edited, changes: [change({ cause })] })]);
  expect(renderPlanText(shown('drift'), { color: false, width: 200 })).toContain(note);
  expect(renderPlanMarkdown(shown('drift'))).toContain(note);
  expect(renderPlanText(shown('manifest'), { color: false, width: 200 })).not.toContain('edited');
  expect(editsNote([resource({ lastApply: { edited: 'no' }, changes: [change({ cause: 'drift' })] })])).toBeUndefined();
});
