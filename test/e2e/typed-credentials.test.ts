import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type CliResult, type TestProject, testProject } from '../support/cli.ts';
import { commitAll, git, gitEnv, initRepository } from '../support/git.ts';
import { type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

/** Every credential in this file contains this mark. If an output contains the mark, it leaks a credential. */
const mark = 'q7Zx';
const key = `sk-live-${mark}1a2B3c4D5e6F`;
const typed = {
  agentInstructions: `Answer the phone.\nBook with ${key}.\nBe nice.\n`,
  welcomeMessage: `Use the bearer token ${mark}2b3C4d5E6f7G8h`,
  links: ['https://a.example/', `https://admin:${mark}3hunter2@db.acme.io/x`],
  skills: [
    { slug: 'calendar', instructions: `Call with ghp_${mark}4hijklmnopqrstuvwxyz0123456789AB.` },
    { slug: `desk-${key}`, instructions: 'Theirs' },
  ],
};

const head = 'apiVersion: agentform/v1\n';
const file = 'agents/front-desk.yaml';
const manifest = `${head}kind: Agent
name: front-desk
settings:
  title: Desk
  description: d
  welcomeMessage: Hi
  agentInstructions: "Answer the phone.\\nBe nice.\\n"
  links: ["https://a.example/"]
skills:
  - { slug: calendar, instructions: Book. }
`;

let remote: Remote;
let project: TestProject;
let startOver: () => Promise<void>;
let said: CliResult[] = [];

beforeAll(async () => {
  remote = await startSaveableRemote();
  const environments = `environments: { test: { baseUrl: "${remote.baseUrl}", token: "\${secret.TOKEN}" } }\n`;
  const files = {
    'agentform.yaml': `${head}kind: Project\nmanifests: ["agents/*.yaml"]\n${environments}`,
    [file]: manifest,
    '.gitignore': 'cache/\n*.json\n*.html\n',
  };
  project = await testProject(files, { ...gitEnv, TOKEN: 'token-0123456789' });
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  startOver = await savedState(remote, project.root);
});
beforeEach(async () => {
  await startOver();
  said = [];
});
afterAll(async () => {
  await project.remove();
  await remote.close();
});

async function run(...args: string[]): Promise<CliResult> {
  const result = await project.with({ AGENTFORM_CACHE: join(project.root, 'cache') }).run(...args);
  said.push(result);
  return result;
}

async function someoneTypes(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const record = JSON.parse(await project.read('.agentform/records/test/Agent/front-desk.json'));
  await remote.dashboard(record.id, settings);
}

async function liveDraft() {
  return (await remote.agents())[0]?.draft;
}

const everyFormat = ['text', 'json', 'markdown', 'html', 'github', 'gitlab'];

/** Runs the commands that show live values. All formats show the same masked plan, so one suffices in most tests. */
async function everyAnswer(formats: readonly string[] = ['json']): Promise<void> {
  for (const format of formats) {
    await run('plan', '--full', '--debug', '--format', format, '--out', 'saved.json');
    await run('show', 'saved.json', '--format', format);
  }
  for (const format of formats.filter((one) => !one.startsWith('git'))) {
    await run('drift', '--full', '--format', format);
  }
  for (const format of formats.filter((one) => ['text', 'json'].includes(one))) {
    await run('explain', 'Agent/front-desk', '--format', format);
    await run('status', '--live', '--format', format);
    await run('history', '--format', format);
    await run('update', '--dry-run', '--format', format);
  }
  await run('explain', 'Agent/front-desk', 'settings.agentInstructions');
}

/** The texts of all outputs, all files of the project, and all objects of its repository, if it has one. */
async function everyText(): Promise<[string, string][]> {
  const entries = await readdir(project.root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'latin1')]),
  );
  const isCommitted = existsSync(join(project.root, '.git'));
  const objects = isCommitted ? await git(project.root, 'log', '--all', '-p', '--format=%H %s%n%b') : '';
  return [
    ...said.flatMap(({ stdout, stderr }): [string, string][] => [['output', stdout + stderr]]),
    ...files,
    ['git', objects],
  ];
}

