import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderUploadJson } from '../../src/commands/task/upload/text.ts';
import { type UploadResult, uploadTasks } from '../../src/commands/task/upload/upload.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { projectFile, token } from '../support/remote.ts';
import { reply, startTaskService, type TaskService } from '../support/task-service.ts';
import { uploadIn } from '../support/upload-json.ts';

const rows = 9;

/** The outcome of a request: whether its rows are queued, and what the client learns. */
const fates = {
  answered: { queued: true, reply: undefined },
  refused: { queued: false, reply: reply(400, { success: false, message: 'no' }) },
  'lost, queued': { queued: true, reply: 'reset' },
  'lost, not queued': { queued: false, reply: 'reset' },
  'failed, queued': { queued: true, reply: reply(500, 'x') },
  'failed, not queued': { queued: false, reply: reply(500, 'x') },
} as const;

type Fate = keyof typeof fates;

let service: TaskService;

beforeAll(async () => {
  service = await startTaskService();
});
afterAll(() => service.close());

test(
  'After any lost answers, the printed commands call every person exactly once.',
  async () => {
    const history = fc.record({
      batchRows: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }),
      fates: fc.array(fc.constantFrom(...(Object.keys(fates) as Fate[])), { maxLength: 12 }),
    });
    await fc.assert(fc.asyncProperty(history, play), fuzzing(30));
  },
  fuzzTimeout,
);

/** Uploads until all rows are queued. Each run has a batch size, and each request a random fate. */
async function play({ batchRows, fates: coming }: { batchRows: number[]; fates: Fate[] }) {
  const place = await workplace({ 'agentform.yaml': projectFile(service.baseUrl) }, { AGENT_TOKEN: token });
  const called: number[] = [];
  const left = [...coming];
  service.answer = ({ upload: form }) => {
    const fate = fates[left.shift() ?? 'answered'];
    if (fate.queued) called.push(...[...(form?.csv ?? '').matchAll(/^ping,(\d+)$/gm)].map(([, row]) => Number(row)));
    return fate.reply;
  };
  try {
    const lines = numbers().map((row) => `ping,${row}\n`);
    await place.write('tasks.csv', `type,context\n${lines.join('')}`);
    let next: number | undefined = 1;
    for (let run = 0; next !== undefined; run += 1) {
      expect(run).toBeLessThanOrEqual(coming.length);
      next = nextRow(await upload(place, { fromRow: next, batchRows: batchRows[run % batchRows.length] }), called);
    }
    expect(called).toEqual(numbers());
  } finally {
    await place.remove();
  }
}

function numbers(): number[] {
  return Array.from({ length: rows }, (_, index) => index + 1);
}

/** Returns the row from which a user continues after checking which tasks exist on the service. */
function nextRow(end: UploadResult, called: readonly number[]): number | undefined {
  const { unclear, reason } = uploadIn(renderUploadJson({ ...end, command: ['task', 'upload'], account: [] }));
  const wasQueued = unclear !== undefined && called.includes(unclear.firstRow);
  const chosen = reason?.remedies[wasQueued ? 1 : 0];
  return chosen && Number(chosen.at(-1));
}

function upload(
  { root, host }: Workplace,
  options: { readonly fromRow: number; readonly batchRows: number | undefined },
) {
  return uploadTasks(host, {
    file: `${root}/tasks.csv`,
    project: root,
    query: [],
    dryRun: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    confirm: async () => true,
    ...options,
  });
}
