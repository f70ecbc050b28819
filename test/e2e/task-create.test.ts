import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { projectFile, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { reply, startTaskService, type TaskService } from '../support/task-service.ts';

shareProcess();

const number = '+14155550100';
const call = ['task', 'create', '--type', 'call', '--target', number];

let service: TaskService;
let project: TestProject;

beforeAll(async () => {
  service = await startTaskService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.answer = undefined;
  service.calls.length = 0;
  project = await testProject(
    { 'agentform.yaml': projectFile(service.baseUrl, '    variables: { clinic: Elm Street, account: 17 }\n') },
    { AGENT_TOKEN: token, SOME_SECRET: 'hunter2-hunter2' },
  );
});
afterEach(async () => {
  await project.remove();
});

/** The bodies of the received tasks. */
function sent(): unknown[] {
  return service.calls.map((one) => one.json);
}

describe('task create with options', () => {
  test('A call can be created with every option.', async () => {
    const result = await project.run(
      ...call,
      ...['--context', 'C', '--greeting', 'Hello', '--wait-to-greet', '--account-id', '17'],
      ...['--at', '2999-12-01 09:00 Europe/Berlin', '--bridge-to', '+14155550123', '--bridge-monitor', '--yes'],
    );
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('The call is queued in test.') });
    expect(sent()).toEqual([
      {
        type: 'call',
        target: number,
        context: 'C',
        greeting: 'Hello',
        waitToGreet: true,
        accountId: 17,
        scheduledFor: 32501030400,
        meta: { bridgeAfterAnswer: { destination: '+14155550123', monitor: true } },
      },
    ]);
    expect(service.calls[0]).toMatchObject({ method: 'POST', path: '/api/v2/tasks', query: { token } });
  });

  test('An email can have an HTML body and attachments, whose types and sizes are found.', async () => {
    await project.write('body.html', '<h1>Hi</h1>\n');
    await project.write('report.pdf', '%PDF-1.7');
    await project.write('noextension', 'x');
    const result = await project.run(
      ...['task', 'create', '--type', 'email', '--target', 'a@example.com', '--subject', 'Hi', '--yes'],
      ...['--message-file', 'body.html', '--attach', 'report.pdf', '--attach', 'noextension'],
    );
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('report.pdf (application/pdf, 8 bytes, attachment)');
    expect(sent()).toEqual([
      {
        type: 'email',
        target: 'a@example.com',
        message: '<h1>Hi</h1>',
        meta: {
          email: {
            subject: 'Hi',
            attachments: [
              { filename: 'report.pdf', type: 'application/pdf', content: 'JVBERi0xLjc=', disposition: 'attachment' },
              { filename: 'noextension', type: 'application/octet-stream', content: 'eA==', disposition: 'attachment' },
            ],
          },
        },
      },
    ]);
  });

  test('A ping needs no target, and --query reaches the service.', async () => {
    const result = await project.run('task', 'create', '--type', 'ping', '--yes', '--query', 'targetAccountId=17');
    expect(result.code).toBe(0);
    expect(sent()).toEqual([{ type: 'ping' }]);
    expect(service.calls[0]?.query).toEqual({ token, targetAccountId: '17' });
  });

  test.each([
    [['--type', 'cal'], '--type is "cal"; use call, text, email or ping'],
    [['--type', 'call'], 'a task of type call needs a target in --target or settings.target: expected an E.164'],
    [['--type', 'text', '--target', '415'], "--target is '415': expected an E.164 number"],
    [['--type', 'email', '--target', number], `--target is '${number}': expected one email address`],
    [['--type', 'ping', '--subject', 'x'], '--subject is only for tasks of type email; this task is of type ping'],
    [
      ['--type', 'ping', '--bridge-to', number],
      '--bridge-to is only for tasks of type call; this task is of type ping',
    ],
    [['--type', 'call', '--target', number, '--bridge-monitor'], '--bridge-monitor needs a number to bridge to'],
    [['--type', 'ping', '--at', '1796112000000'], 'in milliseconds: expected seconds, such as 1796112000'],
    [['--type', 'ping', '--at', '2027-03-28 02:30 Europe/Berlin'], 'so this time does not exist'],
    [['--type', 'ping', '--attach', 'nothing.pdf'], '--attach: cannot read nothing.pdf: the file does not exist'],
    [['--type', 'ping', '--attach', '.'], '--attach: cannot read .: it is a folder'],
    [
      ['--type', 'ping', '--message-file', '/dev/zero'],
      '--message-file: cannot read /dev/zero: it is too large: the limit is 4 MiB',
    ],
    [['--type', 'ping', '--message-file', 'nothing'], '--message-file: cannot read nothing: the file does not exist'],
    [['--type', 'ping', '--context', 'a', '--context-file', 'b'], '--context and --context-file were both given'],
    [['--target', number], 'a task needs a type'],
    [['--type', 'ping', '--account-id', '1.5'], '--account-id must be an integer'],
    [['--type', 'ping', '--query', 'x'], '--query must be name=value'],
    [['--type', 'ping', '--type', 'call'], '--type was given more than once'],
  ])('The options %j are refused, and nothing is sent.', async (options, message) => {
    const result = await project.run('task', 'create', ...options, '--yes');
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
    expect(sent()).toEqual([]);
  });

  test('All problems of a task are reported together.', async () => {
    const { stderr } = await project.run(
      'task',
      'create',
      '--type',
      'call',
      '--target',
      'x',
      '--subject',
      'y',
      '--yes',
    );
    expect(stderr).toContain('the task has 2 errors; nothing was sent (tasks-invalid)');
  });

  test('A token on the command line is refused and not repeated.', async () => {
    const { code, stderr } = await project.run(
      'task',
      'create',
      '--type',
      'ping',
      '--yes',
      '--query',
      'token=tok-oops',
    );
    expect(code).toBe(1);
    expect(stderr).not.toContain('tok-oops');
  });

  test.each([
    ['2999-12-01 09:00 Asia/Kathmandu', '2999-12-01 09:00:00 Asia/Kathmandu, 2999-12-01T03:15:00Z ('],
    ['2999-12-01T09:00:30+01:00', '2999-12-01 09:00:30 +01:00, 2999-12-01T08:00:30Z ('],
    ['2999-12-01T09:00Z', '2999-12-01 09:00:00 UTC, 2999-12-01T09:00:00Z ('],
    ['32501030400', ', 2999-12-01T08:00:00Z (32501030400)'],
  ])('The time %s is shown in its zone and in UTC.', async (at, shown) => {
    const { stderr } = await project.run(...call, '--at', at, '--yes');
    expect(stderr).toContain(shown);
  });

  test('A time in the past and a repeated time are warnings.', async () => {
    const { code, stderr } = await project.run(...call, '--at', '2020-10-25 02:30 Europe/Berlin', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('the earlier time, 2020-10-25T00:30:00Z, is used');
    expect(stderr).toContain('which is in the past');
  });
});

