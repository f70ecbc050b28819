import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { oneAgentProject, type Remote, startRemote } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
afterEach(() => project.remove());

async function withHosts(hosts: string): Promise<TestProject> {
  project = await oneAgentProject(remote, 'settings: { title: T, description: D }\n', {
    AGENTFORM_ALLOWED_HOSTS: hosts,
  });
  return project;
}

const commands = [['plan'], ['apply', '--yes', '--new', 'all'], ['inbox']];

test.each(commands)(
  'The command agentform %s refuses a host that AGENTFORM_ALLOWED_HOSTS does not name.',
  async (...args) => {
    await withHosts('service.example.com, 127.0.0.1');
    const { code, stderr, stdout } = await project.run(...args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /^error: a token must not be sent to 127\.0\.0\.1:\d+: AGENTFORM_ALLOWED_HOSTS allows service\.example\.com, 127\.0\.0\.1; nothing was sent \(host-not-allowed\)\n$/,
    );
    expect(await remote.requests()).toEqual([]);
  },
);

test('AGENTFORM_ALLOWED_HOSTS accepts hosts with ports, separated by commas or white space.', async () => {
  await withHosts(`SERVICE.example.com:443\n ${new URL(remote.baseUrl).host}`);
  expect(await project.run('plan')).toMatchObject({ code: 0 });
});

test.each(['', ' , '])('AGENTFORM_ALLOWED_HOSTS allows no host if it is %j.', async (hosts) => {
  await withHosts(hosts);
  const { code, stderr } = await project.run('plan');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('AGENTFORM_ALLOWED_HOSTS is empty') });
  expect(await remote.requests()).toEqual([]);
});

test('The embedded emulator is allowed without AGENTFORM_ALLOWED_HOSTS.', async () => {
  await withHosts('service.example.com');
  await project.edit('agentform.yaml', remote.baseUrl, 'emulator');
  expect(await project.run('plan')).toMatchObject({ code: 0 });
});

test.each(['https://service.example.com', '*.example.com', 'service.example.com/path', 'a@b', ':80'])(
  'AGENTFORM_ALLOWED_HOSTS refuses the entry %s.',
  async (entry) => {
    await withHosts(entry);
    const { code, stderr } = await project.run('plan');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        `AGENTFORM_ALLOWED_HOSTS contains ${JSON.stringify(entry)}: expected a host such as`,
      ),
    });
  },
);
