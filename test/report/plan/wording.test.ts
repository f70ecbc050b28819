import { expect, test } from '@jest/globals';
import { notice } from '../../../src/notices/notice.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { actionCounts } from '../../../src/plan/pending.ts';
import { withDecisions } from '../../../src/plan/plan.ts';
import { withVoidAnswer } from '../../../src/plan/questions.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import { questionsInWords } from '../../../src/report/plan/questions.ts';
import { renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
import { countsSentence, coverageSentences, titleOfResource, verdictSentence } from '../../../src/report/wording.ts';
import { dayOf, momentOf } from '../../../src/text/time.ts';
import { change, plan, resource, unchanged } from './plan-builders.ts';

const counts = { drift: 0, conflicts: 0 };

test.each([
  [
    { compared: 14, blind: 2, assumed: 15 },
    'Checked 14 of 31 settings. Not checked: 2 write-only (will be sent), 15 write-only (assumed unchanged).',
  ],
  [{ compared: 1, blind: 0, assumed: 0 }, 'Checked 1 of 1 setting.'],
  [
    { compared: 1_000, blind: 0, assumed: 1_500 },
    'Checked 1,000 of 2,500 settings. Not checked: 1,500 write-only (assumed unchanged).',
  ],
  [{ compared: 0, blind: 0, assumed: 0 }, 'No settings were checked.'],
])('The coverage sentence describes %j', (coverage, sentence) => {
  const summary = { ...actionCounts([{ action: 'update' }]), ...counts, ...coverage };
  expect(coverageSentences(plan([], { summary }))).toBe(sentence);
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
    '    settings.title: now Old in the dashboard, New in the files\n',
  );
});

test('The live value of a kept setting that cannot be read back is unknown.', () => {
  const unread = { cause: 'unverified', knowledge: 'blind' } as const;
  const kept = [
    change({ ...unread, path: 'settings.description', to: 'Calls' }),
    change({ ...unread, path: 'settings.adminInstructions', to: 'One\nTwo' }),
  ];
  const hold = { by: 'ada', since: '2026-11-21T12:00:00Z', reason: 'demo' };
  const warnings = [notice('settings-kept', { hold, paths: kept.map(({ path }) => path) }, [['unhold', 'front-desk']])];
  const made = plan([resource({ action: 'none', kept, warnings })]);
  expect(renderPlanText(made, { color: false, width: 100 })).toContain(
    '    settings.description: unknown in the dashboard, Calls in the files\n' +
      '    settings.adminInstructions: unknown in the dashboard\n',
  );
  const comment = renderPlanMarkdown(made);
  expect(comment).toContain('| **Description** | <i>unknown</i> | Calls |');
  expect(comment).not.toContain('until this plan is applied');
});