describe('task create with a file', () => {
  const head = 'apiVersion: agentform/v1\nkind: Task\nsettings:\n';

  const mail = `${head}  type: email
  target: a@example.com
  message: { file: ../texts/body.html }
  context: The code is \${secret.SOME_SECRET}
  accountId: \${var.account}
  scheduledFor: 2999-12-01 09:00 Europe/Berlin
  meta:
    email:
      subject: Old
      attachments:
        - { file: ../texts/list.csv }
        - { file: ../texts/list.csv, filename: x.bin, type: application/x-thing, disposition: inline }
        - { filename: y.txt, type: text/plain, content: eA== }
`;

  test('A task file may contain texts, attachments, variables and secrets, and options take precedence.', async () => {
    await project.write('texts/body.html', 'For ${var.clinic}');
    await project.write('texts/list.csv', 'a,b\n');
    await project.write('tasks/mail.yaml', mail);
    const options = ['--subject', 'New', '--yes', '--format', 'json'];
    const result = await project.run('task', 'create', 'tasks/mail.yaml', ...options);
    expect(result.code).toBe(0);
    expect(sent()).toMatchObject([
      {
        message: 'For Elm Street',
        context: 'The code is hunter2-hunter2',
        accountId: 17,
        scheduledFor: 32501030400,
        meta: {
          email: {
            subject: 'New',
            attachments: [
              { filename: 'list.csv', type: 'text/csv', content: 'YSxiCg==', disposition: 'attachment' },
              { filename: 'x.bin', type: 'application/x-thing', disposition: 'inline' },
              { filename: 'y.txt', content: 'eA==' },
            ],
          },
        },
      },
    ]);
    expect(result.stdout + result.stderr).not.toContain('hunter2');
    expect(JSON.parse(result.stdout)).toMatchObject({
      outcome: 'queued',
      environment: 'test',
      task: { context: 'The code is (sensitive)' },
      answer: { success: true },
    });
  });

  test.each([
    ['kind: Agent\nsettings: {}', "task.yaml:2:7 error value  kind is 'Agent': expected 'Task'"],
    [
      'kind: Task\nsettings: { targt: x }',
      "task.yaml:3:13 error unknown-key  unknown key 'targt' in settings; did you mean 'target'?",
    ],
    [
      'kind: Task\nsettings: { accountId: "17" }',
      "settings.accountId is '17': expected an integer; write 17 without quotes",
    ],
    [
      'kind: Task\nsettings: { type: call, target: 1 }',
      'task.yaml:3:33 error value  settings.target is 1: expected a string',
    ],
    [
      'kind: Task\nsettings: { type: call, target: x }',
      "task.yaml:3:33 error task-target  settings.target is 'x': expected an E.164",
    ],
    ['kind: Task\nsettings: { message: { file: nothing.html } }', "the file 'nothing.html' does not exist"],
    [
      'kind: Task\nsettings: { meta: { email: { attachments: [{ file: nothing.pdf }] } } }',
      "cannot read the attachment 'nothing.pdf': the file does not exist",
    ],
    ['kind: Task\nsettings: { message: { file: ../../etc/passwd } }', 'leads outside the project folder'],
    [
      'kind: Task\nsettings: { meta: { email: { attachments: [{ file: ../../../../../etc/passwd }] } } }',
      "cannot read the attachment '../../../../../etc/passwd': it leads outside the project folder",
    ],
    [
      'kind: Task\nsettings: { meta: { email: { attachments: [{ content: x }] } } }',
      'an attachment must have file, or filename, type and content',
    ],
    [
      'kind: Task\nsettings: { meta: { email: { attachments: [{ filename: a, type: text/plain, content: "!" }] } } }',
      "the content of 'a' is not base64",
    ],
    [
      'kind: Task\nsettings: { meta: { email: { attachments: [{ file: ../task.yaml, type: pdf }] } } }',
      "error attachment  'pdf' is not a MIME type such as application/pdf",
    ],
    [
      'kind: Task\nsettings: { meta: { email: { attachments: [{ file: a, content: b }] } } }',
      'must have either file or content',
    ],
    ['kind: Task\nsettings: { context: "${var.nothing}" }', "the variable 'nothing' has no value"],
    ['kind: Task\nsettings: { context: "${secret.NOTHING}" }', "the secret 'NOTHING' has no value"],
    ['kind: Task\nsettings: [', 'error yaml-syntax'],
    ['kind: Task\nsettings: {}\n---\nkind: Task', 'a second document starts here'],
    ['kind: Task', 'settings is missing'],
  ])('The task file %j is refused with its place.', async (text, message) => {
    await project.write('task.yaml', `apiVersion: agentform/v1\n${text}\n`);
    const result = await project.run('task', 'create', 'task.yaml', '--yes');
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
    expect(sent()).toEqual([]);
  });

  test('A link that leads outside the project is not followed.', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'agentform-outside-'));
    await writeFile(join(outside, 'private.txt'), 'private');
    const { symlink } = await import('node:fs/promises');
    await symlink(join(outside, 'private.txt'), join(project.root, 'link.txt'));
    await project.write(
      'task.yaml',
      `${head}  { type: email, target: a@example.com, meta: { email: { attachments: [{ file: link.txt }] } } }\n`,
    );
    const result = await project.run('task', 'create', 'task.yaml', '--yes');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('leads outside the project folder') });
    await rm(outside, { recursive: true });
  });

  test('A file outside the project may refer to its own folder.', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'agentform-outside-'));
    await writeFile(join(outside, 'body.txt'), 'Body');
    await writeFile(join(outside, 'task.yaml'), `${head}  { type: ping, message: { file: body.txt } }\n`);
    expect((await project.run('task', 'create', join(outside, 'task.yaml'), '--yes')).code).toBe(0);
    expect(sent()).toEqual([{ type: 'ping', message: 'Body' }]);
    await rm(outside, { recursive: true });
  });
});

