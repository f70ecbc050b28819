import { expect, test } from '@jest/globals';
import { notice } from '../../../src/notices/notice.ts';
import { decisionsOf, withDecisions } from '../../../src/plan/decisions.ts';
import { actionCounts } from '../../../src/plan/pending.ts';
import { renderPlanHtml, renderPlanText } from '../../../src/report/plan.ts';
import { coverageSentences, titleOfResource, verdictSentences } from '../../../src/report/wording.ts';
import { dayOf, momentOf } from '../../../src/text/time.ts';
import { change, plan, resource, unchanged } from './plan-builders.ts';

const counts = { drift: 0, conflicts: 0 };

test.each([
  [
    { compared: 14, blind: 2, assumed: 15 },
    'Checked 14 of 31 settings. The other 17 are write-only: 2 will be sent, 15 are assumed unchanged.',
  ],
  [{ compared: 14, blind: 0, assumed: 0 }, 'Checked all 14 settings.'],
  [{ compared: 1, blind: 0, assumed: 0 }, 'Checked 1 setting.'],
  [{ compared: 1, blind: 3, assumed: 0 }, 'Checked 1 of 4 settings. The other 3 are write-only and will be sent.'],
  [
    { compared: 1_000, blind: 0, assumed: 1_500 },
    'Checked 1,000 of 2,500 settings. The other 1,500 are write-only and assumed unchanged.',
  ],
  [{ compared: 0, blind: 0, assumed: 2 }, '2 settings are write-only and assumed unchanged.'],
])('The coverage sentence describes %j', (coverage, sentence) => {
  const summary = { ...actionCounts([{ action: 'update' }]), ...counts, ...coverage };
  expect(coverageSentences({ resources: [], summary })).toBe(sentence);
});

test('A plan with blocked resources only says why nothing was compared.', () => {
  const summary = { ...actionCounts([{ action: 'blocked' }]), ...counts, compared: 0, blind: 0, assumed: 0 };
  expect(coverageSentences({ resources: [], summary })).toBe('Settings of blocked resources are not counted.');
});

test('A resource is called by its title, or by its name in words.', () => {
  expect(titleOfResource(resource({ name: 'after-hours', title: 'Closed' }))).toBe('Closed');
  expect(titleOfResource(resource({ name: 'after-hours', title: ' ' }))).toBe('After hours');
});

test('A time is shown with its month in letters, and an invalid time is not shown.', () => {
  expect(momentOf('2026-11-26T11:05:00Z')).toBe('26 Nov 2026, 11:05 UTC');
  expect(dayOf('2026-11-26T23:59:00Z')).toBe('26 Nov 2026');
  expect(dayOf('soon')).toBeUndefined();
});

test('A terminal shows the live value of a kept setting beside the one in the files.', () => {
  const hold = { by: 'ada', since: '2026-11-21T12:00:00Z', reason: 'demo' };
  const warnings = [notice('settings-kept', { hold, paths: ['settings.title'] }, [['unhold', 'front-desk']])];
  const made = plan([resource({ action: 'none', kept: [change({ cause: 'drift' })], warnings })]);
  expect(renderPlanText(made, { color: false, width: 100 })).toContain(
    '    settings.title: live now Old, in the files New\n',
  );
});

test('A plan without changes does not claim a match if dashboard settings are kept.', () => {
  const kept = [change({ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' })];
  expect(verdictSentences(plan([{ ...unchanged('a'), kept }, unchanged('b')]))).toEqual([
    'No changes: 1 setting stays as it is in the dashboard.',
  ]);
});

test('A plan counts an overwritten conflict as an undone dashboard edit, as the ledger does.', () => {
  const conflict = change({ path: 'settings.agentVoice', from: 'b', to: 'c', lastApplied: 'a', cause: 'conflict' });
  const made = plan([resource({ changes: [conflict, change()] })], { questions: [] });
  const decided = withDecisions(made, decisionsOf({ overwrite: ['Agent/front-desk'] }));
  expect(verdictSentences(decided)).toEqual(['1 agent changes, 1 dashboard edit is undone.']);
  expect(renderPlanText(decided, { color: false, width: 100 })).toContain(
    '1 setting changes, 1 dashboard edit is undone.\n',
  );
  expect(renderPlanHtml(decided)).toContain('<b>1</b> dashboard edit undone');
});
