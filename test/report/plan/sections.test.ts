import { describe, expect, test } from '@jest/globals';
import { planMarkdown } from '../../../src/report/markdown/plan.ts';
import { renderPlanText } from '../../../src/report/plan/text.ts';
import type { Change, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { saying } from '../../support/notices.ts';
import { change, plan, resource, sensitive } from './plan-builders.ts';

const source = { file: 'prompts/dental.md', line: 8 };
const rule = (minutes: number) => `Be polite.\nA check-up takes ${minutes} minutes.\nSay goodbye.\n`;
const edited = (parts: Partial<Change> = {}) =>
  change({ path: 'settings.agentInstructions', from: rule(30), to: rule(40), source, ...parts });

function clinics(count: number, partsOf: (index: number) => Partial<ResourcePlan> = () => ({})): ResourcePlan[] {
  return Array.from({ length: count }, (_, index) =>
    resource({ name: `clinic-${index + 1}`, id: `camp_${index + 1}`, changes: [edited()], ...partsOf(index) }),
  );
}

const text = (resources: readonly ResourcePlan[], full = false) =>
  renderPlanText(plan(resources), { color: false, width: 100, full });

function linesAfter(shown: string, start: string): string[] {
  const lines = shown.split('\n');
  const at = lines.findIndex((line) => line.startsWith(start));
  return lines.slice(at, lines.indexOf('', at));
}

describe('resources with the same changes', () => {
  test('Resources with the same changes are shown once, with their number, names and the source of the change.', () => {
    expect(linesAfter(text(clinics(3)), '~ 3')).toEqual([
      '~ 3 agents  (on service.example.com)',
      '    clinic-1 to clinic-3',
      '    ~ settings.agentInstructions: 1 number changed  (prompts/dental.md:8)',
      '          Be polite.',
      '        - A check-up takes [-30-] minutes.',
      '        + A check-up takes {+40+} minutes.',
      '          Say goodbye.',
    ]);
  });

  test('Resources with the same changes are followed by what only some of them have.', () => {
    const made = clinics(3, (index) => (index === 1 ? { changes: [change(), edited()], warnings: [saying('w')] } : {}));
    expect(linesAfter(text(made), '~ 3').slice(7)).toEqual([
      '~ Agent/clinic-2, one of these 3  (camp_2 on service.example.com)',
      '    ~ settings.title: "Old" → "New"',
      '    warning: w',
    ]);
  });

  test('Resources with the same changes are each named with --full.', () => {
    const shown = text(clinics(3), true);
    for (const id of [1, 2, 3]) expect(shown).toContain(`~ Agent/clinic-${id}, one of these 3  (camp_${id} on`);
  });

  test('Resources with the same changes share the warnings that several have, which stand below the resources.', () => {
    const alone = resource({ name: 'z', changes: [change()], warnings: [saying('w')] });
    const shown = text([
      ...clinics(3, (index) => ({ warnings: (index === 0 ? ['w', 'own'] : ['w']).map(saying) })),
      alone,
    ]);
    expect(shown.match(/: w$/gm)).toHaveLength(1);
    expect(shown).toContain('\n\nwarning for Agent/clinic-1 to Agent/clinic-3 and Agent/z: w\n');
    expect(shown).toMatch(/Agent\/clinic-1, one of these 3 .*\n {4}warning: own\n/);
  });

  test.each([
    [30, 30, 'all 30 agents of this plan'],
    [30, 28, 'all 30 agents of this plan but clinic-29 and clinic-30'],
    [30, 20, 'clinic-1 to clinic-20'],
  ])(
    'Resources with the same changes of %i, are named by who is not among the %i where that is shorter.',
    (all, inGroup, names) => {
      const made = clinics(all, (index) => (index < inGroup ? {} : { action: 'none', changes: [] }));
      expect(text(made)).toContain(`\n    ${names}\n`);
    },
  );

  test('Resources with the same changes may have other lines before and behind those that change, which are not shown.', () => {
    const before = 'Their own line.\n'.repeat(5);
    const own = (index: number) => `${before.repeat(index)}Common.\nLines.\n`;
    const made = clinics(3, (index) => ({
      changes: [
        edited({ from: own(index + 1) + rule(30), to: own(index + 1) + rule(40), source: { file: 'a', line: index } }),
      ],
    }));
    const shown = linesAfter(text(made), '~ 3');
    expect(shown[2]).toBe('    ~ settings.agentInstructions: 1 number changed');
    expect(shown.join('\n')).not.toMatch(/Their own|@ line/);
  });

  test('Resources with the same changes that are masked are a group, and none of their values is told.', () => {
    const made = clinics(2, (index) => ({
      changes: [change({ from: sensitive(`a${index}`), to: sensitive(`b${index}`) })],
    }));
    expect(text(made)).toMatch(/~ 2 agents .*\n.*\n {4}~ settings\.title: \(sensitive, changes\)\n/);
  });

  test('Resources with the same changes but in conflict are shown one by one, each with its command.', () => {
    const conflict = change({ from: 'a', to: 'b', lastApplied: 'c', cause: 'conflict' });
    const shown = text(clinics(2, () => ({ changes: [conflict] })));
    expect(shown).toContain('~ Agent/clinic-1  (');
    expect(shown).toContain('--overwrite Agent/clinic-2');
  });
});

describe('a group in a pull request', () => {
  test('A group in a pull request is one section.', () => {
    const { text: shown, shortened } = planMarkdown(plan(clinics(500)));
    expect(shown).toContain('<summary><b>update</b> 500 agents: 1 change <i>(on service.example.com)</i></summary>');
    expect(shown).toContain('all 500 agents of this plan');
    expect(shown.match(/A check-up takes \{\+40\+\} minutes/g)).toHaveLength(1);
    expect({ shortened, isShort: shown.length < 4_000 }).toEqual({ shortened: false, isShort: true });
  });

  test('A group in a pull request has what only some have behind what all have.', () => {
    const made = clinics(3, (index) => (index === 1 ? { changes: [change(), edited()] } : {}));
    expect(planMarkdown(plan(made)).text).toMatch(
      /40\+\} minutes[\s\S]*`Agent\/clinic-2` also, one of these 3:\n\n[\s\S]*"New"/,
    );
  });
});
