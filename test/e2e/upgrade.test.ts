import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Emulator, startEmulator } from '../../src/emulator/index.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { runAction } from '../support/action.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, pushedProject } from '../support/git.ts';
import { gitRepository } from '../support/git-repository.ts';
import { startGitHub, workflowBot } from '../support/github-server.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const fixtures = resolve(import.meta.dirname, '../fixtures/0.1');

const secrets = {
  STUDIO_TOKEN: 'tok-studio-1',
  FRONT_DESK_TOKEN: 'tok-front-desk-1',
  PLAIN_TOKEN: 'tok-plain-1',
  DOOR_CODE: '4711',
  PROVIDER_KEY: 'provider-key-1',
  REGION_KEY: 'region-key-1',
};

type Store = 'file' | 'git';

let folder: string;
let emulator: Emulator;
let writes: string[];
let remote: BareRemote;
let project: TestProject;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-upgrade-'));
  await copyFile(join(fixtures, 'emulator.json'), join(folder, 'emulator.json'));
  writes = [];
  emulator = await listening();
  remote = await bareRemote();
});
afterEach(async () => {
  await emulator.close();
  await Promise.all([project?.remove(), remote.remove(), rm(folder, { recursive: true, force: true })]);
});

describe.each<Store>(['file', 'git'])('a project of 0.1 with records in the %s store', (store) => {
  beforeEach(async () => {
    project = await projectOf01(store);
  });

  test('has no changes and no warnings', async () => {
    const { summary, resources } = await planned();
    expect(summary).toMatchObject({ create: 0, update: 0, unchanged: 7, blocked: 0, failed: 0, orphans: 0 });
    expect(resources.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(await project.run('plan')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No changes/) });
  });

  test('gets records of version 2 by an apply that sends nothing, and then is as it was', async () => {
    const before = await records(store);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(writes).toEqual([]);
    const after = await records(store);
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    for (const [index, record] of after.entries()) {
      const { id, fields, lastUpdate } = before[index] ?? {};
      expect(record).toMatchObject({ formatVersion: 2, ...(id !== undefined && { id }) });
      expect(record.lastUpdate).toBe(lastUpdate);
      expect(Object.keys(record.fields)).toEqual(Object.keys(fields ?? {}));
      expect(record.credentials).toMatchObject({ fingerprint: expect.stringMatching(/^hmac:/) });
    }
    expect(JSON.stringify(before)).toContain('scrypt:');
    expect(JSON.stringify(after)).not.toContain('scrypt:');
    expect(JSON.stringify(after)).toMatch(/"fingerprint":"hmac:/);
    expect((await planned()).summary).toMatchObject({ update: 0, unchanged: 7 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await records(store)).toEqual(after);
  });

  test('notices that a sensitive value is another one', async () => {
    await project.edit('manifests/front-desk.yaml', 'Answers the phone.', 'Answers the telephone.');
    const { summary, resources } = await planned();
    expect(summary).toMatchObject({ update: 1, unchanged: 6 });
    expect(resources.flatMap(({ changes }) => changes)).toMatchObject([
      { path: 'settings.description', cause: 'manifest' },
    ]);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(writes).toEqual(['POST /api/v2/agent 200']);
    expect((await planned()).summary).toMatchObject({ update: 0, unchanged: 7 });
  });
});

describe('a plan that 0.1 saved', () => {
  const plan = (name: string) => join(fixtures, `${name}.plan.json`);

  beforeEach(async () => {
    project = await projectOf01('file');
    await project.edit('manifests/plain.yaml', 'Good day', 'Good evening');
    await project.edit('manifests/front-desk.yaml', 'Answers the phone.', 'Answers the telephone.');
  });

  test.each([
    ['plain', 'Good evening'],
    ['sensitive', '(sensitive, changes)'],
  ])('(%s) is shown, and refused by apply with the advice to plan again', async (name, shown) => {
    expect(await project.run('show', plan(name))).toMatchObject({ code: 0, stdout: expect.stringContaining(shown) });
    expect(await project.run('apply', '--yes', '--new', 'all', '--plan', plan(name))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/an older agentform saved the plan .* in format version 1; plan again/),
    });
    expect(writes).toEqual([]);
  });
});