describe('failures of task create', () => {
  test('A task is not sent without --yes if there is no terminal.', async () => {
    const result = await project.run(...call);
    expect(result).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('use --yes (declined)') });
    expect(result.stderr).toContain(number);
    expect(sent()).toEqual([]);
  });

  test.each([
    ['a lost answer', 'reset' as const],
    ['a server error', reply(500, { success: false, message: 'oops' })],
    ['half an answer', reply(201, '{"success":')],
  ])('A task is sent once and its outcome is reported as unknown after %s.', async (_, answer) => {
    service.answer = () => answer;
    const result = await project.run(...call, '--yes', '--format', 'json');
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The call may or may not be queued: '),
    });
    expect(JSON.parse(result.stdout)).toMatchObject({ outcome: 'unclear' });
    expect(sent()).toHaveLength(1);
  });

  test.each([
    [
      'a refusal',
      reply(400, { success: false, message: `no such number for ${token}` }),
      'no such number for (sensitive)',
    ],
    ['success false', reply(200, { success: false, message: 'blocked' }), 'blocked'],
  ])('A task is reported as not queued after %s.', async (_, answer, message) => {
    service.answer = () => answer;
    const result = await project.run(...call, '--yes');
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('The call is not queued') });
    expect(result.stderr).toContain(message);
    expect(sent()).toHaveLength(1);
  });

  test('An answer of any shape is accepted, and shown without secrets and control characters.', async () => {
    service.answer = () => reply(201, { message: `done \u001b[2J ${token}`, id: 7 });
    const result = await project.run(...call, '--yes', '--format', 'json');
    expect(result.code).toBe(0);
    expect(result.stdout).not.toContain('\u001b');
    expect(JSON.parse(result.stdout).answer).toEqual({ message: 'done \u001b[2J (sensitive)', id: 7 });
    expect(result.stdout + result.stderr).not.toContain(token);
  });

  test('An environment without a token or with an unset one is reported with its place.', async () => {
    const unset = await testProject({ 'agentform.yaml': projectFile(service.baseUrl) });
    expect((await unset.run(...call, '--yes')).stderr).toMatch(/agentform\.yaml:8:12 error secret-unset/);
    await unset.edit('agentform.yaml', /\n {4}token: .*/, '');
    const result = await unset.run(...call, '--yes');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('the environment has no token') });
    await unset.remove();
  });

  test('A task is reported as not queued if no server listens.', async () => {
    const gone = await startTaskService();
    await gone.close();
    await project.edit('agentform.yaml', service.baseUrl, gone.baseUrl);
    const result = await project.run(...call, '--yes');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('The call is not queued') });
  });
});
