import { expect, test } from '@jest/globals';
import { type Notice, type NoticeFacts, notice } from '../../../src/notices/notice.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import { plainFailureText, plainSentenceOf, sentenceOf } from '../../../src/report/notices.ts';
import { renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
import {
  countsSentence,
  titleOfResource,
  titlesOf,
  titlesTogether,
  verdictSentence,
  withDistinctTitles,
} from '../../../src/report/wording.ts';
import type { Change, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { asking, change, plan, resource, unchanged } from './plan-builders.ts';

// Tests the words for prompt writers and owners: titles instead of addresses, and no commands.

const hold = { by: 'Robin', since: '2026-11-20T10:00:00Z', reason: 'callers complained' };
const former = { name: 'desk', address: 'Agent/desk' };
const skip = [['--skip-it'], ['record', 'forget', 'Agent/front-desk']];
const failure = {
  ...{ test: 'callers', case: 'spam is rejected', address: 'Agent/front-desk' },
  expected: [{ name: 'reject', value: '603' }],
  got: [{ name: 'answer', value: 'true' }],
};
const older = (relation: NoticeFacts['older-commit']['relation']) =>
  notice('older-commit', { relation, resources: ['Agent/front-desk'], commits: ['0123456789ab'] }, [['--allow-older']]);
const denied = [{ message: 'policy recording: Tell callers', said: 'Tell callers' }];

test.each<[Notice, string]>([
  [
    notice('tests', { environment: 'production', cases: 20, missed: 2, failures: [failure] }, [
      ['test'],
      ['--skip-tests'],
    ]),
    "2 of 20 tests did not pass: the case 'spam is rejected' fails for Front desk in production: expected reject: 603, got answer: true and 1 more",
  ],
  [older('descendant'), 'Front desk was last applied from a newer version, so this plan would undo newer work'],
  [
    notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 }, [['--allow-creates', '51']]),
    'this plan creates 51 agents, but the project allows at most 50 at a time',
  ],
  [
    notice('shared-target', { sharers: ['Agent/front-desk', 'Agent/web-chat'] }),
    'Front desk and Web chat have the same account, so one would overwrite the other',
  ],
  [
    notice('policy', { effect: 'deny', violations: denied }, [['--skip-policies']]),
    'a team rule forbids this: Tell callers',
  ],
  [notice('policy', { effect: 'warn', violations: denied }), 'Tell callers'],
])('The notice $code has its plain sentence.', (found, sentence) => {
  expect(plainSentenceOf(found, { titleOf: titlesOf(new Map()) })).toBe(sentence);
});

