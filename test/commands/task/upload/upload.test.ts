import { appendFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { renderUploadEnd, renderUploadJson } from '../../../../src/commands/task/upload/text.ts';
import {
  type UploadOptions,
  type UploadResult,
  type UploadStep,
  uploadTasks,
} from '../../../../src/commands/task/upload/upload.ts';
import { notice } from '../../../../src/notices/notice.ts';
import { sentenceOf } from '../../../../src/report/notices.ts';
import { type Workplace, workplace } from '../../../support/in-process.ts';
import { projectFile, type Remote, startRemote, token } from '../../../support/remote.ts';
import { reply, startTaskService } from '../../../support/task-service.ts';
import { uploadIn } from '../../../support/upload-json.ts';

let remote: Remote;
let place: Workplace;

beforeEach(async () => {
  remote = await startRemote();
  place = await workplace({ 'agentform.yaml': projectFile(remote.baseUrl), 'tasks.csv': csv }, { AGENT_TOKEN: token });
});
afterEach(async () => {
  await place.remove();
  await remote.close();
});

/** Five rows. The second row has two lines. An empty row and an empty line precede the fourth row. */
const csv = 'type,context\nping,1\nping,"2\n"\nping,3\n,\n\nping,4\nping,5\n';

function upload(options: Partial<UploadOptions> = {}): Promise<UploadResult> {
  return uploadTasks(place.host, {
    file: join(place.root, 'tasks.csv'),
    project: place.root,
    query: [],
    dryRun: false,
    batchRows: 2,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    confirm: async () => true,
    ...options,
  });
}

/** The rows that the service has queued, in order. */
async function queued(): Promise<number[]> {
  const state = await fetch(`${remote.baseUrl}/__emulator/state`);
  const { tasks } = (await state.json()) as { tasks: { recent: { task: { context: string } }[] } };
  return tasks.recent.map(({ task }) => Number(task.context));
}

const command = ['task', 'upload', 'tasks.csv'];
const suggested = { command, account: ['-e', 'test'] };

/** Runs the command that the result suggests if the unclear rows have this outcome. */
async function goOn(end: UploadResult, truth: 'queued' | 'not queued'): Promise<UploadResult | undefined> {
  const answer = uploadIn(renderUploadJson({ ...end, ...suggested }));
  const words = answer.reason?.remedies[answer.unclear !== undefined && truth === 'queued' ? 1 : 0];
  if (words === undefined) return undefined;
  expect(words.slice(0, -1)).toEqual([...command, '--from-row']);
  expect(renderUploadEnd({ ...end, ...suggested })).toContain(`agentform ${words.join(' ')}\n`);
  return upload({ fromRow: Number(words.at(-1)) });
}

describe.each([
  ['reset-before-write:', 'unclear', 'not queued'],
  ['reset-after-write:', 'unclear', 'queued'],
  ['truncated-body:', 'unclear', 'queued'],
  ['truncated-json:', 'unclear', 'queued'],
  ['server-error:', 'unclear', 'not queued'],
  ['html-error:', 'unclear', 'not queued'],
  ['success-false:', 'failed', 'not queued'],
  ['rate-limit:retryAfter=400,', 'failed', 'not queued'],
] as const)('the fault %s', (fault, outcome, truth) => {
  test.each([
    [
      'second',
      { accepted: { firstRow: 1, lastRow: 2 }, notSent: { firstRow: 5, lastRow: 5 } },
      { firstRow: 3, lastRow: 4 },
    ],
    ['last', { accepted: { firstRow: 1, lastRow: 4 } }, { firstRow: 5, lastRow: 5 }],
  ])(
    'A fault in the %s request ends the upload, and the printed command queues every row once.',
    async (_, known, rows) => {
      await remote.faults([`${fault}operation=uploadTasks,skip=${Math.floor(rows.firstRow / 2)},times=1`]);
      const end = await upload();
      const { upload: checked, messages, reason, ...ranges } = end;
      expect(ranges).toEqual({ ...known, [outcome]: rows });
      expect(reason?.facts.why).toBe(outcome);
      expect(reason && sentenceOf(reason)).toMatch(/^uploading the tasks of tasks\.csv failed: /);
      expect(await queued()).toHaveLength(
        known.accepted.lastRow + (truth === 'queued' ? rows.lastRow - rows.firstRow + 1 : 0),
      );
      const rest = await goOn(end, truth);
      expect(rest?.failed ?? rest?.unclear ?? rest?.notSent).toBeUndefined();
      expect(await queued()).toEqual([1, 2, 3, 4, 5]);
    },
  );
});

test('An unclear end is explained with the rows and a command for either case.', async () => {
  await remote.faults(['reset-after-write:operation=uploadTasks,skip=1']);
  const text = renderUploadEnd({ ...(await upload()), ...suggested });
  expect(text).toBe(
    [
      '2 of 5 tasks are queued in test: rows 1 to 2.',
      'The service says: 2 tasks were queued',
      'It is unclear whether rows 3 to 4 are queued: uploading the tasks of tasks.csv failed: the connection broke before a response arrived (connection reset); the service may or may not have carried out the request',
      'Not sent: row 5.',
      'The service does not list its tasks. Look in the dashboard or, once the tasks are due, in `agentform inbox -e test`. Then run:',
      '  if they are queued:     agentform task upload tasks.csv --from-row 5',
      '  if they are not queued: agentform task upload tasks.csv --from-row 3',
      'Row numbers start at 1, without the header and empty rows.',
      '',
    ].join('\n'),
  );
});

test('An upload with an unclear last row prints a command only for the case that it is missing.', async () => {
  await remote.faults(['reset-before-write:operation=uploadTasks']);
  const text = renderUploadEnd({ ...(await upload({ fromRow: 5 })), ...suggested });
  expect(text).toMatch(/^0 of 1 task is queued in test\.\nIt is unclear whether row 5 is queued: /);
  expect(text).toContain(
    '  if it is not queued:    agentform task upload tasks.csv --from-row 5\nIf it is queued, the upload is complete.\n',
  );
});

test('An upload without a connection queues no row, and continues with the same rows.', async () => {
  await remote.close();
  const end = await upload();
  expect(end).toMatchObject({ failed: { firstRow: 1, lastRow: 2 }, notSent: { firstRow: 3, lastRow: 5 } });
  expect(renderUploadEnd({ ...end, ...suggested })).toContain(
    'To continue: agentform task upload tasks.csv --from-row 1\n',
  );
});

test('A lost answer to a dry run leaves nothing unclear and prints no command.', async () => {
  const service = await startTaskService();
  service.answer = () => (service.calls.length === 2 ? reply(303, 'elsewhere') : undefined);
  await place.write('agentform.yaml', projectFile(service.baseUrl));
  const end = await upload({ dryRun: true });
  await service.close();
  expect(service.calls.map((call) => call.upload?.dryRun)).toEqual(['true', 'true']);
  expect(end).toMatchObject({ accepted: { lastRow: 2 }, failed: { firstRow: 3 }, notSent: { firstRow: 5 } });
  const text = renderUploadEnd({ ...end, ...suggested });
  expect(text).toContain('The dry run stopped, and rows 3 to 4 are not validated: ');
  expect(text).not.toContain('agentform task upload');
  expect(uploadIn(renderUploadJson({ ...end, ...suggested })).reason?.remedies).toEqual([]);
});

test('An upload announces each request before it is sent.', async () => {
  const seen: (readonly [number, number])[] = [];
  await upload({
    fromRow: 2,
    onProgress: (step) => {
      if (step.phase === 'send') seen.push([step.firstRow, step.lastRow]);
    },
  });
  expect(seen).toEqual([
    [2, 3],
    [4, 5],
  ]);
  expect(await queued()).toEqual([2, 3, 4, 5]);
});

test('An interrupted upload finishes its request, and the printed command sends the rest.', async () => {
  const controller = new AbortController();
  const onProgress = ({ phase }: UploadStep) => {
    if (phase === 'send') controller.abort();
  };
  const end = await upload({ signal: controller.signal, onProgress });
  const { upload: _, messages, ...ranges } = end;
  expect(ranges).toEqual({
    accepted: { firstRow: 1, lastRow: 2 },
    notSent: { firstRow: 3, lastRow: 5 },
    reason: notice('upload-stopped', { why: 'interrupted' }),
  });
  expect(await queued()).toEqual([1, 2]);
  await goOn(end, 'queued');
  expect(await queued()).toEqual([1, 2, 3, 4, 5]);
});

test('An upload that is interrupted during the check sends nothing.', async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(upload({ signal: controller.signal })).rejects.toMatchObject({ code: 'interrupted' });
  expect(await queued()).toEqual([]);
});

