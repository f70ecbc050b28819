import { expect, test } from '@jest/globals';
import { expectHarmless, hostile, prompt } from '../../e2e/action/hostile.ts';
import { onPullRequest, scenario, useScenario } from '../../e2e/action/scenario.ts';
import { hostile as hostileControls, rawControlsIn } from '../../support/raw-controls.ts';

useScenario();

test('A hostile prompt of 200 KB is shown completely over several comments.', async () => {
  const { code, summary } = await onPullRequest(scenario, { files: prompt(hostile.repeat(500)) });
  const bodies = scenario.github.comments.map(({ body }) => body);
  expect({ code, parts: bodies.length > 3 && bodies.length <= 10 }).toEqual({ code: 0, parts: true });
  expect(summary.length).toBeGreaterThan(200_000);
  for (const body of bodies) {
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).not.toContain('it cannot approve an apply');
    expectHarmless(body);
  }
  expectHarmless(summary);
});

test('A plan beyond the size limits of comments and summaries is cut off and approves nothing.', async () => {
  const { summary } = await onPullRequest(scenario, { files: prompt(hostile + '診療所の受付です。\n'.repeat(80_000)) });
  const [body = '', ...others] = scenario.github.comments.map((comment) => comment.body);
  expect(others).toEqual([]);
  expect(body.split('\n')[0]).toMatch(/"shortened":true/);
  expect(body).not.toContain('診療所');
  expect(body).toContain('it cannot approve an apply');
  expectHarmless(body);
  expect(Buffer.byteLength(summary)).toBeLessThan(1_048_576);
  expect(summary).not.toContain('診療所');
});

test('In a plan, answers of the service reach the log with visible control characters.', async () => {
  scenario.service.before = () => ({ status: 400, body: JSON.stringify({ success: false, message: hostileControls }) });
  const { log } = await onPullRequest(scenario);
  expect(rawControlsIn(log)).toEqual([]);
});
