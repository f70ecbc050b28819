import { describe, expect, test } from '@jest/globals';
import { secrecyOf } from '../../src/kinds/secrecy.ts';
import { planResource } from '../../src/plan/resource-plan.ts';
import type { ResourcePlan } from '../../src/schemas/plan-types.ts';
import { agentRecord, campaign, desiredAgent } from '../support/observations.ts';

const rules = Array.from({ length: 20 }, (_, index) => `- Rule number ${index} says what to do.`).join('\n');
const before = `# Desk\n\nBe nice.\n\n## Rules\n\n${rules}\n\n## Emergencies\n\nDial 911.\n`;

interface Planned {
  readonly level?: 'warn' | 'error' | undefined;
  readonly live?: string;
}

function planOf(now: string, { level = 'warn', live = before }: Planned = {}): ResourcePlan {
  const observation = {
    desired: desiredAgent({ settings: { agentInstructions: now } }),
    record: agentRecord({ 'settings.agentInstructions': live }),
    reading: { campaign: campaign({ agentInstructions: live }) },
  };
  const options = { unverified: 'set', secrecy: secrecyOf([]), orphans: [], shrunkPrompts: level } as const;
  return planResource(observation, options).planned;
}

describe('a plan warns of a prompt', () => {
  test('that loses half of its text', () => {
    expect(planOf('# Desk\n\nBe nice.\n').warnings).toEqual([
      `settings.agentInstructions loses half of its text or more: ${before.trim().length} characters become 16`,
    ]);
  });

  test('that loses a whole section', () => {
    const now = before.replace('## Emergencies\n\nDial 911.\n', 'Bye.\n');
    expect(planOf(now).warnings).toEqual(["settings.agentInstructions loses the whole section 'Emergencies'"]);
  });

  test.each([
    ['with another rule', before.replace('number 3', 'number three')],
    ['with a section that has another name', before.replace('## Emergencies', '## In an emergency')],
    [
      'with a section that is elsewhere',
      `## Emergencies\n\nDial 911.\n${before.replace('## Emergencies\n\nDial 911.\n', '')}`,
    ],
    ['with a section that says something else', before.replace('Dial 911.', 'Transfer the call.')],
  ])('but not of one %s', (_name, now) => {
    expect(planOf(now).warnings).toEqual([]);
  });

  test('but not of a short one', () => {
    expect(planOf('Hi.', { live: 'Hi, and be nice to everybody.' }).warnings).toEqual([]);
  });
});

test('a project may have the resource blocked instead', () => {
  const reasons = [expect.stringContaining('loses half of its text or more')];
  expect(planOf('Hi.', { level: 'error' })).toMatchObject({ action: 'blocked', reasons, changes: [] });
});
