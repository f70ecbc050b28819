import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { apply } from '../../src/commands/apply/apply.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import { startEmulator } from '../../src/emulator/emulator.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import { commitAll, initRepository } from '../support/git.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { toldRefusals } from '../support/notices.ts';

const head = 'apiVersion: agentform/v1\n';
const agent = (title: string) => `${head}kind: Agent\nname: desk\nsettings: { title: ${title}, description: d }\n`;

let emulator: Awaited<ReturnType<typeof startEmulator>>;
let place: Workplace;
const { PATH } = process.env;

beforeEach(async () => {
  emulator = await startEmulator();
  place = await workplace(
    {
      'agentform.yaml': `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n  test: { baseUrl: "${emulator.baseUrl}", token: "\${secret.TOKEN}" }\n`,
      'agents/desk.yaml': agent('Desk'),
    },
    { TOKEN: 'tok-desk-1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
  );
});

afterEach(async () => {
  process.env.PATH = PATH;
  delete process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER;
  await emulator.close();
  await place.remove();
});

const options = () => ({ project: place.root, names: [], concurrency: 1 });
const applied = (allowOlder = false) =>
  apply(place.host, {
    ...options(),
    decisions: decisionsOf({ new: ['all'], allowOlder }),
    signal: new AbortController().signal,
    confirm: async () => true,
  });

async function appliedFromCommit(): Promise<void> {
  initRepository(place.root);
  await commitAll(place.root, 'one');
  expect((await applied()).ledger.entries).toMatchObject([{ outcome: 'applied' }]);
  await place.write('agents/desk.yaml', agent('Changed'));
}

const unanswered = (how: RegExp) => [{ severity: 'warning', rule: 'git-failed', message: expect.stringMatching(how) }];

test("A repository of another user is reported once with git's remedy, and the dependent guard refuses.", async () => {
  await appliedFromCommit();
  process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER = '1';
  const { plan: made, warnings } = await plan(place.host, options());
  expect(warnings).toEqual(
    unanswered(
      /^git failed, .*: detected dubious ownership .*; if you trust the repository's owner, run `git config --global --add safe\.directory \S+`$/,
    ),
  );
  expect(toldRefusals(made.refusals)).toMatchObject([
    {
      rule: 'older-commit',
      message: expect.stringContaining('a version that could not be compared with this one'),
    },
  ]);
  await expect(applied()).rejects.toMatchObject({ code: 'run-refused' });
  expect((await applied(true)).ledger.entries).toMatchObject([{ outcome: 'applied' }]);
});

test('A missing git is reported once with its remedy, and the dependent guard refuses.', async () => {
  await appliedFromCommit();
  process.env.PATH = '/nonexistent';
  const { plan: made, warnings } = await plan(place.host, options());
  expect(warnings).toEqual(unanswered(/: git cannot be started: .*; install git, or add its folder to PATH$/));
  expect(made.refusals).toMatchObject([{ code: 'older-commit' }]);
});

test('A first plan in a repository continues without git, with a warning.', async () => {
  execFileSync('git', ['-C', place.root, 'init', '-q']);
  process.env.PATH = '/nonexistent';
  const { plan: made, warnings } = await plan(place.host, options());
  expect(warnings).toEqual(unanswered(/: git cannot be started: .*; install git, or add its folder to PATH$/));
  expect(made.summary.create).toBe(1);
});

test('A plan outside a repository needs no git.', async () => {
  process.env.PATH = '/nonexistent';
  const { warnings, plan: made } = await plan(place.host, options());
  expect([warnings, made.refusals]).toEqual([[], []]);
});
