import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pathOnBranch } from '../../src/record/record-text.ts';
import type { History } from '../../src/schemas/history-types.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, commit, git, pushedProject } from '../support/git.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const env = { AGENT_TOKEN: 'token-1' };
const place = (environment: string) => `.agentform/records/${environment}/Agent/front-desk.json`;

let server: IndependentServer;
let remote: BareRemote;
let project: TestProject;

let startOver: () => Promise<void>;

beforeAll(async () => {
  server = await startIndependentServer();
  remote = await bareRemote();
  project = await pushedProject(remote, files(), env);
  startOver = await savedState(server, project.root, remote.path);
});
beforeEach(() => startOver());
afterAll(async () => {
  await Promise.all([project.remove(), remote.remove(), server.close()]);
});

describe('record move', () => {
  let startApplied: () => Promise<void>;
  beforeAll(async () => {
    await startOver();
    for (const environment of ['one', 'two', 'local']) {
      expect(await project.run('apply', '--yes', '--new', 'all', '-e', environment)).toMatchObject({ code: 0 });
    }
    startApplied = await savedState(server, project.root, remote.path);
  });
  beforeEach(() => startApplied());

  test('Record move to git is required after the edit of agentform.yaml, and then finds all records.', async () => {
    await useGit();
    server.takeLog();
    for (const command of [['plan'], ['apply', '--yes', '--new', 'all'], ['record', 'list']]) {
      expect(await project.run(...command, '-e', 'one')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/in files.*agentform record move --to git/),
      });
    }
    expect(server.takeLog()).toEqual([]);
    await project.write('.agentform/records/.DS_Store', 'left by a file manager');
    const before = [await project.read(place('one')), await project.read(place('two'))];
    expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({
      code: 0,
      stdout: 'one: 1 moved\ntwo: 1 moved\n',
    });
    expect(Object.keys(await remote.records())).toEqual([place('one'), place('two')]);
    expect(
      await remote.git(
        'show',
        `agentform-records:${pathOnBranch({ environment: 'one', kind: 'Agent', name: 'front-desk' })}`,
      ),
    ).toBe(before[0]?.trimEnd());
    expect(await remote.subjects()).toEqual(['Move to git: front-desk and front-desk']);
    expect((await filesLeft()).sort()).toEqual(['local/Agent/front-desk.json', 'moved.json']);
    for (const environment of ['one', 'two', 'local']) {
      expect((await project.run('plan', '-e', environment)).stdout).toContain('No changes');
    }
    expect((await project.run('record', 'move', '--to', 'git')).stdout).toBe('No records to move.\n');
  });

  test('Record move to file and back keeps the same records, and the branch keeps its history.', async () => {
    await useGit();
    await project.run('record', 'move', '--to', 'git');
    const records = await remote.records();
    const back = await project.run('record', 'move', '--to', 'file');
    expect(back).toMatchObject({ code: 0, stderr: expect.stringContaining('store: file') });
    expect(Object.keys(await remote.records())).toEqual(['.agentform/records/moved.json']);
    expect(JSON.parse(await project.read(place('one')))).toEqual(records[place('one')]);
    await project.edit('agentform.yaml', 'store: git', 'store: file');
    expect((await project.run('plan', '-e', 'one')).stdout).toContain('No changes');
    expect(await project.run('record', 'move', '--to', 'file')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /no other store with records was found; name the store to move from with --from git or --from postgres/,
      ),
    });
    await useGit();
    expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({ code: 0 });
    expect(await remote.records()).toEqual(records);
    expect(await remote.subjects()).toEqual([
      'Move to git: front-desk and front-desk',
      'Moved to file',
      'Move to file: front-desk and front-desk',
      'Move to git: front-desk and front-desk',
      'Move back',
    ]);
  });

  test('Record move to file is required, because every agent would count as new without records.', async () => {
    await useGit();
    await project.run('record', 'move', '--to', 'git');
    await project.edit('agentform.yaml', 'store: git', 'store: file');
    server.takeLog();
    for (const command of [['plan'], ['apply', '--yes', '--new', 'all'], ['record', 'list']]) {
      expect(await project.run(...command, '-e', 'one')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/records were moved to git on .*agentform record move --to file/),
      });
    }
    expect(server.takeLog()).toEqual([]);
    expect((await project.run('plan', '-e', 'local')).stdout).toContain('No changes');
    expect(await project.run('record', 'move', '--to', 'file')).toMatchObject({ code: 0 });
    expect((await project.run('plan', '-e', 'one')).stdout).toContain('No changes');
    expect(await project.run('record', 'forget', '--yes', 'front-desk', '-e', 'one')).toMatchObject({ code: 0 });
    expect((await project.run('plan', '-e', 'one')).stdout).toContain('1 to create');
  });

  test('An interrupted record move can be repeated, but does not overwrite another record.', async () => {
    const text = await project.read(place('one'));
    await useGit();
    await project.run('record', 'move', '--to', 'git');
    await mkdir(join(project.root, '.agentform/records/one/Agent'), { recursive: true });
    await writeFile(join(project.root, place('one')), text);
    expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({ code: 0, stdout: 'one: 1 moved\n' });
    expect((await filesLeft()).sort()).toEqual(['local/Agent/front-desk.json', 'moved.json']);
    expect(await remote.subjects()).toHaveLength(1);

    await mkdir(join(project.root, '.agentform/records/one/Agent'), { recursive: true });
    await writeFile(join(project.root, place('one')), text.replace('"T"', '"U"'));
    expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /a different record for Agent\/front-desk in one. Nothing was moved.*record-exists/,
      ),
    });
    expect(await project.read(place('one'))).toContain('"U"');
    expect(
      await remote.git(
        'show',
        `agentform-records:${pathOnBranch({ environment: 'one', kind: 'Agent', name: 'front-desk' })}`,
      ),
    ).toContain('"T"');
  });
});

