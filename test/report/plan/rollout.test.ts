import { describe, expect, test } from '@jest/globals';
import { notice } from '../../../src/notices/notice.ts';
import { planDocument } from '../../../src/report/document.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import { planText, renderPlanMarkdown, renderPlanText } from '../../../src/report/plan.ts';
import { namesInFiles, rolloutSentence } from '../../../src/report/wording.ts';
import type { Change, Plan } from '../../../src/schemas/plan-types.ts';
import { change, plan, resource } from './plan-builders.ts';

type Step = NonNullable<Plan['rollout']>['steps'][number];

const steps = (...parts: readonly Partial<Step>[]): Step[] =>
  parts.map((part, index) => ({
    step: index + 1,
    share: '100%',
    resources: 9,
    done: 0,
    pending: 9,
    isOpen: false,
    ...part,
  }));

test.each([
  [
    'the next step with its time',
    {
      steps: steps(
        { pending: 5, isOpen: true },
        { pending: 90, notBefore: '2026-11-27T09:00:00Z' },
        { pending: 102 },
        { pending: 103 },
      ),
    },
    'Step 1 of 4 now: 5 agents. Then 90 agents, not before 27 Nov 09:00 UTC; then 102; then 103.',
  ],
  [
    'a step that waits for its time',
    { steps: steps({ pending: 0, isOpen: true }, { pending: 1, notBefore: '2026-11-27T09:00:00Z' }) },
    'Step 2 of 2 waits: 1 agent, not before 27 Nov 09:00 UTC.',
  ],
  [
    'the agents that stop it',
    {
      steps: steps({ pending: 1, isOpen: true }, { pending: 2 }),
      stopped: { failed: ['Agent/a', 'Agent/b'], held: ['Agent/c'] },
    },
    'Step 1 of 2 now: 1 agent. Then 2 agents. Stopped: A and B failed and C is on hold.',
  ],
  ['nothing if no agent waits', { steps: steps({ isOpen: true }, { pending: 0, isOpen: true }) }, undefined],
])('The line of a rollout has %s.', (_, rollout, line) => {
  expect(rolloutSentence(rollout, [])).toBe(line);
});

test('The line of a rollout does not announce changes for agents on hold.', () => {
  const rollout = {
    steps: steps({ pending: 2, isOpen: true }, { pending: 3 }, { pending: 4 }),
    stopped: { failed: [], held: ['Agent/a'] },
  };
  const held = resource({ name: 'a', action: 'blocked', step: 1 });
  const read = resource({ name: 'b', action: 'failed', step: 1 });
  expect(rolloutSentence(rollout, [held])).toMatch(/^Step 1 of 3 now: 1 agent. Then 3 agents; then 4./);
  const later = resource({ name: 'c', action: 'blocked', step: 2 });
  expect(rolloutSentence(rollout, [held, read, later])).toBe(
    'Step 2 of 3 waits: 2 agents; then 4. Stopped: A is on hold.',
  );
});

test('The line of a rollout announces no time for agents that skip their step.', () => {
  const warnings = [notice('step-skipped', { step: 2 })];
  const resources = [resource({ name: 'a', step: 1 }), resource({ name: 'b', step: 2, warnings })];
  const lineFor = (pending: number) => {
    const second = { pending, notBefore: '2026-11-27T09:00:00Z' };
    return rolloutSentence({ steps: steps({ pending: 1, isOpen: true }, second) }, resources);
  };
  expect(lineFor(1)).toBeUndefined();
  // Another agent was not selected.
  expect(lineFor(2)).toBe('Step 1 of 2 now: 1 agent. Then 1 agent, not before 27 Nov 09:00 UTC.');
});

test('A plan first shows a changed rollout and moved agents.', () => {
  const changed = notice('rollout-changed', { environment: 'production', was: ['ring=a'], now: [] });
  const moved = notice('step-earlier', { resources: ['Agent/a'], from: 3, to: 1 });
  const made = plan([], { rollout: { steps: [], notices: [changed, moved] } });
  expect(planDocument(made).sections[0]).toMatchObject({ id: 'rollout', title: 'The rollout changed' });
  const text = [...planText(made, { color: false, width: 100 })].join('');
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    "warning: This change removes the rollout of production, whose steps were 'ring=a'. " +
      'If that is not intended, restore `rollout` of production in agentform.yaml.',
  );
  expect(text).toContain('warning: Changed labels move Agent/a from rollout step 3 to step 1.');
});

