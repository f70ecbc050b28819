import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createServiceClient, type TaskUpload } from '../../src/service/client.ts';
import {
  type Answer,
  connectionTo,
  cutOff,
  failureOf,
  inTurn,
  json,
  type Loopback,
  type Received,
  reset,
  serve,
  text,
} from './loopback.ts';

let server: Loopback;
let client = createServiceClient();

async function start(answer: Answer, timeoutMs = 1_000) {
  server = await serve(answer);
  client = createServiceClient({ timeoutMs, retry: { backoffMs: 1 } });
  return connectionTo(server.baseUrl);
}

afterEach(async () => {
  await client.close();
  await server?.close();
});

const csv = 'type,target\ncall,+14155550100\n';
const uploadOf = (dryRun: boolean): TaskUpload => ({ csv: new Blob([csv]), fileName: 'tasks.csv', dryRun });

async function partsOf(received: Received | undefined) {
  const headers = { 'content-type': received?.headers['content-type'] ?? '' };
  const form = await new Response(received?.body ?? '', { headers }).formData();
  const file = form.get('csv');
  if (file === null || typeof file === 'string') throw new Error('csv is not a file');
  return { names: [...form.keys()], text: await file.text(), file, dryRun: form.get('dryRun') };
}

describe('an upload to the service', () => {
  test.each([true, false])('An upload is a form with the file and the text dryRun=%s.', async (dryRun) => {
    const connection = await start(json(200, { success: true, message: 'ok', rows: 1 }));
    expect(await client.uploadTasks(connection, uploadOf(dryRun))).toMatchObject({ success: true, rows: 1 });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'POST', path: '/api/v2/tasks/csv' });
    expect(Number(request?.headers['content-length'])).toBe(Buffer.byteLength(request?.body ?? ''));
    const parts = await partsOf(request);
    expect(parts).toMatchObject({ names: ['csv', 'dryRun'], text: csv, dryRun: String(dryRun) });
    expect(parts.file).toMatchObject({ name: 'tasks.csv', type: 'text/csv' });
  });

  test('An upload streams its file from the disk.', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agentform-upload-'));
    const path = join(folder, 'tasks.csv');
    const long = csv + 'call,+14155550100\n'.repeat(100_000);
    await writeFile(path, long);
    const connection = await start(json(200, {}), 10_000);
    await client.uploadTasks(connection, { csv: await openAsBlob(path), fileName: 'tasks.csv', dryRun: false });
    expect((await partsOf(server.received[0])).text).toBe(long);
    await rm(folder, { recursive: true });
  });

  test('An upload that only validates is repeated as a whole.', async () => {
    const connection = await start(inTurn(reset, text(503, ''), json(200, { success: true })));
    await client.uploadTasks(connection, uploadOf(true));
    expect(server.received).toHaveLength(3);
    for (const received of server.received) expect((await partsOf(received)).text).toBe(csv);
  });

  test.each<[string, Answer]>([
    ['a reset', reset],
    ['500', text(500, '')],
    ['a body that is cut off', cutOff],
    ['half of the JSON', text(200, '{"success":tr')],
    ['a page', text(200, '<!DOCTYPE html><html></html>')],
    ['a redirect', text(303, '', { location: '/done' })],
    ['another shape', json(200, { success: 'yes' })],
  ])('An upload that queues is sent once after %s.', async (_name, answer) => {
    const connection = await start(answer);
    const error = await failureOf(client.uploadTasks(connection, uploadOf(false)));
    expect(error).toMatchObject({ code: 'service-unclear', outcome: 'unclear', facts: { tries: 1 } });
    expect(error.message).toMatch(
      /^uploading the tasks of tasks\.csv failed: .*the service may or may not have carried out the request$/,
    );
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(server.received).toHaveLength(1);
  });

  test('An upload that queues is repeated after 429.', async () => {
    const connection = await start(inTurn(text(429, '', { 'retry-after': '1' }), json(200, { success: true })));
    await client.uploadTasks(connection, uploadOf(false));
    expect(server.received).toHaveLength(2);
    expect((await partsOf(server.received[1])).text).toBe(csv);
  });

  test('A large upload has more time.', async () => {
    const slow: Answer = (response) => setTimeout(() => json(200, { success: true })(response), 900);
    const connection = await start(slow, 500);
    const small = await failureOf(client.uploadTasks(connection, uploadOf(false)));
    expect(small).toMatchObject({ code: 'service-unclear' });
    const large = { csv: new Blob([csv, 'x'.repeat(200_000)]), fileName: 'tasks.csv', dryRun: false };
    expect(await client.uploadTasks(connection, large)).toEqual({ success: true });
  });

  test('A refused upload reports the message of the service, and the name of the file on one line.', async () => {
    const connection = await start(json(400, { success: false, message: 'line 2: no target' }));
    const upload = { ...uploadOf(true), fileName: 'a\n"b".csv' };
    const error = await failureOf(client.uploadTasks(connection, upload));
    expect(error).toMatchObject({ code: 'service-refused', outcome: 'clear' });
    expect(error.message).toBe(
      'validating the tasks of a "b".csv failed: the service returned 400 Bad Request and said "line 2: no target"',
    );
  });
});

describe('answers of unspecified shape', () => {
  const calls = [
    ['createTask', (connection: Parameters<typeof client.createTask>[0]) => client.createTask(connection, {})],
    [
      'uploadTasks',
      (connection: Parameters<typeof client.createTask>[0]) => client.uploadTasks(connection, uploadOf(false)),
    ],
  ] as const;

  const fine: readonly (readonly [string, Answer])[] = [
    ['nothing', text(201, '')],
    ['204', text(204, '')],
    ['words', text(200, 'Task created successfully')],
    ['a number', text(200, '17')],
    ['a list', json(200, [{ id: 1 }])],
    ['a text', json(200, 'queued')],
    ['null', json(200, null)],
    ['words in another encoding', (response) => response.end(Buffer.from('erledigt f\xfcr heute', 'latin1'))],
  ];

  const bad: readonly (readonly [string, Answer, object])[] = [
    ['success false', json(201, { success: false, message: 'no' }), { code: 'service-refused', outcome: 'clear' }],
    ['JSON that was not ended', text(201, '{"success":fal'), { outcome: 'unclear' }],
    ['a page', text(200, ' <html></html>'), { outcome: 'unclear' }],
    ['a body that is cut off', cutOff, { outcome: 'unclear' }],
    ['words with a failing status', text(400, 'no'), { code: 'service-refused', outcome: 'clear' }],
  ];

  for (const [name, call] of calls) {
    test.each(fine)(`The answer to ${name} is accepted: %s`, async (_name, answer) => {
      expect(await call(await start(answer))).toEqual({});
    });

    test.each(bad)(`The answer to ${name} is a failure: %s`, async (_name, answer, facts) => {
      expect(await failureOf(call(await start(answer)))).toMatchObject(facts);
      expect(server.received).toHaveLength(1);
    });

    test(`The answer to ${name} is returned with its message.`, async () => {
      const answer = { success: true, message: 'queued', taskId: 'task_1', rows: 4 };
      expect(await call(await start(json(201, answer)))).toEqual(answer);
    });
  }
});
