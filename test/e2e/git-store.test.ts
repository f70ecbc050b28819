import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../src/apply/events.ts';
import { type CliResult, type TestProject, testProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, commit, git, gitEnv, pushedProject } from '../support/git.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';

const names = Array.from({ length: 10 }, (_, index) => `a${index}`);
const token = 'tok/S3cret+value=1';
const env = { AGENT_TOKEN: token };
const branch = 'agentform-records';

let server: IndependentServer;
let remote: BareRemote;
let project: TestProject;
let clones: TestProject[];

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const { id } of server.agents()) server.drop(id);
  Object.assign(server, { quirks: {}, before: undefined, after: undefined });
  server.takeLog();
  clones = [];
  remote = await bareRemote();
  project = await pushedProject(remote, files(), env);
});
afterEach(async () => {
  await Promise.all([project, ...clones].map((each) => each.remove()));
  await remote.remove();
});

describe('an apply', () => {
  test('pushes the intents before the first create, and what was applied at the end', async () => {
    const seen: string[][] = [];
    server.before = async ({ method }) => {
      if (method === 'POST')
        seen.push(Object.values(await remote.records()).map((record) => String('intent' in record)));
      return undefined;
    };
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(seen).toHaveLength(names.length);
    expect(seen[0]).toEqual(names.map(() => 'true'));
    expect(await remote.subjects()).toEqual([
      'Begin creates in test: a0, a1, a2 and 7 more',
      'Apply to test: a0, a1, a2 and 7 more',
    ]);
    const records = await remote.records();
    expect(Object.keys(records)).toEqual(names.map((name) => `.agentform/records/test/Agent/${name}.json`));
    for (const record of Object.values(records)) expect(record).toMatchObject({ id: expect.stringMatching(/^agent-/) });
    expect((await project.run('plan')).stdout).toContain('No changes');
  });

  test('says in its commit what was applied, from which commit, and by whom', async () => {
    await project.run('apply', '--yes', 'a0');
    const from = await git(project.root, 'rev-parse', 'HEAD');
    const id = server.agentOf(token, 'a0')?.id;
    expect(await remote.git('log', '-1', '--format=%an <%ae>%n%B', branch)).toBe(
      `Tess <tess@example.com>\nApply to test: a0\n\nAgent/a0: created (${id})\n\nEnvironment: test\nApplied-from: ${from}\nApplied-by: Tess\n`,
    );
  });

  test('in a workflow is by its actor, and by agentform where git knows nobody', async () => {
    const nobody = { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '' };
    const [actor, none] = [await clone({ GITHUB_ACTOR: 'octocat' }), await clone(nobody)];
    await actor.run('apply', '--yes', 'a0');
    expect(await remote.git('log', '-1', '--format=%an', branch)).toBe('octocat');
    await none.run('apply', '--yes', 'a1');
    expect(await remote.git('log', '-1', '--format=%an <%ae>', branch)).toBe('agentform <agentform@localhost>');
  });

  test('without changes makes no commit, and one of updates makes one', async () => {
    await project.run('apply', '--yes');
    await project.run('apply', '--yes');
    expect(await remote.subjects()).toHaveLength(2);
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await remote.subjects()).toHaveLength(3);
  });

  test('touches nothing of the work tree, the index, HEAD or the branches', async () => {
    await writeFile(join(project.root, 'staged.txt'), 'staged');
    await git(project.root, 'add', 'staged.txt');
    await writeFile(join(project.root, 'loose.txt'), 'loose');
    const look = () =>
      Promise.all([
        git(project.root, 'status', '--porcelain', '--ignored'),
        git(project.root, 'for-each-ref', 'refs/heads', 'refs/tags', 'refs/agentform'),
        git(project.root, 'symbolic-ref', 'HEAD'),
        git(project.root, 'ls-files', '--stage'),
      ]);
    const before = await look();
    await project.run('apply', '--yes');
    await project.run('plan');
    expect(await look()).toEqual(before);
  });

  test('works with the branch checked out beside it, hooks in place and a hook around it', async () => {
    await project.run('apply', '--yes', 'a0');
    const hook = join(project.root, '.git/hooks');
    await mkdir(hook, { recursive: true });
    for (const name of ['pre-push', 'reference-transaction', 'post-checkout']) {
      await writeFile(join(hook, name), '#!/bin/sh\nexit 1\n');
      await chmod(join(hook, name), 0o755);
    }
    const hooked = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index', GIT_WORK_TREE: '/nowhere' };
    const other = await clone(hooked);
    await git(other.root, 'checkout', '--quiet', branch, '--');
    await git(other.root, 'worktree', 'add', '--quiet', '--detach', join(other.root, 'side'), 'origin/main');
    const side = await other.run('apply', '--yes', 'a1', '--project', 'side');
    expect(side).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', 'a2')).toMatchObject({ code: 0 });
    expect(Object.keys(await remote.records())).toHaveLength(3);
    expect(await git(other.root, 'status', '--porcelain')).toBe('?? side/');
  });

  test('of an environment with the embedded emulator keeps its records here', async () => {
    await project.edit('agentform.yaml', '  test:', '  local: { baseUrl: emulator }\n  test:');
    expect(await project.run('apply', '--yes', '-e', 'local', 'a0')).toMatchObject({ code: 0 });
    expect(await remote.subjects()).toEqual([]);
    expect((await project.run('record', 'list', '-e', 'local')).stdout).toContain('Agent/a0');
  });
});

