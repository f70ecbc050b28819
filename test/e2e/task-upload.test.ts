import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { projectFile, type Remote, startRemote, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { reply, startTaskService, type TaskService } from '../support/task-service.ts';
import { uploadIn } from '../support/upload-json.ts';

shareProcess();

const header = 'type,target,context\n';

let service: TaskService;
let project: TestProject;

beforeAll(async () => {
  service = await startTaskService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.answer = undefined;
  service.calls.length = 0;
  project = await testProject({ 'agentform.yaml': projectFile(service.baseUrl) }, { AGENT_TOKEN: token });
  await project.write('tasks.csv', csvOf(5));
});
afterEach(() => project.remove());

/** Rows `call,+14155550101,row 1` and so on. */
function rowsOf(from: number, to: number): string {
  return Array.from(
    { length: to - from + 1 },
    (_, index) => `call,+1415555${1000 + from + index},row ${from + index}\n`,
  ).join('');
}

function csvOf(rows: number): string {
  return header + rowsOf(1, rows);
}

function upload(...args: string[]) {
  return project.run('task', 'upload', 'tasks.csv', ...args);
}

/** The rows of each received upload, without headers. */
function sent(): string[] {
  return service.calls.map(({ upload: form }) => {
    expect(form?.csv.startsWith(header)).toBe(true);
    return form?.csv.slice(header.length) ?? '';
  });
}

describe('an upload', () => {
  test('An upload sends a small file unchanged in one request.', async () => {
    const result = await upload('--yes', '--query', 'targetAccountId=17');
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('5 of 5 tasks are queued in test.') });
    expect(service.calls).toMatchObject([
      {
        path: '/api/v2/tasks/csv',
        query: { token, targetAccountId: '17' },
        upload: { csv: csvOf(5), fileName: 'tasks.csv', dryRun: 'false' },
      },
    ]);
    expect(result.stdout + result.stderr).not.toContain(token);
  });

  test('An upload drops a byte order mark, keeps CRLF, and only cuts between rows.', async () => {
    await project.write('tasks.csv', '\ufefftype,context\r\nping,"a\r\nb"\r\nping,é\r\nping,c');
    expect((await upload('--yes', '--batch', '2')).code).toBe(0);
    expect(service.calls.map((call) => call.upload?.csv)).toEqual([
      'type,context\r\nping,"a\r\nb"\r\nping,é\r\n',
      'type,context\r\nping,c',
    ]);
  });

  test('An upload skips empty rows and sends booleans in lower case, and everything else unchanged.', async () => {
    const rows = [
      'call,+14155550101,"TRUE, or not",TRUE',
      ',,,',
      'call,+14155550102,,"False"',
      '',
      ' , ,,',
      'call,+14155550103,,',
    ];
    await project.write('tasks.csv', `type,target,greeting,waitToGreet\r\n${rows.join('\r\n')}\r\n,,,\r\n`);
    expect((await upload('--yes')).code).toBe(0);
    expect(service.calls.map((call) => call.upload?.csv)).toEqual([
      'type,target,greeting,waitToGreet\r\ncall,+14155550101,"TRUE, or not",true\r\ncall,+14155550102,,"false"\r\ncall,+14155550103,,\r\n',
    ]);
  });

  test.each([
    ['with', '\ufeff'],
    ['without', ''],
  ])('An upload %s a byte order mark sends no empty lines.', async (_, mark) => {
    const rows = rowsOf(1, 3).trim().split('\n');
    await project.write('tasks.csv', `${mark}\n${header}\n\n${rows.join('\n\n')}\n\n`);
    expect((await upload('--yes', '--batch', '2')).code).toBe(0);
    expect(sent()).toEqual([rowsOf(1, 2), rowsOf(3, 3)]);
  });

  test('An upload with --batch announces each request with its rows, and repeats the header in each.', async () => {
    const { code, stderr } = await upload('--yes', '--batch', '2');
    expect(code).toBe(0);
    expect(sent()).toEqual([rowsOf(1, 2), rowsOf(3, 4), rowsOf(5, 5)]);
    expect(stderr).toContain('sending rows 1 to 2 of 5\nsending rows 3 to 4 of 5\nsending row 5 of 5\n');
  });

  test('An upload asks before it sends, and needs --yes without a terminal.', async () => {
    const result = await upload();
    expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining('use --yes (declined)') });
    expect(result.stderr).toContain('5 tasks (5 call) for test in 1 request');
    expect(service.calls).toEqual([]);
    expect((await upload('--yes')).code).toBe(0);
  });

  test('An upload with --dry-run only asks the service to validate, and needs no --yes.', async () => {
    const result = await upload('--dry-run', '--batch', '3', '--format', 'json');
    expect(result.stderr).toContain('validating rows 1 to 3 of 5\n');
    expect(result.code).toBe(0);
    expect(service.calls.map((call) => call.upload?.dryRun)).toEqual(['true', 'true']);
    expect(uploadIn(result.stdout)).toMatchObject({ dryRun: true, rows: 5, accepted: { firstRow: 1, lastRow: 5 } });
    expect((await upload('--yes')).code).toBe(0);
  });

  test('An upload with --dry-run fails if the service refuses it.', async () => {
    service.answer = () => reply(400, { success: false, message: 'row 2: unknown account' });
    const result = await upload('--dry-run');
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining('row 2: unknown account') });
  });

  test('Equal messages of the service about several requests are shown once with their number.', async () => {
    service.answer = () => reply(200, { success: true, message: 'queued' });
    const alike = await upload('--dry-run', '--batch', '2');
    expect(alike.stdout).toContain('The service says in each of 3 responses: queued\n');
    service.answer = (call) => reply(200, { success: true, message: `${call.upload?.csv.length} characters` });
    const { stdout } = await upload('--yes', '--batch', '2');
    const [two, one] = [2, 1].map((rows) => `${csvOf(rows).length} characters`);
    expect(stdout).toBe(
      `5 of 5 tasks are queued in test.\nThe service says:\n  in 2 responses: ${two}\n  in 1 response: ${one}\n`,
    );
  });

  test('Repeated rows are a warning, of which the first ten are shown, and all rows are sent.', async () => {
    await project.write('tasks.csv', `type\n${'ping\n'.repeat(13)}`);
    const { code, stderr } = await upload('--yes');
    expect(code).toBe(0);
    expect(stderr).toContain(
      'tasks.csv:3:1 warning csv-repeated  row 2 repeats row 1, so its task would be queued twice',
    );
    expect(stderr.match(/csv-repeated/g)).toHaveLength(10);
    expect(stderr).toContain('warning: 12 rows of tasks.csv repeat earlier rows; only the first 10 are shown\n');
    expect(service.calls[0]?.upload?.csv).toBe(`type\n${'ping\n'.repeat(13)}`);
  });

  test('Rows in the past are a warning.', async () => {
    await project.write('tasks.csv', 'type,scheduledFor\nping,5\nping,4000000000\n');
    const result = await upload('--yes');
    expect(result).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 row of tasks.csv is scheduled in the past'),
    });
  });

  test('An upload works on the emulator.', async () => {
    const remote: Remote = await startRemote();
    const own = await testProject({ 'agentform.yaml': projectFile(remote.baseUrl) }, { AGENT_TOKEN: token });
    await own.write('tasks.csv', csvOf(5));
    expect(await own.run('task', 'upload', 'tasks.csv', '--dry-run')).toMatchObject({ code: 0 });
    expect(await own.run('task', 'upload', 'tasks.csv', '--yes', '--batch', '2')).toMatchObject({ code: 0 });
    expect(await remote.requests('uploadTasks')).toHaveLength(4);
    expect((await own.run('task', 'create', '--type', 'ping', '--yes')).code).toBe(0);
    await own.remove();
    await remote.close();
  });
});

