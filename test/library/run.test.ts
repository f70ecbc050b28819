import { expect, test } from '@jest/globals';
import { type PlanOptions, plan } from '../../src/index.ts';

test.each([
  [{ names: 'front-desk' }, 'names must be an array of strings'],
  [{ exclude: [1] }, 'exclude must be an array of strings'],
  [{ concurrency: -1 }, 'concurrency must be an integer of at least 1'],
  [{ concurrency: '4' }, 'concurrency must be an integer of at least 1'],
])('The library refuses untyped options: %j', async (options, message) => {
  const planning = plan(options as unknown as PlanOptions);
  await expect(planning).rejects.toMatchObject({ name: 'AgentformError', code: 'usage', message });
});
