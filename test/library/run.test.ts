import { expect, test } from '@jest/globals';
import { blame, diff, forgetRecords, history, hold, type PlanOptions, plan, status } from '../../src/index.ts';

test.each([
  [{ names: 'front-desk' }, 'names must be an array of strings'],
  [{ exclude: [1] }, 'exclude must be an array of strings'],
  [{ new: 'all' }, 'new must be an array of strings'],
  [{ allowedHosts: 'example.com' }, 'allowedHosts must be an array of strings'],
  [{ concurrency: -1 }, 'concurrency must be an integer of at least 1'],
  [{ concurrency: '4' }, 'concurrency must be an integer of at least 1'],
  [{ allowCreates: -1 }, 'allowCreates must be an integer of at least 0'],
  [{ fromRow: Number.NaN }, 'fromRow must be an integer of at least 1'],
  [{ batchRows: 0 }, 'batchRows must be an integer of at least 1'],
  [{ page: 1.5 }, 'page must be an integer of at least 0'],
  [{ query: 'targetAccountId=17' }, 'query must be an array of strings'],
])('The library refuses untyped options: %j', async (options, message) => {
  const planning = plan(options as unknown as PlanOptions);
  await expect(planning).rejects.toMatchObject({ name: 'AgentformError', code: 'usage', message });
});

test.each([plan, hold, status, diff, history, blame, forgetRecords])(
  'The library function %p does nothing if its signal is already aborted.',
  async (run: (options: never) => Promise<unknown>) => {
    const options = { project: '/no-such-project', signal: AbortSignal.abort() };
    await expect(run(options as never)).rejects.toMatchObject({ name: 'AgentformError', code: 'interrupted' });
  },
);
