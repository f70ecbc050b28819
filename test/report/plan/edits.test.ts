import { expect, test } from '@jest/globals';
import type { LedgerEntry } from '../../../src/apply/events.ts';
import { type Notice, notice } from '../../../src/notices/notice.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import { ledgerCounts } from '../../../src/report/ledger.ts';
import { sentenceOf } from '../../../src/report/notices.ts';
import { editsNote, editsSentence } from '../../../src/report/plan/edits.ts';
import { renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
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

test('Where a failed apply may have changed the live values, no card and no question speaks only of the dashboard.', () => {
  const failure = { code: 'service-unclear', at: '2026-11-22T08:00:00.000Z' };
  const lastApply = { ...edited, failure };
  const sides = { from: 'Live', to: 'New', lastApplied: 'Old', path: 'settings.welcomeMessage' };
  const resources = (parts: Pick<ResourcePlan, 'lastApply'>) => [
    resource({ ...parts, name: 'torn', changes: [change({ ...sides, cause: 'conflict' })] }),
    resource({ ...parts, name: 'moved', changes: [change({ ...sides, cause: 'drift' })] }),
  ];
  const said = 'The last apply (22 Nov 2026, 08:00 UTC) may have been carried out in part.';
  for (const render of [renderPlanMarkdown, renderPlanHtml]) {
    const shown = render(plan(resources({ lastApply })));
    expect(shown).toContain(`Greeting is different in the dashboard and in the files. ${said} Nothing changes`);
    expect(shown).toContain(`Greeting is different in the dashboard and in the files. ${said}`);
    expect(shown).toContain(`This differs from the files. ${said}`);
    expect(shown).toContain('Keep what changed in Moved?');
    expect(shown).not.toMatch(/[Ee]dited in the dashboard|dashboard edit|before the two edits/);
    expect(shown.replace(/<\/?b>/g, '')).toContain('1 change after a failed apply undone');
    expect(render(plan(resources({ lastApply: edited })))).toContain('edited in the dashboard');
  }
  const page = renderPlanHtml(plan(resources({ lastApply })));
  expect(page).toContain(`${said} You lose the proposed one.`);
  expect(page).toContain('From the files. You lose the live one.');
  expect(page).toContain('You lose the change.');
});

test('An edit that stays unchanged may also come from a failed apply.', () => {
  const failure = { code: 'service-unclear', at: '2026-11-22T08:00:00.000Z' };
  const voice = change({ path: 'settings.agentVoice', cause: 'drift' });
  const warnings = [notice('drift-left', { paths: [voice.path] })];
  const left = resource({ lastApply: { ...edited, failure }, changes: [change()], kept: [voice], warnings });
  expect(renderPlanMarkdown(plan([left]))).toContain(
    'This differs from the files and stays unchanged until someone answers. The last apply (22 Nov 2026, 08:00 UTC)',
  );
});

test('Resources with equal changes share no card if the apply of only one of them failed.', () => {
  const failure = { code: 'service-unclear', at: '2026-11-22T08:00:00.000Z' };
  const both = [{ lastApply: edited }, { lastApply: { ...edited, failure } }].map((parts, index) =>
    resource({ ...parts, name: `a${index}`, changes: [change({ cause: 'drift' })] }),
  );
  expect(renderPlanMarkdown(plan(both, { questions: [] }))).toContain('| [**A1**]');
});

test('Counts tell undone dashboard edits from changes after a failed apply.', () => {
  const failure = { code: 'service-unclear', at: '2026-11-22T08:00:00.000Z' };
  const drift = ['settings.title', 'settings.agentVoice'].map((path) => change({ path, cause: 'drift' }));
  const made = (failed: boolean) =>
    plan([
      resource({ name: 'edited', lastApply: edited, changes: drift.slice(0, 1) }),
      ...(failed ? [resource({ name: 'torn', lastApply: { ...edited, failure }, changes: drift })] : []),
    ]);
  const text = renderPlanText(made(true), { color: false, width: 200 });
  expect(text).toContain('1 dashboard edit undone. 2 changes after a failed apply undone.');
  expect(text).toContain('~ undo edits');
  expect(renderPlanMarkdown(made(true))).toContain('1 dashboard edit undone, 2 changes after a failed apply undone');
  const page = renderPlanHtml(made(true)).replace(/<[^>]*>|\s+/g, ' ');
  expect(page).toMatch(/1 +dashboard edit undone .*2 +changes after a failed apply undone/);
  expect(renderPlanText(made(false), { color: false, width: 200 })).toContain('~ undo dashboard edits');
  const entry = {
    kind: 'Agent',
    name: 'a',
    action: 'update',
    outcome: 'applied',
    fields: [],
    warnings: [],
    sent: true,
  };
  const torn = { ...entry, undone: [{ path: 'settings.title' }], isUnclear: true } as unknown as LedgerEntry;
  expect(ledgerCounts({ entries: [torn] })).toBe('Apply: 1 applied. 1 change after a failed apply undone.');
});

test.each([
  [
    'drift-left',
    { paths: ['a'] },
    'a was edited in the dashboard and',
    'a differs in the dashboard after a failed apply and',
  ],
  ['draft-undecided', { paths: ['a'] }, 'callers should hear the edit', 'callers should hear the change'],
  ['conflict', { conflicts: [{ path: 'a' }] }, 'drop the dashboard edit', 'drop the live value'],
  ['conflict-overwritten', { paths: ['a'] }, 'an edit made in the dashboard', 'replaces the live value'],
] as const)(
  'The notice %s names the dashboard only if no failed apply may be the cause.',
  (code, facts, clear, unclear) => {
    const remedies = [['apply'], ['update']] as const;
    const said = (isUnclear?: true) =>
      sentenceOf({ code, facts: { ...facts, ...(isUnclear && { isUnclear }) }, remedies } as unknown as Notice);
    expect([said(), said(true)]).toEqual([expect.stringContaining(clear), expect.stringContaining(unclear)]);
  },
);

test('A text that stays as in the dashboard is compared with the one in the files, line by line.', () => {
  const [from, to] = ['Be kind.\nOffer two slots.', 'Be kind.\nOffer three slots.'];
  const text = change({ path: 'settings.agentInstructions', from, to, cause: 'drift' });
  const greeting = change({ path: 'settings.welcomeMessage', from: 'Hello there.', to: 'Good day.', cause: 'drift' });
  const kept = [text, greeting];
  const warnings = [notice('drift-left', { paths: kept.map(({ path }) => path) })];
  const left = plan([resource({ action: 'none', kept, warnings })]);
  const page = renderPlanHtml(left);
  expect(page).toMatch(/Live now<.*If undone<.*<mark>two<\/mark>.*<mark>three<\/mark>/s);
  expect(page).toContain('kept unless undone: ');
  expect(renderPlanMarkdown(left)).toContain('Offer <del>two</del> <ins><b>three</b></ins> slots.');
  const terminal = renderPlanText(left, { color: false, width: 200 });
  expect(terminal).toContain('now “Hello there.” in the dashboard, “Good day.” in the files');
  expect(terminal).toContain('settings.agentInstructions: different in the files (1 line reworded)');
  const settled = change({ from: 'Hi.', to: 'Hello.', cause: 'conflict' });
  const hold = { by: 'Robin', since: '2026-11-27T01:56:04.123Z', reason: 'answered' };
  const held = notice('settings-kept', { hold, paths: [settled.path] });
  const decided = renderPlanHtml(plan([resource({ action: 'none', kept: [settled], warnings: [held] })]));
  expect(decided).toMatch(/<small>live now:<.small>.*Hi\..*<small>in the files:<.small>.*Hello\./);
  const undecided = plan([resource({ action: 'none', kept, warnings })], { questions: [] });
  expect(renderPlanHtml(undecided)).not.toContain('unless undone');
});
