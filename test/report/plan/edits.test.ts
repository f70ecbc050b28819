import { expect, test } from '@jest/globals';
import { renderPlanMarkdown } from '../../../src/report/markdown/plan.ts';
import { editsNote, editsSentence } from '../../../src/report/plan/edits.ts';
import { renderPlanText } from '../../../src/report/plan/text.ts';
import type { ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { change, plan, resource } from './plan-builders.ts';

type LastApply = NonNullable<ResourcePlan['lastApply']>;

const apply = { at: '2026-11-20T14:03:11.000Z', commit: '3f2a1c9d00ffee' } as const;
const edited: LastApply = { ...apply, edited: 'yes', editedAt: '2026-11-23T09:12:30.250Z' };
const note =
  'someone edited it on the service, last at 2026-11-23 09:12 UTC, after the apply of 2026-11-20 14:03 UTC ' +
  '(commit 3f2a1c9); the service does not tell who';

test.each<[string, LastApply, string]>([
  ['the times and the commit', edited, note],
  [
    'no more than is known',
    { edited: 'yes' },
    'someone edited it on the service, after the last apply; the service does not tell who',
  ],
  [
    'nothing that is no time and no commit',
    { at: '`x`', commit: '`y`', edited: 'no' },
    'no one edited it on the service since the last apply',
  ],
  [
    'that nobody can tell',
    { edited: 'unknown', editedAt: apply.at },
    'someone may have edited it on the service: it was last written at 2026-11-20 14:03 UTC, and the record does not tell when it was applied',
  ],
])('who else wrote a resource is said with %s', (_, lastApply, sentence) => {
  expect(editsSentence([{ lastApply }])).toBe(sentence);
});

test('Of several resources it is said how many.', () => {
  const untouched = { lastApply: { ...apply, edited: 'no' } } as const;
  const [one, other] = [{ lastApply: edited }, { lastApply: edited }];
  expect(editsSentence([one, other])).toContain('someone edited each of them on the service since the last apply');
  expect(editsSentence([one, untouched])).toContain('someone edited 1 of them on the service');
  expect(editsSentence([untouched, untouched])).toBe('no one edited them on the service since their last apply');
  expect(editsSentence([untouched, {}])).toBeUndefined();
});

test('text and Markdown say it where it explains a change', () => {
  const shown = (cause: 'drift' | 'manifest') => plan([resource({ lastApply: edited, changes: [change({ cause })] })]);
  expect(renderPlanText(shown('drift'), { color: false, width: 200 })).toContain(note);
  expect(renderPlanMarkdown(shown('drift'))).toContain(note);
  expect(renderPlanText(shown('manifest'), { color: false, width: 200 })).not.toContain('edited');
  expect(editsNote([resource({ lastApply: { edited: 'no' }, changes: [change({ cause: 'drift' })] })])).toBeUndefined();
});
