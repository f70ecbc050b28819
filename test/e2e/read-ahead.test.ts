import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { agentManifest, projectFile, type Remote, startRemote, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const count = 70;

function manifest(index: number): string {
  const body = `target: { query: { targetAccountId: "${index}" } }\nsettings: { title: T${index}, description: D }\n`;
  return agentManifest(`agent-${index}`, body);
}

const invalid = agentManifest('zz', 'settings: { titel: T, description: D }\n');

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
  const manifests = Array.from({ length: count }, (_, index) => [`agents/${index}.yaml`, manifest(index)] as const);
  project = await testProject(
    { 'agentform.yaml': projectFile(remote.baseUrl), ...Object.fromEntries(manifests) },
    { AGENT_TOKEN: token },
  );
  expect(await project.run('apply', '--yes', '--new', 'all', '--allow-creates', '100')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await project.remove();
  await remote.close();
});
beforeEach(async () => {
  await remote.faults([]);
  await remote.requests();
});

describe('a project with more agents than are waited for', () => {
  test('A project with more agents than are waited for reads every agent once.', async () => {
    const { stdout } = await project.run('plan', '--format', 'json');
    expect(JSON.parse(stdout).summary).toMatchObject({ unchanged: count, create: 0, update: 0, failed: 0 });
    expect(await remote.requests()).toHaveLength(count);
  });

  test('A project with more agents than are waited for says of an agent that cannot be read what it says in a small one.', async () => {
    const path = '.agentform/records/test/Agent/agent-5.json';
    const record = await project.read(path);
    await project.edit(path, /"id": "[^"]+"/, '"id": "gone"');
    await project.edit(path, / *"hmac": .*\n/, '');
    const { stdout, code } = await project.run('plan', '--format', 'json');
    await project.write(path, record);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).summary).toMatchObject({ unchanged: count - 1, failed: 1 });
  });

  test('A project with more agents than are waited for stops at a manifest with an error, and waits for no answer.', async () => {
    await project.write('agents/zz.yaml', invalid);
    await remote.faults([{ kind: 'latency', ms: 60_000 }]);
    const { code, stderr } = await project.run('plan');
    await rm(join(project.root, 'agents/zz.yaml'));
    expect(code).toBe(1);
    expect(stderr).toContain('agents/zz.yaml:4:13');
  });
});

test('a small project sends nothing before all its manifests are found to be right', async () => {
  const small = await testProject(
    { 'agentform.yaml': projectFile(remote.baseUrl), 'agents/1.yaml': manifest(1), 'agents/zz.yaml': invalid },
    { AGENT_TOKEN: token },
  );
  expect(await small.run('plan')).toMatchObject({ code: 1 });
  expect(await remote.requests()).toEqual([]);
  await small.remove();
});
