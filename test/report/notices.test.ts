import { expect, test } from '@jest/globals';
import { notice } from '../../src/notices/notice.ts';
import { plainSentenceOf, refuseRun, sentenceOf } from '../../src/report/notices.ts';
import { renderPlanText } from '../../src/report/plan.ts';
import { plan, resource } from './plan/plan-builders.ts';

const creates = notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 }, [['--allow-creates', '51']]);
const members = notice('limit-creates', { creates: 9, kinds: ['Member'], limit: 5 }, [['--allow-creates', '9']]);

test('A rule that refuses a run is one sentence, and several are a list.', () => {
  expect(() => refuseRun([])).not.toThrow();
  expect(() => refuseRun([creates])).toThrow(/^limit-creates: [^\n]+$/);
  expect(() => refuseRun([creates, members])).toThrow(
    /^this run is refused for several reasons:\n- limit-creates: [^\n]+51\n- limit-creates: [^\n]+9$/,
  );
});

test('A policy that refuses a run is named once, in the error and in the plan.', () => {
  const violations = [{ policy: 'calm', message: 'policy calm: Too many changes' }];
  const denied = notice('policy', { effect: 'deny', violations }, [['--skip-policies']]);
  expect(() => refuseRun([denied])).toThrow(/^policy calm: Too many changes; to overrule/);
  const text = renderPlanText(plan([resource()], { refusals: [denied] }), { color: false, width: 100 });
  expect(text).toContain('\n    policy calm: Too many changes; to overrule');
});

test('A resource that an interrupted run did not reach says that the same command continues the run.', () => {
  expect(sentenceOf(notice('interrupted', {}))).toBe(
    'the run was interrupted before it reached this resource. To continue, run the same command again. This is safe, because finished writes are not repeated',
  );
});

const stepsChanged = (was: string[], now: string[]) =>
  sentenceOf(notice('rollout-changed', { environment: 'production', was, now }));

test('A changed rollout is described by what was added, removed or replaced, with a remedy.', () => {
  const remedy = 'If that is not intended, restore `rollout` of production in agentform.yaml';
  expect(stepsChanged(['ring=a', 'ring=b'], [])).toBe(
    `this change removes the rollout of production, whose steps were 'ring=a', then 'ring=b'. ${remedy}`,
  );
  expect(stepsChanged([], ['ring=a'])).toBe(
    `this change adds a rollout to production, with the steps 'ring=a'. ${remedy}`,
  );
  expect(stepsChanged(['ring=a'], ['ring=b'])).toBe(
    `this change replaces the rollout steps of production, which were 'ring=a', with 'ring=b'. ${remedy}`,
  );
});

test('Changes that remain after an import are grouped by cause, and explained without its code.', () => {
  const changes = [
    { path: 'settings.title', op: 'set', cause: 'adopt' },
    { path: 'settings.timezone', op: 'unset', cause: 'conflict' },
    { path: 'settings.agentVoice', op: 'set', cause: 'adopt' },
    { path: 'settings.languages', op: 'release', cause: 'manifest' },
  ] as const;
  expect(sentenceOf(notice('would-change', { changes: [...changes] }))).toBe(
    'settings.title and settings.agentVoice would be set, because the files and the dashboard have different values, and the record has none; ' +
      'settings.timezone would be unset, because the files, the dashboard and the record all differ; ' +
      'settings.languages would be released, because the value in the files differs from the record. ' +
      'To copy the values from the service again, repeat the import with --force',
  );
});

test('A failed read says in plain words only that the service was out of reach, but names a refusal.', () => {
  const failed = (reason: 'unconnected' | 'refused', what: string) => {
    const call = { operation: 'getAgent', doing: 'reading the agent', reason, what, tries: 2 };
    return notice('read-failed', { problem: { code: 'service-unreachable', call } });
  };
  const outage = failed('unconnected', 'could not connect to service.example.com');
  expect(plainSentenceOf(outage, {})).toBe('the service could not be reached, or had an error. Try again later');
  expect(sentenceOf(outage)).toContain('reading the agent failed after 2 tries');
  expect(plainSentenceOf(failed('refused', 'the token is wrong'), {})).toContain('the token is wrong');
});

