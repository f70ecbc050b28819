import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rowsOf } from '../../src/commands/task/upload/command.ts';
import { renderUploadEnd } from '../../src/commands/task/upload/text.ts';
import { type UploadResult, uploadTasks } from '../../src/commands/task/upload/upload.ts';
import { AgentformError } from '../../src/errors.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { workplace } from '../support/in-process.ts';
import { projectFile, token } from '../support/remote.ts';
import { reply, startTaskService, type TaskService } from '../support/task-service.ts';

const rows = 9;

/** What becomes of a request: whether its rows are queued, and what the client hears of it. */
const fates = {
  answered: { queued: true, reply: undefined },
  refused: { queued: false, reply: reply(400, { success: false, message: 'no' }) },
  'lost, queued': { queued: true, reply: 'reset' },
  'lost, not queued': { queued: false, reply: 'reset' },
  'failed, queued': { queued: true, reply: reply(500, 'x') },
  'failed, not queued': { queued: false, reply: reply(500, 'x') },
} as const;

type Fate = keyof typeof fates;

/** What the user does after a run: says nothing, decides about some of the ranges, or gives an option without rows. */
interface Turn {
  readonly how: 'resume' | 'decide' | 'bare';
  /** Which of the ranges, as bits. */
  readonly which: number;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  how: fc.constantFrom('resume', 'decide', 'decide', 'bare'),
  which: fc.nat({ max: 31 }),
});

let service: TaskService;

beforeAll(async () => {
  service = await startTaskService();
});
afterAll(() => service.close());

test(
  'whatever answers are lost and however they are decided, nobody is called twice and nobody is left out',
  async () => {
    const fate = fc.constantFrom(...(Object.keys(fates) as Fate[]));
    const history = fc.record({
      batchRows: fc.integer({ min: 1, max: 4 }),
      fates: fc.array(fate, { maxLength: 12 }),
      turns: fc.array(turn, { maxLength: 12 }),
    });
    await fc.assert(fc.asyncProperty(history, play), fuzzing(30));
  },
  fuzzTimeout,
);

async function play({ batchRows, fates: coming, turns }: { batchRows: number; fates: Fate[]; turns: Turn[] }) {
  const place = await workplace({ 'agentform.yaml': projectFile(service.baseUrl) }, { AGENT_TOKEN: token });
  const called: number[] = [];
  const left = [...coming];
  service.answer = ({ upload }) => {
    const fate = fates[left.shift() ?? 'answered'];
    if (fate.queued) called.push(...[...(upload?.csv ?? '').matchAll(/^ping,(\d+)$/gm)].map(([, row]) => Number(row)));
    return fate.reply;
  };
  try {
    await place.write(
      'tasks.csv',
      `type,context\n${numbers()
        .map((row) => `ping,${row}\n`)
        .join('')}`,
    );
    const run = (flags: Flags) => upload(place, { batchRows, ...flags });
    let end = await run({ resume: false });
    for (const { how, which } of turns) {
      if (end === undefined || called.length === rows) break;
      end = await run({ resume: true, ...flagsOf(end, { how, which, called }) });
    }
    // In the end all answers come, and the user decides everything.
    left.length = 0;
    while (end !== undefined && end.sent + end.before < rows) {
      end = await run({ resume: true, ...flagsOf(end, { how: 'decide', which: 31, called }) });
    }
    expect([...called].sort((a, b) => a - b)).toEqual(numbers());
  } finally {
    await place.remove();
  }
}

function numbers(): number[] {
  return Array.from({ length: rows }, (_, index) => index + 1);
}

interface Flags {
  readonly resume: boolean;
  readonly queued?: string;
  readonly notQueued?: string;
}

/** What the user gives, who takes the commands from the message and looks in the service which of each pair is true. */
function flagsOf(end: UploadResult, { how, which, called }: Turn & { readonly called: readonly number[] }) {
  const message = renderUploadEnd({ ...end, command: 'upload' });
  const ranges = [...message.matchAll(/--assume-queued ([\d-]+)$/gm)].map(([, range = '']) => range);
  const isQueued = (range: string) => called.includes(Number(range.split('-')[0]));
  if (how === 'resume' || ranges.length === 0) return {};
  if (how === 'bare') return isQueued(ranges[0] ?? '') ? { queued: '' } : { notQueued: '' };
  const chosen = ranges.filter((_, index) => (which >> index) % 2 === 1);
  const [queued, notQueued] = [chosen.filter(isQueued), chosen.filter((range) => !isQueued(range))];
  return {
    ...(queued.length > 0 && { queued: queued.join(',') }),
    ...(notQueued.length > 0 && { notQueued: notQueued.join(',') }),
  };
}

let last: UploadResult | undefined;

/** One run; one that is refused changes nothing, so that the user looks at the end of the last one once more. */
async function upload(
  { root, host }: Awaited<ReturnType<typeof workplace>>,
  { resume, queued, notQueued, batchRows }: Flags & { readonly batchRows: number },
): Promise<UploadResult | undefined> {
  const calls = service.calls.length;
  try {
    last = await uploadTasks(host, {
      file: `${root}/tasks.csv`,
      project: root,
      environment: 'test',
      query: [],
      dryRun: false,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      confirm: async () => true,
      batchRows,
      resume,
      assumed: { queued: rowsOf('assume-queued', queued), notQueued: rowsOf('assume-not-queued', notQueued) },
    });
  } catch (error) {
    if (!(error instanceof AgentformError) || error.code !== 'upload-refused') throw error;
    expect(queued === '' || notQueued === '').toBe(true);
    expect(service.calls).toHaveLength(calls);
  }
  return last;
}
