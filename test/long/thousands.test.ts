import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { cliCommand } from '../support/node.ts';
import { agentManifest, projectFile, type Remote, startRemote, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const count = 1_150;

function manifest(index: number): readonly [string, string] {
  const name = `agent-${index}`;
  const body = `extends: ../shared/base.yaml
target: { query: { targetAccountId: "${index}" } }
variables: { clinic: Clinic ${index} }
settings: { title: ${name}, welcomeMessage: "Hello from \${var.clinic}." }
`;
  return [`agents/${name}.yaml`, agentManifest(name, body)];
}

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
  project = await testProject(
    {
      'agentform.yaml': projectFile(remote.baseUrl),
      'shared/base.yaml': 'apiVersion: agentform/v1\nkind: Agent\nsettings:\n  description: Answers the phone.\n',
      ...Object.fromEntries(Array.from({ length: count }, (_, index) => manifest(index))),
    },
    { AGENT_TOKEN: token },
  );
});
afterAll(async () => {
  await project.remove();
  await remote.close();
});

async function apply(): Promise<void> {
  expect(await project.run('apply', '--yes', '--new', 'all', '--allow-creates', String(count))).toMatchObject({
    code: 0,
  });
}

/** Runs a command, and closes the output stream after reading a part of the output. */
async function readingOnce(stream: 'stdout' | 'stderr', ...args: string[]): Promise<unknown> {
  const { PATH = '', HOME = '' } = process.env;
  const [node, ...program] = cliCommand;
  const child = spawn(node, [...program, ...args], {
    cwd: project.root,
    env: { PATH, HOME, AGENT_TOKEN: token },
    stdio: 'pipe',
  });
  child[stream === 'stdout' ? 'stderr' : 'stdout'].resume();
  child[stream].once('data', () => child[stream].destroy());
  const [code] = await once(child, 'exit');
  return code;
}

test('A plan of thousands succeeds if its reader stops early.', async () => {
  expect(await readingOnce('stdout', 'plan', '--allow-creates', String(count))).toBe(0);
  expect(await readingOnce('stdout', 'plan', '--format', 'json', '--allow-creates', String(count))).toBe(0);
});

test('An apply of thousands continues if the reader of its plan stops early.', async () => {
  expect(await readingOnce('stderr', 'apply', '--yes', '--new', 'all', '--allow-creates', String(count))).toBe(0);
  expect(await project.recordTexts()).toHaveLength(count);
});

test('Thousands of agents are applied, changed and distinguished like a few.', async () => {
  await apply();
  await project.edit('shared/base.yaml', 'Answers the phone.', 'Answers every call.');
  await project.edit('agents/agent-7.yaml', 'Hello from', 'Welcome to');
  await apply();
  await project.edit('agents/agent-7.yaml', 'Welcome to', 'This is');
  const { stdout } = await project.run('plan', '--format', 'json');
  const { summary, resources } = JSON.parse(stdout);
  expect(summary).toMatchObject({ create: 0, update: 1, unchanged: count - 1, drift: 0, conflicts: 0 });
  expect(resources.find(({ action }: { readonly action: string }) => action === 'update')).toMatchObject({
    name: 'agent-7',
    changes: [
      {
        path: 'settings.welcomeMessage',
        from: 'Welcome to Clinic 7.',
        to: 'This is Clinic 7.',
        source: { file: 'agents/agent-7.yaml', line: 7 },
      },
    ],
  });
  // An apply of a saved plan compares every resource with the saved plan.
  await project.edit('shared/base.yaml', 'Answers every call.', 'Answers at night.');
  for (const _ of [1, 2]) expect(await project.run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
  expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 0 });
  expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
});