describe('several at once', () => {
  test('ten appliers, from clones of their own, end well: every record is there and the history is linear', async () => {
    clones = await Promise.all(names.map(() => clonedProject(remote, env)));
    const ended = await Promise.all(clones.map((each, index) => each.run('apply', '--yes', names[index] ?? '')));
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(names.map(() => ''));
    const records = await remote.records();
    expect(Object.values(records).map(({ name, id }) => [name, id])).toEqual(
      names.map((name) => [name, server.agentOf(token, name)?.id]),
    );
    expect(await remote.git('rev-list', '--merges', '--count', branch)).toBe('0');
    expect(await remote.git('rev-list', '--max-parents=0', '--count', branch)).toBe('1');
    expect(await remote.subjects()).toHaveLength(20);
  });

  test('two that create the same agent: one does, the other sends nothing and names both commits', async () => {
    await project.run('apply', '--yes', 'a1');
    const other = await clone();
    server.takeLog();
    // The read of a1 is after its records were fetched and before its intents are pushed.
    server.before = async ({ method }) => {
      if (method !== 'GET') return undefined;
      server.before = undefined;
      expect(await project.run('apply', '--yes', 'a0')).toMatchObject({ code: 0 });
      return undefined;
    };
    const { code, stdout } = await other.run('apply', '--yes', 'a0', 'a1', 'a2', '--format', 'json');
    expect(code).toBe(1);
    const [a0, a1, a2] = (JSON.parse(stdout) as Ledger).entries;
    expect(a0).toMatchObject({ outcome: 'failed', sent: false });
    await expectBothCommits(a0?.message, other);
    expect([a1?.outcome, a2?.outcome]).toEqual(['unchanged', 'applied']);
    expect(server.takeWrites()).toHaveLength(2);
    const records = await remote.records();
    expect(records['.agentform/records/test/Agent/a0.json']).toMatchObject({ id: server.agentOf(token, 'a0')?.id });
    expect(Object.keys(records)).toHaveLength(3);
  });

  test('two that update the same agent: the second ends with an error, and nothing is lost', async () => {
    await project.run('apply', '--yes', 'a0', 'a1');
    const other = await clone();
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    for (const name of ['a0', 'a1']) await other.edit(`agents/${name}.yaml`, 'Hi', 'Hey');
    server.before = async ({ method, body }) => {
      if (method === 'POST' && body?.welcomeMessage === 'Hey') {
        server.before = undefined;
        expect(await project.run('apply', '--yes', 'a0', '--overwrite', 'Agent/a0')).toMatchObject({ code: 0 });
      }
      return undefined;
    };
    const { code, stdout } = await other.run('apply', '--yes', 'a0', 'a1', '--concurrency', '1', '--format', 'json');
    const ledger = JSON.parse(stdout) as Ledger;
    expect({ code, unshared: ledger.unshared }).toEqual({ code: 1, unshared: expect.any(String) });
    await expectBothCommits(ledger.unshared, other);
    const records = await remote.records();
    expect(JSON.stringify(records['.agentform/records/test/Agent/a0.json'])).toContain('"Hello"');
    expect(JSON.stringify(records['.agentform/records/test/Agent/a1.json'])).toContain('"Hey"');
  });

  test('a second apply in the same clone and environment is held off', async () => {
    let second: CliResult | undefined;
    server.before = async ({ method }) => {
      if (method !== 'POST') return undefined;
      server.before = undefined;
      second = await project.run('apply', '--yes', 'a1');
      return undefined;
    };
    expect(await project.run('apply', '--yes', 'a0')).toMatchObject({ code: 0 });
    expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/another run is writing.*record-locked/s) });
  });
});

