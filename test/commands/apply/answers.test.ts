import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApplyRunOptions, apply } from '../../../src/commands/apply/apply.ts';
import { drift } from '../../../src/commands/drift/drift.ts';
import { unhold } from '../../../src/commands/hold/hold.ts';
import { type PlanRunOptions, plan, savePlan } from '../../../src/commands/plan/plan.ts';
import { update } from '../../../src/commands/update/update.ts';
import { startEmulator } from '../../../src/emulator/emulator.ts';
import { type GivenAnswer, typedAnswer } from '../../../src/plan/answers.ts';
import { hasPendingChanges } from '../../../src/plan/plan.ts';
import { renderPlanJson } from '../../../src/report/json.ts';
import type { Plan, Question } from '../../../src/schemas/plan-types.ts';
import type { RunningEmulator } from '../../../src/session/host.ts';
import { exitCodeOfLedger, exitCodeOfPlan } from '../../../src/session/plans/plan-result.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

let emulator: RunningEmulator;
let place: Workplace;
let count = 0;
/** Called for each request to the service. */
let seen: (() => void) | undefined;

const longPrompt = '# Desk\nYou answer the phone.\n# Prices\nA check-up costs 50.\n# End\nSay goodbye.\n';

const manifest = (settings: string, more = '') => `apiVersion: agentform/v1
kind: Agent
name: desk
target: { token: "\${secret.TOKEN}" }
settings:
  title: Desk
  description: Answers.
${settings}${more}`;

const usual = '  agentVoice: warm-1\n  welcomeMessage: Hello.\n  agentLang: en-US\n';