describe('record history and record show', () => {
  test.each(['git', 'file'] as const)(
    'Record history and show report what was applied, when, by whom and from which commit, with the %s store.',
    async (store) => {
      if (store === 'git') await useGit();
      await project.run('apply', '--yes', '--new', 'all', '-e', 'one');
      await commit(project, 'one');
      await project.edit('agents/front-desk.yaml', 'title: T', 'title: U');
      await commit(project, 'two');
      await project.run('apply', '--yes', '--new', 'all', '-e', 'one');
      await commit(project, 'three').catch(() => undefined);
      const json = await project.run('history', '-e', 'one', '--format', 'json', 'front-desk');
      const { entries } = JSON.parse(json.stdout) as History;
      expect(entries.map(({ event }) => event)).toEqual(['apply', 'create']);
      const [newest, older] = entries;
      expect(newest).toMatchObject({
        by: 'Tess',
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        commit: await git(project.root, 'rev-parse', ':/two'),
        changes: [{ path: 'settings.title', op: 'set', summary: 'Title: T → U', from: 'T', to: 'U' }],
      });
      const shown = await project.run('record', 'show', '-e', 'one', `front-desk@${older?.version?.slice(0, 8)}`);
      expect(JSON.parse(shown.stdout)).toMatchObject({
        name: 'front-desk',
        fields: { 'settings.title': { value: 'T' } },
      });
      expect((await project.run('record', 'show', '-e', 'one', 'front-desk')).stdout).toContain('"U"');
      const text = await project.run('history', '-e', 'one');
      expect(text.stdout).toMatch(/^WHEN \(UTC\) +RESOURCE +WHO +FROM +VERSION +WHAT\n/);
      expect(text.stdout).toContain(newest?.version?.slice(0, 12));
      expect((await project.run('history', '-e', 'two')).stdout).toBe('No matching events in two.\n');
    },
  );
});

describe('records in the git store', () => {
  let startApplied: () => Promise<void>;
  beforeAll(async () => {
    await startOver();
    await useGit();
    expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'one')).toMatchObject({ code: 0 });
    startApplied = await savedState(server, project.root, remote.path);
  });
  beforeEach(() => startApplied());

  test('Record show reports a missing commit or record.', async () => {
    const from = await git(project.root, 'rev-parse', 'HEAD');
    for (const [address, message] of [
      ['front-desk@nonsense', /it is not a commit id; run `agentform history Agent\/front-desk -e \w+`/],
      ['front-desk@0123456789', /no record at "0123456789": the repository does not have this commit/],
      [`front-desk@${from}`, /has no record of front-desk/],
      ['back-desk', /back-desk has no record in the environment one; the environment has Agent\/front-desk/],
    ] as const) {
      expect(await project.run('record', 'show', '-e', 'one', address)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(message),
      });
    }
  });

  test('The commands record forget, rename and adopt are shared, each with its own message.', async () => {
    for (const command of [
      ['rename', 'front-desk', 'back-desk'],
      ['forget', '--yes', 'back-desk'],
      ['adopt', 'front-desk', 'agent-1'],
    ]) {
      expect(await project.run('record', ...command, '-e', 'one')).toMatchObject({ code: 0 });
    }
    expect((await remote.subjects()).slice(2)).toEqual([
      'Rename in one: back-desk and front-desk',
      'Forget in one: back-desk',
      'Adopt in one: front-desk',
    ]);
    const other = await clonedProject(remote, env);
    await other.edit('agentform.yaml', 'store: file', 'store: git');
    expect((await other.run('record', 'list', '-e', 'one')).stdout).toMatch(/Agent\/front-desk +agent-1/);
    await other.remove();
  });
});

async function useGit(): Promise<void> {
  await project.edit('agentform.yaml', 'store: file', 'store: git');
}

async function filesLeft(): Promise<string[]> {
  const found = await readdir(join(project.root, '.agentform/records'), { recursive: true });
  return found.filter((path) => path.endsWith('.json'));
}

function files(): Record<string, string> {
  return {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: file }
environments:
  one: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }
  two: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}", query: { targetAccountId: two } }
  local: { baseUrl: emulator }
`,
    'agents/front-desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings: { title: T, description: D }
`,
    '.gitignore': '.agentform/locks/\n.agentform/emulator.json\n',
  };
}