test('A file that changes between two requests ends the upload before the second.', async () => {
  const service = await startTaskService();
  service.answer = () => {
    appendFileSync(join(place.root, 'tasks.csv'), 'ping,6\n');
    return undefined;
  };
  await place.write('agentform.yaml', projectFile(service.baseUrl));
  const end = await upload();
  await service.close();
  expect(end).toMatchObject({
    accepted: { firstRow: 1, lastRow: 2 },
    notSent: { firstRow: 3, lastRow: 5 },
    reason: notice('upload-stopped', { why: 'file-changed', changedFile: join(place.root, 'tasks.csv') }),
  });
  expect(renderUploadEnd({ ...end, ...suggested })).toMatch(
    /^The upload stopped: .*\nNot sent: rows 3 to 5\.\nTo continue: .* --from-row 3$/m,
  );
  expect(service.calls).toHaveLength(1);
});

test('A file that is cut off during a request leaves the rows of the request unclear.', async () => {
  const onProgress = ({ phase }: UploadStep) => {
    if (phase === 'send') truncateSync(join(place.root, 'tasks.csv'), 3);
  };
  const end = await upload({ onProgress });
  expect(end).toMatchObject({ unclear: { firstRow: 1, lastRow: 2 }, notSent: { firstRow: 3, lastRow: 5 } });
  expect(end.reason && sentenceOf(end.reason)).toMatch(/; \S+tasks\.csv changed during the upload/);
  expect(uploadIn(renderUploadJson({ ...end, ...suggested })).unclear).toEqual({ firstRow: 1, lastRow: 2 });
  expect(await queued()).toEqual([]);
});

test('A first row beyond the end of the file is refused before any request.', async () => {
  await expect(upload({ fromRow: 6 })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^--from-row is 6, but .*tasks\.csv has only 5 rows; nothing was sent$/),
  });
  expect(await queued()).toEqual([]);
});
