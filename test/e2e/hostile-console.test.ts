import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type CliResult, type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, json, startIndependentServer } from '../support/independent-server.ts';
import { hostile, hostileJson, rawControlsIn } from '../support/raw-controls.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const evilFile = `agents/evil ${hostile.replaceAll('/', '')}.yaml`;
const secrets = { AGENT_TOKEN: 'tok_1234567890' };

let server: IndependentServer;
let project: TestProject;
const ran = new Set<string>();

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());

const projectFile = (more = '') => `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
service: { publish: "/api/v2/agent/{agentId}/publish", readBack: 0 }
environments:
  test:
    baseUrl: ${server.baseUrl}
    token: \${secret.AGENT_TOKEN}
${more}`;

const manifest = (name: string, title: string, more = '') => `apiVersion: agentform/v1
kind: Agent
name: ${name}
target: { query: { targetAccountId: ${name} } }
settings:
  title: ${title}
  description: ${hostileJson}
  timezone: Europe/Berlin
${more}`;

const record = (parts: Readonly<Record<string, unknown>>) =>
  JSON.stringify({
    formatVersion: 1,
    environment: 'test',
    kind: 'Agent',
    name: 'front-desk',
    id: hostile,
    host: new URL(server.baseUrl).host,
    query: { [hostile]: hostile },
    lastUpdate: 1,
    fields: { 'settings.title': { value: hostile }, [`extraSettings.${hostile}`]: { value: hostile } },
    ...parts,
  });

beforeEach(async () => {
  for (const { id } of server.agents()) server.drop(id);
  Object.assign(server, { quirks: {}, before: undefined, after: undefined, others: undefined });
  project = await testProject(
    {
      'agentform.yaml': projectFile(),
      'agents/front-desk.yaml': manifest('front-desk', hostileJson, 'extraSettings: { note: x }\n'),
      [evilFile]: manifest('evil', 'Evil', '  agentVoice: nova\n'),
    },
    secrets,
  );
});
afterEach(() => project.remove());

/** Runs a command. Whatever the result is, the command must print no raw text, and must not fail with a bug. */
async function run(...args: string[]): Promise<CliResult> {
  const words = args.filter((word) => !word.startsWith('-'));
  ran.add(words.slice(0, words[0] === 'record' || words[0] === 'task' ? 2 : 1).join(' '));
  const result = await project.run(...args);
  const color = args.includes('--color');
  const [out, err] = [rawControlsIn(result.stdout, { color }), rawControlsIn(result.stderr, { color })];
  expect({ args, out, err }).toEqual({ args, out: [], err: [] });
  expect(result.stderr).not.toContain('this is a bug');
  return result;
}

const planFormats = ['text', 'json', 'markdown', 'github'];

test('Hostile manifests, file names and arguments do not act on the terminal.', async () => {
  for (const format of ['text', 'json', 'sarif', 'github']) await run('validate', '--format', format);
  await project.write(
    evilFile,
    manifest('evil', 'Evil', `  ${JSON.stringify(hostile)}: 1\n  agentLang: ${hostileJson}\n`),
  );
  for (const format of ['text', 'json', 'sarif', 'github']) {
    const { stdout } = await run('validate', '--format', format);
    expect(stdout).toContain(format === 'sarif' ? 'evil%20x%1B' : 'evil x\\u001b');
    if (format === 'json' || format === 'sarif') JSON.parse(stdout);
  }
  await run('validate', '--color');
  await project.write('agentform.yaml', projectFile(`    query: { note: ${hostileJson} }\n`));
  expect((await run('validate')).stdout).toContain('error target-id');
  await project.write('agentform.yaml', projectFile());
  await project.write(evilFile, hostile);
  await run('validate');
  await run('plan', '--format', 'github');
  for (const args of [
    ['plan', hostile],
    ['plan', '-e', hostile],
    ['diff', hostile, '--with', hostile],
    ['plan', '--project', hostile],
    ['plan', '--out', `${hostile}/plan.json`],
    ['plan', '--offline', '--base', hostile],
    ['plan', `--${hostile}`],
    ['show', hostile],
    ['explain', hostile, hostile],
    ['record', 'show', hostile],
    ['completion', hostile],
    ['task', 'create', '--agent', hostile],
    ['init', hostile, '--name', hostile],
    ['import', hostile, '--name', hostile, '--description', hostile],
    ['apply', '--new', 'all', '--plan', hostile],
    [hostile],
  ]) {
    const { code } = await run(...args);
    expect({ args, code: code === 0 }).toEqual({ args, code: false });
  }
});

