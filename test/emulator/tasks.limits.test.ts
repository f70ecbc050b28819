import { expect, test } from '@jest/globals';
import { FormData, request } from 'undici';
import { processorMs } from '../support/processor.ts';
import { start, tasksOf } from './emulated.ts';

test('An upload of 20,000 rows is accepted, which exceeds the limit of other bodies.', async () => {
  const emulator = await start();
  const row = `call,+14155550100,id-0,${'x'.repeat(250)}\n`;
  const body = new FormData();
  body.append('csv', new Blob([`type,target,externalTaskId,context\n${row.repeat(20_000)}`]), 'tasks.csv');
  const before = processorMs();
  const answer = await request(`${emulator.baseUrl}/api/v2/tasks/csv?token=t1`, { method: 'POST', body });
  expect([answer.statusCode, await answer.body.json()]).toMatchObject([200, { rows: 20_000 }]);
  expect(processorMs() - before).toBeLessThan(5_000);
  expect(await tasksOf(emulator)).toMatchObject({ externalTaskIds: 1, repeated: { 'id-0': 20_000 } });
});
