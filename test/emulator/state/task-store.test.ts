import { expect, test } from '@jest/globals';
import { TaskStore } from '../../../src/emulator/state/task-store.ts';

test('The task store recognises repeated external ids among thousands, also after it was saved.', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    task: { type: 'ping' },
    externalTaskId: `id-${index}`,
  }));
  const store = new TaskStore();
  for (const row of rows) store.queue('a', row);
  expect(store.summary()).toMatchObject({ externalTaskIds: 20_000, repeated: {} });
  for (const one of [new TaskStore(store.data()), store]) {
    for (const row of rows.slice(0, 2)) one.queue('a', row);
    one.queue('b', { task: { type: 'ping' }, externalTaskId: 'id-0' });
    expect(one.summary()).toMatchObject({ externalTaskIds: 20_001, repeated: { 'id-0': 2, 'id-1': 2 } });
  }
});