test('A failed read of a missing agent without a declared id says what to check.', () => {
  const remedies = [
    ['record', 'adopt', 'Agent/a', 'ID'],
    ['record', 'forget', 'Agent/a'],
  ];
  const problem = { code: 'service-refused', text: 'not found' };
  const failed = notice('read-failed', { problem, missing: 'target' }, remedies);
  expect(plainSentenceOf(failed, {})).toBe('the service does not have it, or the account is a different one');
  expect(sentenceOf(failed)).toBe(
    'not found. Check that the token and target.query lead to the account of this agent. ' +
      'If the agent is gone, link another one with `agentform record adopt Agent/a ID`, or run `agentform record forget Agent/a` to create it again',
  );
});

test.each([
  [
    'settings.agentInstructions',
    'Instructions were edited in the dashboard and stay as they are until the question is answered',
  ],
  ['settings.agentVoice', 'Voice was edited in the dashboard and stays as it is until the question is answered'],
])('A sentence about the title of %s has the right verb.', (path, sentence) => {
  const found = notice('drift-left', { paths: [path] });
  expect(plainSentenceOf(found, { kind: 'Agent' })).toBe(sentence);
  expect(sentenceOf(found)).toContain(`${path} was edited in the dashboard and stays as it is`);
});

const remedy = (...words: string[]) => words;

test.each([
  [
    'records edited by hand',
    notice('history-altered', { address: 'Agent/a', versions: ['0123456789abcdef', 'fedcba9876543210'] }),
    'the record of Agent/a was edited outside agentform, so these events may be wrong. The HMAC does not match in 0123456789ab and fedcba987654',
  ],
  [
    'values to combine',
    notice('both-chosen', { paths: ['settings.title'], by: 'kim' }, [remedy('update', 'a', '--merge')]),
    'both values of settings.title were chosen by kim and must be combined in the files. To combine them, run `agentform update a --merge`. Then plan again',
  ],
  [
    'unreadable answers',
    notice('answers-unread', { problem: 'Forbidden', pullRequest: 7 }),
    'the answers on pull request 7 could not be read (Forbidden). Run this again, or give the answers with the command',
  ],
  [
    'answers to the comment of another token',
    notice('answers-elsewhere', { by: 'github-actions[bot]', isAnswered: true }),
    'answers to the comment by github-actions[bot] do not count, because it was written with another token. Someone answered there, so answer again in this comment',
  ],
  [
    'answers to the comment of another token before an apply',
    notice('answers-elsewhere', { by: 'github-actions[bot]', isAnswered: true, pullRequest: 7 }),
    'answers to the comment by github-actions[bot] on pull request 7 do not count, because it was written with another token. Use the same token in the preview and the apply, or give the answers with the command',
  ],
  [
    'an answer for part of a question',
    notice('answer-void', { question: 'drift', choice: 'keep', resources: ['Agent/a'] }),
    'the question drift has changed since it was answered with keep, so the answer counts only for Agent/a; answer again for the others',
  ],
  [
    'a record without a manifest',
    notice('import-conflict', { why: 'no-manifest', address: 'Agent/a', environment: 'live' }, [
      remedy('record', 'forget', 'Agent/a'),
    ]),
    'Agent/a has a record in live, but no manifest in this checkout; if another branch has the manifest, merge it. To import anyway, remove the record with `agentform record forget Agent/a`, or replace it with --force',
  ],
  [
    'the manifest of another agent',
    notice('import-conflict', {
      why: 'manifest-of-other',
      id: 'camp_1',
      address: 'Agent/a',
      environment: 'live',
      file: 'agents/a.yaml',
    }),
    'agents/a.yaml is already the manifest of Agent/a; choose another name, declare `target: { agentId: camp_1 }` for live in that file, or overwrite the file with --force',
  ],
  [
    'a required environment with a hold',
    notice('requires', { environment: 'live', required: 'staging', why: 'held' }, [remedy('--skip-requires')]),
    'the same changes must be applied in staging first. The environment live requires staging, and not all of this content was applied there, because of a hold. To overrule this check, run again with --skip-requires',
  ],
])('The sentence about %s gives the cause and the remedy.', (_about, about, sentence) => {
  expect(sentenceOf(about)).toBe(sentence);
});

test('The full stop of a message of a policy does not end the sentence early.', () => {
  const violations = [{ message: 'Do not quote prices.', path: 'settings.title' }, { message: 'Be brief.' }];
  const denied = notice('policy', { effect: 'deny', violations }, [['--skip-policies']]);
  expect(sentenceOf(denied)).toBe(
    'Do not quote prices (settings.title); Be brief; to overrule the policy, run again with --skip-policies',
  );
  expect(plainSentenceOf(denied, {})).toBe('a team rule forbids this: Do not quote prices; Be brief');
});
