import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resourceDigest } from '../../../src/plan/digests.ts';
import { assemblePlan } from '../../../src/plan/plan.ts';
import { renderPlanJson } from '../../../src/report/json.ts';
import type { Plan } from '../../../src/schemas/plan-types.ts';
import { PlanReader, readApprovedPlan, readSavedPlan } from '../../../src/session/plans/saved-plan.ts';
import { change, resource } from '../../report/plan/plan-builders.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-large-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(content: string | Buffer): Promise<string> {
  const path = join(folder, 'plan.json');
  await writeFile(path, content);
  return path;
}

/** Returns a plan with a change of one setting for each of these values. */
function planOf(values: readonly string[]): Plan {
  const resources = values.map((to, index) => {
    const made = resource({ name: `agent-${100 + index}`, changes: [change({ to })] });
    return { ...made, digest: resourceDigest(made) };
  });
  return assemblePlan({ environment: 'production', refusals: [], resources });
}

test('A saved plan may be larger than what a run keeps in memory.', async () => {
  const long = 'x'.repeat(2 ** 20);
  const large = planOf(Array.from({ length: 8 }, (_, index) => `${long}${index}`));
  const read = await readApprovedPlan(await fileOf(renderPlanJson(large)));
  expect(read.resources).toHaveLength(8);
  expect(read.digest).toBe(large.digest);
  expect(JSON.stringify(read).length).toBeLessThan(20_000);
});

test('A saved plan with endless short lines is refused before they fill the memory.', () => {
  const reader = new PlanReader((one) => one);
  const lines = () => {
    for (let count = 0; count < 3_000_000; count += 1) reader.take('');
  };
  expect(lines).toThrow(/^it is too large: the limit is 256 MiB$/);
});

test.each<[string, string | Buffer, RegExp]>([
  ['one line without an end', Buffer.alloc(65 * 2 ** 20, '['), /line 1 is too long: the limit is 64 MiB$/],
  [
    'a resource with more values than fit into memory',
    renderPlanJson(planOf(['x'])).replace('"reasons":[', `"reasons":[${'{},'.repeat(1_100_000)}`),
    /line \d+: it has more than 1,000,000 values$/,
  ],
])('A saved plan is refused with %s.', async (_name, content, problem) => {
  const path = await fileOf(content);
  for (const read of [readSavedPlan, readApprovedPlan]) {
    await expect(read(path)).rejects.toMatchObject({
      code: 'plan-unreadable',
      message: expect.stringMatching(problem),
    });
  }
});