test('Hostile cases of Tests and their results do not act on the terminal.', async () => {
  const cases = [
    `{ name: ${hostileJson}, text: description, expect: { contains: ${hostileJson} } }`,
    `{ name: ${hostileJson}, text: timezone, expect: { contains: [${hostileJson}, x], matches: ${hostileJson} } }`,
    `{ name: ${hostileJson}, expect: { settings: { description: x, ${hostileJson}: 1 } } }`,
    `{ name: ${hostileJson}, expect: { settings: { description: x } } }`,
  ];
  // An unknown agent is an error that hides the results of the cases. So one case is enough for this agent.
  for (const [agents, some] of [
    [`[front-desk, ${hostileJson}]`, cases.slice(0, 1)],
    ['[front-desk]', cases],
  ] as const) {
    const file = `apiVersion: agentform/v1\nkind: Test\nname: t\nagents: ${agents}\ncases: [${some.join(', ')}]\n`;
    await project.write('agents/test.yaml', file);
    for (const format of ['text', 'json', 'junit', 'sarif', 'github', 'gitlab']) {
      expect(await run('test', '--coverage', '--format', format)).toMatchObject({ code: 1 });
    }
  }
  for (const format of ['text', 'json'])
    await run('render', '--out', `r ${hostile.replaceAll('/', '')}`, '--format', format);
  expect((await run('test', '--color')).stdout).toContain('Cases: 1 passed, 2 failed, 1 error.');
});

test('Hostile records, plans and ledgers do not act on the terminal.', async () => {
  expect(await run('apply', '--yes', '--new', 'all', '--color', '--report', 'ledger.json')).toMatchObject({ code: 0 });
  await run('plan', '--color');
  await run('explain', 'front-desk', 'settings', '--color');
  await project.write('.agentform/records/test/Agent/front-desk.json', record({}));
  await project.write('.agentform/records/test/Agent/gone.json', record({ name: 'gone' }));
  for (const format of planFormats) await run('plan', '--full', '--format', format);
  for (const format of ['text', 'json']) {
    await run('explain', 'front-desk', 'settings', '--format', format);
    await run('record', 'list', '--format', format);
    await run('apply', '--yes', '--new', 'all', '--format', format);
    await run('update', 'front-desk', '--format', format);
  }
  for (const format of ['text', 'json', 'markdown']) await run('drift', '--format', format);
  await run('record', 'show', 'Agent/front-desk');
  for (const format of ['text', 'json', 'jsonl', 'csv', 'html']) await run('history', 'front-desk', '--format', format);
  for (const format of ['text', 'json', 'csv', 'html']) await run('status', '--format', format);
  await run('status', hostile, '-l', hostile);
  for (const format of ['text', 'json']) await run('blame', 'front-desk', 'settings.title', '--format', format);
  await run('record', 'adopt', 'Agent/front-desk', hostile);
  await run('record', 'rename', 'Agent/gone', `Agent/${hostile}`);
  await run('record', 'rename', 'Agent/gone', 'Agent/front-desk');
  await run('record', 'move', '--to', 'git');
  await run('hold', 'front-desk', '--reason', hostile, '--color');
  await run('plan', '--format', 'markdown');
  await run('unhold', 'front-desk');
  await run('rollback', 'front-desk', '--to', hostile, '--reason', hostile, '--yes');
  await run('rollback', hostile, '--yes');
  await run('record', 'forget', '--yes', 'Agent/gone');
  await project.write('.agentform/records/test/Agent/front-desk.json', `{"${hostile}`);
  await run('plan');
  await project.write('.agentform/records/test/Agent/front-desk.json', record({ kind: hostile, name: hostile }));
  await run('plan');
  await run('record', 'list');
  await run('record', 'forget', '--yes', 'Agent/front-desk');
});

test('Hostile differences of environments do not act on the terminal.', async () => {
  await project.write('agentform.yaml', projectFile('  other: { baseUrl: emulator }\n'));
  const other = `environments: { other: { settings: { title: Other, description: ${hostileJson} } } }\n`;
  await project.write('agents/front-desk.yaml', manifest('front-desk', hostileJson, other));
  for (const format of ['text', 'json', 'markdown']) {
    const { code, stdout } = await run('diff', '-e', 'test', '--with', 'other', '--format', format);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/settings\.title|\*\*Title\*\*/) });
  }
});

