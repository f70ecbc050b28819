import { describe, expect, test } from '@jest/globals';
import { planPages } from '../../../src/report/plan.ts';
import type { Plan, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { saying } from '../../support/notices.ts';
import { change, plan, resource } from '../plan/plan-builders.ts';

/** Returns the only page, and whether content was omitted. */
function planMarkdown(made: Plan, options: { readonly limit?: number } = {}) {
  const { pages, shortened } = planPages(made, { ...options, maxPages: 1 });
  return { text: pages[0] ?? '', shortened };
}

describe('the size limit of a comment', () => {
  const prompt = (lines: number) =>
    change({ path: 'settings.agentInstructions', to: 'Be kind.\n'.repeat(lines), from: 'x' });

  test('A comment stays within the limit with notices for thousands of agents.', () => {
    const loud = (index: number): ResourcePlan =>
      resource({
        name: `agent-${index}`,
        action: index % 2 === 0 ? 'blocked' : 'update',
        reasons: [saying('@everyone '.repeat(200))],
        warnings: [saying('<b>'.repeat(400))],
        changes: [change({ cause: 'conflict', from: String(index) }), prompt(30)],
      });
    const { text, shortened } = planMarkdown(plan(Array.from({ length: 400 }, (_, index) => loud(index))));
    expect(shortened).toBe(true);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toContain('200 agents cannot be applied');
    expect(text).toContain('and 150 more questions');
  });

  test('A comment with little room shows fewer questions and rows, and always the first.', () => {
    const title = (index: number) => `Clinic ${index} ${'in a town with a long name '.repeat(20)}`;
    const edited = (index: number) =>
      resource({
        name: `clinic-${index}`,
        title: title(index),
        changes: [change({ cause: 'drift', from: 'x', to: `${index}` })],
      });
    const made = plan(Array.from({ length: 200 }, (_, index) => edited(index)));
    for (const limit of [60_000, 40_000, 20_000, 10_000]) {
      const { text } = planMarkdown(made, { limit });
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(text).toContain('<!-- question 7 -->');
      expect(text).toMatch(/and 1\d\d more questions/);
      expect(text).toContain('#### Changes');
    }
  });
});