describe('a text of several steps', () => {
  const text = change({ path: 'settings.agentInstructions', from: 'Be kind.', to: 'Be kind.\n\nOffer parking.' });
  const waits = (name: string, step: number) =>
    resource({
      name,
      action: 'waiting',
      step,
      reasons: [
        notice('step-closed', {
          step,
          of: 3,
          lacking: 1,
          failed: 0,
          held: 0,
        }),
      ],
      changes: [text],
    });
  const made = plan([
    waits('late', 3),
    waits('later', 3),
    waits('early', 2),
    resource({ name: 'first', changes: [text] }),
  ]);

  test('A comment shows a shared text once at its first step, and says which agents wait.', () => {
    const comment = renderPlanMarkdown(made);
    expect(comment.match(/^\| added \| .*$/gm)).toEqual(['| added | Offer parking. |']);
    expect(comment.match(/The same change as in \[First\]/g)).toHaveLength(2);
    expect(comment).toContain('| the same change: Instructions (waits for step 3) |');
    expect(comment).toContain('Waits for step 2 of 3: 1 agent in earlier steps still needs the change.\n');
  });

  test('The terminal alone names the option to skip waiting beside the reason.', () => {
    expect(renderPlanHtml(made)).not.toContain('--skip-rollout applies');
    expect([...planText(made, { color: false, width: 200 })].join('')).toContain('--skip-rollout applies it now');
  });
});

test('A later step of a rollout refers to the step that shows the same values, also in several agents.', () => {
  const member = (name: string, step: number) => {
    const greeting = (words: string) => `${words} from ${name}.`;
    const reasons = [notice('step-closed', { step, of: 2, lacking: 2, failed: 0, held: 0 })];
    return resource({
      name,
      step,
      ...(step > 1 && { action: 'waiting', reasons }),
      variables: { brand: name },
      changes: [
        change({ path: 'settings.welcomeMessage', from: greeting('Hi'), to: greeting('Hello') }),
        change({ path: 'settings.agentVoice', from: 'a', to: 'b' }),
      ],
    });
  };
  const steps = plan([member('elm', 1), member('oak', 1), member('fir', 2), member('yew', 2)]);
  const comment = renderPlanMarkdown(steps);
  expect(comment.match(/Hello from/g)).toHaveLength(2);
  expect(comment).toContain('| the same changes: Greeting and Voice |');
  expect(comment).toContain('The same changes as in [Elm and Oak of step 1](#production_card-group).\n');
  expect(comment).toContain('<b>Fir and Yew</b>: Greeting; Voice (waits for step 2)</summary>');
  expect(renderPlanText(steps, { color: false, width: 100 })).toContain('the same changes as in 2 agents of step 1.\n');
});

test('The example of a word is from the agents of its card.', () => {
  const text = (brand: string) => `You answer for ${brand}.\n${'Be kind to every caller. '.repeat(9)}`;
  const member = (name: string, more: readonly Change[] = []) =>
    resource({
      name,
      variables: { brand: name },
      changes: [change({ path: 'settings.agentInstructions', from: 'Be kind.', to: text(name) }), ...more],
    });
  const alone = member('first', [change({ path: 'settings.agentVoice', from: 'a', to: 'b' })]);
  const comment = renderPlanMarkdown(plan([alone, member('second'), member('third')]));
  expect(comment).toContain('Each agent has its own \\[brand\\] (such as “second”).');
});

test('A group of several kinds names its resources by their addresses.', () => {
  const number = (name: string) => resource({ kind: 'PhoneNumber', name, action: 'none' });
  const agents = ['a', 'b'].map((name) => resource({ name, action: 'none' }));
  expect(namesInFiles(agents)).toBe('a and b');
  expect(namesInFiles([...agents, number('c')])).toBe('Agent/a, Agent/b and PhoneNumber/c');
});

test('A page names what a policy forbids, and the override only below.', () => {
  const violations = [{ message: 'policy english: Speak English', said: 'Speak English' }];
  const made = plan([resource({ changes: [change()] })], {
    refusals: [notice('policy', { effect: 'deny', violations }, [['--skip-policies']])],
  });
  const [above = '', below] = renderPlanHtml(made).split('For people who run commands</h3>');
  expect(above).toContain('Forbidden by a rule');
  expect(above).toContain('<p>Speak English.</p>');
  expect(above).not.toContain('A team rule forbids this');
  expect(above).not.toContain('--skip-policies');
  expect(below).toMatch(/What stops this plan<.*--skip-policies/);
  expect(renderPlanMarkdown(made)).toMatch(/^\| What stops this plan \| .*--skip-policies/m);
});