test('Hostile saved plans do not act on the terminal.', async () => {
  expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
  for (const format of planFormats) await run('show', 'plan.json', '--format', format);
  const plan = await project.read('plan.json');
  await project.write('altered.json', plan.replaceAll('Agent', `Agent${hostileJson.slice(1, -1)}`));
  await run('show', 'altered.json');
  await project.write('misshapen.json', plan.replace('"kind"', hostileJson));
  await run('apply', '--plan', 'misshapen.json');
});

test('Hostile committed locks do not act on the terminal.', async () => {
  const lock = (holder: object) => project.write('.agentform/locks/test', JSON.stringify(holder));
  const since = new Date().toISOString();
  const held = { formatVersion: 1, id: 'l', pid: 1, host: 'elsewhere', since };
  await lock(held);
  const refused = await run('apply', '--yes', '--new', 'all');
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`(process 1 on elsewhere, since ${since})`),
  });
  // agentform never writes such a lock, so the lock counts as free.
  for (const parts of [{ host: hostile }, { since: hostile }, { pid: hostile }, { id: hostile }]) {
    await lock({ ...held, ...parts });
    expect(await run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  }
});

test('Hostile answers of the service do not act on the terminal.', async () => {
  await run('apply', '--yes', '--new', 'all');
  server.after = (_, reply) => {
    const answer = JSON.parse(reply.body);
    return json(
      200,
      answer.campaign === undefined
        ? answer
        : {
            ...answer,
            campaign: {
              ...answer.campaign,
              title: hostile,
              skills: [{ slug: hostile, usable: false, reason: hostile }],
            },
          },
    );
  };
  for (const format of planFormats) await run('plan', '--format', format);
  await run('drift');
  await run('import', server.agents()[0]?.id ?? '', '--name', 'taken', '--description', hostile, '--force');
  server.after = undefined;
  server.others = ({ path }) =>
    path.includes('conversations')
      ? json(200, { success: true, rooms: [{ roomId: hostile, name: hostile, id: hostile, lastMessage: hostile }] })
      : undefined;
  for (const format of ['text', 'json']) await run('inbox', '--format', format);
  const csv = await project.run('inbox', '--format', 'csv');
  expect(rawControlsIn(csv.stdout.replaceAll('\r\n', '\n'))).toEqual([]);
  server.before = () => json(400, { success: false, message: `${hostile}\n::error::${hostile}` });
  for (const format of planFormats) await run('plan', '--format', format);
  await run('apply', '--yes', '--new', 'all', '--debug');
  await run('publish', '--yes');
  await run('drift');
  await run('inbox');
  await run('task', 'create', '--agent', 'front-desk', '--type', 'sms', '--title', hostile, '--yes');
  await project.write('tasks.csv', `type,destination,title\nsms,+15551234567,"${hostile}"\n${hostile}\n`);
  await run('task', 'upload', 'tasks.csv', '--agent', 'front-desk', '--yes');
});

test('Hostile input to the emulator and the other commands does not act on the terminal.', async () => {
  await project.write('accounts.json', JSON.stringify({ [hostile]: hostile }));
  await run('emulator', '--accounts', 'accounts.json', '--port', '0');
  await project.write('data.json', hostile);
  await run('emulator', '--data', 'data.json', '--port', '0');
  await run('emulator', '--fault', hostile);
  await run('init', 'elsewhere', '--name', 'desk', '--title', `Desk ${hostile}`, '--workflows', 'false');
});

test('The tests of hostile input run every command.', async () => {
  const { stdout } = await project.run('--help');
  const commands = [...stdout.matchAll(/^ {2}agentform ([a-z]+) /gm)].map(([, name]) => name ?? '');
  expect(commands.length).toBeGreaterThan(10);
  for (const group of ['record', 'task']) {
    const help = (await project.run(group, '--help')).stdout;
    commands.push(...[...help.matchAll(/^ {2}agentform ((?:record|task) [a-z]+)/gm)].map(([, name]) => name ?? ''));
  }
  // `lsp` is omitted, because it writes to an editor and not to a console.
  const leaves = commands.filter((name) => !['record', 'task', 'lsp'].includes(name));
  expect(leaves.filter((name) => !ran.has(name))).toEqual([]);
});