test('A plan without changes does not claim a match if dashboard settings are kept.', () => {
  const kept = [change({ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' })];
  expect(verdictSentence(plan([{ ...unchanged('a'), kept }, unchanged('b')]))).toBe(
    'No changes: 1 setting in production stays as it is in the dashboard.',
  );
});

test('A plan counts an overwritten conflict as an undone dashboard edit, as the ledger does.', () => {
  const conflict = change({ path: 'settings.agentVoice', from: 'b', to: 'c', lastApplied: 'a', cause: 'conflict' });
  const made = plan([resource({ changes: [conflict, change()] })], { questions: [] });
  const decided = withDecisions(made, decisionsOf({ overwrite: ['Agent/front-desk'] }));
  expect(verdictSentence(decided)).toBe('1 agent changes, 1 dashboard edit undone.');
  expect(renderPlanText(decided, { color: false, width: 100 })).toContain(
    'Plan: 1 to update, 0 to create. 1 dashboard edit undone.\n',
  );
  expect(renderPlanHtml(decided)).toContain('<b>1</b> dashboard edit undone');
});

test('A plan only counts what an apply changes if nobody answers.', () => {
  const edit = change({ path: 'settings.agentVoice', from: 'b', to: 'a', cause: 'drift' });
  const conflict = change({ from: 'a', to: 'b', lastApplied: 'c', cause: 'conflict' });
  const doubt = change({ path: 'settings.description', to: 'x', cause: 'unverified', knowledge: 'blind' });
  const found = [change({ path: 'settings.agentInstructions', to: 'TODO' })];
  const warnings = [notice('prompt-check', { rule: 'prompt-todo', finding: 'TODO' })];
  const coverage = { compared: 1, blind: 1, assumed: 0 };
  const all = plan([
    resource({ name: 'torn', changes: [conflict, edit, doubt], coverage }),
    resource({ name: 'new', action: 'create', mayReplace: true, changes: found, warnings }),
    resource({ name: 'again', changes: [doubt], coverage }),
    resource({ name: 'edited', changes: [edit] }),
  ]);
  const verdict = '1 agent changes, 1 dashboard edit undone, 1 agent sent again, 2 agents left out without an answer.';
  expect(verdictSentence(all)).toBe(verdict);
  expect(countsSentence(all)).toBe(
    'Plan: 1 to update, 0 to create, 1 to send again, 2 left out without an answer. 1 dashboard edit undone.',
  );
  const text = renderPlanText(all, { color: false, width: 300 });
  expect(text).toContain('Not checked: 1 write-only (will be sent), 1 write-only (left out).\n');
  expect(text.match(/the value in the files \S+( be)? sent again/g)).toEqual([
    'the value in the files would be sent again',
    'the value in the files is sent again',
  ]);
  expect(text).toContain('A) Yes, go on (if you answer only question 3)');
  expect(text).toContain('B) Yes, or not sure: do not create New, whatever you answer to 5 (if nobody answers)');
  const page = renderPlanHtml(all);
  expect(page).toContain('only after an answer: Title; undone unless kept: Voice');
  const comment = renderPlanMarkdown(all);
  expect(comment).toContain('<b>Torn</b>: only after an answer: Title; unless kept: Voice back to a (');
  expect(comment).toContain('<b>Edited</b>: unless kept: Voice back to a (');
  expect(page).toContain('<b>2</b> agents left out without an answer');
});

test('A question about five agents links to three cards, and a question about four agents to all.', () => {
  const linksOf = (count: number) => {
    const edited = Array.from({ length: count }, (_, index) =>
      resource({
        name: `a-${index}`,
        changes: [
          change({ path: 'settings.title', to: `Title ${index}` }),
          change({ path: 'settings.description', to: 'x', cause: 'unverified', knowledge: 'blind' }),
        ],
      }),
    );
    return /\*\*1\. Send.*/.exec(renderPlanMarkdown(plan(edited)))?.[0].replace(/\(#[^)]*\)/g, '');
  };
  expect(linksOf(4)).toMatch(/See \[A 0\], \[A 1\], \[A 2\], \[A 3\]$/);
  expect(linksOf(5)).toMatch(/See \[A 0\], \[A 1\], \[A 2\] and 2 more$/);
});

test('A conflict whose live value cannot be copied says so without naming files and options.', () => {
  const updateRefusal = notice('not-copied', { obstacle: { why: 'no-own-file' } });
  const torn = change({
    path: 'settings.agentVoice',
    from: 'a',
    to: 'b',
    lastApplied: 'c',
    cause: 'conflict',
    updateRefusal,
  });
  const page = renderPlanHtml(plan([resource({ changes: [torn] })]));
  expect(page).toContain('You lose the proposed one. No command can copy the live value into the files.</p>');
  expect(page).toContain(
    'settings.agentVoice, compared; not copied: it comes from shared files, and this resource has no',
  );
});

test('A list of open questions refers only to questions in the list.', () => {
  const warnings = [notice('prompt-check', { rule: 'prompt-todo', finding: 'TODO' })];
  const changes = [change({ path: 'settings.agentInstructions', to: 'TODO' })];
  const made = plan([resource({ name: 'new', action: 'create', mayReplace: true, changes, warnings })]);
  const answersIn = (listed: typeof made.questions) =>
    listed.map(questionsInWords(listed, made)).flatMap(({ answers }) => answers.map(({ text }) => text));
  expect(answersIn(made.questions)).toContain('or not sure: do not create New, whatever you answer to 2');
  expect(answersIn(made.questions)).toContain('do not create New, whatever you answer to 1');
  expect(answersIn(made.questions.slice(0, 1))).toContain('or not sure: do not create New');
});

test.each([
  [{ why: 'changed', by: 'kim' } as const, 'This question changed after kim answered it.'],
  [{ why: 'differ' } as const, 'The answers on several pull requests differ.'],
  [{ why: 'unread' } as const, 'The answers on pull requests could not be read.'],
])('A question with a void answer says why the answer does not count: %j', (voidAnswer, why) => {
  const made = plan([resource({ name: 'new', action: 'create', mayReplace: true, changes: [change()] })]);
  const questions = made.questions.map((one) => ({ ...one, voidAnswer }));
  const sentence = `${why} Nothing changes in New until you answer again.`;
  expect(renderPlanMarkdown({ ...made, questions })).toContain(sentence);
});

test('A resource that depends on a left-out agent counts as left out, before and after an answer.', () => {
  const agent = (name: string) => resource({ name, action: 'create', mayReplace: true, changes: [change()] });
  const phone = (name: string, agentName: string) =>
    resource({
      kind: 'PhoneNumber',
      name,
      dependsOn: [`Agent/${agentName}`],
      changes: [change({ path: 'settings.label' })],
    });
  const made = plan([agent('new'), agent('old'), phone('main', 'new'), phone('side', 'old'), phone('zone', 'else')]);
  expect(countsSentence(made)).toBe('Plan: 1 to update, 0 to create, 4 left out without an answer.');
  expect(renderPlanMarkdown(made)).toMatch(/only after an answer: settings.label \(question 1\) \|\n/);
  const decided = {
    ...withDecisions(made, [{ rule: 'leave-out', names: ['Agent/new', 'Agent/old'], by: 'answer' }]),
    questions: [],
  };
  expect(countsSentence(decided)).toBe('Plan: 1 to update, 0 to create, 4 left out as answered.');
  expect(verdictSentence(decided)).toBe('1 phone number changes, 2 agents and 2 phone numbers left out as answered.');
  const page = renderPlanHtml(decided);
  expect(page).toContain('<b>2</b> agents and 2 phone numbers left out as answered');
  expect(page).toContain('It depends on New, which an answer leaves out.');
  const required = [
    {
      resource: 'Agent/old',
      environment: 'staging',
      level: 'deny' as const,
      notice: notice('requires', { environment: 'production', required: 'staging', why: 'not-applied' }),
    },
  ];
  const untried = plan([resource({ name: 'old', changes: [change()] }), phone('side', 'old')], { requires: required });
  expect(countsSentence(untried)).toBe('Plan: 0 to update, 0 to create, 2 left out until tried in staging.');
});

test('A plan counts an answer that no longer holds as none, and edits that stay without an answer as kept.', () => {
  const edit = change({ path: 'settings.agentVoice', from: 'b', to: 'a', cause: 'drift' });
  const asked = plan([resource({ changes: [edit, change()] })]);
  const questions = asked.questions.map((one) => withVoidAnswer(one, { why: 'changed' }));
  expect(verdictSentence({ ...asked, questions })).toBe('1 agent left out without an answer.');
  expect(countsSentence({ ...asked, questions })).toBe('Plan: 0 to update, 0 to create, 1 left out without an answer.');
  const warnings = [notice('drift-left', { paths: ['settings.agentVoice'] })];
  const left = plan([resource({ changes: [change()], kept: [edit], warnings })]);
  expect(verdictSentence(left)).toBe('1 agent changes, 1 dashboard edit kept.');
  expect(countsSentence(left)).toBe('Plan: 1 to update, 0 to create. 1 dashboard edit kept.');
});

test('A hidden edit is explained once in plain words for all agents, and its question says where to read it.', () => {
  const from = { sensitive: true, fingerprint: 'hmac:x.y' };
  const typed = change({ path: 'settings.welcomeMessage', from, to: 'Hi', cause: 'drift' });
  const voice = change({ path: 'settings.agentVoice', from: 'b', to: 'a', cause: 'drift' });
  const warnings = [notice('credential-hidden', { paths: [typed.path] })];
  const named = (name: string, changes: Parameters<typeof resource>[0]) => resource({ name, title: name, ...changes });
  const all = plan([
    named('East', { changes: [typed], warnings }),
    named('West', { changes: [typed, voice], warnings }),
  ]);
  for (const text of [renderPlanMarkdown(all), renderPlanHtml(all)]) {
    const said = text.match(
      /The live value of Greeting seems to contain a key, token or password typed in the dashboard, so it is hidden/g,
    );
    expect(said).toHaveLength(1);
    expect(text).toContain(
      'The live value may contain a key or password, so this plan hides it. Look in the dashboard before you answer.',
    );
    expect(text).toContain('The live value of Greeting may contain a key or password, so this plan hides it.');
  }
});

test('The terminal, the page and the verdict list counts in the same order.', () => {
  const made = plan([
    unchanged('same'),
    resource({ name: 'gone', action: 'forget', changes: [] }),
    resource({ name: 'stuck', action: 'blocked', changes: [] }),
    resource({ name: 'new', action: 'create' }),
    resource({ name: 'changed' }),
  ]);
  expect(countsSentence(made)).toBe('Plan: 1 to update, 1 to create, 1 blocked, 1 to forget, 1 unchanged.');
  expect(verdictSentence(made)).toBe(
    '1 agent changes, 1 new agent, 1 agent cannot be applied, 1 agent no longer managed, 1 stays the same.',
  );
});