test('A comment shows an equal variable as its value, and a differing one as a word with an example.', () => {
  const member = (name: string) =>
    resource({
      name,
      variables: { brand: name, hours: '8 to 6' },
      changes: [change({ path: 'settings.welcomeMessage', from: `Old ${name}`, to: `${name} is open 8 to 6` })],
    });
  const both = plan([member('acme'), member('bolt')]);
  const comment = renderPlanMarkdown(both);
  expect(comment).toContain('Each agent has its own \\[brand\\] (such as “acme”).\n');
  expect(comment).toContain('| **Greeting** | Old \\[brand\\] | \\[brand\\] is open 8 to 6 |\n');
  const text = renderPlanText(both, { color: false, width: 100 });
  expect(text).toContain('${var.brand} is "acme" in acme and "bolt" in bolt\n');
  expect(text).toContain('"${var.brand} is open 8 to 6"');
});

test('A text of several cards has the values that are equal in all of them.', () => {
  const text = (hours: string) => `You answer the phone.\nGreet the caller.\nThe practice is open ${hours}.`;
  const member = (name: string, hours: string, more: readonly Change[] = []) =>
    resource({
      name,
      variables: { hours },
      changes: [change({ path: 'settings.agentInstructions', from: text('on weekdays'), to: text(hours) }), ...more],
    });
  const own = change({ path: 'settings.welcomeMessage', from: 'Hi', to: 'Hello' });
  const comment = (other: string) =>
    renderPlanMarkdown(
      plan([member('a', '8 to 6'), member('b', '8 to 6'), member('c', other, [own]), member('d', other, [own])]),
    );
  expect(comment('8 to 6')).not.toContain('hours');
  expect(comment('9 to 5')).toContain(
    'open <del>on weekdays</del> <ins><b>[hours]</b></ins>'.replaceAll(/[[\]]/g, '\\$&'),
  );
});

test('A variable is explained only if a changed line contains it.', () => {
  const planOf = (greeting: string, was = greeting) => {
    const member = (name: string) => {
      const text = (start: string, hours: string) => `${start.replace('BRAND', name)}.\nOpen ${hours}.\nBe kind.`;
      const [from, to] = [text(was, '8 to 5'), text(greeting, '8 to 6')];
      const changes = [change({ path: 'settings.agentInstructions', from, to })];
      return resource({ name, variables: { brand: name }, changes });
    };
    return plan([member('acme'), member('bolt')]);
  };
  const around = planOf('Welcome to BRAND');
  expect(renderPlanHtml(around)).toContain('Welcome to [brand].');
  for (const shown of [renderPlanMarkdown(around), renderPlanHtml(around)]) expect(shown).not.toContain('has its own');
  const inside = planOf('Welcome to BRAND', 'Hello from BRAND');
  for (const shown of [renderPlanMarkdown(inside), renderPlanHtml(inside)])
    expect(shown.replaceAll('\\', '')).toContain('Each agent has its own [brand] (such as “acme”).');
  expect(renderPlanText(inside, { color: true, width: 100 })).toContain('${var.brand} is "acme" in acme');
});

test('Settings that cannot be read back are sent in the step of their agent, and a plan says so.', () => {
  const doubt = change({ path: 'settings.description', to: 'x', cause: 'unverified', knowledge: 'blind' });
  const reasons = [notice('step-closed', { step: 2, of: 2, lacking: 1, failed: 0, held: 0 })];
  const agent = { changes: [change(), doubt], coverage: { compared: 1, blind: 1, assumed: 0 } };
  const waiting = { ...agent, action: 'waiting', reasons, step: 2 } as const;
  const made = plan([
    resource({ ...agent, name: 'first', step: 1 }),
    resource({ ...waiting, name: 'second' }),
    resource({ ...waiting, name: 'new', willBe: 'create', changes: [change()] }),
  ]);
  const text = renderPlanText(made, { color: false, width: 300 });
  expect(text).toContain(
    'Checked 3 of 6 settings. Not checked: 1 write-only (will be sent), 1 write-only (sent in a later step), 1 new.\n',
  );
  expect(text).toContain('so the value in the files is sent again.');
  expect(text).toContain('so the value in the files will be sent again.');
});
