import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';
import { filesOf } from './import/imports.ts';

shareProcess();

/** In every credential of this file. */
const mark = 'q7Zx';
const key = `sk-live-${mark}1a2B3c4D5e6F`;

let server: IndependentServer;
let project: TestProject;

beforeAll(async () => {
  server = await startIndependentServer();
});
beforeEach(async () => {
  const environment = `{ baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}", unanswered: leave }`;
  project = await testProject(
    {
      'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nservice: { readBack: 0 }\nenvironments: { test: ${environment} }\n`,
    },
    { AGENT_TOKEN: 'token-1' },
  );
});
afterAll(() => server.close());

async function expectNoLeak(...outputs: unknown[]): Promise<void> {
  const files = await filesOf(project);
  const texts = await Promise.all(files.map((file) => readFile(join(project.root, file), 'utf8')));
  expect(JSON.stringify([outputs, texts])).not.toContain(mark);
  await project.remove();
}

test('An error of the service that repeats a kept credential is shown without it.', async () => {
  const agent = (title: string) =>
    `apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings: { title: ${title}, description: d, welcomeMessage: Hi }\n`;
  await project.write('agents/desk.yaml', agent('Desk'));
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  const [{ id = '' } = {}] = server.agents();
  server.edit(id, { welcomeMessage: `Book with ${key}` });
  await project.write('agents/desk.yaml', agent('Reception'));
  server.before = ({ method, body }) => {
    if (method === 'GET') return undefined;
    return { status: 400, body: JSON.stringify({ success: false, message: `cannot store ${JSON.stringify(body)}` }) };
  };
  const plan = await project.run('plan');
  expect(plan.stdout).toContain('the live value of settings.welcomeMessage seems to contain a key');
  const applied = await project.run('apply', '--yes', '--debug', '--report', 'ledger.json');
  expect(applied.stdout + applied.stderr).toContain('cannot store');
  expect(applied.code).not.toBe(0);
  server.before = undefined;
  await expectNoLeak(plan, applied);
});

test('An import of a fleet leaves out a setting with a typed credential, and says so.', async () => {
  const rows = ['elm', 'oak'].map((name, index) => {
    const settings = { type: 'chatAgent', title: name, description: 'x', welcomeMessage: `Hello from ${name}` };
    const typed = index === 0 ? { agentInstructions: `Book with ${key}` } : {};
    return `${name},${server.seed('token-1', { ...settings, ...typed }, name).id},${name}`;
  });
  await project.write('clients.csv', `name,id,account\n${rows.join('\n')}\n`);
  const words = ['--fleet', 'dental', '--from', 'clients.csv', '--query', 'targetAccountId=${var.account}'];
  const imported = await project.run('import', ...words, '--description', 'D', '--yes');
  expect(imported.stdout + imported.stderr).toContain('the live value looks like it contains a key or a token');
  expect(imported).toMatchObject({ code: 0 });
  await expectNoLeak(imported);
});