describe('a clone', () => {
  test.each<[string, string[], string[]]>([
    ['of depth 1, as of actions/checkout', ['--depth=1', '--single-branch'], ['checkout', '--quiet', '--detach']],
    ['of one branch', ['--single-branch'], []],
    ['without blobs', ['--filter=blob:none'], []],
  ])('%s works', async (_, options, after) => {
    await remote.git('config', 'uploadpack.allowFilter', 'true');
    await project.run('apply', '--yes', 'a0', 'a1');
    await project.edit('agents/a1.yaml', 'Hi', 'Hello');
    await commit(project, 'second');
    const other = await clone({}, options);
    if (after.length > 0) await git(other.root, ...after);
    server.takeLog();
    expect(await other.run('apply', '--yes', 'a0', 'a1', 'a2')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(2);
    expect(Object.keys(await remote.records())).toHaveLength(3);
    if (options.includes('--depth=1')) {
      expect((await other.run('record', 'log', 'a0')).stdout.split('\n').filter(Boolean)).toHaveLength(3);
    }
  });

  test('holds two projects in folders of their own, which share the branch and no record', async () => {
    const other = await clone();
    for (const folder of ['north', 'south']) {
      await mkdir(join(other.root, folder, 'agents'), { recursive: true });
      await other.write(`${folder}/agentform.yaml`, files()['agentform.yaml'] ?? '');
      const manifest = (files()['agents/a0.yaml'] ?? '').replace('targetAccountId: a0', `targetAccountId: ${folder}`);
      await other.write(`${folder}/agents/a0.yaml`, manifest);
      expect(await other.run('apply', '--yes', '--project', folder)).toMatchObject({ code: 0 });
    }
    expect(Object.keys(await remote.records())).toEqual(
      ['north', 'south'].map((folder) => `${folder}/.agentform/records/test/Agent/a0.json`),
    );
    expect((await other.run('plan', '--project', 'north')).stdout).toContain('No changes');
    expect((await other.run('plan', 'a0')).stdout).toContain('1 to create');
  });

  test('that is a submodule keeps its records in its own remote', async () => {
    const outer = await bareRemote();
    const parent = await pushedProject(outer, { 'README.md': 'x' }, env);
    clones.push(parent);
    const source = `file://${remote.path}`;
    await git(parent.root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'agents-of-ours');
    expect(await parent.run('apply', '--yes', 'a0', '--project', 'agents-of-ours')).toMatchObject({ code: 0 });
    expect(Object.keys(await remote.records())).toHaveLength(1);
    expect(await outer.subjects()).toEqual([]);
    await outer.remove();
  });

  test('without a commit works, and there is no commit to name', async () => {
    const fresh = await testProject(files(), { ...gitEnv, ...env });
    clones.push(fresh);
    await git(fresh.root, 'init', '--quiet');
    await git(fresh.root, 'remote', 'add', 'origin', remote.path);
    expect(await fresh.run('apply', '--yes', 'a0')).toMatchObject({ code: 0 });
    expect(await remote.git('log', '-1', '--format=%B', branch)).not.toContain('Applied-from');
  });

  test('takes the remote as a path from the project folder, and another branch', async () => {
    const elsewhere = await bareRemote();
    await project.edit(
      'agentform.yaml',
      'store: git',
      `store: git, branch: state/agents, remote: ../${elsewhere.path.split('/').at(-1)}`,
    );
    expect(await project.run('apply', '--yes', 'a0')).toMatchObject({ code: 0 });
    expect(Object.keys(await elsewhere.records('state/agents'))).toHaveLength(1);
    expect(await remote.subjects()).toEqual([]);
    await elsewhere.remove();
  });
});

describe('what goes wrong', () => {
  /** One after the other, each in what the one before left. */
  function spoiled(): [() => Promise<unknown>, RegExp][] {
    const path = remote.path;
    return [
      [() => git(project.root, 'remote', 'set-url', 'origin', `${path}-gone`), /cannot be fetched: .*-gone/],
      [
        () => git(project.root, 'remote', 'set-url', 'origin', 'https://u:hunter2@localhost:1/x.git'),
        /cannot be fetched/,
      ],
      [
        () => git(project.root, 'remote', 'remove', 'origin'),
        /to origin, but this repository has no remote of that name; run `git remote add origin URL`, or set `record: { store: file }`/,
      ],
      [() => project.edit('agentform.yaml', 'store: git', 'store: git, remote: ./agents'), /inside the work tree/],
      [() => project.edit('agentform.yaml', './agents', './..agents'), /inside the work tree/],
      [
        () => project.edit('agentform.yaml', './..agents', 'agents'),
        /to agents, but this repository has no remote of that name/,
      ],
      [
        () => project.edit('agentform.yaml', 'remote: agents', `remote: "file://${project.root}/%61gents"`),
        /inside the work tree/,
      ],
      [
        () => project.edit('agentform.yaml', `file://${project.root}/%61gents`, 'file:agents%2f'),
        /it is not a file on this machine/,
      ],
      [
        () => rename(join(project.root, '.git'), join(project.root, 'git')),
        /is not in a git repository; run `git init`/,
      ],
    ];
  }

  test('no repository, no remote, or a remote in the work tree is told in a sentence before anything is sent', async () => {
    server.takeLog();
    for (const [spoil, message] of spoiled()) {
      await spoil();
      const { code, stderr } = await project.run('apply', '--yes', 'a0');
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
      expect(stderr).toMatch(/\(record-unreachable\)/);
      expect(stderr).not.toMatch(/hunter2|bug in agentform/);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(server.takeWrites()).toEqual([]);
  });

  test('a remote that lets nobody push is found out before the first write', async () => {
    await project.run('apply', '--yes', 'a0');
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    await git(project.root, 'config', 'remote.origin.pushurl', `${remote.path}-nowhere`);
    server.takeLog();
    for (const name of ['a0', 'a1']) {
      const { code, stderr } = await project.run('apply', '--yes', name);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/cannot be pushed to: .*nowhere/) });
    }
    expect(server.takeWrites()).toEqual([]);
    expect((await project.run('plan', 'a1')).stdout).toContain('1 to create');
  });

  test('a remote that takes no records leaves creates unsent, and says why', async () => {
    await writeFile(join(remote.path, 'hooks/pre-receive'), '#!/bin/sh\necho "records are frozen" >&2\nexit 1\n');
    await chmod(join(remote.path, 'hooks/pre-receive'), 0o755);
    server.takeLog();
    const { code, stdout } = await project.run('apply', '--yes', 'a1', '--format', 'json');
    const ledger = JSON.parse(stdout) as Ledger;
    expect({ code, unshared: ledger.unshared }).toEqual({ code: 1, unshared: undefined });
    expect(ledger.entries).toMatchObject([
      { outcome: 'failed', sent: false, message: expect.stringMatching(/records are frozen; nothing was sent$/) },
    ]);
    expect(server.takeWrites()).toEqual([]);
    expect(await git(project.root, 'for-each-ref', 'refs/agentform')).toBe('');
    expect((await project.run('plan', 'a1')).stdout).toContain('1 to create');
  });

  test('a push that fails at the end leaves the records here, and the next apply sends them', async () => {
    await project.run('apply', '--yes', 'a0');
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    server.after = async ({ method }) => {
      if (method === 'POST') await rename(remote.path, `${remote.path}-away`);
      return undefined;
    };
    const { code, stdout } = await project.run('apply', '--yes', 'a0');
    await rename(`${remote.path}-away`, remote.path);
    server.after = undefined;
    expect(code).toBe(1);
    const [, kept = ''] = /kept locally as commit ([0-9a-f]{40})/.exec(stdout.replace(/\s+/g, ' ')) ?? [];
    expect(await git(project.root, 'show', `${kept}:.agentform/records/test/Agent/a0.json`)).toContain('"Hello"');
    expect((await project.run('plan', 'a0')).stdout).toContain('No changes');
    expect(JSON.stringify(await remote.records())).not.toContain('"Hello"');
    expect(await project.run('apply', '--yes', 'a0')).toMatchObject({ code: 0 });
    expect(JSON.stringify(await remote.records())).toContain('"Hello"');
    expect(await git(project.root, 'for-each-ref', 'refs/agentform')).toBe('');
  });

  test('a push that somebody else is ahead of is made again on top of theirs', async () => {
    await project.run('apply', '--yes', 'a0');
    const other = await clone();
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    server.before = async ({ method }) => {
      if (method === 'POST') {
        server.before = undefined;
        expect(await other.run('apply', '--yes', 'a1')).toMatchObject({ code: 0 });
      }
      return undefined;
    };
    expect(await project.run('apply', '--yes', 'a0')).toMatchObject({ code: 0 });
    expect((await remote.subjects()).slice(-3)).toEqual([
      'Begin creates in test: a1',
      'Apply to test: a1',
      'Apply to test: a0',
    ]);
    expect(Object.keys(await remote.records())).toHaveLength(2);
  });
});