describe('an upload file with errors', () => {
  test('An upload file with errors is reported with every place, and nothing is sent.', async () => {
    await project.write('tasks.csv', 'type,targt\ncall,1\nfax,2\n');
    const result = await upload('--yes');
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain("tasks.csv:1:6 error csv-column  unknown column 'targt'; did you mean 'target'?");
    expect(result.stderr).toContain("tasks.csv:3:1 error csv-value  type is 'fax'");
    expect(result.stderr).toContain('tasks.csv has 2 errors in 2 rows; nothing was sent (tasks-invalid)');
    expect(service.calls).toEqual([]);
    expect(await project.recordTexts()).toEqual([]);
  });

  test('An upload file with many errors shows the first hundred and counts all, with control characters escaped.', async () => {
    await project.write('tasks.csv', `type\n${'\u001b[2Jx\n'.repeat(150)}`);
    const { stderr } = await upload('--yes');
    expect(stderr).toContain('tasks.csv has 150 errors in 150 rows (showing the first 100); nothing was sent');
    expect(stderr).not.toContain('\u001b');
  });

  test.each([
    [['nothing.csv'], 'nothing.csv cannot be read: the file does not exist'],
    [['.'], 'it is not a regular file'],
    [['tasks.csv', '--batch', '0'], '--batch must be an integer of at least 1, not 0'],
    [['tasks.csv', '--from-row', '0'], '--from-row must be an integer of at least 1, not 0'],
    [['tasks.csv', '--from-row', '6'], '--from-row is 6, but tasks.csv has only 5 rows; nothing was sent (usage)'],
    [['tasks.csv', '-e', 'nowhere'], "agentform.yaml has no environment 'nowhere'"],
  ])('An upload with %j is refused.', async (args, message) => {
    const result = await project.run('task', 'upload', ...args, '--yes');
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
    expect(service.calls).toEqual([]);
  });
});