/** A manifest of the fixture with one change. */
function edited(name: string, from: string, to: string): string {
  return readFileSync(join(fixtures, `project/manifests/${name}.yaml`), 'utf8').replace(from, to);
}

test('a comment of the action of 0.1 is read: it approves what it shows, and of what has new fingerprints nothing', async () => {
  const github = await startGitHub();
  const repository = await gitRepository(projectFiles('file'));
  try {
    const base = await repository.commit('main', {});
    const changed = {
      'manifests/plain.yaml': edited('plain', 'Good day', 'Good evening'),
      'manifests/front-desk.yaml': edited('front-desk', 'Answers the phone.', 'Answers the telephone.'),
    };
    const head = await repository.commit('topic', changed, base);
    const commit = await repository.merge(base, head, 'main');
    github.pulls.push({ number: 7, head, mergeCommit: commit, merged: true });
    const comment = readFileSync(join(fixtures, 'comment.md'), 'utf8');
    github.addComment(7, workflowBot, comment.replace(/"commit":"[0-9a-f]+"/, `"commit":"${head}"`));
    const { code, log } = await runAction({
      workspace: await repository.checkout(commit),
      apiUrl: github.url,
      inputs: {
        command: 'apply',
        secrets: Object.keys(secrets).join(' '),
        'allowed-hosts': '127.0.0.1:21010',
        'require-approved-plan': 'true',
      },
      env: secrets,
      event: { name: 'push', payload: { ref: 'refs/heads/main', after: commit }, sha: commit },
    });
    expect({ code, log }).toEqual({
      code: 3,
      log: expect.stringMatching(/error: .*Agent\/front-desk was shown with other changes; .* approve-digest/),
    });
    expect(log).not.toMatch(/Agent\/plain was shown with other changes/);
    expect(writes).toEqual([]);
  } finally {
    await Promise.all([github.close(), repository.remove()]);
  }
});

/** Digests cover the host, so that the port is the one that 0.1 wrote; another run of the tests may have it just now. */
async function listening(): Promise<Emulator> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await startEmulator({
        port: 21010,
        dataFile: join(folder, 'emulator.json'),
        onRequest: (line) => void (line.startsWith('GET') || writes.push(line)),
      });
    } catch (error) {
      if (tries === 100) throw error;
      await wait(200);
    }
  }
}

function projectFiles(store: Store): Record<string, string> {
  const files = filesBelow(join(fixtures, 'project'));
  const settings = files['agentform.yaml']?.replace('store: file', `store: ${store}`) ?? '';
  const kept = Object.entries(filesBelow(join(fixtures, 'records'))).map(([path, text]) => [
    `.agentform/records/${path}`,
    text,
  ]);
  return { ...files, 'agentform.yaml': settings, ...(store === 'file' ? Object.fromEntries(kept) : {}) };
}

async function projectOf01(store: Store): Promise<TestProject> {
  if (store === 'git') {
    const input = readFileSync(join(fixtures, 'records.fast-export'));
    execFileSync('git', ['fast-import', '--quiet'], { cwd: remote.path, input });
  }
  return pushedProject(remote, projectFiles(store), secrets);
}

function filesBelow(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

async function planned(): Promise<Plan> {
  const { code, stdout, stderr } = await project.run('plan', '--format', 'json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

async function records(store: Store): Promise<ResourceRecord[]> {
  const texts =
    store === 'file'
      ? (await project.recordTexts()).map((text) => JSON.parse(text))
      : Object.values(await remote.records());
  return (texts as ResourceRecord[]).sort((one, other) => (one.name < other.name ? -1 : 1));
}