describe('an end before the end', () => {
  test('kill -9 after the intents were pushed: here the next run goes on, elsewhere it is blocked', async () => {
    const running = project.start('apply', '--yes', '--concurrency', '1');
    atWrite(3, () => running.kill('SIGKILL'));
    await running.done;
    const created = server.agents().length;
    server.takeLog();
    const elsewhere = await clone();
    const there = await elsewhere.run('apply', '--yes', '--format', 'json');
    expect(there.code).toBe(3);
    for (const entry of (JSON.parse(there.stdout) as Ledger).entries) {
      expect(entry).toMatchObject({ refused: true, message: expect.stringMatching(/record adopt .*record forget/) });
    }
    expect(server.takeWrites()).toEqual([]);
    const here = await project.run('apply', '--yes', '--format', 'json');
    const { entries } = JSON.parse(here.stdout) as Ledger;
    expect(entries.filter(({ outcome }) => outcome === 'unchanged').length).toBeGreaterThanOrEqual(2);
    expect(server.agents()).toHaveLength(created);
    const recorded = Object.values(await remote.records()).filter(({ id }) => id !== undefined);
    expect(recorded.length).toBeGreaterThanOrEqual(2);
  });

  test('Ctrl-C: what is done is pushed, and no intent is left of what was not begun', async () => {
    server.quirks = { delayMs: 100 };
    const running = project.start('apply', '--yes', '--concurrency', '2', '--format', 'json');
    atWrite(2, () => running.kill('SIGINT'));
    const { code, stdout } = await running.done;
    expect(code).toBe(1);
    const { entries } = JSON.parse(stdout) as Ledger;
    const done = entries.filter(({ outcome }) => outcome === 'applied').map(({ name }) => name);
    expect(done.length).toBeLessThan(names.length);
    const records = Object.values(await remote.records());
    expect(records.map(({ name }) => name)).toEqual(done);
    expect(records.filter((record) => 'intent' in record)).toEqual([]);
    server.quirks = {};
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(Object.keys(await remote.records())).toHaveLength(names.length);
  });
});

