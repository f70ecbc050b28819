import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { drift } from '../../../../src/commands/drift/drift.ts';
import { update } from '../../../../src/commands/update/update.ts';
import { typedAnswer } from '../../../../src/plan/answers.ts';
import type { Plan } from '../../../../src/schemas/plan-types.ts';
import { exitCodeOfLedger, exitCodeOfPlan } from '../../../../src/session/plans/plan-result.ts';
import {
  answered,
  applied,
  confirm,
  edit,
  keep,
  live,
  manifest,
  onEachRequest,
  options,
  place,
  planned,
  project,
  putFaults,
  record,
  stale,
  usual,
} from '../../../commands/apply/desk-project.ts';

describe('the question about drift', () => {
  test('A later edit of a kept setting also stays.', async () => {
    await edit({ agentVoice: 'warm-2' });
    await answered('Agent/desk/drift=keep', 'Agent/desk/write-only=send-again');
    await edit({ agentVoice: 'warm-3', agentLang: 'es-MX' });
    await applied();
    expect(await live()).toMatchObject({ agentVoice: 'warm-3', agentLang: 'en-US' });
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
    onEachRequest(() => holds.push(JSON.parse(readFileSync(path, 'utf8')).holds?.kept?.[0]?.by));
    await answered('Agent/desk/drift=keep');
    onEachRequest(undefined);
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
  beforeEach(() => edit({ agentVoice: 'warm-2' }));

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

describe('the question about write-only settings', () => {
  test('The answer leave holds the whole agent if another setting would be sent.', async () => {
    await edit({ description: 'Edited.' });
    await place.write('agents/desk.yaml', manifest(usual.replace('Hello.', 'Hi.')));
    const { ledger } = await answered('Agent/desk=leave');
    expect(ledger.entries).toMatchObject([{ outcome: 'on hold' }]);
    expect(await live()).toMatchObject({ description: 'Edited.', welcomeMessage: 'Hello.' });
    expect((await record()).holds.kept).toHaveLength(1);
    expect(exitCodeOfLedger(ledger)).toBe(0);
    expect(exitCodeOfLedger((await applied()).ledger)).toBe(0);
    expect((await live()).description).toBe('Edited.');
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
});