describe('an upload that stops', () => {
  const unclear = (nth: number) => () => (service.calls.length === nth ? ('reset' as const) : undefined);

  test('An upload that stops at a lost answer exits with 1, and prints a command for either case.', async () => {
    service.answer = unclear(2);
    const { code, stdout } = await upload('--yes', '--batch', '2', '--format', 'json');
    expect(code).toBe(1);
    const { reason, ...answer } = uploadIn(stdout);
    expect(answer).toMatchObject({
      accepted: { firstRow: 1, lastRow: 2 },
      unclear: { firstRow: 3, lastRow: 4 },
      notSent: { firstRow: 5, lastRow: 5 },
    });
    const call = { operation: 'uploadTasks', reason: 'broken', tries: 1, mayBeDone: true };
    expect(reason).toMatchObject({
      code: 'upload-stopped',
      facts: { why: 'unclear', problem: { code: 'service-unclear', call } },
      message: expect.stringMatching(/^uploading the tasks of tasks\.csv failed: /),
    });
    service.calls.length = 0;
    service.answer = undefined;
    for (const words of reason?.remedies ?? []) expect(await project.run(...words, '--yes')).toMatchObject({ code: 0 });
    expect(sent()).toEqual([rowsOf(3, 4), rowsOf(5, 5), rowsOf(5, 5)]);
  });

  test('An upload that stops at a refusal exits with 1 and names the rows that are not queued, without the token.', async () => {
    service.answer = () =>
      service.calls.length === 2 ? reply(403, { success: false, message: `no ${token}` }) : undefined;
    const { code, stdout } = await upload('--yes', '--batch', '2');
    expect(code).toBe(1);
    expect(stdout).toContain('The upload stopped, and rows 3 to 4 are not queued: ');
    expect(stdout).toContain('To continue: agentform task upload tasks.csv -e test --batch 2 --from-row 3\n');
    expect(stdout).not.toContain(token);
  });

  test('An upload that stops prints quoted commands with the project and the query.', async () => {
    service.answer = unclear(1);
    await project.write("o'clock $x.csv", csvOf(1));
    const args = ["o'clock $x.csv", '--project', `${project.root}/`, '--query', 'note=a b'];
    const { stdout } = await project.run('task', 'upload', ...args, '--yes');
    expect(stdout).toContain(
      `in \`agentform inbox -e test --project ${project.root}/ --query 'note=a b'\`. Then run:\n`,
    );
    expect(stdout).toContain(
      `agentform task upload 'o'\\''clock $x.csv' -e test --project ${project.root}/ --query 'note=a b' --from-row 1\n`,
    );
  });

  test.each(['text', 'json'])(
    'An upload that stops prints a command without a secret of its query, as %s.',
    async (format) => {
      service.answer = unclear(1);
      const { stdout } = await upload('--yes', '--query', `key=${token}`, '--format', format);
      expect(stdout).toContain('--from-row');
      expect(stdout).toContain(format === 'text' ? '--query key=VALUE' : '"key=VALUE"');
      if (format === 'text') expect(stdout).toContain('Replace VALUE with the secret value of the query parameter');
      expect(stdout).not.toContain(token);
    },
  );

  test('An upload that stops at Ctrl-C finishes its open request, and the printed command sends the others.', async () => {
    service.answer = async () => {
      running.kill('SIGINT');
      await running.said('Interrupted: waiting for the response to rows 1 to 2. ');
      return undefined;
    };
    const running = project.start('task', 'upload', 'tasks.csv', '--yes', '--batch', '2');
    const { code, stdout } = await running.done;
    expect(code).toBe(1);
    expect(stdout).toContain(
      'Interrupted.\nNot sent: rows 3 to 5.\nTo continue: agentform task upload tasks.csv -e test --batch 2 --from-row 3\n',
    );
    expect(sent()).toEqual([rowsOf(1, 2)]);
  });

  test('An upload that stops at a second Ctrl-C names the rows that may be queued.', async () => {
    service.answer = async () => {
      running.kill('SIGINT');
      await running.said('Interrupted: waiting for the response to rows 1 to 2. ');
      running.kill('SIGINT');
      await running.done;
      return undefined;
    };
    const running = project.start('task', 'upload', 'tasks.csv', '--yes', '--batch', '2');
    const { code, stderr } = await running.done;
    expect(code).toBe(1);
    expect(stderr).toContain('stopped immediately: rows 1 to 2 may or may not be queued\n');
  });

  test('An upload that is killed has already named the rows that it was sending.', async () => {
    service.answer = async () => {
      if (service.calls.length === 2) {
        running.kill('SIGKILL');
        await running.done;
      }
      return undefined;
    };
    const running = project.start('task', 'upload', 'tasks.csv', '--yes', '--batch', '2');
    expect((await running.done).stderr).toMatch(/\nsending rows 1 to 2 of 5\nsending rows 3 to 4 of 5\n$/);
  });
});

test.each(['-', '/dev/stdin'])('An upload from standard input (%s) is refused with what to do.', async (path) => {
  const { code, stderr } = await project.run('task', 'upload', path, '--yes');
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('standard input can only be read once; save the rows to a file'),
  });
  expect(service.calls).toEqual([]);
});

test('An upload with --from-row leaves out the rows before it.', async () => {
  const result = await upload('--yes', '--from-row', '4');
  expect(result).toMatchObject({
    code: 0,
    stdout: '2 of 2 tasks are queued in test: rows 4 to 5.\nThe service says: Task created successfully\n',
  });
  expect(result.stderr).toContain('2 tasks (2 call) for test in 1 request, starting at row 4 of 5\n');
  expect(sent()).toEqual([rowsOf(4, 5)]);
});

test('An upload leaves no file behind, and the same file can be uploaded again.', async () => {
  await upload('--yes');
  expect(await project.recordTexts()).toEqual([]);
  expect((await upload('--yes')).code).toBe(0);
  expect(service.calls).toHaveLength(2);
});