test.each<Notice>([
  older('diverged'),
  older('unknown'),
  older('unanswered'),
  notice('requires', { environment: 'production', required: 'staging', why: 'different' }, skip),
  notice('create-unclear', { kind: 'Agent', startedAt: '2026-11-20T10:00:00Z' }, skip),
  notice('other-target', { kind: 'Agent', difference: 'id', recorded: 'camp_1', wanted: 'camp_2' }, skip),
  notice('record-older', { commit: '0123456789ab', path: 'x.json' }, skip),
  notice('record-altered', {}, skip),
  notice('hold-lost', { record: 'Agent/front-desk', commit: '0123456789ab', path: 'x.json' }, skip),
  notice('held-elsewhere', { kind: 'Agent', holder: 'Agent/desk', hold }, skip),
  notice('environment-renamed', { former: 'live' }, skip),
  notice(
    'create-over-record',
    { ...{ kind: 'Agent', record: former, settings: [] }, address: 'Agent/front-desk' },
    skip,
  ),
  notice('wrong-type', { type: 'other' }),
  notice('wrong-agent', { asked: 'camp_1', found: 'camp_2' }),
  notice('update-impossible', { obstacle: 'no-operation', paths: ['settings.title'] }, skip),
  notice('held', { hold, fields: ['settings.agentInstructions'] }, skip),
  notice('record-held', { record: 'Agent/front-desk', hold }, skip),
  notice('orphan', { record: former, candidates: [] }, skip),
  notice('orphan-renamed', { record: former, renamedTo: 'Agent/front-desk' }, skip),
  notice('orphan-limited', { kind: 'Agent', environments: ['staging'] }, skip),
  notice('orphan-duplicate', { record: former, kind: 'Agent', sameAs: 'Agent/front-desk' }, skip),
  notice('may-replace-agent', {}),
  notice('step-skipped', { step: 2 }),
  notice('agent-undecided', {}, skip),
  notice('conflict', { conflicts: [{ path: 'settings.welcomeMessage' }] }, skip),
  notice('stale', { address: 'Agent/front-desk', by: 'other-run' }, skip),
  notice('nothing-to-publish', {}, skip),
  notice('draft-pending', { count: 2 }, skip),
  notice('draft-undecided', { paths: ['settings.welcomeMessage'] }, skip),
])('The plain sentence of $code has no command, option, path, address or technical word.', (found) => {
  const plain = plainSentenceOf(found, { kind: 'Agent', titleOf: titlesOf(new Map()) });
  expect(plain).not.toMatch(/`|--|settings\.|Agent\/|manifest|record\b|camp_|[0-9a-f]{12}/);
  expect(plain).not.toBe(sentenceOf(found));
});

const prompt = 'Be kind.\n\n- Offer a date.\n- Never promise a price.\n';

/** A new agent with a long text that other agents share. */
function created(name: string, parts: Partial<ResourcePlan> = {}): ResourcePlan {
  const text = change({ path: 'settings.agentInstructions', op: 'set', from: undefined, to: prompt });
  return resource({ name, action: 'create', mayReplace: true, changes: [text], ...parts });
}

test('A long new text of several agents is shown in lines, on the page and in the comment.', () => {
  const made = plan([created('a'), created('b')]);
  expect(renderPlanHtml(made)).toContain('<p class="l">Never promise a price.</p>');
  const comment = renderPlanMarkdown(made);
  expect(comment).toContain('| Instructions | below |');
  expect(comment).toContain('> • Never promise a price.<br>');
});

test('An agent with its own card shows its own values, even if others have variables.', () => {
  const titled = (name: string, more: readonly Change[] = []) => {
    const title = change({ op: 'set', from: undefined, to: `Practice ${name}` });
    return resource({ name, action: 'create', variables: { brand: name }, changes: [title, ...more] });
  };
  const own = change({ path: 'settings.welcomeMessage', op: 'set', from: undefined, to: 'Hello.' });
  const comment = renderPlanMarkdown(plan([titled('ash'), titled('birch'), titled('cedar', [own])]));
  expect(comment).toContain('| Title | Practice cedar |');
  expect(comment).toContain('| Title | Practice \\[brand\\] |');
  expect(comment).toContain('Each agent has its own \\[brand\\] (such as “ash”).');
});

test('One sentence names all words that differ between the agents of a card.', () => {
  const member = (brand: string, city: string) => {
    const title = change({ op: 'set', from: undefined, to: `${brand} in ${city}` });
    return resource({ name: brand.toLowerCase(), action: 'create', variables: { brand, city }, changes: [title] });
  };
  const made = plan([member('Ash', 'Riverton'), member('Birch', 'Fairview')]);
  const sentence = 'Each agent has its own [brand] (such as “Ash”) and [city] (such as “Riverton”).';
  for (const shown of [renderPlanMarkdown(made), renderPlanHtml(made)])
    expect(shown.replaceAll('\\', '')).toContain(sentence);
});

test('Cards are in the order of rollout steps, even if they share a question.', () => {
  const waits = (name: string, step: number) => {
    const reasons = [notice('step-closed', { step, of: 4, lacking: 1, failed: 0, held: 0 })];
    return created(name, { action: 'waiting', willBe: 'create', step, reasons });
  };
  const made = plan([
    waits('last', 4),
    waits('next', 2),
    created('first'),
    resource({ name: 'now', changes: [change()] }),
  ]);
  const rows = [...renderPlanMarkdown(made).matchAll(/^\| \[\*\*(\w+)\*\*\]/gm)].map(([, name]) => name);
  expect(rows).toEqual(['First', 'Now', 'Next', 'Last']);
});

test('A question about many agents names some of them once, and has one command for all.', () => {
  const made = plan(Array.from({ length: 12 }, (_, index) => created(`line-${index}`)));
  const comment = renderPlanMarkdown(made);
  expect(comment).toContain(
    '**1. Do these 12 accounts already have agents?** Line 0, Line 1, Line 2 and 9 more are new.',
  );
  expect(comment).toContain('**A** No, create these 12 agents\n');
  expect(comment).toContain('**B** Yes, or not sure: do not create these 12 agents <sub>');
  expect(renderPlanText(made, { color: false, width: 100 })).toContain('`agentform apply --new all -e production`');
});

test('A list of names ends with the number of the others, unless that is one.', () => {
  const titleOf = (count: number) => {
    const made = plan(Array.from({ length: count }, (_, index) => created(`a${index}`)));
    return /agents\?\*\* (.*) are new/.exec(renderPlanMarkdown(made))?.[1];
  };
  expect(titleOf(4)).toBe('A0, A1, A2 and A3');
  expect(titleOf(5)).toBe('A0, A1, A2 and 2 more');
});

test('The answers about edits say what stays or is restored, and quote an added or removed line.', () => {
  const edited = (from: string, to: string) =>
    change({ path: 'settings.agentInstructions', cause: 'drift', from, to, lastApplied: to });
  const voice = change({ path: 'settings.agentVoice', cause: 'drift', from: 'warm-2', to: 'warm-1' });
  const offer = '- Whitening is 20% off in December.\n';
  const drift = (...changes: Change[]) => {
    const made = plan([resource({ changes })]);
    return Array.from(
      renderPlanMarkdown(made).matchAll(/^- \[ \] \*\*[AB]\*\* (.*?)(?: <sub>.*)?$/gm),
      ([, words]) => words,
    );
  };
  expect(drift(voice, edited(`${prompt}${offer}`, prompt))).toEqual([
    'Keep the edits: Voice stays warm-2; Instructions with “Whitening is 20% off in December.”',
    'Undo the edits: Voice back to warm-1; Instructions without “Whitening is 20% off in December.”',
  ]);
  expect(drift(edited(prompt, `${prompt}${offer}`))).toEqual([
    'Keep the edit: Instructions without “Whitening is 20% off in December.”',
    'Undo the edit: Instructions with “Whitening is 20% off in December.”',
  ]);
  expect(drift(edited('One.\nTwo.', 'Three.\nFour.'))).toEqual([
    'Keep the edit: Instructions stay as they are in the dashboard',
    'Undo the edit: Instructions back to the version in the files (2 lines replaced)',
  ]);
  expect(drift(change({ path: 'settings.agentVoice', cause: 'drift', from: '', to: 'warm-1' }))).toEqual([
    'Keep the edit: Voice stays not set',
    'Undo the edit: Voice back to warm-1',
  ]);
});

test('Two long values are summarised as reworded.', () => {
  const long = (word: string) => `Thank you for calling the ${word} office of Elm Street Dental.`;
  const made = plan([resource({ changes: [change({ from: long('old'), to: long('new') })] })]);
  expect(renderPlanMarkdown(made)).toContain('<b>Front desk</b>: Title reworded</summary>');
});

test('The reason that stops a plan has its commands only under technical details.', () => {
  const refusals = [notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 }, [['--allow-creates', '51']])];
  const comment = renderPlanMarkdown(plan([created('a')], { refusals }));
  const [first = '', rest = ''] = comment.split('For people who run commands');
  expect(first).toContain('This plan creates 51 agents, but the project allows at most 50 at a time.');
  expect(first).not.toContain('--allow-creates');
  expect(rest).toContain('edit limits.creates. To create them all, run again with --allow-creates 51');
  expect(comment).not.toContain('| Apply |');
});

test('Failed tests are listed in plain words for people, and exactly in a terminal.', () => {
  const facts = { environment: 'production', cases: 20, missed: 2, failures: [failure] };
  const refused = plan([created('a')], { refusals: [notice('tests', facts, [['test'], ['--skip-tests']])] });
  const plain = '“spam is rejected” of Front desk: expected that the call is rejected, but the call is answered';
  expect(renderPlanMarkdown(refused)).toContain(`2 of 20 tests did not pass.`);
  expect(renderPlanMarkdown(refused)).toContain(`\n  - ${plain}\n  - and 1 more\n`);
  expect(renderPlanHtml(refused)).toContain(`<li>${plain}</li><li>and 1 more</li>`);
  expect(renderPlanText(refused, { color: false, width: 200 })).toContain(
    'To apply anyway, run again with --skip-tests\n' +
      "      - the case 'spam is rejected' fails for Agent/front-desk in production: expected reject: 603, got answer: true\n" +
      '      - and 1 more\n',
  );
});

test('What stops a plan names the agents, and links to their cards, which show the failed cases.', () => {
  const place = { file: 'tests/callers.yaml', line: 14 };
  const spam = { ...failure, at: place };
  const desks = ['a', 'b', 'c', 'd', 'e'].map((name) => resource({ name, changes: [change()] }));
  const failures = desks.map(({ name }) => ({ ...spam, address: `Agent/${name}` }));
  const refusalOf = (some: readonly (typeof spam)[]) => {
    const facts = { environment: 'production', cases: 20, missed: some.length, failures: [...some] };
    return notice('tests', facts, [['test'], ['--skip-tests']]);
  };
  const front = resource({ changes: [change({ to: 'Else' })] });
  const single = plan([front], { refusals: [refusalOf([spam])] });
  const page = renderPlanHtml(single);
  expect(page).toContain('<h3>A test of Front desk fails</h3>');
  expect(page).toContain('<a href="#card-front-desk">See the change</a>');
  expect(page).toContain('“spam is rejected”: expected that the call is rejected, but the call is answered.');
  expect(page.match(/>Test fails</g)).toHaveLength(1);
  expect(page).toContain('callers, tests/callers.yaml:14');
  const comment = renderPlanMarkdown(single);
  expect(comment).toContain('**A test of Front desk fails**');
  expect(comment).toContain('[See the change](#production_card-front-desk)');
  expect(comment).toContain('<a id="production_card-front-desk">');
  expect(comment).toContain('Title (test fails)');
  expect(comment).toContain('Test: callers, tests/callers.yaml:14');
  expect(renderPlanText(single, { color: false, width: 200 })).toContain('got answer: true (tests/callers.yaml:14)\n');
  const many = renderPlanMarkdown(plan([...desks, front], { refusals: [refusalOf([...failures, spam])] }));
  expect(many).toContain('**Tests of A, B, C and 3 more fail**');
  expect(many).toContain('See [5 agents](#production_card-group), [Front desk](#production_card-front-desk).');
  expect(many.match(/\n {2}- “spam is rejected” of /g)).toHaveLength(1);
  expect(many).toContain('of A, B, C and 2 more: expected that the call is rejected');
});

test('What stops a plan names the rule, the agents that share an account, and those with a newer version.', () => {
  const at = { file: 'policies/size.yaml', line: 7 };
  const violations = [{ message: 'policy small-plans: Too many', policy: 'small-plans', said: 'Too many', at }];
  const refusals = [
    notice('policy', { effect: 'deny', violations }, [['--skip-policies']]),
    notice('shared-target', { sharers: ['Agent/front-desk', 'Agent/b'] }),
    older('descendant'),
  ];
  const made = plan([resource({ changes: [change()] })], { refusals });
  const comment = renderPlanMarkdown(made);
  expect(comment).toContain('ask the team that maintains the rule **Small plans** for an exception.');
  expect(comment).toContain('policy small-plans: Too many (policies/size.yaml:7)');
  expect(comment).toContain('**Front desk and B share one account**: One would overwrite the other.');
  expect(comment).toContain('**A newer version of Front desk has already been applied**');
  expect(comment.match(/\[See the change\]/g)).toHaveLength(2);
});

test.each([
  [
    ['settings.autoRecordingNotification', '"always"'],
    ['settings.autoRecordingNotification', '"true"'],
    '“Tell callers about the recording” is “always”, but it is “where the law requires it”',
  ],
  [['settings.agentVoice', '"warm-1"'], ['settings.agentVoice', 'null'], '“Voice” is warm-1, but it is not set'],
  [['transfer', '"ext:100"'], ['answer', 'true'], 'the call goes to extension 100, but the call is answered'],
  [['asks', '3'], ['asks', '1'], 'the agent asks 3 times, but the agent asks 1 time'],
  [
    ['hangUpAfter', '"45s"'],
    ['hangUpAfter', '"1m"'],
    'the agent hangs up after 45 seconds, but the agent hangs up after 1 minute',
  ],
  [['delay', '"2s"'], ['delay', '"3s"'], 'the agent waits for 2 seconds, but the agent waits for 3 seconds'],
  [['contains', '["911","112"]'], ['contains', '["911"]'], 'the text contains “911” and “112”, but the text does not'],
  [
    ['notContains', '"cure"'],
    ['notContains', '"the text contains \\"cure\\""'],
    'the text does not contain “cure”, but the text does',
  ],
  [
    ['matches', '"(?i)911"'],
    ['matches', '"nothing in 9 characters"'],
    'the text matches the pattern (?i)911, but the text does not',
  ],
  [
    ['words', '{"atLeast":10,"atMost":50}'],
    ['words', '1'],
    'the text has at least 10 words and at most 50 words, but the text has 1 word',
  ],
] as const)('A failed case says in words that %p was expected.', ([name, value], [found, other], words) => {
  const met = { name: 'settings.title', value: '"Desk"' };
  const facts = { expected: [met, { name, value }], got: [met, { name: found, value: other }] };
  expect(plainFailureText([{ ...failure, ...facts }], {})).toBe(`“spam is rejected”: expected that ${words}`);
});

test('A refused plan says what would be, not what will be.', () => {
  const refusals = [notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 }, [['--allow-creates', '51']])];
  const edit = change({ path: 'settings.agentVoice', cause: 'drift', from: 'warm-2', to: 'warm-1' });
  const doubt = change({ path: 'settings.description', to: 'x', cause: 'unverified', knowledge: 'blind' });
  const refused = plan(
    [
      resource({ changes: [change(), edit] }),
      created('new'),
      resource({ name: 'again', changes: [doubt] }),
      resource({ name: 'gone', action: 'forget' }),
    ],
    { refusals, questions: [] },
  );
  const counts =
    '1 agent would change, 1 new agent would be created, 1 dashboard edit would be undone, 1 agent would be sent again, ' +
    '1 agent would no longer be managed.';
  expect(verdictSentence(refused)).toBe(counts);
  expect(countsSentence(refused)).toContain('1 dashboard edit would be undone.');
  const comment = renderPlanMarkdown(refused);
  expect(comment).toContain('| Agent | What would change |');
  expect(comment).toContain('| Title; would be undone: Voice |');
  expect(comment).toContain('| 1 setting would be sent again |');
  expect(comment).toContain('<b>Front desk</b>: would change: Title: Old → New; Voice back to warm-1</summary>');
  expect(comment).toContain('| Setting | Live now | Would be |');
  const page = renderPlanHtml(refused);
  for (const text of [comment, page]) expect(text).not.toContain('Will be');
  expect(page).toContain('<span class="what">would change: Title; would be undone: Voice</span>');
  expect(page).toContain('<span class="what">would be a new agent, 1 setting</span>');
});

test('A refused plan says what to do next.', () => {
  const refusals = [notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 })];
  const blocked = resource({ name: 'b', action: 'blocked', reasons: [notice('wrong-type', { type: 'x' })] });
  const comment = renderPlanMarkdown(plan([resource({ changes: [change()] }), blocked], { refusals }));
  expect(comment).toContain('\n\nNothing has changed. Resolve this first, then make a new plan.\n');
  expect(comment).toContain('#### <a id="production_stops"></a>What stops this plan');
});

test('A card says which environment must have the change first, and is not counted among the changes.', () => {
  const facts = { environment: 'production', required: 'staging', why: 'different' } as const;
  const unmet = notice('requires', facts, [['--skip-requires']]);
  const verdict = { resource: 'Agent/front-desk', environment: 'staging', level: 'deny', notice: unmet } as const;
  const needs = resource({ changes: [change()], warnings: [unmet], published: true });
  const made = plan([needs, resource({ name: 'b', changes: [change({ to: 'Else' })] })], { requires: [verdict] });
  expect(verdictSentence(made)).toBe('1 agent changes, 1 agent left out until tried in staging.');
  expect(countsSentence(made)).toBe('Plan: 1 to update, 0 to create, 1 left out until tried in staging.');
  const comment = renderPlanMarkdown(made);
  expect(comment).toMatch(/^### .*: 1 agent left out\n/);
  expect(comment).toContain('| Title (left out until tried in staging) |');
  expect(comment).toContain('\n\nThe same changes must be applied in staging first.\n');
  expect(comment).not.toMatch(/warning/i);
  expect(renderPlanText(made, { color: false, width: 200 })).toContain('~ Agent/front-desk left out  (');
  const alone = renderPlanMarkdown(plan([needs], { requires: [verdict] }));
  expect(alone).not.toContain('Will be');
  expect(alone).not.toContain('Callers');
  const overruled = renderPlanMarkdown(plan([needs], { requires: [{ ...verdict, skipped: true }] }));
  expect(overruled).toContain('**1 agent changes.**');
});

test('A reason that several cards share is said once, with one command in the technical details at the end.', () => {
  const facts = { environment: 'production', required: 'staging', why: 'not-applied' } as const;
  const unmet = notice('requires', facts, [['apply', '-e', 'staging'], ['--skip-requires']]);
  const resources = ['a', 'b'].map((name) => resource({ name, changes: [change({ to: name })], warnings: [unmet] }));
  const requires = resources.map(({ name }) => {
    return { resource: `Agent/${name}`, environment: 'staging', level: 'deny', notice: unmet } as const;
  });
  for (const text of [
    renderPlanMarkdown(plan(resources, { requires })),
    renderPlanHtml(plan(resources, { requires })),
  ]) {
    expect(text.match(/must be applied in staging first/g)).toHaveLength(1);
    const technical = text.indexOf('For people who run commands');
    const commands = [...text.matchAll(/agentform apply -e staging/g)].map(({ index }) => index);
    expect(commands).toEqual([expect.any(Number)]);
    expect(commands[0]).toBeGreaterThan(technical);
  }
  const [first] = resources;
  const alone = renderPlanMarkdown(plan(first === undefined ? [] : [first], { requires }));
  expect(alone).toMatch(/^<sub>.*First run `agentform apply -e staging`\..*<\/sub>$/m);
});

test('A rule that blocks the resources of several cards is stated once, above the cards, and is not a warning.', () => {
  const rule = notice('policy', { effect: 'deny', violations: denied }, [['--skip-policies']]);
  const resources = ['a', 'b', 'c'].map((name) => {
    const prevented = { action: 'update' as const, changes: [change({ to: name === 'c' ? 'b' : name })] };
    return resource({ name, action: 'blocked', reasons: [rule], prevented });
  });
  const made = plan(resources);
  for (const text of [renderPlanMarkdown(made), renderPlanHtml(made)])
    expect(text.match(/forbids this: Tell callers/g)).toHaveLength(1);
  expect(renderPlanText(made, { color: false, width: 200 })).toMatch(/^a, b and c: .*Tell callers/m);
  const comment = renderPlanMarkdown(made);
  expect(comment).not.toMatch(/warning/i);
  expect(comment.match(/--skip-policies/g)).toHaveLength(1);
  expect(renderPlanMarkdown(plan(resources.slice(1)))).not.toContain('Good to know');
});

test('A card says that a change for one environment cannot be tried in another one, and who can let it pass.', () => {
  const unmetBy = (name: string, why: 'overlay-changed' | 'not-applied') => {
    const unmet = notice('requires', { environment: 'production', required: 'staging', why }, [['--skip-requires']]);
    const verdict = { resource: `Agent/${name}`, environment: 'staging', level: 'deny', notice: unmet } as const;
    return { verdict, planned: resource({ name, changes: [change()], warnings: [unmet] }) };
  };
  const [own, untried] = [unmetBy('own', 'overlay-changed'), unmetBy('untried', 'not-applied')];
  const made = plan([own.planned, untried.planned], { requires: [own.verdict, untried.verdict] });
  expect(verdictSentence(made)).toBe(
    '1 agent left out until tried in staging, 1 agent left out until someone skips the trial in staging.',
  );
  for (const text of [renderPlanMarkdown(made), renderPlanHtml(made)]) {
    expect(text).toContain('Settings that are only for production change, so they cannot be tried in staging first.');
    expect(text).toContain('eft out until someone skips the trial in staging');
  }
  expect(renderPlanMarkdown(plan([own.planned], { requires: [own.verdict] }))).not.toContain('tried in staging)');
});

test('A refused or blocked card would send write-only settings.', () => {
  const changes = [change({ path: 'settings.description', to: 'x', cause: 'unverified', knowledge: 'blind' })];
  const sent = resource({ changes, coverage: { compared: 1, blind: 1, assumed: 0 } });
  const refusals = [notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 })];
  const refused = renderPlanMarkdown(plan([sent], { refusals }));
  expect(refused).toContain('Not checked: 1 write-only (would be sent).');
  const blocked = resource({ action: 'blocked', prevented: { action: 'update', changes } });
  for (const text of [refused, renderPlanMarkdown(plan([blocked, resource({ name: 'b' })]))])
    expect(text).toContain('the value in the files would be sent again.');
});

test('A text that a question asks about is a warning only in a terminal.', () => {
  const warnings = [notice('prompt-section-lost', { path: 'settings.agentInstructions', section: 'Prices' })];
  const changes = [change({ path: 'settings.agentInstructions', from: 'One.\n\n## Prices\nTwo.', to: 'One.' })];
  const lost = plan([resource({ changes, warnings })]);
  const comment = renderPlanMarkdown(lost);
  expect(comment.match(/whole section/g)).toHaveLength(1);
  expect(comment).not.toMatch(/warning/i);
  expect(renderPlanHtml(lost).match(/whole section/g)).toHaveLength(1);
  expect(renderPlanText(lost, { color: false, width: 100 })).toContain(
    "warning: the whole section 'Prices' of settings.agentInstructions is removed",
  );
});

test('A summary has a colon before a value, and shows numbers instead of counting them.', () => {
  const text = (price: number, more: string) => `# Prices\nA visit costs ${price} dollars.\n${more}`;
  const made = plan([
    resource({
      changes: [
        change({ path: 'transferRules.cnamAutoRejectRegex', from: undefined, to: '[Ss]pam' }),
        change({ path: 'settings.agentInstructions', from: text(20, 'Be kind.'), to: text(25, 'Ask for the day.') }),
      ],
    }),
  ]);
  expect(renderPlanMarkdown(made)).toContain(
    '<b>Front desk</b>: Rejected caller names: names with “spam”; Instructions: 20 → 25 dollars, 1 line replaced</summary>',
  );
});

test('A short value of a conflict is in its answers.', () => {
  const comment = renderPlanMarkdown(
    plan([resource({ changes: [change({ cause: 'conflict', from: 'Desk', to: 'Reception', lastApplied: 'Old' })] })]),
  );
  expect(comment).toContain('**A** Keep the live one: Desk\n');
  expect(comment).toContain('**B** Take the proposed one: Reception\n');
});

test('The answers about a conflict in a text show how long each version is.', () => {
  const sides = { from: 'Be brief.', to: 'Be kind.\nBe brief.\nOffer parking.', lastApplied: 'Be kind.\nBe brief.' };
  const comment = renderPlanMarkdown(
    plan([resource({ changes: [change({ path: 'settings.agentInstructions', cause: 'conflict', ...sides })] })]),
  );
  expect(comment).toContain('**A** Keep the live ones: “Be brief.”\n');
  expect(comment).toContain('**B** Take the proposed ones: 1 line added\n');
});

test('The defaults say what waits for an answer.', () => {
  const torn = resource({
    name: 'torn',
    changes: [change({ cause: 'conflict', from: 'a', to: 'b', lastApplied: 'c' })],
  });
  const resent = change({ path: 'settings.callerResponseTimeout', to: 15, cause: 'unverified', knowledge: 'blind' });
  const both = [torn, resource({ name: 'calm', changes: [change()] })].map((one) => ({
    ...one,
    changes: [...one.changes, resent],
  }));
  const created = resource({ name: 'new', action: 'create', mayReplace: true, changes: [change({ to: 'New' })] });
  const comment = renderPlanMarkdown(plan([...both, created]));
  expect(comment).toContain(
    '**3. Send 2 possibly edited settings of Torn and Calm again?** The service does not show whether they were edited. ',
  );
  expect(comment).toContain(
    '**A** Yes, send them again: any dashboard edits are lost <sub>if nobody answers; Torn waits for question 1</sub>',
  );
  expect(comment).toContain(
    '**B** No, or not sure: change nothing in these 2 agents from now on, whatever you answer to 1\n',
  );
});

test('A value that cannot be read back is shown as last applied.', () => {
  const ringing = change({ path: 'settings.preAnswerRingTime', from: 6, to: 2, knowledge: 'blind' });
  const comment = renderPlanMarkdown(plan([resource({ changes: [ringing] })]));
  expect(comment).toContain('| <i>6 seconds (last applied)</i> | 2 seconds (cannot be read back) |');
  expect(comment).toContain('<b>Front desk</b>: Ringing before answering: 2 seconds</summary>');
});

test('A comment separates the members of a group even if a name has a comma.', () => {
  const titles = ['Abbey, Priory & Partners', 'Castle', 'Elm', 'Fir'];
  const members = titles.map((title, index) => resource({ name: `m${index}`, title, changes: [change()] }));
  expect(renderPlanMarkdown(plan(members))).toContain('Abbey, Priory &amp; Partners; Castle; Elm; Fir.');
});

test('A plan with agents on hold does not look broken.', () => {
  const held = resource({ name: 'late', action: 'blocked', held: { by: 'Robin', since: '2026-11-20T10:00:00Z' } });
  expect(renderPlanMarkdown(plan([held, resource({ changes: [change()] })]))).toMatch(/^### .*: ready to apply\n/);
  const waiting = renderPlanMarkdown(plan([held, unchanged('a')]));
  expect(waiting).toMatch(/^### .*: on hold\n\n\*\*1 agent on hold, 1 stays the same\.\*\*/);
});

test('A plan that only leaves agents out says so first.', () => {
  const blocked = resource({ action: 'blocked', reasons: [notice('target-changed', {})] });
  expect(renderPlanMarkdown(plan([blocked, unchanged('a')]))).toContain(
    '**1 agent cannot be applied, 1 stays the same.**',
  );
});

test('A question about several settings uses the plural.', () => {
  const edits = ['settings.agentInstructions', 'settings.welcomeMessage'].map((path) => {
    return change({ path, cause: 'drift', from: 'x', to: 'y' });
  });
  const [instructions, greeting] = edits.map((edit) =>
    renderPlanMarkdown(
      plan([resource({ changes: [edit] })], { questions: [asking(1, 'drift', ['Agent/front-desk'], [], [edit.path])] }),
    ),
  );
  expect(instructions).toContain('Instructions were edited in the dashboard.');
  expect(greeting).toContain('Greeting was edited in the dashboard.');
});

test('Creates that started at different times are on one card, which names no time.', () => {
  const unclear = (name: string, startedAt: string) => {
    const remedies = ['adopt', 'forget'].map((verb) => ['record', verb, '--unclear', `Agent/${name}`]);
    const reasons = [notice('create-unclear', { kind: 'Agent', startedAt }, remedies)];
    return resource({ name, action: 'blocked', changes: [], reasons });
  };
  const made = plan([unclear('a', '2026-11-20T10:00:00Z'), unclear('b', '2026-11-21T11:00:00Z')]);
  const text = renderPlanText(made, { color: false, width: 400 });
  expect(text.match(/Their creates have no recorded results/g)).toHaveLength(1);
  expect(text).not.toContain('started on');
});

test('A resource that a rule blocks shows its changes, for people and in a terminal.', () => {
  const reasons = [notice('policy', { effect: 'deny', violations: denied }, [['--skip-policies']])];
  const blocked = resource({ action: 'blocked', reasons, prevented: { action: 'update', changes: [change()] } });
  const created = [change({ path: 'settings.description', from: undefined, to: 'x' })];
  const create = resource({
    name: 'new',
    action: 'blocked',
    reasons,
    prevented: { action: 'create', changes: created },
  });
  const both = plan([blocked, create]);
  const page = renderPlanHtml(both);
  expect(page).toContain('<span class="what">would change: Title</span>');
  expect(page).toContain('<span class="what">would be a new agent, 1 setting</span>');
  const comment = renderPlanMarkdown(both);
  expect(comment).toContain('| Title (forbidden by a rule) |');
  expect(comment).toContain('| new agent, 1 setting (forbidden by a rule) |');
  expect(comment).toContain('| Setting | Live now | Would be |');
  expect(comment).toContain('| Setting | Would be |');
  const text = renderPlanText(both, { color: false, width: 100 });
  expect(text).toContain('\n    ~ settings.title: "Old" → "New"\n');
  expect(text).toContain('\n    + settings.description: "x"\n');
});

/** A change of a line in the instructions, which a page shows side by side and a comment in one line. */
function rewording(name: string): Change {
  const [from, to] = ['polite', 'kind'].map((word) => `# Role\nYou are ${word}.\n# Rules\nNever guess ${name}.`);
  return change({ path: 'settings.agentInstructions', from, to });
}

test('Two values in a right-to-left script keep their order around the arrow in a summary.', () => {
  const many = Array.from({ length: 9 }, (_, index) => {
    const changes = [change({ path: 'settings.agentVoice', from: 'שקטה', to: `חמה ${index}` })];
    return resource({ name: `a-${index}`, changes });
  });
  const [comment, page] = [renderPlanMarkdown(plan(many)), renderPlanHtml(plan(many))];
  for (const shown of [comment, page]) expect(shown).toContain('Voice: “שקטה” &lrm;→&lrm; “חמה 3”');
  expect(renderPlanMarkdown(plan([resource({ changes: [change({ from: 'a', to: 'b' })] })]))).toContain('a → b');
});

test('The legend only explains words that occur as names of sides.', () => {
  const [short, long] = [change(), rewording('a')].map((one) => plan([resource({ changes: [one] })]));
  const created = plan([resource({ action: 'create', changes: [change({ from: undefined })] })]);
  const held = plan([resource({ action: 'blocked', held: { by: 'ada', since: '2026-01-01T00:00:00Z', reason: 'x' } })]);
  const explained = (text: string) =>
    [...text.matchAll(/(Live now|Will be|Would be)(?:\*\*|<\/b>) shows/g)].map(([, side]) => side);
  const shown = [short, long, created, held].map(
    (made) => made && [renderPlanMarkdown(made), renderPlanHtml(made)].map(explained),
  );
  expect(shown).toEqual([
    [['Live now', 'Will be'], []],
    [[], ['Live now', 'Will be']],
    [['Will be'], []],
    [[], []],
  ]);
});

test('A plan that only has blocked changes explains `Would be`, and says how many settings it checked.', () => {
  const blocked = resource({
    action: 'blocked',
    changes: [],
    prevented: { action: 'update', changes: [change(), rewording('a')] },
    reasons: [notice('policy', { effect: 'deny', violations: denied })],
    coverage: { compared: 3, blind: 2, assumed: 1 },
  });
  const other = resource({ name: 'b', changes: [change({ to: 'B' }), rewording('b')] });
  const [alone, beside] = [plan([blocked]), plan([blocked, other])];
  for (const text of [renderPlanMarkdown(alone), renderPlanHtml(alone)]) {
    expect(text).toContain('shows the settings if the change could be applied.');
    expect(text).not.toContain('Will be');
  }
  for (const side of ['Will be', 'Would be']) {
    expect(renderPlanMarkdown(beside)).toContain(`**${side}** shows`);
    expect(renderPlanHtml(beside)).toContain(`<b>${side}</b> shows`);
  }
  expect(renderPlanText(alone, { color: false, width: 200 })).toContain(
    'Checked 3 of 6 settings. Not checked: 2 write-only (left out), 1 write-only (assumed unchanged).',
  );
});

test('A blocked card of an offline plan has the base commit on its left side.', () => {
  const blocked = resource({ action: 'blocked', prevented: { action: 'update', changes: [change()] } });
  const comment = renderPlanMarkdown(plan([blocked, resource({ name: 'b' })], { offline: { base: 'f'.repeat(40) } }));
  expect(comment).toContain('| Setting | Base commit | Would be |');
  expect(comment).not.toContain('Live now');
});

test('A setting that leaves the files does not count as changed, because the service keeps its value.', () => {
  const released = change({ op: 'release', path: 'settings.heartbeatEvery', from: '30m', to: undefined });
  const comment = renderPlanMarkdown(plan([resource({ changes: [change(), released] })]));
  expect(comment).toContain('| Title; no longer managed: Regular checks |\n');
  expect(comment).toContain(
    '| **Regular checks** | every 30 minutes | no longer managed; the service keeps its value |\n',
  );
});

test('A comment lists unchanged agents once, and folds only names that its line leaves out.', () => {
  const named = (names: readonly string[]) => renderPlanMarkdown(plan([resource(), ...names.map(unchanged)]));
  const numbered = Array.from({ length: 100 }, (_, index) => `desk-${index + 1}`);
  expect(named(numbered)).toContain(
    '\n<a id="production_unchanged"></a>**100 agents**: stay the same: Desk 1 to Desk 100\n',
  );
  const others = Array.from({ length: 100 }, (_, index) => `desk-${index + 1}-${'x'.repeat((index % 7) + 1)}`);
  const comment = named(others);
  expect(comment).toContain('stay the same: Desk 1 x, Desk 2 xx, Desk 3 xxx and 97 more</summary>');
  expect(comment).toMatch(/Desk 59 xxx, Desk 60 xxxx and 40 more\.\n/);
});

test('A hold names the waiting settings without their values.', () => {
  const held = { by: 'Robin', since: '2026-11-20T10:00:00Z', reason: 'callers complained' };
  const changes = [change({ path: 'settings.welcomeMessage', from: 'Hi', to: 'Welcome' })];
  const late = resource({ action: 'blocked', held, prevented: { action: 'update', changes } });
  const comment = renderPlanMarkdown(plan([late, resource({ name: 'other', changes: [change()] })]));
  expect(comment).toContain('Waiting to change: Greeting\n');
  const fields = ['settings.agentInstructions'];
  const text = renderPlanText(plan([{ ...late, held: { ...held, fields } }]), { color: false, width: 200 });
  expect(text).toContain('Ends: when the files change Instructions, or when the hold is released\n');
  expect(text).toContain('Waiting to change: Greeting\n');
  expect(text).not.toContain('Welcome"');
  expect(comment).not.toContain('Welcome');
});

test('A hold on several agents tells dashboard edits from waiting changes, and names the edited agents.', () => {
  const lastApply = { at: '2026-11-20T10:00:00Z', edited: 'yes' as const };
  const voice = change({ path: 'settings.agentVoice', from: 'calm-3', to: 'warm-1', cause: 'drift' });
  const unread = change({ path: 'settings.description', to: 'Calls', cause: 'unverified', knowledge: 'blind' });
  const held = ['elder', 'fir'].map((name) => {
    const changes = [change(), unread, ...(name === 'fir' ? [voice] : [])];
    return resource({ name, action: 'blocked', held: hold, lastApply, prevented: { action: 'update', changes } });
  });
  const comment = renderPlanMarkdown(plan(held));
  expect(comment).toContain('Waiting to change: Title<br>\nEdited in the dashboard: Voice in Fir\n');
  expect(comment).not.toContain('of them');
  expect(renderPlanMarkdown(plan(held.slice(1)))).toContain(
    'Edited in the dashboard: Voice\n\nEdited in the dashboard, after',
  );
});

test('The new side of an edit that a question asks about is named after its condition.', () => {
  const edits = [
    change({ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' }),
    change({ path: 'settings.agentInstructions', from: 'one\ntwo', to: 'one', cause: 'drift' }),
  ];
  const changes = [change({ from: 'Old', to: 'New' }), ...edits];
  const asked = asking(
    1,
    'drift',
    ['Agent/front-desk'],
    [],
    edits.map(({ path }) => path),
  );
  const comment = renderPlanMarkdown(plan([resource({ changes })], { questions: [asked] }));
  expect(comment).toContain('| Setting | Live now | Will be |\n| :-- | :-- | :-- |\n| **Title** |');
  expect(comment).toContain('| Setting | Live now | If undone |\n| :-- | :-- | :-- |\n| **Voice** |');
  expect(comment).toContain('**Instructions** if undone: 1 line removed');
  expect(renderPlanMarkdown(plan([resource({ changes })], { questions: [] }))).not.toContain('If undone');
});

test('Resources of several kinds are counted by kind, and only agents go without their kind.', () => {
  const parts = { action: 'create' as const, changes: [change({ from: undefined, to: 'A' })] };
  const some = ['Agent', 'AgentUrl', 'PhoneNumber', 'Agent'].map((kind, index) =>
    resource({ ...parts, kind, name: index === 3 ? 'spa' : 'demo' }),
  );
  const comment = renderPlanMarkdown(plan(some));
  expect(comment).toContain('**2 new agents, 1 agent URL and 1 phone number.**');
  expect(comment).toContain('| Resource | What changes |');
  for (const title of ['**Demo and Spa**', '**Demo (agent URL)**', '**Demo (phone number)**'])
    expect(comment).toContain(title);
  const same = ['a', 'b'].map((name) => resource({ ...parts, name }));
  expect(renderPlanMarkdown(plan(same))).toContain('</b>: new agents, 1 setting each');
  expect(renderPlanMarkdown(plan(same))).toContain('| new agents, 1 setting each |');
  expect(renderPlanHtml(plan(same))).toContain('<span class="what">new agents, 1 setting each</span>');
});

test('A group names its kind once, behind the titles of its members.', () => {
  const agent = resource({ name: 'main', changes: [change()] });
  const numbers = (...names: readonly string[]) =>
    names.map((name) => resource({ kind: 'PhoneNumber', name, title: name.slice(0, -1), changes: [change()] }));
  for (const render of [renderPlanMarkdown, renderPlanHtml]) {
    const few = render(plan([agent, ...numbers('Main1', 'Fax1')]));
    expect(few).toContain('Main and Fax (phone numbers)');
    expect(few).not.toContain('(phone number)');
  }
  // A title may already contain the words for the kind. A long title is shortened before the words are added.
  const titled = ['Main (phone number)', 'x'.repeat(120)].map((title) => resource({ kind: 'PhoneNumber', title }));
  const distinct = withDistinctTitles([agent, ...titled]).slice(1);
  expect(titlesTogether(distinct)).toEqual({
    titles: ['Main (phone number)', `${'x'.repeat(99)}…`],
    ofKind: ' (phone numbers)',
  });
  expect(distinct.map(titleOfResource)[1]).toBe(`${'x'.repeat(99)}… (phone number)`);
  const many = renderPlanHtml(plan([agent, ...numbers('Main1', 'Fax1', 'Fax2', 'Spare1')]));
  for (const name of ['Main', 'Fax (Fax1)', 'Fax (Fax2)', 'Spare']) expect(many).toContain(`<li>${name}</li>`);
});

const oldVersion = 'Callers hear the last published version now, and the change once it is published.';

test.each<[string, readonly (boolean | undefined)[], string]>([
  ['only agents that are published', [true, true], oldVersion],
  ['one agent that is published', [true, false], `${oldVersion} A2 is not published yet, so callers do not hear it.`],
  ['one agent that is not published', [false], 'A1 is not published yet, so callers do not hear it.'],
  ['two agents that are not published', [false, false], '2 agents are not published yet, so callers do not hear them.'],
  [
    'agents of which two are not published',
    [true, false, false],
    `${oldVersion} 2 other agents are not published yet, so callers do not hear them.`,
  ],
  ['agents that were not read', [undefined], 'Callers hear the change once it is published.'],
])('A plan says what callers hear now of %s, and what after publishing.', (_, published, sentence) => {
  const some = published.map((one, index) =>
    resource({
      ...{ name: `a${index + 1}`, changes: [change()] },
      ...(one !== undefined && { published: one }),
    }),
  );
  expect(renderPlanMarkdown(plan(some))).toContain(` ${sentence} **`);
  expect(renderPlanHtml(plan(some))).toContain(`. ${sentence}</p></div>`);
  expect(renderPlanText(plan(some), { color: false, width: 300 })).toContain(`\n${sentence}\n`);
});

test('New agents are not published yet, and agents that only leave the files change nothing for callers.', () => {
  const [created, dropped] = [resource({ action: 'create', changes: [change()] }), resource({ action: 'forget' })];
  expect(renderPlanMarkdown(plan([created, { ...dropped, name: 'old', published: true }]))).toContain(
    '. Front desk is not published yet, so callers do not hear it. **',
  );
  expect(renderPlanText(plan([dropped]), { color: false, width: 300 })).not.toContain('Callers');
});

test('A new agent that is left out without an answer is not counted as unpublished, and waits for the answer.', () => {
  const created = resource({ name: 'new', action: 'create', mayReplace: true, changes: [change()] });
  const changed = resource({ name: 'old', published: false, changes: [change()] });
  const text = renderPlanMarkdown(plan([created, changed]));
  expect(text).toContain('. Old is not published yet, so callers do not hear it. **');
  expect(text).toContain('| only after an answer: new agent, 1 setting (question 1) |');
  expect(renderPlanMarkdown(plan([created]))).not.toContain('do not hear');
});

test('A card of a resource that another hold stops says why, and which hold to release.', () => {
  const stopped = (reason: Notice, parts: Partial<ResourcePlan> = {}) =>
    resource({ action: 'blocked', held: hold, reasons: [reason], ...parts });
  const unhold = [['unhold', 'Agent/desk', '-e', 'production']];
  const elsewhere = notice('held-elsewhere', { kind: 'Agent', holder: 'Agent/desk', hold }, unhold);
  const above = notice('dependency-stopped', { address: 'Agent/desk', action: 'blocked', hold }, unhold);
  const made = plan([stopped(elsewhere), stopped(above, { kind: 'PhoneNumber', name: 'main' })]);
  expect(verdictSentence(made)).toBe('1 agent and 1 phone number on hold.');
  expect(countsSentence(made)).toBe('Plan: 0 to update, 0 to create, 2 on hold.');
  const comment = renderPlanMarkdown(made);
  expect(comment).toContain('<b>Front desk</b>: on hold: Desk is the same agent and is on hold by Robin since ');
  expect(comment).toContain('</b>: on hold: it depends on Desk, which is on hold by Robin since ');
  expect(comment.match(/Release the hold: `agentform unhold Agent\/desk -e production`/g)).toHaveLength(2);
});

test('An agent that an answer leaves out is counted as such, and does not count as blocked.', () => {
  const prevented = { action: 'create' as const, changes: [change({ from: undefined, to: 'New' })] };
  const out = resource({ action: 'blocked', reasons: [notice('left-out', { by: 'mona' })], prevented });
  const made = plan([out]);
  expect(verdictSentence(made)).toBe('1 agent left out as answered.');
  expect(countsSentence(made)).toBe('Plan: 0 to update, 0 to create, 1 left out as answered.');
  expect(renderPlanMarkdown(made)).toContain('| new agent, 1 setting (left out) |');
  expect(renderPlanMarkdown(made)).toMatch(/^### .*: left out as answered\n/);
  expect(renderPlanText(made, { color: false, width: 100 })).toContain('Agent/front-desk left out  (');
  // An answer is not a refusal, so nothing on the page is red.
  expect(renderPlanHtml(made)).not.toMatch(/class="[^"]*\bold\b/);
});

test('The comment below the result of an apply says which settings were sent again.', () => {
  const sent = change({ cause: 'unverified', knowledge: 'blind', path: 'settings.description' });
  expect(renderPlanMarkdown(plan([resource({ changes: [sent] })], { questions: [] }), { isApplied: true })).toContain(
    '1 setting cannot be read back and may have been edited, so the value in the files was sent again.',
  );
});

test('Commands that overrule the plan are in the last fold, and secrets to set are below the table of changes.', () => {
  const remedies = { secrets: 'SECRETS', commands: 'COMMANDS' };
  const text = renderPlanMarkdown(plan([resource({ changes: [change()] })]), { remedies });
  const [above = '', below = ''] = text.split('For people who run commands</summary>');
  expect(above).toMatch(/\| Title \|\n[\s\S]*SECRETS[\s\S]*<summary>/);
  expect(above).not.toContain('COMMANDS');
  expect(below).toMatch(/^\n<br>\n\n\| About [\s\S]*\n\nCOMMANDS\n\n<\/details>\n$/);
});

test('A comment and a page use the same words for resent settings and for a text on another card.', () => {
  const sent = { cause: 'unverified', knowledge: 'blind', path: 'settings.description' } as const;
  const made = plan([resource({ changes: [change(sent)] })]);
  const words = '1 setting cannot be read back and may have been edited, so the value in the files is sent again.';
  expect(renderPlanMarkdown(made)).toContain(`${words} [Question 1](#production_q1)<br>\nDescription.`);
  expect(renderPlanHtml(made)).toContain(`${words} <a href="#q1">Question 1</a>`);
  const rules = change({ path: 'settings.publicInstructions', from: 'Be brief.\nBe kind.', to: 'Be brief.\nBe fast.' });
  const created = resource({ name: 'new', action: 'create', changes: [change({ ...rules, from: undefined })] });
  const texts = plan([resource({ changes: [rules] }), created]);
  expect(renderPlanMarkdown(texts)).toContain('| the same text as in [Front desk](#production_card-front-desk) |');
  expect(renderPlanHtml(texts)).toContain('the same text as in <a href="#card-front-desk">Front desk</a>');
});

test('Resources of several kinds that cannot be applied are counted by kind.', () => {
  const some = [{ kind: 'Agent' }, { kind: 'PhoneNumber' }].map(({ kind }) => resource({ kind, action: 'blocked' }));
  expect(renderPlanMarkdown(plan(some))).toContain(
    '1 agent and 1 phone number left out\n\n**1 agent and 1 phone number cannot be applied.**',
  );
});

test('Unchanged resources of several kinds are counted by kind.', () => {
  const numbers = ['a', 'b'].map((name) => ({ ...unchanged(name), kind: 'PhoneNumber' }));
  expect(renderPlanMarkdown(plan([unchanged('a'), ...numbers]))).toContain(
    'No changes: 1 agent and 2 phone numbers in production match the files.',
  );
  expect(renderPlanMarkdown(plan([unchanged('a'), ...numbers.slice(1)]))).toContain(
    'No changes: 1 agent and 1 phone number in production match the files.',
  );
});

test('A summary quotes texts, and shows other values without quotes.', () => {
  const changes = [
    change({ path: 'settings.description', from: undefined, to: 'Explain invoices.' }),
    change({ path: 'settings.welcomeMessage', from: 'Good day.', to: 'Good evening.' }),
    change({ path: 'settings.agentVoice', from: 'warm-1', to: 'calm-3' }),
  ];
  expect(renderPlanMarkdown(plan([resource({ changes })]))).toContain(
    '</b>: Description: “Explain invoices.”; Greeting: “Good day.” → “Good evening.”; Voice: warm-1 → calm-3</summary>',
  );
});

test('A setting that is no longer managed is explained once, beside its value.', () => {
  const released = change({ op: 'release', path: 'settings.timezone', from: 'America/Los_Angeles', to: undefined });
  const warnings = [notice('settings-released', { paths: ['settings.timezone'] })];
  const made = plan([resource({ changes: [released], warnings })]);
  for (const shown of [renderPlanMarkdown(made), renderPlanHtml(made)]) {
    expect(shown).toContain('no longer managed; the service keeps its value');
    expect(shown).not.toMatch(/keeps its current value|1 warning/);
  }
});

test('A plan without agents does not speak of callers.', () => {
  const comment = renderPlanMarkdown(plan([resource({ kind: 'PhoneNumber', changes: [change()] })]));
  expect(comment).toContain('**Will be** shows the settings after this plan is applied.</sub>');
  expect(comment).not.toContain('Callers');
});

test('The state of a plan counts answers as needed only if a resource is left out without them.', () => {
  const edited = resource({ changes: [change({ cause: 'drift' })] });
  const conflict = resource({ name: 'night', changes: [change({ cause: 'conflict', lastApplied: 'Before' })] });
  const headingOf = (resources: readonly ResourcePlan[]) => renderPlanMarkdown(plan(resources)).split('\n', 1)[0];
  expect(headingOf([edited])).toMatch(/: 1 question$/);
  expect(headingOf([edited, conflict])).toMatch(/: 1 answer needed$/);
  expect(renderPlanHtml(plan([edited]))).toMatch(/class="state ask"[^>]*>.*1 question<\/a>/);
});

test('A refusal by several rules asks for an exception of all of them, and one without names names none.', () => {
  const refusedBy = (...policies: (string | undefined)[]) => {
    const violations = policies.map((policy) => ({ message: 'm', ...(policy !== undefined && { policy }) }));
    const refusals = [notice('policy', { effect: 'deny', violations })];
    return renderPlanMarkdown(plan([resource({ changes: [change()] })], { refusals }));
  };
  expect(refusedBy('record-calls', 'names')).toContain(
    'maintains the rules **Record calls and Names** for an exception',
  );
  expect(refusedBy('record-calls')).toContain('maintains the rule **Record calls** for an exception');
  expect(refusedBy(undefined)).toContain('the team that maintains the rules for an exception');
});

test('A conflict leaves out descriptions of its sides that are the same.', () => {
  const text = (last: string) => Array.from({ length: 40 }, (_, index) => `- Rule ${index}. ${last}`).join('\n');
  const [lastApplied, from, to] = [
    text('a'),
    text('a').replace('Rule 3.', 'Rule three.'),
    text('a').replace('Rule 9.', 'Rule nine.'),
  ];
  const conflict = change({ path: 'settings.agentInstructions', cause: 'conflict', lastApplied, from, to });
  const comment = renderPlanMarkdown(plan([resource({ changes: [conflict] })]));
  expect(comment).toContain('- [ ] **A** Keep the live ones\n- [ ] **B** Take the proposed ones\n');
});