/** The message names the commit that stays and the one that is kept, and the latter is really there. */
async function expectBothCommits(message: string | undefined, at: TestProject | undefined): Promise<void> {
  const [, theirs = '', ours = '', ref = ''] =
    /in commit ([0-9a-f]{40}) of .*kept locally as commit ([0-9a-f]{40}) \(([^)]+)\)/.exec(message ?? '') ?? [];
  expect(message).toContain('Agent/a0');
  expect(await remote.git('branch', '--contains', theirs)).toContain(branch);
  expect(await git(at?.root ?? '', 'rev-parse', ref)).toBe(ours);
  expect(await git(at?.root ?? '', 'ls-tree', '-r', '--name-only', ours)).toContain('Agent/a0.json');
}

async function clone(
  more: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<TestProject> {
  const made = await clonedProject(remote, { ...env, ...more }, options);
  clones.push(made);
  return made;
}

/** Does something after the service has carried out so many writes, and before it answers the last of them. */
function atWrite(count: number, act: () => void): void {
  let seen = 0;
  server.after = ({ method }) => {
    if (method !== 'POST') return undefined;
    seen += 1;
    if (seen === count) act();
    return undefined;
  };
}

function files(): Record<string, string> {
  const manifests = names.map((name) => [
    `agents/${name}.yaml`,
    `apiVersion: agentform/v1
kind: Agent
name: ${name}
target: { query: { targetAccountId: ${name} } }
settings: { title: T, description: D, welcomeMessage: Hi }
`,
  ]);
  const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: git }
environments:
  test:
    baseUrl: "${server.baseUrl}"
    token: "\${secret.AGENT_TOKEN}"
`;
  return { 'agentform.yaml': projectFile, ...Object.fromEntries(manifests) };
}

test('records are kept neither on the branch that is checked out nor on the default one', async () => {
  await project.edit('agentform.yaml', 'store: git', 'store: git, branch: main');
  await commit(project, 'records on main');
  const clone = await clonedProject(remote, env);
  clones.push(clone);
  const onTopic = async () => git(clone.root, 'checkout', '--quiet', '-b', 'topic');
  for (const [next, arrange] of [
    [project, undefined],
    [clone, undefined],
    [clone, onTopic],
  ] as const) {
    await arrange?.();
    const { code, stderr } = await next.run('apply', '--yes');
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining(
        'record.branch is main, a branch of the project itself; use a separate branch such as agentform-records',
      ),
    });
  }
  expect(server.takeLog()).toEqual([]);
});
