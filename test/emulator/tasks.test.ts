import { describe, expect, test } from '@jest/globals';
import { FormData, request } from 'undici';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { serviceTaskCreated, serviceTasksUploaded } from '../../src/schemas/service-validators.js';
import { call, refused, send, start, tasksOf } from './emulated.ts';

describe('creating a task', () => {
  test.each<[string, object]>([
    ['call', { target: '+14155550100', meta: { bridgeAfterAnswer: { destination: '+14155550101', monitor: true } } }],
    ['text', { target: '+14155550100', context: 'Remind.', scheduledFor: 1_790_000_000 }],
    ['email', { target: 'a@b.example', message: '<b>Hello</b>', meta: { email: { subject: 'Hello' } } }],
    ['ping', {}],
  ])('A task of type %s is queued under an id.', async (type, rest) => {
    const emulator = await start();
    const created = await call(emulator, 'tasks', { type, ...rest });
    expect(created).toMatchObject({ status: 201, body: { success: true, taskId: 'task_1' } });
    expect(serviceTaskCreated(created.body)).toBe(true);
    const account = expect.stringMatching(/^acct_/);
    expect(await tasksOf(emulator)).toMatchObject({ recent: [{ id: 'task_1', account, task: { type, ...rest } }] });
    expect(Object.values((await tasksOf(emulator)).queued ?? {})).toEqual([{ [type]: 1 }]);
  });

  test('A task keeps the name, type and size of its attachments, not their content.', async () => {
    const emulator = await start();
    const content = Buffer.alloc(3_000_000, 'x').toString('base64');
    const attachment = { filename: 'a.pdf', type: 'application/pdf', disposition: 'attachment' };
    const meta = {
      email: {
        subject: 'Hello',
        attachments: [
          { ...attachment, content },
          { ...attachment, content },
        ],
      },
    };
    expect((await call(emulator, 'tasks', { type: 'email', target: 'a@b.example', meta })).status).toBe(201);
    const kept = { ...attachment, bytes: 3_000_000 };
    expect(await tasksOf(emulator)).toMatchObject({
      recent: [{ task: { meta: { email: { attachments: [kept, kept] } } } }],
    });
    const { requests } = (await send(emulator, '/__emulator/requests')).body;
    const logged = { content: '(4000000 characters)' };
    expect(requests).toMatchObject([{ body: { meta: { email: { attachments: [logged, logged] } } } }]);
  });

  test('The queue shows the last hundred tasks and counts all.', async () => {
    const emulator = await start();
    for (let i = 0; i < 103; i += 1) await call(emulator, 'tasks', { type: 'ping', context: String(i) });
    const { recent, queued } = await tasksOf(emulator);
    expect(recent).toHaveLength(100);
    expect(recent).toMatchObject({ 99: { id: 'task_103', task: { context: '102' } } });
    expect(Object.values(queued ?? {})).toEqual([{ ping: 103 }]);
  });

  test.each<[object, number, string]>([
    [{}, 400, '/type is required'],
    [{ type: 'fax', target: 'x' }, 400, '/type must be one of "call", "text", "email", "ping"'],
    [{ type: 'call' }, 400, 'the body is invalid: /target is required'],
    [{ type: 'text' }, 400, '/target is required'],
    [{ type: 'email' }, 400, '/target is required'],
    [{ type: 'call', target: '' }, 400, '/target'],
    [{ type: 'ping', scheduledFor: '2026-12-01' }, 400, '/scheduledFor must be integer'],
    [{ type: 'ping', waitToGreet: 'true' }, 400, '/waitToGreet must be boolean'],
    [
      { type: 'call', target: 'x', meta: { bridgeAfterAnswer: {} } },
      400,
      '/meta/bridgeAfterAnswer/destination is required',
    ],
    [
      { type: 'email', target: 'x', meta: { email: { attachments: [{}] } } },
      400,
      '/meta/email/attachments/0/filename is required',
    ],
  ])('The task %j is refused.', async (body, status, sentence) => {
    const emulator = await start();
    expect(await call(emulator, 'tasks', body)).toMatchObject(refused(status, sentence));
    expect(await tasksOf(emulator)).toMatchObject({ queued: {}, recent: [] });
  });

  test('A task needs a token.', async () => {
    expect(await call(await start(), 'tasks', { type: 'ping' }, '')).toMatchObject(refused(401, 'token is missing'));
  });
});

