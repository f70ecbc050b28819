import { expect, test } from '@jest/globals';
import { type PlanOptions, plan } from '../../src/index.ts';

test.each([
  [{ names: 'front-desk' }, 'names is to be a list of texts'],
  [{ exclude: [1] }, 'exclude is to be a list of texts'],
  [{ concurrency: -1 }, 'concurrency is to be a whole number from 1 up'],
  [{ concurrency: '4' }, 'concurrency is to be a whole number from 1 up'],
])('options of a program without types: %j', async (options, message) => {
  const planning = plan(options as unknown as PlanOptions);
  await expect(planning).rejects.toMatchObject({ name: 'AgentformError', code: 'usage', message });
});
