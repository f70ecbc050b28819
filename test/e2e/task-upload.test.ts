import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { projectFile, type Remote, startRemote, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { reply, startTaskService, type TaskService } from '../support/task-service.ts';

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

/** The rows of each upload that came in, its header left out. */
function sent(): string[] {
  return service.calls.map(({ upload: form }) => {
    expect(form?.csv.startsWith(header)).toBe(true);
    return form?.csv.slice(header.length) ?? '';
  });
}

/** The states in the ledger, in the order of their writing. */
async function ledger(): Promise<string[]> {
  const folder = join(project.root, '.agentform/uploads/test');
  const [name = ''] = await readdir(folder);
  const [, ...lines] = (await project.read(join('.agentform/uploads/test', name))).trim().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .map(({ batch, state, assumed }) => `${batch} ${state}${assumed ? '!' : ''}`);
}

describe('an upload', () => {
  test('sends a small file as one, as it is', async () => {
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

  test('leaves a byte order mark out, keeps CRLF, and cuts between rows only', async () => {
    await project.write('tasks.csv', '\ufefftype,context\r\nping,"a\r\nb"\r\nping,é\r\nping,c');
    expect((await upload('--yes', '--batch', '2')).code).toBe(0);
    expect(service.calls.map((call) => call.upload?.csv)).toEqual([
      'type,context\r\nping,"a\r\nb"\r\nping,é\r\n',
      'type,context\r\nping,c',
    ]);
  });

  test('passes empty rows over and sends booleans in lower case, and everything else as it is', async () => {
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

  test('--batch splits it, with the header before each part, and the ledger tells of each before and after', async () => {
    expect((await upload('--yes', '--batch', '2')).code).toBe(0);
    expect(sent()).toEqual([rowsOf(1, 2), rowsOf(3, 4), rowsOf(5, 5)]);
    expect(await ledger()).toEqual(['1 sent', '1 done', '2 sent', '2 done', '3 sent', '3 done']);
  });

  test('asks before it sends; without a terminal it needs --yes', async () => {
    const result = await upload();
    expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining('use --yes (declined)') });
    expect(result.stderr).toContain('5 tasks (5 call) for test in 1 request');
    expect(service.calls).toEqual([]);
    expect((await upload('--yes')).code).toBe(0);
  });

  test('--dry-run asks the service to validate only, needs no --yes and keeps no ledger', async () => {
    const result = await upload('--dry-run', '--batch', '3', '--format', 'json');
    expect(result.code).toBe(0);
    expect(service.calls.map((call) => call.upload?.dryRun)).toEqual(['true', 'true']);
    expect(JSON.parse(result.stdout)).toMatchObject({ dryRun: true, rows: 5, sent: 5 });
    expect(await project.recordTexts()).toEqual([]);
    expect((await upload('--yes')).code).toBe(0);
  });

  test('what the service says of a dry run fails it', async () => {
    service.answer = () => reply(400, { success: false, message: 'row 2: unknown account' });
    const result = await upload('--dry-run');
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining('row 2: unknown account') });
  });

  test('what the service says of several requests is said of each', async () => {
    service.answer = () => reply(200, { success: true, message: 'queued' });
    const alike = await upload('--dry-run', '--batch', '2');
    expect(alike.stdout).toContain('The service says to each of 3 requests: queued\n');
    service.answer = (call) => reply(200, { success: true, message: `${call.upload?.csv.length} characters` });
    const { stdout } = await upload('--yes', '--batch', '2');
    const [two, one] = [2, 1].map((rows) => `${csvOf(rows).length} characters`);
    expect(stdout).toBe(
      `5 of 5 tasks are queued in test.\nThe service says:\n  to 2 requests: ${two}\n  to 1 request: ${one}\n`,
    );
  });

  test('rows in the past are a warning', async () => {
    await project.write('tasks.csv', 'type,scheduledFor\nping,5\nping,4000000000\n');
    const result = await upload('--yes');
    expect(result).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 row of tasks.csv is scheduled in the past'),
    });
  });

  test('works on the emulator', async () => {
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

describe('a file with errors', () => {
  test('is told with every place, and nothing is sent', async () => {
    await project.write('tasks.csv', 'type,targt\ncall,1\nfax,2\n');
    const result = await upload('--yes');
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain("tasks.csv:1:6 error csv-column  unknown column 'targt'; did you mean 'target'?");
    expect(result.stderr).toContain("tasks.csv:3:1 error csv-value  type is 'fax'");
    expect(result.stderr).toContain('tasks.csv has 2 errors in 2 rows; nothing was sent (tasks-invalid)');
    expect(service.calls).toEqual([]);
    expect(await project.recordTexts()).toEqual([]);
  });

  test('has its first hundred errors shown and all counted; values cannot act on the terminal', async () => {
    await project.write('tasks.csv', `type\n${'\u001b[2Jx\n'.repeat(150)}`);
    const { stderr } = await upload('--yes');
    expect(stderr).toContain(
      'tasks.csv has 150 errors in 150 rows, of which the first 100 are shown; nothing was sent',
    );
    expect(stderr).not.toContain('\u001b');
  });

  test.each([
    [['nothing.csv'], 'nothing.csv cannot be read: the file does not exist'],
    [['.'], 'it is not a regular file'],
    [['tasks.csv', '--batch', '0'], '--batch takes a whole number from 1, not 0'],
    [['tasks.csv', '--assume-queued'], '--assume-queued needs --resume'],
    [['tasks.csv', '--assume-not-queued', '1-2'], '--assume-not-queued needs --resume'],
    [['tasks.csv', '--resume'], 'there is nothing to resume'],
    [['tasks.csv', '-e', 'nowhere'], "agentform.yaml has no environment 'nowhere'"],
  ])('%j is refused', async (args, message) => {
    const result = await project.run('task', 'upload', ...args, '--yes');
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
    expect(service.calls).toEqual([]);
  });
});

describe('no row is queued twice knowingly', () => {
  const unclear = (nth: number) => () => (service.calls.length === nth ? ('reset' as const) : undefined);

  test('a file that was uploaded is refused, under another name too, with the way out', async () => {
    await upload('--yes');
    await project.write('copy.csv', csvOf(5));
    for (const name of ['tasks.csv', 'copy.csv']) {
      const again = await project.run('task', 'upload', name, '--yes');
      expect(again).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining('all 5 rows of tasks.csv were already queued by the upload of '),
      });
      expect(again.stderr).toContain('remove its ledger');
    }
    expect(await upload('--resume')).toMatchObject({ code: 0, stdout: expect.stringContaining('5 of them earlier') });
    expect(service.calls).toHaveLength(1);
  });

  test('to another account it is another upload', async () => {
    await upload('--yes', '--query', 'targetAccountId=1');
    expect((await upload('--yes', '--query', 'targetAccountId=2')).code).toBe(0);
    expect((await upload('--yes', '--query', 'targetAccountId=1')).code).toBe(3);
    expect(service.calls).toHaveLength(2);
  });

  test('another file under the name of a finished one is another upload', async () => {
    await upload('--yes');
    await project.write('tasks.csv', csvOf(6));
    expect((await upload('--yes')).code).toBe(0);
  });

  test('after a lost answer the rows are named, nothing more is sent, and --resume leaves them out', async () => {
    service.answer = unclear(2);
    const lost = await upload('--yes', '--batch', '2', '--format', 'json');
    expect(lost.code).toBe(1);
    expect(JSON.parse(lost.stdout)).toMatchObject({ sent: 2, failed: { firstRow: 3, lastRow: 4, outcome: 'unclear' } });
    expect(await ledger()).toEqual(['1 sent', '1 done', '2 sent', '2 unclear']);
    const resumed = await upload('--yes', '--resume');
    expect(resumed).toMatchObject({ code: 3, stdout: expect.stringContaining('3 of 5 tasks are queued') });
    expect(resumed.stdout).toContain('It is still unclear whether rows 3 to 4 are queued');
    expect(resumed.stdout).toContain('agentform task upload tasks.csv -e test --resume --assume-not-queued');
    expect(sent()).toEqual([rowsOf(1, 2), rowsOf(3, 4), rowsOf(5, 5)]);
  });

  test('in words, too', async () => {
    service.answer = unclear(1);
    const { stdout, code } = await upload('--yes', '--batch', '2');
    expect(code).toBe(1);
    expect(stdout).toContain('It is unclear whether rows 1 to 2 are queued: ');
    expect(stdout).toContain('Rows with an unclear outcome are not sent again automatically.');
  });

  test('one row is spoken of as one', async () => {
    await project.write('tasks.csv', csvOf(1));
    service.answer = unclear(1);
    expect((await upload('--yes')).stdout).toMatch(
      /^0 of 1 task is queued in test\.\nIt is unclear whether row 1 is queued: /,
    );
    const resumed = await upload('--yes', '--resume');
    expect(resumed.stdout).toContain('It is still unclear whether row 1 is queued; it was left out.');
    service.answer = () => reply(400, { success: false, message: 'no' });
    const refused = await upload('--yes', '--resume', '--assume-not-queued');
    expect(refused.stdout).toContain('row 1 is not queued: ');
  });

  /** An upload in batches of two, of which the answers to rows 1-2 and 5-6 of 7 are lost; the rest is queued. */
  async function twoLostAnswers(): Promise<string> {
    await project.write('tasks.csv', csvOf(7));
    service.answer = () => (service.calls.length === 1 || service.calls.length === 3 ? ('reset' as const) : undefined);
    await upload('--yes', '--batch', '2');
    await upload('--yes', '--resume');
    const { stdout } = await upload('--yes', '--resume');
    service.answer = undefined;
    service.calls.length = 0;
    return stdout;
  }

  test('two lost answers are decided apart, by the commands that the message prints', async () => {
    await project.write('tasks.csv', csvOf(7));
    const message = await twoLostAnswers();
    expect(message).toContain(
      [
        'It is still unclear whether rows 1 to 2 and rows 5 to 6 are queued; they were left out.',
        'Rows with an unclear outcome are not sent again automatically. Row numbers start at 1, without the header.',
        'Check the service, then run:',
        '  if rows 1 to 2 are there:     agentform task upload tasks.csv -e test --resume --assume-queued 1-2',
        '  if rows 1 to 2 are not there: agentform task upload tasks.csv -e test --resume --assume-not-queued 1-2',
        '  if rows 5 to 6 are there:     agentform task upload tasks.csv -e test --resume --assume-queued 5-6',
        '  if rows 5 to 6 are not there: agentform task upload tasks.csv -e test --resume --assume-not-queued 5-6',
      ].join('\n'),
    );
    const one = await upload('--yes', '--resume', '--assume-queued', '1-2');
    expect(one).toMatchObject({ code: 3, stdout: expect.stringContaining('whether rows 5 to 6 are queued; they') });
    expect(service.calls).toEqual([]);
    expect((await upload('--yes', '--resume', '--assume-not-queued', '5-6')).code).toBe(0);
    expect(sent()).toEqual([rowsOf(5, 6)]);
  });

  test('both at once: one batch counts as queued, and the other is sent', async () => {
    await twoLostAnswers();
    const result = await upload('--yes', '--resume', '--assume-queued', '5-6', '--assume-not-queued', '1-2');
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('7 of 7 tasks are queued') });
    expect(sent()).toEqual([rowsOf(1, 2)]);
    expect((await ledger()).slice(-4)).toEqual(['1 failed!', '3 done!', '1 sent', '1 done']);
  });

  test.each([
    [['--assume-queued'], 3, 'without rows would decide 2 requests at once'],
    [['--assume-not-queued'], 3, 'name its rows: 1-2,5-6 (upload-refused)'],
    [['--assume-queued', '--assume-not-queued', '5-6'], 1, 'can be combined only if both name rows'],
    [['--assume-queued', '1-6'], 1, '--assume-queued 1-6 names row 3, whose outcome is known'],
    [['--assume-queued', '7'], 1, 'the rows with an unclear outcome are 1-2,5-6'],
    [['--assume-queued', '900-1000'], 1, 'names row 900, whose outcome is known'],
    [
      ['--assume-not-queued', '1'],
      1,
      '--assume-not-queued 1 names only some of the rows 1-2, which were sent in one request',
    ],
    [['--assume-not-queued', '2'], 1, 'names only some of the rows 1-2'],
    [['--assume-queued', '1-2,2'], 1, 'row 2 is named twice'],
    [['--assume-queued', '1-2', '--assume-not-queued', '1-2'], 1, 'row 1 is named twice'],
    [['--assume-queued', '2-1'], 1, '--assume-queued takes rows such as 9-12,20, not "2-1"'],
    [['--assume-queued', '1,024'], 1, 'not "1,024"'],
    [['--assume-queued', '1-2-3'], 1, 'not "1-2-3"'],
    [['--assume-queued', '0'], 1, 'not "0"'],
    [['--assume-queued', '1-99999999999999999999'], 1, 'takes rows such as'],
    [['--assume-queued', 'all'], 1, 'not "all"'],
    [['--assume-queued', '1-2', '--assume-queued', '5-6'], 1, 'was given more than once'],
  ])('%j is refused; nothing is sent and the ledger stays as it is', async (flags, code, sentence) => {
    await twoLostAnswers();
    const before = await project.recordTexts();
    const refused = await upload('--yes', '--resume', ...flags);
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    expect(service.calls).toEqual([]);
    expect(await project.recordTexts()).toEqual(before);
  });

  test('the command to paste is quoted, and names project and query', async () => {
    service.answer = unclear(1);
    await project.write("o'clock $x.csv", csvOf(1));
    const args = ["o'clock $x.csv", '--project', `${project.root}/`, '--query', 'note=a b'];
    const { stdout } = await project.run('task', 'upload', ...args, '--yes');
    expect(stdout).toContain(
      `agentform task upload 'o'\\''clock $x.csv' -e test --project ${project.root}/ --query 'note=a b' --resume --assume-queued 1\n`,
    );
  });

  test('the same rows in two files are not sent at a time', async () => {
    await project.write('copy.csv', csvOf(5));
    service.answer = async () => {
      await Promise.race(runs);
      return undefined;
    };
    const runs = ['tasks.csv', 'copy.csv'].map((name) => project.run('task', 'upload', name, '--yes'));
    expect((await Promise.all(runs)).map(({ code }) => code).sort()).toEqual([0, expect.any(Number)]);
    expect(service.calls).toHaveLength(1);
  });

  test('a ledger whose batches are not those of the file stops the run', async () => {
    service.answer = unclear(2);
    await upload('--yes', '--batch', '2');
    const [name = ''] = await readdir(join(project.root, '.agentform/uploads/test'));
    const path = join('.agentform/uploads/test', name);
    await project.write(path, (await project.read(path)).replaceAll('"lastRow":2', '"lastRow":3'));
    expect(await upload('--yes', '--resume')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(ledger-unreadable)'),
    });
    expect(service.calls).toHaveLength(2);
  });

  test.each([
    ['--assume-queued', [rowsOf(1, 2), rowsOf(3, 4), rowsOf(5, 5)], ['2 done!', '3 sent', '3 done']],
    [
      '--assume-not-queued',
      [rowsOf(1, 2), rowsOf(3, 4), rowsOf(3, 4), rowsOf(5, 5)],
      ['2 failed!', '2 sent', '2 done', '3 sent', '3 done'],
    ],
  ])('%s settles them', async (flag, rows, states) => {
    service.answer = unclear(2);
    await upload('--yes', '--batch', '2');
    const result = await upload('--yes', '--resume', flag);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('5 of 5 tasks are queued') });
    expect(sent()).toEqual(rows);
    expect((await ledger()).slice(4)).toEqual(states);
    expect((await upload('--yes', '--resume', flag)).code).toBe(1);
  });

  test('after a refusal the rows surely are not queued: --resume sends them', async () => {
    service.answer = () =>
      service.calls.length === 2 ? reply(403, { success: false, message: `no ${token}` }) : undefined;
    const refused = await upload('--yes', '--batch', '2');
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('rows 3 to 4 are not queued') });
    expect(refused.stdout).not.toContain(token);
    expect(await upload('--yes')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('2 of 5 are queued; continue it with --resume'),
    });
    expect((await upload('--yes', '--resume')).code).toBe(0);
    expect(sent()).toEqual([rowsOf(1, 2), rowsOf(3, 4), rowsOf(3, 4), rowsOf(5, 5)]);
  });

  test('a file that changed in the middle of its upload is refused, and so is another --batch', async () => {
    service.answer = unclear(2);
    await upload('--yes', '--batch', '2');
    expect(await upload('--yes', '--resume', '--batch', '3')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the upload was started with --batch 2'),
    });
    await project.edit('tasks.csv', 'row 5', 'row five');
    for (const flags of [['--resume'], []]) {
      const changed = await upload('--yes', ...flags);
      expect(changed).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('tasks.csv changed after its upload was started at '),
      });
    }
    expect(service.calls).toHaveLength(2);
  });

  test('a file that changes while it is uploaded ends the upload', async () => {
    service.answer = async () => {
      const later = new Date(Date.now() + 60_000);
      await utimes(join(project.root, 'tasks.csv'), later, later);
      return undefined;
    };
    const result = await upload('--yes', '--batch', '2');
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('tasks.csv changed during the upload'),
    });
    expect(sent()).toEqual([rowsOf(1, 2)]);
    expect(await ledger()).toEqual(['1 sent', '1 done']);
  });

  test('Ctrl-C finishes the request in flight, and --resume goes on', async () => {
    service.answer = async () => {
      running.kill('SIGINT');
      await running.said('Interrupted: ');
      return undefined;
    };
    const running = project.start('task', 'upload', 'tasks.csv', '--yes', '--batch', '2');
    const result = await running.done;
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining('Interrupted. To continue: ') });
    expect(await ledger()).toEqual(['1 sent', '1 done']);
    service.answer = undefined;
    expect((await upload('--yes', '--resume')).code).toBe(0);
    expect(sent()).toEqual([rowsOf(1, 2), rowsOf(3, 4), rowsOf(5, 5)]);
  });

  test('after a kill in the middle of a request its rows are unclear', async () => {
    service.answer = async () => {
      running.kill('SIGKILL');
      await running.done;
      return undefined;
    };
    const running = project.start('task', 'upload', 'tasks.csv', '--yes', '--batch', '2');
    await running.done;
    expect(await ledger()).toEqual(['1 sent']);
    service.answer = undefined;
    const resumed = await upload('--yes', '--resume');
    expect(resumed).toMatchObject({ code: 3, stdout: expect.stringContaining('whether rows 1 to 2 are queued') });
    expect(sent()).toEqual([rowsOf(1, 2), rowsOf(3, 4), rowsOf(5, 5)]);
  });

  test('two runs at a time: one sends, the other is refused', async () => {
    service.answer = async () => {
      await Promise.race(runs);
      return undefined;
    };
    const runs = [upload('--yes'), upload('--yes')];
    const results = await Promise.all(runs);
    expect(results.map(({ code }) => code).sort()).toEqual([0, expect.any(Number)]);
    expect(results.some(({ code }) => code !== 0)).toBe(true);
    expect(service.calls).toHaveLength(1);
  });

  test('a ledger that cannot be read stops the run; a last line that was cut off does not', async () => {
    service.answer = unclear(2);
    await upload('--yes', '--batch', '2');
    const [name = ''] = await readdir(join(project.root, '.agentform/uploads/test'));
    const path = join('.agentform/uploads/test', name);
    const text = await project.read(path);
    await project.write(path, `${text}{"batch":3,"fir`);
    expect((await upload('--yes', '--resume', '--assume-queued')).code).toBe(0);
    await project.write(path, text.replace('"state":"done"', '"state":"dome"'));
    expect(await upload('--yes', '--resume')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(ledger-unreadable)'),
    });
    await project.write(path, text.replace('"formatVersion":1', '"formatVersion":2'));
    expect(await upload('--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('(ledger-unreadable)') });
  });

  test('the ledger holds no secret', async () => {
    await project.edit('agentform.yaml', /\n$/, '\n    query: { key: "${secret.AGENT_TOKEN}" }\n');
    expect((await upload('--yes')).code).toBe(0);
    const texts = await project.recordTexts();
    expect(texts).toHaveLength(1);
    expect(texts.join()).toContain('"key":"(sensitive)"');
    expect(texts.join()).not.toContain(token);
  });
});
