import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { movedText } from '../../../src/commands/record/text.ts';
import { commit } from '../../support/git.ts';
import {
  committedVersions,
  configure,
  endMoving,
  historyNow,
  move,
  project,
  remote,
  startMoving,
  valueNow,
} from './moving.ts';

beforeAll(() => startMoving());
afterAll(endMoving);

test.each([
  [{ to: 'git', from: 'git' } as const, /--from and --to are both git/],
  [{ to: 'git', url: '${secret.RECORDS_URL}' } as const, /--url cannot be used: it is for the store postgres/],
  [
    { to: 'postgres', url: 'postgres://u:hunter2@db/x' } as const,
    /--url cannot be used: it must be a reference to a secret/,
  ],
  [
    { to: 'git', branch: 'a.lock' } as const,
    /--branch cannot be used: branch is 'a.lock': expected a valid git branch name/,
  ],
  [{ to: 'postgres', schema: 'A b' } as const, /--schema cannot be used: schema is 'A b': expected/],
])('Options that do not fit are refused without showing a possible secret: %j', async (options, message) => {
  await expect(move(options)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
  await expect(move(options)).rejects.not.toMatchObject({ message: expect.stringContaining('hunter2') });
});

test('A move to a branch keeps the history and has older checkouts refused, and a move to files leaves it.', async () => {
  await committedVersions();
  const before = await historyNow();
  expect(before.map(({ what, value }) => [what, value])).toEqual([
    ['version 2', 2],
    ['version 1', 1],
  ]);

  expect(await move({ to: 'git' })).toMatchObject({
    ...{ history: 2, lost: [], configure: { store: 'git', branch: 'agentform-records' } },
  });
  await expect(valueNow()).rejects.toMatchObject({
    code: 'record-elsewhere',
    message: expect.stringContaining('records were moved to git on 2026-11-27 (by Tess)'),
  });
  await configure('{ store: git }');
  expect(await historyNow()).toEqual(before);
  expect(await remote.subjects()).toEqual(['version 1', 'version 2']);
  expect(await valueNow()).toBe(2);

  const back = await move({ to: 'file' });
  expect(back.lost).toEqual([
    'the history was not moved, because git keeps the history of record files; the branch agentform-records still has the 2 earlier changes',
  ]);
  const { answer, messages } = movedText(back);
  expect(answer).toBe('test: 1 moved\n');
  expect(messages).toEqual([
    expect.stringMatching(/^warning: the history was not moved/),
    'Now put `record: { store: file }` into agentform.yaml, and commit it with .agentform/records.',
  ]);
});

test('A move is refused if its source is unknown, or a setting belongs in agentform.yaml.', async () => {
  await expect(move({ to: 'file', branch: 'other' })).rejects.toMatchObject({
    code: 'usage',
    message: '--branch cannot be used: agentform.yaml configures `store: git`; set branch there',
  });
  await move({ to: 'file' });
  await configure('{ store: file }');
  await expect(move({ to: 'file' })).rejects.toMatchObject({
    code: 'record-elsewhere',
    message:
      'agentform.yaml sets `store: file`, and no other store with records was found; name the store to move from with --from git or --from postgres',
  });
});

test('A move counts the earlier versions that cannot be read.', async () => {
  const file = '.agentform/records/test/Agent/front-desk.json';
  const text = await project.read(file);
  await project.write(file, '{');
  await commit(project, 'broken');
  await project.write(file, text);
  await commit(project, 'repaired');
  expect((await move({ to: 'git' })).lost).toEqual(['1 earlier version could not be read, and was not moved']);
});

test('A move is refused with commands that keep either record if both stores have a different one.', async () => {
  const file = '.agentform/records/test/Agent/front-desk.json';
  await configure('{ store: git }');
  await move({ to: 'file' });
  const text = await project.read(file);
  await configure('{ store: file }');
  await move({ to: 'git' });
  await project.write(file, text.replace('"value": 2', '"value": 3'));
  await expect(move({ to: 'git' })).rejects.toMatchObject({
    code: 'record-exists',
    message:
      'the stores file and git have different records of Agent/front-desk in test. Nothing was moved. ' +
      'To keep the record in git, run `agentform record forget Agent/front-desk -e test`. ' +
      'To keep the record in file, set `store: git` in agentform.yaml, and run the same command. Then run the move again',
    remedies: [['record', 'forget', 'Agent/front-desk', '-e', 'test']],
  });
});