async function expectNoLeak(): Promise<void> {
  const leaks = (await everyText()).flatMap(([where, text]) =>
    [...text.matchAll(new RegExp(mark, 'gi'))].map(
      ({ index }) => `${where}: ${text.slice(Math.max(0, index - 90), index + 60)}`,
    ),
  );
  expect(leaks).toEqual([]);
}

test('A credential that someone typed in the dashboard is shown and written nowhere, and apply undoes the edit.', async () => {
  initRepository(project.root);
  await commitAll(project.root, 'first');
  await someoneTypes(typed);
  await everyAnswer(everyFormat);
  const plan = said[0]?.stdout ?? '';
  expect(plan).toContain('(sensitive)');
  expect(plan).toContain('Hi');
  const notice =
    'the live values of settings.welcomeMessage, settings.links, settings.agentInstructions, skills[calendar].instructions and skills[desk-(sensitive)] seem to contain a key, token or password typed in the dashboard, so they are hidden';
  expect(plan).toContain(`warning: ${notice}`);
  expect((await run('drift')).stdout).toContain(`warning: ${notice}`);
  await run('drift', '--branch', 'drift');
  const applied = await run('apply', '--plan', 'saved.json', '--debug', '--report', 'ledger.json', '--format', 'json');
  expect(applied).toMatchObject({ code: 0 });
  for (const format of ['text', 'json']) await run('history', '--format', format);
  await run('record', 'show', 'Agent/front-desk');
  await expectNoLeak();
});

test('A kept setting is sent back with its credential, but the credential is shown and recorded nowhere.', async () => {
  await project.edit('agentform.yaml', '} }\n', ', unanswered: leave } }\n');
  await someoneTypes(typed);
  await project.edit(file, 'title: Desk', 'title: Front desk');
  await run('plan', '--full', '--debug');
  expect(await run('apply', '--yes', '--format', 'json', '--report', 'ledger.json')).toMatchObject({ code: 0 });
  expect(await liveDraft()).toMatchObject({ ...typed, title: 'Front desk' });
  await everyAnswer();
  await expectNoLeak();
});

test('A setting with a credential is shown again as soon as the credential is gone.', async () => {
  await someoneTypes(typed);
  await run('apply', '--yes');
  await someoneTypes({ welcomeMessage: 'Hello from the desk' });
  expect((await run('plan')).stdout).toContain('"Hello from the desk" → "Hi"');
  expect((await project.recordTexts()).join()).toContain('"value": "Hi"');
});

test('A conflict hides the credential of the service, and shows the text of the manifest.', async () => {
  await someoneTypes(typed);
  await project.edit(file, 'Be nice.', 'Be kind.');
  await run('plan', '--full', '--debug');
  const { stdout } = await run('plan', '--format', 'json');
  const changes = JSON.parse(stdout).resources[0].changes;
  const sensitive = { sensitive: true, fingerprint: expect.stringMatching(/^hmac:/) };
  expect(changes).toContainEqual(
    expect.objectContaining({
      path: 'settings.agentInstructions',
      from: sensitive,
      to: 'Answer the phone.\nBe kind.\n',
      lastApplied: 'Answer the phone.\nBe nice.\n',
    }),
  );
  await everyAnswer();
  await expectNoLeak();
});

test('An import leaves out the settings with a credential, and says so.', async () => {
  await someoneTypes(typed);
  const record = JSON.parse(await project.read('.agentform/records/test/Agent/front-desk.json'));
  await rm(join(project.root, file));
  const imported = await run('import', record.id, '--name', 'front-desk', '--description', 'd', '--force');
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.stdout).toContain(
    'settings.welcomeMessage, settings.links, settings.agentInstructions, skills: the live value looks like it contains a key or a token, so it is not declared',
  );
  expect(await project.read(file)).toContain('title: Desk');
  await someoneTypes({ title: `Desk ${key}` });
  const refused = await run('import', record.id, '--name', 'front-desk', '--description', 'd', '--force');
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('settings.title: the live value looks like it contains a key or a token'),
  });
  await everyAnswer();
  await expectNoLeak();
});
