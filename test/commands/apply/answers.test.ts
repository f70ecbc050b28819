import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApplyPlanned } from '../../../src/commands/apply/apply.ts';
import { hold, unhold } from '../../../src/commands/hold/hold.ts';
import { savePlan } from '../../../src/commands/plan/plan.ts';
import { type GivenAnswer, typedAnswer } from '../../../src/plan/answers.ts';
import { hasPendingChanges } from '../../../src/plan/plan.ts';
import { renderPlanJson } from '../../../src/report/json.ts';
import { ledgerDocument, renderLedgerText } from '../../../src/report/ledger.ts';
import { renderResultsMarkdown } from '../../../src/report/markdown/results.ts';
import { renderPlanText } from '../../../src/report/plan.ts';
import { exitCodeOfLedger, exitCodeOfPlan } from '../../../src/session/plans/plan-result.ts';
import {
  answered,
  applied,
  asked,
  confirm,
  edit,
  keep,
  live,
  longPrompt,
  manifest,
  options,
  place,
  planned,
  project,
  record,
  stale,
  usual,
  writes,
} from './desk-project.ts';

describe('the question about a create that may replace an agent', () => {
  test('An agent that may exist is only created after the answer create, which the record keeps.', async () => {
    await place.remove();
    await project();
    expect(asked(await planned())).toEqual([['Agent/desk', 'create-unknown']]);
    const endings = [
      { answers: [], outcome: 'not attempted', code: 'agent-undecided', exit: 3 },
      // A deliberate answer is not a refusal.
      { answers: ['Agent/desk=leave-out'], outcome: 'left out', code: 'left-out', exit: 0 },
    ];
    for (const { answers, outcome, code, exit } of endings) {
      const { ledger } = await answered(...answers);
      expect(ledger.entries).toMatchObject([{ outcome, reasons: [{ code }] }]);
      expect(exitCodeOfLedger(ledger)).toBe(exit);
    }
    const { ledger } = await applied([{ question: 'Agent/desk', choice: 'create', by: 'octo' }]);
    expect(ledger.entries).toMatchObject([
      { outcome: 'applied', overruled: [{ rule: 'new-agent', by: 'answer', person: 'octo' }] },
    ]);
    expect((await record()).overruled).toEqual([
      { rule: 'new-agent', names: ['Agent/desk'], by: 'answer', person: 'octo' },
    ]);
  });
});

describe('the question about drift', () => {
  test('Drift is undone without an answer, and with undo.', async () => {
    for (const answers of [[], ['Agent/desk/drift=undo']]) {
      await edit({ agentVoice: 'warm-2' });
      expect(asked(await planned())).toContainEqual(['Agent/desk/drift', 'drift']);
      await answered(...answers);
      expect((await live()).agentVoice).toBe('warm-1');
    }
  });

  test('A kept setting is sent with its live value and recorded, and the next plan is empty.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const { ledger } = await answered('Agent/desk/drift=keep');
    expect(ledger.entries).toMatchObject([{ outcome: 'applied', sent: true, warnings: [{ code: 'settings-kept' }] }]);
    expect(exitCodeOfLedger(ledger)).toBe(0);
    expect(await live()).toMatchObject({ agentVoice: 'warm-2', welcomeMessage: 'Hi.' });
    const { fields, holds } = await record();
    expect(fields['settings.agentVoice']).toEqual({ value: 'warm-1' });
    expect(fields['settings.welcomeMessage']).toEqual({ value: 'Hi.' });
    expect(holds.kept).toMatchObject([{ by: 'mona', reason: 'answered' }]);
    expect(Object.keys(holds.kept[0].fields)).toEqual(['settings.agentVoice']);
    const next = await planned();
    expect(next.resources).toMatchObject([
      {
        action: 'none',
        changes: [],
        kept: [{ path: 'settings.agentVoice', from: 'warm-2', to: 'warm-1', cause: 'drift' }],
        warnings: [{ code: 'settings-kept', facts: { paths: ['settings.agentVoice'], hold: { by: 'mona' } } }],
      },
    ]);
    expect(next.questions).toEqual([]);
    expect(exitCodeOfPlan(next, { pendingCounts: true })).toBe(0);
    // Neither the next push nor the schedule may undo the edit.
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Good day.')));
    await applied();
    expect(await live()).toMatchObject({ agentVoice: 'warm-2', welcomeMessage: 'Good day.' });
    const before = await writes();
    await applied();
    expect(await writes()).toBe(before);
  });

  test('The hold of a kept setting ends when the manifest changes it, or by unhold.', async () => {
    await edit({ agentVoice: 'warm-2', welcomeMessage: 'Theirs.' });
    await answered('Agent/desk/drift=keep');
    await place.write('agents/desk.yaml', manifest(usual.replace('warm-1', 'warm-4')));
    expect((await planned()).resources).toMatchObject([
      { changes: [{ path: 'settings.agentVoice', cause: 'conflict' }], kept: [{ path: 'settings.welcomeMessage' }] },
    ]);
    await answered('Agent/desk/conflict=take');
    expect(await live()).toMatchObject({ agentVoice: 'warm-4', welcomeMessage: 'Theirs.' });
    const { holds, fields } = await record();
    expect(Object.keys(holds.kept[0].fields)).toEqual(['settings.welcomeMessage']);
    expect(fields['settings.agentVoice']).toEqual({ value: 'warm-4' });
    const released = await unhold(place.host, { ...options(), names: ['desk'] });
    expect(released.resources).toEqual(['Agent/desk']);
    await applied();
    expect((await live()).welcomeMessage).toBe('Hello.');
    expect((await record()).holds.kept).toBeUndefined();
  });
});