async function project(environment = ''): Promise<void> {
  count += 1;
  place = await workplace(
    {
      'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
environments:
  production: { baseUrl: "${emulator.baseUrl}"${environment} }
`,
      'agents/desk.yaml': manifest(usual),
    },
    { TOKEN: `token-${count}`, GITHUB_ACTOR: 'mona' },
  );
}

const options = () => ({ project: place.root, environment: 'production', names: [], concurrency: 4 });
const planned = async (parts: Partial<PlanRunOptions> = {}) =>
  (await plan(place.host, { ...options(), ...parts })).plan;

function applied(answers: readonly GivenAnswer[] = [], parts: Partial<ApplyRunOptions> = {}) {
  const signal = new AbortController().signal;
  return apply(place.host, { ...options(), signal, answers, confirm: async () => true, ...parts });
}

const answered = (...texts: string[]) => applied(texts.map(typedAnswer));

async function recordText(): Promise<string> {
  return place.read('.agentform/records/production/Agent/desk.json');
}

const record = async () => JSON.parse(await recordText());

async function live(): Promise<Record<string, unknown>> {
  const { agents } = JSON.parse(await (await fetch(`${emulator.baseUrl}/__emulator/state`)).text());
  const { id } = await record();
  return agents.find((one: { id: string }) => one.id === id).draft;
}

/** Edits the agent as in the dashboard. */
async function edit(settings: Record<string, unknown>): Promise<void> {
  const { id } = await record();
  const body = JSON.stringify(settings);
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${emulator.baseUrl}/__emulator/agents/${id}`, { method: 'PATCH', headers, body });
  expect(status).toBe(200);
}

async function putFaults(faults: readonly string[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(faults);
  const { status } = await fetch(`${emulator.baseUrl}/__emulator/faults`, { method: 'PUT', headers, body });
  expect(status).toBe(200);
}

async function writes(): Promise<number> {
  const { requests } = JSON.parse(await (await fetch(`${emulator.baseUrl}/__emulator/requests`)).text());
  return requests.filter(({ method }: { method: string }) => method === 'POST').length;
}

const asked = ({ questions }: { questions: readonly Question[] }) => questions.map(({ id, kind }) => [id, kind]);

beforeAll(async () => {
  const data = await workplace({});
  emulator = await startEmulator({ dataFile: join(data.root, 'emulator.json'), onRequest: () => seen?.() });
});
afterAll(() => emulator.close());

beforeEach(async () => {
  await project();
  const { ledger } = await applied([{ question: 'Agent/desk', choice: 'create' }]);
  expect(ledger.entries).toMatchObject([{ outcome: 'applied' }]);
});
afterEach(() => place.remove());

describe('the question about a create that may replace an agent', () => {
  test('An agent that may exist is only created after the answer create, which the record keeps.', async () => {
    await place.remove();
    await project();
    expect(asked(await planned())).toEqual([['Agent/desk', 'create-unknown']]);
    for (const answers of [[], ['Agent/desk=leave-out']]) {
      const { ledger } = await answered(...answers);
      expect(ledger.entries).toMatchObject([{ outcome: 'not attempted', reasons: [{ code: 'agent-undecided' }] }]);
      expect(exitCodeOfLedger(ledger)).toBe(3);
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

  test('A later edit of a kept setting also stays.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await answered('Agent/desk/drift=keep', 'Agent/desk/write-only=send-again');
    await edit({ agentVoice: 'warm-3', agentLang: 'es-MX' });
    await applied();
    expect(await live()).toMatchObject({ agentVoice: 'warm-3', agentLang: 'en-US' });
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

  test('The hold of a kept setting ends once it is copied into the manifest.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await answered('Agent/desk/drift=keep');
    await update(place.host, { ...options(), names: ['desk'], fields: [], dryRun: false, confirm: async () => true });
    expect(await place.read('agents/desk.yaml')).toContain('agentVoice: warm-2');
    await applied();
    expect((await planned()).resources).toMatchObject([{ action: 'none', warnings: [] }]);
    expect((await record()).fields['settings.agentVoice']).toEqual({ value: 'warm-2' });
    expect((await record()).holds?.kept).toBeUndefined();
  });

  test('A list is sent with its kept element.', async () => {
    const links = (list: string) => manifest(`${usual}  links: [${list}]\n`);
    await place.write('agents/desk.yaml', links('https://a.example'));
    await applied();
    await edit({ links: ['https://a.example', 'https://b.example'] });
    await place.write('agents/desk.yaml', links('https://a.example').replace('Hello.', 'Hi.'));
    await answered('Agent/desk/drift=keep');
    expect(await live()).toMatchObject({ welcomeMessage: 'Hi.' });
    expect(JSON.stringify((await live()).links)).toContain('https://b.example');
    expect((await planned()).resources).toMatchObject([{ action: 'none', changes: [] }]);
  });

  test('A new list element is kept alone if the service shows all of it, and otherwise with its agent.', async () => {
    const skills = (more = '') => manifest(`${usual}${more}`, 'skills:\n  - { slug: calendar, instructions: Book. }\n');
    await place.write('agents/desk.yaml', skills());
    await applied();
    const calendar = { slug: 'calendar', instructions: 'Book.' };
    const billing = { slug: 'billing', instructions: 'Bill.' };
    await edit({ skills: [calendar, billing] });
    await place.write('agents/desk.yaml', skills('  timezone: UTC\n'));
    await answered('Agent/desk/drift=keep');
    expect(await live()).toMatchObject({ timezone: 'UTC', skills: [calendar, billing] });
    expect((await planned()).resources).toMatchObject([{ action: 'none', kept: [{ path: 'skills[billing]' }] }]);
    await edit({ skills: [calendar, billing, { slug: 'maps' }] });
    const [question] = (await planned()).questions;
    expect(question).toMatchObject({
      id: 'Agent/desk/drift',
      paths: ['skills[maps]'],
      choices: [{ code: 'leave' }, {}],
    });
    await place.write('agents/desk.yaml', skills('  timezone: Europe/Berlin\n'));
    await answered('Agent/desk/drift=leave');
    expect((await planned()).resources).toMatchObject([{ action: 'blocked', held: { fields: ['skills[maps]'] } }]);
    expect(await live()).toMatchObject({ timezone: 'UTC', skills: [calendar, billing, { slug: 'maps' }] });
  });

  test('A list that has a key twice is left or sent again, because no request could keep both elements.', async () => {
    const skills = manifest(usual, 'skills:\n  - { slug: calendar, instructions: Book. }\n');
    await place.write('agents/desk.yaml', skills);
    await applied();
    const twice = ['Book.', 'Cancel.'].map((instructions) => ({ slug: 'calendar', instructions }));
    await edit({ skills: twice });
    const choices = [{ code: 'send-again' }, { code: 'leave' }];
    const { questions } = await planned();
    expect(questions).toMatchObject([{ id: 'Agent/desk', kind: 'write-only', choices }]);
    expect(questions[0]?.paths).toContain('skills[calendar].instructions');
    const copying = { ...options(), names: ['desk'], dryRun: false, confirm: async () => true };
    const copied = await update(place.host, { ...copying, fields: ['skills[calendar].instructions'] });
    expect(copied.resources).toMatchObject([
      { updated: [], refused: [{ reason: { facts: { obstacle: { why: 'not-shown' } } } }] },
    ]);
    expect(await place.read('agents/desk.yaml')).toBe(skills);
    await answered('Agent/desk=leave');
    await place.write('agents/desk.yaml', skills.replace('Hello.', 'Hi.'));
    await applied();
    expect(await live()).toMatchObject({ skills: twice });
  });

  test('A setting or element that was removed in the dashboard can be kept removed.', async () => {
    const skills = (list: string) => manifest(usual, `skills: [${list}]\n`);
    await place.write('agents/desk.yaml', skills('{ slug: calendar, instructions: Book. }'));
    await applied();
    await edit({ skills: [], agentVoice: null });
    await place.write('agents/desk.yaml', skills('{ slug: calendar, instructions: Book. }').replace('Hello.', 'Hi.'));
    await answered('Agent/desk/drift=keep');
    expect(await live()).toMatchObject({ welcomeMessage: 'Hi.', skills: [] });
    expect((await live()).agentVoice ?? null).toBeNull();
    expect((await planned()).resources).toMatchObject([{ action: 'none', changes: [] }]);
    expect((await record()).fields['skills[calendar].instructions']).toEqual({ value: 'Book.' });
  });

  test('The drift command reports a kept setting as held, and a rename keeps the hold.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await answered('Agent/desk/drift=keep');
    const found = await drift(place.host, options());
    expect(found.drift.resources).toMatchObject([
      { moves: [{ path: 'settings.agentVoice', effect: 'held' }], reasons: [{ code: 'settings-kept' }] },
    ]);
    await place.write('agents/desk.yaml', manifest(usual).replace('name: desk', 'name: front\nrenamedFrom: desk'));
    await applied();
    const made = await planned();
    expect(made.resources).toMatchObject([{ name: 'front', action: 'none', kept: [{ path: 'settings.agentVoice' }] }]);
  });

  test('A kept setting is recorded before the write, so that a kill loses nothing.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const holds: unknown[] = [];
    const path = join(place.root, '.agentform/records/production/Agent/desk.json');
    seen = () => holds.push(JSON.parse(readFileSync(path, 'utf8')).holds?.kept?.[0]?.by);
    await answered('Agent/desk/drift=keep');
    seen = undefined;
    // There are two reads before the write, and more reads after it.
    expect(holds.slice(0, 3)).toEqual([undefined, undefined, 'mona']);
  });

  test('A failed write loses no kept setting.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    await putFaults(['success-false:operation=updateAgent']);
    const { ledger } = await answered('Agent/desk/drift=keep');
    expect(ledger.entries).toMatchObject([{ outcome: 'failed' }]);
    await putFaults([]);
    expect((await record()).holds.kept).toHaveLength(1);
    await applied();
    expect(await live()).toMatchObject({ agentVoice: 'warm-2', welcomeMessage: 'Hi.' });
  });
});

describe('an edit between the plan and the write', () => {
  const confirm = async () => {
    await edit({ agentVoice: 'warm-3' });
    return true;
  };
  const keep = [typedAnswer('Agent/desk/drift=keep')];
  const stale = { outcome: 'not attempted', refused: true, reasons: [{ code: 'stale', facts: { by: 'edit' } }] };

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

  test('A kept setting that is edited again is not held if nothing else changes.', async () => {
    const answers = [...keep, typedAnswer('Agent/desk/write-only=leave')];
    const { ledger } = await applied(answers, { confirm });
    expect(ledger.entries).toMatchObject([stale]);
    expect((await record()).holds).toBeUndefined();
  });

  test('A kept setting that is edited again is not held if its agent is left out.', async () => {
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const answers = [...keep, typedAnswer('Agent/desk/write-only=leave')];
    const { ledger } = await applied(answers, { confirm });
    expect(ledger.entries).toMatchObject([
      { ...stale, reasons: [{ code: 'settings-kept' }, { code: 'stale', facts: { by: 'edit' } }] },
    ]);
    expect((await record()).holds).toBeUndefined();
  });

  test('An answer about an agent that cannot be read again is not recorded.', async () => {
    const answers = [...keep, typedAnswer('Agent/desk/write-only=leave')];
    const { ledger } = await applied(answers, {
      confirm: async () => {
        await putFaults(['success-false:operation=getAgent']);
        return true;
      },
    });
    await putFaults([]);
    expect(ledger.entries).toMatchObject([{ outcome: 'failed', reasons: [{ code: 'call-failed' }] }]);
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
    // A request would contain these settings too, so nothing else is sent either.
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

  test('The answer leave holds the whole agent if another setting would be sent.', async () => {
    await edit({ description: 'Edited.' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const { ledger } = await answered('Agent/desk=leave');
    expect(ledger.entries).toMatchObject([{ outcome: 'not attempted', refused: true }]);
    expect(await live()).toMatchObject({ description: 'Edited.', welcomeMessage: 'Hello.' });
    expect((await record()).holds.kept).toHaveLength(1);
    await applied();
    expect((await live()).description).toBe('Edited.');
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
      expect(ledger.entries).toMatchObject([{ outcome: 'not attempted', reasons: [{ code: 'left-out' }] }]);
    }
    await answered('Agent/desk/check=go-on');
    expect((await live()).agentInstructions).toContain('TODO');
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
    await applied();
    expect(await live()).toMatchObject({ agentVoice: 'warm-2', welcomeMessage: 'Hi.' });
  });

  test('With unanswered: leave, the whole agent is left if a request cannot leave the edit alone.', async () => {
    const skills = (settings: string) => manifest(settings, 'skills:\n  - { slug: calendar, instructions: Book. }\n');
    await place.write('agents/desk.yaml', skills(usual));
    await applied();
    await edit({ skills: [{ slug: 'calendar', instructions: 'Book.' }, { slug: 'maps' }] });
    await place.write('agents/desk.yaml', skills(usual.replace('Hello.', 'Hi.')));
    const made = await planned();
    expect(made.resources).toMatchObject([
      {
        action: 'blocked',
        reasons: [{ code: 'drift-left', facts: { isWhole: true } }],
        kept: [{}, { path: 'skills[maps]' }],
      },
    ]);
    expect(made.questions).toMatchObject([
      { kind: 'drift', choices: [{ code: 'leave', isDefault: true }, { code: 'undo' }] },
    ]);
    expect((await applied()).ledger.entries).toMatchObject([{ outcome: 'not attempted', refused: true }]);
    await answered('Agent/desk=undo');
    expect(await live()).toMatchObject({ welcomeMessage: 'Hi.', agentVoice: 'warm-1', skills: [{ slug: 'calendar' }] });
  });

  test('With unanswered: leave, an edit between the plan and the write leaves out the agent.', async () => {
    await edit({ agentVoice: 'warm-3' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const { ledger } = await applied([], {
      confirm: async () => {
        await edit({ agentLang: 'es-MX' });
        return true;
      },
    });
    expect(ledger.entries).toMatchObject([{ refused: true, reasons: [{ code: 'stale', facts: { by: 'edit' } }] }]);
    expect(await live()).toMatchObject({ agentLang: 'es-MX', welcomeMessage: 'Hello.' });
  });

  test('With unanswered: leave, undo reverts an edit, and keep ends the notice.', async () => {
    await answered('Agent/desk=undo');
    expect((await live()).agentVoice).toBe('warm-1');
    await edit({ agentVoice: 'warm-3' });
    const [question] = (await planned()).questions.filter(({ kind }) => kind === 'drift');
    await answered(`${question?.id}=keep`);
    expect((await live()).agentVoice).toBe('warm-3');
    expect(exitCodeOfPlan(await planned(), { pendingCounts: true })).toBe(0);
  });
});

describe('the form of answers', () => {
  test('An answer with a digest is reported as void once its question has another digest.', async () => {
    await edit({ agentVoice: 'warm-2' });
    const [question] = (await planned()).questions;
    const answer = { question: 'renamed', choice: 'keep', digest: question?.digest };
    await edit({ agentVoice: 'warm-3' });
    const { ledger } = await applied([answer]);
    expect(ledger.outdated).toMatchObject([{ code: 'answer-void', facts: { question: 'renamed', choice: 'keep' } }]);
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

  test('The confirmation may add answers, and options may not contradict them.', async () => {
    await edit({ agentVoice: 'warm-2', welcomeMessage: 'Theirs.' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Ours.')));
    const overwrite = [{ rule: 'conflict', names: ['desk'], by: 'flag' }] as const;
    await expect(applied([typedAnswer('Agent/desk/conflict=keep')], { decisions: overwrite })).rejects.toThrow(
      /two answers, --overwrite and keep/,
    );
    await expect(answered('Agent/desk/drift=keep', 'Agent/desk/drift=undo')).rejects.toThrow(
      /two answers, keep and undo/,
    );
    let open: string[] = [];
    await applied([typedAnswer('Agent/desk/conflict=take')], {
      confirm: async (shown) => {
        open = shown.open.map(({ id }) => id);
        return { answers: [typedAnswer('Agent/desk/drift=keep')] };
      },
    });
    expect(open).toEqual(['Agent/desk/drift', 'Agent/desk/write-only']);
    expect(await live()).toMatchObject({ agentVoice: 'warm-2', welcomeMessage: 'Ours.' });
  });

  test('The plan before the confirmation includes the answers and the places of kept settings.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    let shown: Plan | undefined;
    const confirm = async (asked: { shown: Plan }) => {
      shown = asked.shown;
      return false;
    };
    await expect(applied([typedAnswer('Agent/desk/drift=keep')], { confirm })).rejects.toThrow(/not confirmed/);
    const voice = { path: 'settings.agentVoice' };
    const source = { file: 'agents/desk.yaml', line: 9 };
    expect(shown?.resources).toMatchObject([
      { kept: [voice], changes: [{}, { path: 'settings.welcomeMessage', source }] },
    ]);
    expect((await record()).holds?.kept).toBeUndefined();
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