interface Upload {
  readonly csv?: string | Uint8Array;
  readonly dryRun?: string;
  readonly query?: string;
}

async function upload({ baseUrl }: Emulator, { csv, dryRun, query = 'token=t1' }: Upload) {
  const form = new FormData();
  if (csv !== undefined) form.append('csv', new Blob([csv]), 'tasks.csv');
  if (dryRun !== undefined) form.append('dryRun', dryRun);
  const { statusCode, body } = await request(`${baseUrl}/api/v2/tasks/csv?${query}`, { method: 'POST', body: form });
  return { status: statusCode, body: (await body.json()) as object };
}

const header = 'type,target,externalTaskId';
const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `call,+14155550100,id-${from + index}`).join('\n');

describe('uploading tasks', () => {
  test('An upload queues each row and counts its external id.', async () => {
    const emulator = await start();
    const uploaded = await upload(emulator, { csv: `${header}\n${rowsOf(3)}\nping,,\n`, dryRun: 'false' });
    expect(uploaded).toEqual({ status: 200, body: { success: true, rows: 4, message: '4 tasks were queued' } });
    expect(serviceTasksUploaded(uploaded.body)).toBe(true);
    const tasks = await tasksOf(emulator);
    expect(Object.values(tasks.queued ?? {})).toEqual([{ call: 3, ping: 1 }]);
    expect(tasks).toMatchObject({ externalTaskIds: 3, repeated: {}, uploads: [{ fileName: 'tasks.csv', rows: 4 }] });
  });

  test('An upload queues without dryRun, and only validates with dryRun=true.', async () => {
    const emulator = await start();
    const message = '3 rows are valid; nothing was queued';
    expect(await upload(emulator, { csv: `${header}\n${rowsOf(3)}`, dryRun: 'true' })).toMatchObject({
      body: { message },
    });
    expect(await tasksOf(emulator)).toMatchObject({ queued: {}, externalTaskIds: 0, uploads: [], recent: [] });
    await upload(emulator, { csv: `${header}\n${rowsOf(3)}` });
    expect(await tasksOf(emulator)).toMatchObject({ externalTaskIds: 3 });
  });

  test('The state names external ids that were queued more than once, by account.', async () => {
    const emulator = await start();
    await upload(emulator, { csv: `${header}\n${rowsOf(4)}` });
    await upload(emulator, { csv: `${header}\n${rowsOf(4, 2)}` });
    await upload(emulator, { csv: `${header}\n${rowsOf(1, 3)}` });
    await upload(emulator, { csv: `${header}\n${rowsOf(1)}`, query: 'token=t2' });
    expect(await tasksOf(emulator)).toMatchObject({ externalTaskIds: 7, repeated: { 'id-2': 2, 'id-3': 3 } });
  });

  test('An upload reads every column.', async () => {
    const emulator = await start();
    const attachments = [{ filename: 'a.txt', type: 'text/plain', content: 'aGVsbG8=' }];
    const csv = [
      '\ufefftype,target,context,taskContext,greeting,waitToGreet,accountId,scheduledFor,message,externalTaskId,meta.email.subject,meta.email.attachments',
      `email,a@b.example,"Says ""hi"",\r\ntwice",t,Hello,true,17,1790000000,<b>x</b>,e1,Subject,"${JSON.stringify(attachments).replaceAll('"', '""')}"`,
    ].join('\r\n');
    expect((await upload(emulator, { csv })).status).toBe(200);
    const task = {
      type: 'email',
      target: 'a@b.example',
      context: 'Says "hi",\r\ntwice',
      taskContext: 't',
      greeting: 'Hello',
      waitToGreet: true,
      accountId: 17,
      scheduledFor: 1_790_000_000,
      message: '<b>x</b>',
      externalTaskId: 'e1',
      meta: { email: { subject: 'Subject', attachments: [{ filename: 'a.txt', type: 'text/plain', bytes: 5 }] } },
    };
    expect((await tasksOf(emulator)).recent).toMatchObject([{ task }]);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'line 1: the header row is missing'],
    ['an unknown column', 'type,phone\ncall,1', 'line 1: "phone" is not a column; use type, target, context'],
    ['a column twice', 'type,target,type\n', 'line 1: the column type appears twice'],
    ['no column type', 'target\n1', 'line 1: the column type is missing'],
    ['an unknown type', 'type,target\nfax,1', 'line 2: /type must be one of'],
    ['no target', 'type,target\nping,\ncall,', 'line 3: /target is required'],
    ['too few fields', 'type,target\nping', 'line 2: 1 fields, but the header has 2'],
    ['a flag that is none', 'type,waitToGreet\nping,yes', 'line 2: /waitToGreet must be boolean'],
    ['a time that is none', 'type,scheduledFor\nping,tomorrow', 'line 2: /scheduledFor must be integer'],
    [
      'attachments that are none',
      'type,meta.email.attachments\nping,x',
      'line 2: /meta/email/attachments must be array',
    ],
    [
      'deep attachments',
      `type,meta.email.attachments\nping,"[${'{""x"":'.repeat(200)}1${'}'.repeat(200)}]"`,
      'line 2: /meta/email/attachments must be array',
    ],
    ['a line after one with breaks', 'type,context\nping,"a\r\nb\nc"\n\nfax,x', 'line 6: /type'],
    ['a quote in a field', 'type,target\ncall,a"b', 'line 2: a quote is in the middle of a field'],
    ['an open quote', 'type,target\ncall,"ab\n', 'line 2: a quote is not closed'],
    ['text after a quote', 'type,target\ncall,"a"b', 'line 2: text follows a closing quote'],
    ['another encoding', Buffer.from('type,target\ncall,\xe4', 'latin1'), 'the file is not UTF-8'],
  ])('An upload of %s is refused with its line, and not queued.', async (_name, csv, sentence) => {
    const emulator = await start();
    for (const dryRun of ['true', 'false']) {
      expect(await upload(emulator, { csv, dryRun })).toMatchObject(refused(400, sentence));
    }
    expect(await tasksOf(emulator)).toMatchObject({ queued: {}, recent: [], uploads: [], externalTaskIds: 0 });
  });

  test('An upload with many bad lines names the first ones and counts the others.', async () => {
    const csv = `type,target\n${'call,\n'.repeat(8)}`;
    const { body } = await upload(await start(), { csv });
    expect(body).toMatchObject({ message: expect.stringMatching(/line 2: .*line 6: [^;]*; and 3 more lines$/) });
  });

  test.each<[string, Upload, string]>([
    ['no file', { dryRun: 'true' }, 'the part csv must be a file'],
    ['another dryRun', { csv: header, dryRun: 'yes' }, 'the part dryRun must be true or false'],
  ])('An upload with %s is refused.', async (_name, parts, sentence) => {
    expect(await upload(await start(), parts)).toMatchObject(refused(400, sentence));
  });

  test.each<[string, string, number, string]>([
    ['application/json', '{}', 415, 'must be multipart/form-data'],
    ['multipart/form-data', 'x', 400, 'malformed'],
    ['multipart/form-data; boundary=b', '--b\r\nbroken', 400, 'malformed'],
  ])('A body of type %s is refused.', async (type, body, status, sentence) => {
    const { baseUrl } = await start();
    const headers = { 'content-type': type };
    const answer = await request(`${baseUrl}/api/v2/tasks/csv?token=t1`, { method: 'POST', headers, body });
    expect({ status: answer.statusCode, body: await answer.body.json() }).toMatchObject(refused(status, sentence));
  });

  test('Other operations refuse forms.', async () => {
    const { baseUrl } = await start();
    const form = new FormData();
    form.append('type', 'ping');
    const { statusCode } = await request(`${baseUrl}/api/v2/tasks?token=t1`, { method: 'POST', body: form });
    expect(statusCode).toBe(415);
  });

  test('The log of an upload has the name and the size of the file.', async () => {
    const emulator = await start();
    await upload(emulator, { csv: `${header}\n`, dryRun: 'true' });
    expect((await send(emulator, '/__emulator/requests')).body.requests).toMatchObject([
      { operation: 'uploadTasks', body: { csv: { fileName: 'tasks.csv', size: 27 }, dryRun: 'true' }, status: 200 },
    ]);
  });
});