describe('an edit between the plan and the write', () => {
  beforeEach(() => edit({ agentVoice: 'warm-2' }));

  test('A kept setting that is edited again is neither sent nor held.', async () => {
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const { ledger } = await applied(keep, { confirm });
    expect(ledger.entries).toMatchObject([stale]);
    expect(ledger.entries[0]?.warnings ?? []).toEqual([]);
    expect(exitCodeOfLedger(ledger)).toBe(3);
    expect(await live()).toMatchObject({ agentVoice: 'warm-3', welcomeMessage: 'Hello.' });
    expect((await record()).holds).toBeUndefined();
  });
});

describe('the question about a conflict', () => {
  beforeEach(async () => {
    await edit({ welcomeMessage: 'Theirs.' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Ours.').replace('warm-1', 'warm-5')));
  });

  test('An agent with a conflict is left out without an answer, and with both.', async () => {
    expect(asked(await planned())).toContainEqual(['Agent/desk/conflict', 'conflict']);
    for (const [answers, code] of [
      [[], 'conflict'],
      [['Agent/desk/conflict=both'], 'both-chosen'],
    ] as const) {
      const { ledger } = await answered(...answers);
      expect(ledger.entries).toMatchObject([{ outcome: 'not attempted', refused: true, reasons: [{ code }] }]);
    }
    expect(await live()).toMatchObject({ welcomeMessage: 'Theirs.', agentVoice: 'warm-1' });
  });

  test('The answer take applies the manifest, and the record names the person.', async () => {
    await applied([{ question: 'Agent/desk/conflict', choice: 'take', by: 'octo', in: '#12' }]);
    expect(await live()).toMatchObject({ welcomeMessage: 'Ours.', agentVoice: 'warm-5' });
    expect((await record()).overruled).toMatchObject([{ rule: 'conflict', by: 'answer', person: 'octo' }]);
  });

  test('The answer keep leaves the live value, sends the other settings, and records where it was given.', async () => {
    await applied([{ question: 'Agent/desk/conflict', choice: 'keep', by: 'octo\n\u001b[31m', in: '#12' }]);
    expect(await live()).toMatchObject({ welcomeMessage: 'Theirs.', agentVoice: 'warm-5' });
    const { holds, fields } = await record();
    expect(holds.kept).toMatchObject([{ by: 'octo \\u001b[31m', reason: 'answered in #12' }]);
    expect(fields['settings.welcomeMessage']).toEqual({ value: 'Hello.' });
    expect(hasPendingChanges(await planned())).toBe(false);
  });
});

describe('a question about equal edits of several agents', () => {
  const names = ['desk', 'night', 'lobby'];
  const write = (settings: string) =>
    Promise.all(
      names.map((name) =>
        place.write(
          `agents/${name}.yaml`,
          manifest(settings).replace('name: desk', `name: ${name}`).replace('secret.TOKEN', `secret.TOKEN_${name}`),
        ),
      ),
    );
  const lives = () => Promise.all(names.map(live));

  beforeEach(async () => {
    await place.remove();
    await project('', Object.fromEntries(names.map((name) => [`TOKEN_${name}`, `token of ${name} ${Math.random()}`])));
    await write(usual);
    await answered('create-unknown=create');
    for (const name of names) await edit({ agentVoice: name === 'lobby' ? 'warm-3' : 'warm-2' }, name);
  });

  test('The answer keep counts for each agent with the equal edit, and for no other.', async () => {
    expect(asked(await planned()).filter(([, kind]) => kind === 'drift')).toEqual([
      ['drift', 'drift'],
      ['Agent/lobby/drift', 'drift'],
    ]);
    await answered('drift=keep');
    expect((await lives()).map(({ agentVoice }) => agentVoice)).toEqual(['warm-2', 'warm-2', 'warm-1']);
    for (const name of ['desk', 'night']) {
      const [hold] = (await record(name)).holds.kept;
      expect(Object.keys(hold.fields)).toEqual(['settings.agentVoice']);
    }
    expect((await record('lobby')).holds).toBeUndefined();
    expect(hasPendingChanges(await planned())).toBe(false);
  });

  test('An agent can have another answer than the others.', async () => {
    await answered('Agent/desk=keep', 'Agent/night=undo', 'Agent/lobby/drift=keep');
    expect((await lives()).map(({ agentVoice }) => agentVoice)).toEqual(['warm-2', 'warm-1', 'warm-3']);
  });

  test('The answer take resolves the conflicts of all agents, and an option leaves only the others open.', async () => {
    await write(usual.replace('warm-1', 'warm-5'));
    expect(asked(await planned()).filter(([, kind]) => kind === 'conflict')).toEqual([
      ['conflict', 'conflict'],
      ['Agent/lobby/conflict', 'conflict'],
    ]);
    let open: unknown;
    const confirm = async (planned: ApplyPlanned) => {
      open = planned.open.filter(({ kind }) => kind === 'conflict').map(({ resources }) => resources);
      return false;
    };
    const decisions = [{ rule: 'conflict', names: ['Agent/desk'], by: 'flag' }] as const;
    await expect(applied([], { decisions, confirm })).rejects.toMatchObject({ code: 'declined' });
    expect(open).toEqual([['Agent/lobby'], ['Agent/night']]);
    await answered('conflict=take');
    expect((await lives()).map(({ agentVoice }) => agentVoice)).toEqual(['warm-5', 'warm-5', 'warm-3']);
  });
});

describe('the question about write-only settings', () => {
  test('Write-only settings are resent without an answer, and left with the answer leave.', async () => {
    await edit({ description: 'Edited.' });
    expect(asked(await planned())).toEqual([['Agent/desk', 'write-only']]);
    const { ledger } = await answered('Agent/desk=leave');
    expect(ledger.entries).toMatchObject([{ outcome: 'applied', sent: false }]);
    expect((await live()).description).toBe('Edited.');
    const next = await planned();
    expect(next.resources).toMatchObject([{ action: 'none', warnings: [{ code: 'settings-kept' }] }]);
    expect(hasPendingChanges(next)).toBe(false);
    // A request would contain these settings too, so the apply sends no request.
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const held = await planned();
    expect(held.resources).toMatchObject([
      {
        action: 'blocked',
        held: { by: 'mona', fields: ['settings.description'] },
        reasons: [{ facts: { isWhole: true } }],
      },
    ]);
    await applied();
    expect(await live()).toMatchObject({ description: 'Edited.', welcomeMessage: 'Hello.' });
    // The settings stay until the manifest changes them.
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')).replace('Answers.', 'Answers all.'));
    await applied();
    expect(await live()).toMatchObject({ description: 'Answers all.', welcomeMessage: 'Hi.' });
    expect((await record()).holds?.kept).toBeUndefined();
  });

  test('A phone number of an agent that an answer put on hold is on hold too, and does not change the exit code.', async () => {
    await edit({ description: 'Edited.' });
    const number = 'kind: PhoneNumber\nname: main\nagent: desk\nsettings: { number: "+13125550142" }\n';
    await place.write('agents/main.yaml', `apiVersion: agentform/v1\n${number}`);
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    for (const answers of [['Agent/desk=leave'], []]) {
      const { ledger } = await answered(...answers);
      expect(ledger.entries).toMatchObject([{ outcome: 'on hold' }, { kind: 'PhoneNumber', outcome: 'on hold' }]);
      expect(exitCodeOfLedger(ledger)).toBe(0);
    }
  });
});

describe('the question about a text with a finding or a loss', () => {
  test('A text with a finding is applied without an answer, and left out with leave-out.', async () => {
    const block = (text: string) => `  agentInstructions: |\n${text.replace(/^/gm, '    ').trimEnd()}\n`;
    await place.write('agents/desk.yaml', manifest(usual, block(longPrompt)));
    await applied();
    const shorter = longPrompt.replace(/# Prices\n.*\n/, '').replace('Say goodbye.', 'TODO: goodbye.');
    await place.write('agents/desk.yaml', manifest(usual, block(shorter)));
    expect(asked(await planned())).toEqual([
      ['Agent/desk/prompt-loss', 'prompt-loss'],
      ['Agent/desk/check', 'check'],
    ]);
    for (const answer of ['Agent/desk/prompt-loss=leave-out', 'Agent/desk/check=leave-out']) {
      const { ledger } = await answered(answer);
      expect(ledger.entries).toMatchObject([{ outcome: 'left out', reasons: [{ code: 'left-out' }] }]);
    }
    await answered('Agent/desk/check=go-on');
    expect((await live()).agentInstructions).toContain('TODO');
  });
});

describe('the plan that an apply shows', () => {
  async function shown(...answers: readonly GivenAnswer[]): Promise<ApplyPlanned> {
    const planned: ApplyPlanned[] = [];
    const confirm = async (one: ApplyPlanned) => planned.push(one) > 0;
    await applied(answers, { confirm });
    const [first] = planned;
    if (first === undefined) throw new Error('nothing was shown');
    return first;
  }

  test('A resource that an answer leaves out is not counted, is not asked about again, and names the person.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await place.write('agents/desk.yaml', manifest(usual, '  agentInstructions: "TODO: greet."\n'));
    expect(asked(await planned())).toEqual([
      ['Agent/desk/drift', 'drift'],
      ['Agent/desk/write-only', 'write-only'],
      ['Agent/desk/check', 'check'],
    ]);
    const made = await shown({ question: 'Agent/desk/check', choice: 'leave-out', by: 'kim', in: '#7' });
    expect(made.open).toEqual([]);
    expect(made.shown).toMatchObject({
      digest: made.plan.digest,
      questions: [],
      summary: { update: 0, blocked: 1, drift: 0 },
      resources: [
        {
          action: 'blocked',
          changes: [],
          prevented: { action: 'update' },
          reasons: [{ code: 'left-out', facts: { by: 'kim' } }],
        },
      ],
    });
    expect(made.plan.summary).toMatchObject({ update: 1, blocked: 0 });
  });

  test('A resource whose two values must be combined by hand is shown as left out.', async () => {
    await edit({ welcomeMessage: 'Theirs.' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Ours.')));
    const { shown: made } = await shown({ question: 'Agent/desk/conflict', choice: 'both', by: 'kim', in: '#7' });
    expect(made.resources).toMatchObject([
      {
        action: 'blocked',
        reasons: [{ code: 'both-chosen', facts: { by: 'kim', paths: ['settings.welcomeMessage'] } }],
      },
    ]);
    expect(made).toMatchObject({ questions: [], summary: { update: 0, conflicts: 0, blocked: 1 } });
  });
});

describe('the project setting unanswered: leave', () => {
  beforeEach(async () => {
    await place.remove();
    await project(', unanswered: leave');
    await applied([{ question: 'Agent/desk', choice: 'create' }]);
    await edit({ agentVoice: 'warm-2', description: 'Answers.' });
    await applied();
  });

  test('With unanswered: leave, an edit stays with a notice, and is pending only with --exit-code.', async () => {
    const made = await planned();
    expect(made.resources).toMatchObject([
      { action: 'none', changes: [], warnings: [{ code: 'drift-left' }], kept: [{ path: 'settings.agentVoice' }] },
    ]);
    expect(made.questions).toMatchObject([
      { id: 'Agent/desk', kind: 'drift', choices: [{ code: 'keep', isDefault: true }, { code: 'undo' }] },
    ]);
    expect(exitCodeOfPlan(made, { pendingCounts: true })).toBe(2);
    expect(exitCodeOfPlan(made, { pendingCounts: false })).toBe(0);
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const left = { code: 'drift-left', facts: { paths: ['settings.agentVoice'] } };
    const sent = await applied();
    expect(sent.ledger.entries).toMatchObject([{ outcome: 'applied', warnings: [left] }]);
    expect(await live()).toMatchObject({ agentVoice: 'warm-2', welcomeMessage: 'Hi.' });
    const { ledger } = await applied();
    expect(ledger.entries).toMatchObject([{ outcome: 'unchanged', warnings: [left] }]);
    const text = renderLedgerText(ledger, { color: false, width: 400 });
    expect(text).toContain('Unchanged (1)');
    expect(text).toContain('settings.agentVoice was edited in the dashboard and stays as it is until the question');
    const comment = renderResultsMarkdown(ledgerDocument(ledger), { limit: 9_000 });
    expect(comment).toMatch(
      /· \*\*Desk\*\* unchanged\n {2}- Voice was edited in the dashboard and stays as it is until/,
    );
  });

  test('An edit that cannot be undone, because a prompt would lose a section, can only be kept.', async () => {
    await place.remove();
    await project(', unanswered: leave }\nlint: { prompt-shrunk: error');
    const text = '  agentInstructions: |\n    # Desk\n    You answer the phone.\n';
    await place.write('agents/desk.yaml', manifest(usual, text));
    await applied([{ question: 'Agent/desk', choice: 'create' }]);
    await edit({ agentInstructions: longPrompt });
    const made = await planned();
    expect(made.resources).toMatchObject([{ warnings: [{ code: 'drift-left', facts: { isUndoRefused: true } }] }]);
    const drift = made.questions.find(({ kind }) => kind === 'drift');
    expect(drift?.choices.map(({ code, isDefault }) => [code, isDefault])).toEqual([['keep', true]]);
    expect(renderPlanText(made, { color: false, width: 400 })).toContain(
      'The edit cannot be undone, because a prompt would',
    );
    await expect(answered('Agent/desk=undo')).rejects.toThrow(/expected Agent\/desk\/drift=keep/);
    await answered('Agent/desk/drift=keep');
    expect((await planned()).questions).toEqual([]);
  });

  test('With unanswered: leave, an edit of an agent on hold is not a question, because the hold would block undo.', async () => {
    const ends = { code: 'drift-left', facts: { paths: ['settings.agentVoice'], hold: { by: 'mona' } } };
    const expectNoQuestion = async (reason: string) => {
      const made = await planned();
      expect(made.questions).toEqual([]);
      expect(made.resources).toMatchObject([
        { action: 'none', warnings: expect.arrayContaining([expect.objectContaining({ code: ends.code })]) },
      ]);
      expect(made.resources[0]?.warnings.find(({ code }) => code === ends.code)).toMatchObject(ends);
      expect(exitCodeOfPlan(made, { pendingCounts: true })).toBe(2);
      const text = renderPlanText(made, { color: false, width: 400 });
      expect(text).toMatch(
        new RegExp(`agentVoice was edited .* stays as it is while the agent is on hold by mona .*: ${reason}`),
      );
      expect(text).toContain('To decide about it, run `agentform unhold Agent/desk -e production`');
    };
    await hold(place.host, { ...options(), names: ['desk'], reason: 'callers complain' });
    await expectNoQuestion('callers complain');
    await unhold(place.host, { ...options(), names: ['desk'] });
    await edit({ description: 'Edited.' });
    await answered('Agent/desk=leave');
    await expectNoQuestion('answered');
    await unhold(place.host, { ...options(), names: ['desk'] });
    await answered('Agent/desk=undo');
    expect((await live()).agentVoice).toBe('warm-1');
  });
});

describe('the form of answers', () => {
  test.each([
    ['keep', { agentVoice: 'warm-2' }, { agentVoice: 'warm-3' }],
    ['leave', { description: 'Theirs.' }, { description: 'Theirs too.', agentVoice: 'warm-2' }],
  ])(
    'An outdated answer %s leaves out the agent, the plan asks again without a default, and the result says so.',
    async (choice, first, second) => {
      await edit(first);
      const { questions } = await planned();
      const question = questions.find(({ choices }) => choices.some(({ code }) => code === choice));
      const answer = { question: 'renamed', choice, digests: question?.digests };
      await edit(second);
      let shown: unknown;
      const confirm = async (one: ApplyPlanned) => {
        const asked = one.open.map(({ voidAnswer }) => voidAnswer?.why);
        shown = [asked.includes('changed'), one.shown.resources.map(({ action }) => action)];
        return true;
      };
      const { ledger } = await applied([answer], { confirm });
      const reasons = [{ code: 'answer-void', facts: { question: 'renamed', choice } }];
      expect(ledger.entries).toMatchObject([{ outcome: 'not attempted', refused: true, reasons }]);
      expect(ledger.outdated).toBeUndefined();
      expect(exitCodeOfLedger(ledger)).toBe(3);
      expect(shown).toEqual([true, ['update']]);
      expect(await live()).toMatchObject(second);
      // An answer given on the terminal takes precedence over the earlier answer.
      const again = async ({ open }: ApplyPlanned) => ({
        answers: open.map(({ id, digests, choices }) => {
          const { code = '' } = choices.find((one) => one.code === 'undo' || one.code === 'send-again') ?? {};
          return { question: id, digests, choice: code };
        }),
      });
      await applied([answer], { confirm: again });
      expect(await live()).not.toMatchObject(second);
    },
  );

  test('An outdated answer undo is listed, and the edit is undone like every unanswered one.', async () => {
    await edit({ agentVoice: 'warm-2' });
    const [question] = (await planned()).questions;
    await edit({ agentVoice: 'warm-3' });
    const { ledger } = await applied([{ question: 'renamed', choice: 'undo', digests: question?.digests }]);
    expect(ledger.outdated).toMatchObject([{ code: 'answer-void', facts: { question: 'renamed', choice: 'undo' } }]);
    expect((await live()).agentVoice).toBe('warm-1');
  });

  test('Numbers and letters only answer a saved plan, and only questions that did not change.', async () => {
    await edit({ agentVoice: 'warm-2', description: 'D' });
    const path = join(place.root, 'plan.json');
    const made = await planned();
    await savePlan(made, path, renderPlanJson(made));
    await expect(answered('1=A')).rejects.toThrow(/a number such as 1 works only with a saved plan/);
    await expect(applied([typedAnswer('9A')], { savedPlan: path })).rejects.toThrow(/there is no question '9'/);
    await expect(applied([typedAnswer('1C')], { savedPlan: path })).rejects.toThrow(
      /expected A \(keep\) or B \(undo\)/,
    );
    const { ledger } = await applied([typedAnswer('1A')], { savedPlan: path });
    expect(ledger.entries).toMatchObject([{ outcome: 'applied' }]);
    expect((await live()).agentVoice).toBe('warm-2');
  });

  test('The approved plan is the plan before the answers.', async () => {
    await edit({ agentVoice: 'warm-2' });
    const { digest, resources } = await planned();
    const digests = new Set(resources.map((one) => one.digest));
    const differenceOf = (one: { digest: string }) => (digests.has(one.digest) ? undefined : 'another one');
    const approvedEach = { plans: new Set<string>(), differenceOf, because: 'b' };
    const { ledger } = await applied([typedAnswer('Agent/desk/drift=keep')], { approvedEach });
    expect(ledger.entries).toMatchObject([{ outcome: 'applied' }]);
    expect(digest).toMatch(/^sha256:/);
  });
});

test('An apply of a saved plan refuses changedSince, because the plan has its own selection.', async () => {
  const savedPlan = `${place.root}/plan.json`;
  await place.write('plan.json', renderPlanJson(await planned()));
  await expect(applied([], { savedPlan, changedSince: 'HEAD' })).rejects.toMatchObject({
    code: 'usage',
    message: 'savedPlan cannot be combined with changedSince; give changedSince to plan() instead',
  });
});
