import { chmod, mkdir, readdir, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ImportLedger } from '../../src/apply/events.ts';
import { type CliResult, type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, json, startIndependentServer } from '../support/independent-server.ts';

// Import, against a server that shares no code with agentform.

const token = 'tok/S3cret+value=1';

let server: IndependentServer;
const projects: TestProject[] = [];

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
beforeEach(() => {
  for (const { id } of server.agents()) server.drop(id);
  Object.assign(server, { quirks: {}, before: undefined, after: undefined, tokens: undefined, resellers: undefined });
  server.takeLog();
});
afterEach(async () => {
  await Promise.all(projects.splice(0).map((project) => project.remove()));
});

async function project(
  { environments = '', manifests = '[agents/*.yaml]', ...files }: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestProject> {
  const test = `  test: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }\n`;
  const head = `apiVersion: agentform/v1\nkind: Project\nmanifests: ${manifests}\ndefaultEnvironment: test\nenvironments:\n`;
  const made = await testProject(
    { 'agentform.yaml': head + test + environments, ...files },
    { AGENT_TOKEN: token, ...env },
  );
  projects.push(made);
  return made;
}

/** An agent on the server. */
function seed(settings: Readonly<Record<string, unknown>> = {}, own = token, account?: string): string {
  const all = { type: 'chatAgent', title: 'Front desk', description: 'hidden', ...settings };
  return server.seed(own, all, account).id;
}

function imported(made: TestProject, id: string, ...args: string[]): Promise<CliResult> {
  return made.run('import', id, '--name', 'front-desk', '--description', 'Answers the phone', ...args);
}

/** Every file of the project but agentform.yaml, locks left out. */
async function filesOf({ root }: TestProject): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  return paths.filter((path) => path !== 'agentform.yaml' && !path.includes('locks')).sort();
}

async function pendingPaths(made: TestProject, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await made.run('plan', '--format', 'json', ...args);
  if (stdout === '') throw new Error(stderr);
  const { resources } = JSON.parse(stdout) as { resources: { changes: { path: string; knowledge: string }[] }[] };
  return resources.flatMap(({ changes }) => changes.map(({ path, knowledge }) => `${path} ${knowledge}`));
}

const onlyDescription = ['settings.description blind'];

const everything = {
  welcomeMessage: 'Grüß Gott 👋: how can I help? #1  ',
  timezone: 'Europe/Vienna',
  agentVoice: 'warm-1',
  agentLang: 'es-MX',
  agentModel: '1.5',
  agentThinking: 'low',
  agentInstructions: '# Front desk\r\n\r\n- Be kind.   \r\n- Say ${var.clinic} and $${x}.\r\n\r\n\r\n',
  publicInstructions: `Say ${'very '.repeat(60)}little.`,
  adminInstructions: '\ufeffstarts with a mark\nand goes on',
  heartbeatInstructions: '  leading blanks\nand\ttabs\n---\nend\t',
  heartbeatEvery: '30m',
  links: ['https://a.example/x', 'https://b.example/y '],
  actions: ['transfer', 'book'],
  skills: [
    { slug: 'calendar', instructions: 'Offer two times.' },
    { slug: 'Größe/2', instructions: 'One\nTwo\n' },
  ],
  apps: [{ appId: 'pay', version: '2', instructions: 'yes' }],
  somethingNew: { a: 1 },
};

describe('an agent with every readable setting', () => {
  test('becomes a manifest that a person would have written', async () => {
    server.quirks = { unknownFields: true };
    const id = seed(everything);
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    expect(
      await made.read('agents/front-desk.yaml'),
    ).toBe(`# yaml-language-server: $schema=../node_modules/agentform/schemas/manifest.schema.json
apiVersion: agentform/v1
kind: Agent
name: front-desk
settings:
  title: Front desk
  description: Answers the phone
  welcomeMessage: "Grüß Gott 👋: how can I help? #1"
  links:
    - https://a.example/x
    - https://b.example/y
  actions:
    - transfer
    - book
  timezone: Europe/Vienna
  agentVoice: warm-1
  agentLang: es-MX
  agentInstructions: { file: ../prompts/front-desk.md }
  publicInstructions: { file: ../prompts/front-desk/public-instructions.md }
  adminInstructions: "${'\ufeff'}starts with a mark\\nand goes on"
  heartbeatInstructions: { file: ../prompts/front-desk/heartbeat-instructions.md }
  heartbeatEvery: 30m
  agentModel: "1.5"
  agentThinking: low
skills:
  - slug: calendar
    instructions: Offer two times.
  - slug: Größe/2
    instructions: { file: ../prompts/front-desk/skills/gr-e-2.md }
apps:
  - appId: pay
    version: "2"
    instructions: "yes"
# The service does not show these settings, so they are not declared here and keep the values they have. Declare those
# that matter with the values you want: from then on they are managed like all others.
#   settings: agentThinkingModel, postConvoForceThinking, agentS2SEngine, agentSttEngine, agentSttSmartFormatting,
#     postAnswerDtmf, waitOnAnswer, interruptionWordCount, interruptionMinimumSpeakingTime, speakingTimeout,
#     speechProcessingDelay, speechProcessingDelayInterruptionStep, speechProcessingDelayMaxMultiplier,
#     callerResponseTimeout, callerResponseTimeoutHangupCounter, noContactInjection, noConvoHistory,
#     autoRecordingNotification, recordingNotificationPhrase, preAnswerRingTime, preAnswerSkipProcessingResults
#   backgroundAudio
#   transferRules: cnamAutoRejectRegex, cnamAutoRejectCode, cnamAutoTransferRegex, cnamAutoTransferDestination,
#     confirmTransfers, monitorTransfers, attendedTransfers, attendedTransferBridgeTrigger, transferConfirmTimeout
environments:
  test:
    target:
      agentId: ${id}
`);
    expect(await made.read('prompts/front-desk.md')).toBe(
      '# Front desk\n\n- Be kind.   \n- Say $${var.clinic} and $$${x}.\n',
    );
    expect(await made.read('prompts/front-desk/heartbeat-instructions.md')).toBe(
      '  leading blanks\nand\ttabs\n---\nend\n',
    );
    expect(await made.read('prompts/front-desk/skills/gr-e-2.md')).toBe('One\nTwo\n');
  });

  test.each([{}, { unset: 'null' as const, unknownFields: true }, { text: 'crlf' as const }])(
    'is planned with its description only, is valid, and comes out the same after an apply: %j',
    async (quirks) => {
      server.quirks = quirks;
      const id = seed(everything);
      const made = await project();
      expect(await imported(made, id)).toMatchObject({ code: 0 });
      expect(await pendingPaths(made)).toEqual(onlyDescription);
      expect(await made.run('validate')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('1 manifest valid'),
        stderr: '',
      });
      const files = (await filesOf(made)).filter((path) => !path.startsWith('.agentform'));
      const before = await Promise.all(files.map(made.read));
      expect(await made.run('apply', '--yes')).toMatchObject({ code: 0 });
      expect(await pendingPaths(made)).toEqual([]);
      expect(await imported(made, id, '--force')).toMatchObject({ code: 0 });
      expect(await Promise.all(files.map(made.read))).toEqual(before);
      expect(await pendingPaths(made)).toEqual([]);
    },
  );

  test('an agent with nothing set has a title, a description and a target', async () => {
    const id = seed({
      title: null,
      links: [],
      skills: [],
      agentLang: 'en-US',
      agentThinking: null,
      welcomeMessage: '  ',
    });
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    const text = await made.read('agents/front-desk.yaml');
    expect(text.replace(/^#.*\n/gm, '')).toBe(
      `apiVersion: agentform/v1\nkind: Agent\nname: front-desk\nsettings:\n  title: ""\n  description: Answers the phone\nenvironments:\n  test:\n    target:\n      agentId: ${id}\n`,
    );
    expect(await pendingPaths(made)).toEqual(onlyDescription);
  });
});

describe('what a manifest cannot hold', () => {
  test('a value that does not validate is passed on under extraSettings, with a note', async () => {
    const id = seed({ agentLang: 'tlh', timezone: 'Mars/Phobos', skills: [{ slug: 'a', instructions: null }] });
    const made = await project();
    const result = await imported(made, id);
    expect(result).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('settings.timezone, settings.agentLang, skills: the value'),
    });
    expect(await made.read('agents/front-desk.yaml')).toContain(
      'extraSettings:\n  timezone: Mars/Phobos\n  agentLang: tlh\n  skills:\n    - slug: a\n      instructions: null\n',
    );
    expect(await pendingPaths(made)).toEqual(onlyDescription);
    expect(await made.run('validate')).toMatchObject({ code: 0, stderr: '' });
  });

  test('apps that come without their ids are not declared, and said', async () => {
    server.quirks = { appsWithoutId: true };
    const id = seed({ apps: [{ appId: 'pay', version: '1', instructions: 'x' }] });
    const made = await project();
    expect(await imported(made, id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('apps: the service shows it in a form'),
    });
    const text = await made.read('agents/front-desk.yaml');
    expect(text).toMatch(/^# {3}apps$/m);
    expect(text).not.toMatch(/^apps:/m);
  });

  test('a secret in a text is written as a reference, in the record as a fingerprint, and nowhere shown', async () => {
    const id = seed({
      welcomeMessage: `token ${token}`,
      agentInstructions: `a\n${token}\n`,
      agentModel: encodeURIComponent(token),
    });
    const made = await project();
    const result = await imported(made, id);
    expect(result.code).toBe(0);
    expect(await made.read('prompts/front-desk.md')).toBe('a\n${secret.AGENT_TOKEN}\n');
    const texts = await Promise.all((await filesOf(made)).map(made.read));
    const all = JSON.stringify([texts, result]);
    expect(all).not.toContain(token);
    expect(all).not.toContain(encodeURIComponent(token));
    expect(await pendingPaths(made)).toEqual(onlyDescription);
  });
});

test('a required text that no manifest can hold stops the import', async () => {
  const made = await project();
  const result = await made.run('import', seed(), '--name', 'front-desk', '--description', `costs $${token}`);
  expect(result).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no manifest can hold the text of description'),
  });
  expect(result.stderr).not.toContain(token);
  expect(await filesOf(made)).toEqual([]);
});

describe('where the agent is', () => {
  test('the target stands in the overlay of the environment that was read', async () => {
    const id = seed();
    const made = await project({ environments: '  local: { baseUrl: emulator }\n' });
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    expect(await made.read('agents/front-desk.yaml')).toContain(
      `environments:\n  test:\n    target:\n      agentId: ${id}\n`,
    );
    expect(await pendingPaths(made)).toEqual(onlyDescription);
    expect(await made.run('plan', '-e', 'local')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 to create'),
    });
  });

  test('an environment that is added on the same host does not take the agent for its own', async () => {
    const id = seed();
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    await made.edit('agentform.yaml', /^ {2}test: (.*)$/m, '  test: $1\n  staging: $1');
    expect(await made.run('plan', '-e', 'staging')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 to create, 0 to update'),
    });
    expect(await made.run('validate')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the same query on 127.0.0.1'),
    });
  });

  test('a token and a query of its own are declared, and used', async () => {
    const id = seed({}, 'own-token-1', '17');
    const made = await project({}, { FRONT_DESK: 'own-token-1' });
    expect(await imported(made, id, '--token-secret', 'FRONT_DESK', '--query', 'targetAccountId=17')).toMatchObject({
      code: 0,
    });
    expect(await made.read('agents/front-desk.yaml')).toContain(
      `    target:\n      agentId: ${id}\n      token: \${secret.FRONT_DESK}\n      query:\n        targetAccountId: "17"\n`,
    );
  });

  test('an environment without a token asks for --token-secret; an unset secret is named', async () => {
    const id = seed();
    const made = await project({ environments: `  bare: { baseUrl: "${server.baseUrl}" }\n` });
    expect(await imported(made, id, '-e', 'bare')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--token-secret NAME'),
    });
    expect(await imported(made, id, '--token-secret', 'NOT_SET')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_SET is unset'),
    });
    expect(server.takeLog()).toEqual([]);
  });

  test('the manifest lies where the project finds it', async () => {
    const id = seed();
    const made = await project({ manifests: '["desks/**/*.agent.yaml"]' });
    expect(await imported(made, id, '--path', 'agents/front-desk.yaml')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('names desks/**/*.agent.yaml'),
    });
    expect(server.takeLog()).toEqual([]);
    expect(await imported(made, id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('desks/front-desk.agent.yaml'),
    });
  });

  test('the first manifest of a project made by init names the schema that init wrote', async () => {
    const made = await project();
    await made.edit('agentform.yaml', /^/, '# yaml-language-server: $schema=.agentform/schemas/project.schema.json\n');
    expect(await imported(made, seed())).toMatchObject({ code: 0 });
    expect(await made.read('agents/front-desk.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.agentform\/schemas\/manifest\.schema\.json\n/,
    );
  });

  test('a second manifest names the schema that the first one names', async () => {
    const first = `# yaml-language-server: $schema=../../schemas/manifest.schema.json\napiVersion: agentform/v1\nkind: Agent\nname: other\nsettings: { title: T, description: D }\ntarget: { agentId: x, token: "\${secret.OTHER}" }\n`;
    const made = await project({ manifests: '["agents/**/*.yaml"]', 'agents/deep/other.yaml': first });
    expect(await imported(made, seed())).toMatchObject({ code: 0 });
    expect(await made.read('agents/front-desk.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/schemas\/manifest/,
    );
  });
});

describe('nothing is overwritten', () => {
  test('a file that is there stops everything, and --force writes over it', async () => {
    const id = seed({ agentInstructions: 'a\nb' });
    const made = await project({ 'prompts/front-desk.md': 'mine\n' });
    expect(await imported(made, id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('prompts/front-desk.md exists already'),
    });
    expect(await filesOf(made)).toEqual(['prompts/front-desk.md']);
    expect(await made.read('prompts/front-desk.md')).toBe('mine\n');
    expect(await imported(made, id, '--force')).toMatchObject({ code: 0 });
    expect(await made.read('prompts/front-desk.md')).toBe('a\nb\n');
  });

  test('--force names the settings that get lost and the texts that are left over', async () => {
    const id = seed({ agentInstructions: 'a\nb' });
    const made = await project();
    expect(await imported(made, id)).toMatchObject({ code: 0 });
    await made.edit(
      'agents/front-desk.yaml',
      /^settings:/m,
      'backgroundAudio: https://a.example/b.mp3\nsettings:\n  callerResponseTimeout: 20',
    );
    server.edit(id, { agentInstructions: 'short' });
    const { code, stdout } = await imported(made, id, '--force');
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'note: backgroundAudio, settings.callerResponseTimeout: declared until now, but the service does not show it, so it is not managed any more note: prompts/front-desk.md: this manifest does not use it any more; delete it if nothing else does',
    );
    expect((await imported(made, id, '--force')).stdout).not.toContain('note:');
  });

  test('--force writes through a link and keeps the mode, but never out of the project', async () => {
    const id = seed({ agentInstructions: 'a\nb' });
    const made = await project({ 'texts/mine.md': 'mine\n' });
    const elsewhere = await project({ 'mine.md': 'mine\n' });
    await mkdir(join(made.root, 'prompts'));
    await chmod(join(made.root, 'texts/mine.md'), 0o600);
    await symlink('../texts/mine.md', join(made.root, 'prompts/front-desk.md'));
    expect(await imported(made, id, '--force')).toMatchObject({ code: 0 });
    expect(await made.read('texts/mine.md')).toBe('a\nb\n');
    expect((await stat(join(made.root, 'texts/mine.md'))).mode & 0o777).toBe(0o600);
    await rm(join(made.root, 'prompts/front-desk.md'));
    await symlink(join(elsewhere.root, 'mine.md'), join(made.root, 'prompts/front-desk.md'));
    server.edit(id, { agentInstructions: 'c\nd' });
    expect((await imported(made, id, '--force')).code).not.toBe(0);
    expect(await elsewhere.read('mine.md')).toBe('mine\n');
  });

  test('a manifest and record of that name, and an agent that has a manifest, are refused', async () => {
    const id = seed();
    const made = await project();
    await imported(made, id);
    expect(await imported(made, id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there is a record of it; write both anew with --force'),
    });
    expect(await made.run('import', id, '--name', 'other', '--description', 'D', '--force')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`${id} is the agent of Agent/front-desk (agents/front-desk.yaml) already`),
    });
    expect(await made.run('import', 'agent-99', '--name', 'front-desk', '--description', 'D', '--force')).toMatchObject(
      {
        code: 3,
        stderr: expect.stringContaining(`the record of Agent/front-desk in test is of agent ${id}, not of agent-99`),
      },
    );
    await made.edit('agents/front-desk.yaml', /^/, '# mine\n');
    await made.run('record', 'forget', 'front-desk');
    expect(await imported(made, id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('exists already with another text'),
    });
    await made.edit('agents/front-desk.yaml', '# mine\n', '');
    expect(await imported(made, id)).toMatchObject({ code: 0 });
  });

  test('an agent of another type is refused', async () => {
    server.quirks = { campaignType: 'voiceBot' };
    const made = await project();
    expect(await imported(made, seed())).toMatchObject({ code: 3, stderr: expect.stringContaining('"voiceBot"') });
    expect(await filesOf(made)).toEqual([]);
  });

  test('a record that cannot be saved takes the files back', async () => {
    const made = await project({ 'prompts/front-desk.md': 'mine\n' });
    const path = '.agentform/records/test/Agent/front-desk.json';
    const { host } = new URL(server.baseUrl);
    const other = {
      formatVersion: 1,
      environment: 'test',
      kind: 'Agent',
      name: 'front-desk',
      host,
      query: {},
      fields: {},
    };
    server.before = async () => {
      await made.write(path, JSON.stringify(other));
      return undefined;
    };
    const id = seed({ agentInstructions: 'a\nb' });
    expect(await imported(made, id, '--force')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('record-moved'),
    });
    expect(await filesOf(made)).toEqual([path, 'prompts/front-desk.md']);
    expect(await made.read('prompts/front-desk.md')).toBe('mine\n');
  });

  test('manifests with errors come first', async () => {
    const made = await project({
      'agents/bad.yaml': 'apiVersion: agentform/v1\nkind: Agent\nname: bad\nsetings: {}\n',
    });
    expect(await imported(made, seed())).toMatchObject({ code: 1, stderr: expect.stringContaining('setings') });
    expect(server.takeLog()).toEqual([]);
  });
});

describe('what an import says', () => {
  test('without a terminal a missing description is an error that names the option', async () => {
    const made = await project();
    const result = await made.run('import', seed(), '--name', 'front-desk');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('give it with --description TEXT') });
    expect(await filesOf(made)).toEqual([]);
  });

  test('what the plan has beyond the description is told, with exit code 1', async () => {
    const id = seed();
    const made = await project();
    let reads = 0;
    server.after = ({ method }) => {
      if (method === 'GET' && ++reads === 1) server.edit(id, { title: 'Moved meanwhile' });
      return undefined;
    };
    expect(await imported(made, id)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the plan: settings.title would be set (drift)'),
    });
  });

  test('what validate finds in another environment is told, with exit code 1', async () => {
    const made = await project({ environments: `  bare: { baseUrl: "${server.baseUrl}" }\n` });
    expect(await imported(made, seed())).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('there is no token'),
    });
  });

  test('an unknown agent and a service that fails leave nothing behind', async () => {
    const made = await project();
    expect(await imported(made, 'agent-99')).toMatchObject({ code: 1, stderr: expect.stringContaining('404') });
    server.before = () => json(200, { success: false, message: 'No such thing' });
    expect(await imported(made, 'agent-99')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No such thing'),
    });
    expect(await filesOf(made)).toEqual([]);
  });

  test.each([
    [['import'], 'give the id of the agent'],
    [['import', 'x'], 'give x a name'],
    [['import', 'x', '--name', 'Front Desk'], "the name is 'Front Desk'"],
    [['import', 'a b', '--name', 'n'], "the id is 'a b'"],
    [['import', 'x', '--name', 'n', '--token-secret', token], 'is not the name of a process variable'],
    [['import', 'x', '--name', 'n', '--query', 'token=1'], 'the query cannot set the token'],
    [['import', 'x', '--name', 'n', '--description', ' '], 'a description cannot be empty'],
    [['import', 'x', '--name', 'n', '--path', '../n.yaml'], 'does not lie in the project folder'],
    [['import', 'x', '--from', 'ids.csv'], 'does not go with --from'],
  ])('%j is a mistake', async (args, sentence) => {
    const made = await project();
    const result = await made.run(...args);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
    expect(result.stderr).not.toContain(token);
    expect(server.takeLog()).toEqual([]);
  });
});

/** A list of agents, each with a token of its own, and the tokens as process variables. */
function listOf(count: number): { csv: string; env: Record<string, string> } {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const rows = numbers.map(
    (number) =>
      `${seed({ title: `Agent ${number}`, agentInstructions: `a\n${number}` }, `token-${number}`)},desk-${number},"Desk ${number}, upstairs",TOKEN_${number}`,
  );
  return {
    csv: `id,name,description,token-secret\n${rows.join('\n')}\n`,
    env: Object.fromEntries(numbers.map((number) => [`TOKEN_${number}`, `token-${number}`])),
  };
}

describe('a list', () => {
  test('60 agents are imported and planned; a rerun has nothing to do', async () => {
    const { csv, env } = listOf(60);
    const made = await project({ 'ids.csv': csv }, env);
    const result = await made.run('import', '--from', 'ids.csv', '--format', 'json');
    expect(result).toMatchObject({ code: 0 });
    const ledger = JSON.parse(result.stdout) as ImportLedger;
    expect(ledger.entries.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(
      Array.from({ length: 60 }, (_, index) => `desk-${index + 1} imported`),
    );
    expect(await pendingPaths(made)).toEqual(Array.from({ length: 60 }, () => 'settings.description blind'));
    server.takeLog();
    const again = await made.run('import', '--from', 'ids.csv');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('0 imported, 60 there already') });
    expect(server.takeLog()).toEqual([]);
  });

  test('one failure does not stop the others', async () => {
    const { csv, env } = listOf(3);
    const made = await project(
      { 'ids.csv': `${csv}agent-99,lost,D,TOKEN_LOST\nagent-98,unset,D,TOKEN_UNSET\n`, 'prompts/desk-2.md': 'mine' },
      { ...env, TOKEN_LOST: 'x' },
    );
    const result = await made.run('import', '--from', 'ids.csv', '--format', 'json');
    expect(result.code).toBe(1);
    const { entries } = JSON.parse(result.stdout) as ImportLedger;
    expect(entries.map(({ outcome }) => outcome)).toEqual(['imported', 'failed', 'imported', 'failed', 'failed']);
    expect(entries.map(({ message }) => message)).toEqual([
      undefined,
      expect.stringContaining('prompts/desk-2.md exists already'),
      undefined,
      expect.stringContaining('404'),
      expect.stringContaining('TOKEN_UNSET is unset'),
    ]);
    expect(await filesOf(made)).not.toContain('agents/desk-2.yaml');
  });

  test('Ctrl-C keeps what is done, and the same command goes on', async () => {
    const { csv, env } = listOf(8);
    const made = await project({ 'ids.csv': csv }, env);
    server.quirks = { delayMs: 100 };
    const running = made.start('import', '--from', 'ids.csv', '--concurrency', '1');
    let reads = 0;
    server.after = () => {
      if (++reads === 3) running.kill('SIGINT');
      return undefined;
    };
    const first = await running.done;
    expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('not attempted') });
    expect(first.stdout).toContain('Interrupted');
    const done = (await filesOf(made)).filter((path) => path.startsWith('agents/')).length;
    expect(done).toBeGreaterThanOrEqual(2);
    expect(done).toBeLessThan(8);
    Object.assign(server, { quirks: {}, after: undefined });
    const second = await made.run('import', '--from', 'ids.csv');
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${8 - done} imported, ${done} there already`),
    });
    expect(await pendingPaths(made)).toHaveLength(8);
  });

  test('Ctrl-C while all of it is planned says that nothing was planned, and blames no agent', async () => {
    const { csv, env } = listOf(3);
    const made = await project({ 'ids.csv': csv }, env);
    const running = made.start('import', '--from', 'ids.csv', '--concurrency', '1');
    let reads = 0;
    server.after = async () => {
      if (++reads !== 4) return undefined;
      running.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 300));
      return undefined;
    };
    const { code, stdout } = await running.done;
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('Import: 3 imported.\nInterrupted: '),
    });
    expect(stdout).toContain('was not planned yet; see `agentform plan -e test`.');
    expect(stdout).not.toContain('the plan');
  });

  test('every mistake in the list is told at once, with its line', async () => {
    const csv = 'id,nam,descripton\n';
    const made = await project({ 'ids.csv': csv });
    const header = await made.run('import', '--from', 'ids.csv');
    expect(header).toMatchObject({ code: 1 });
    expect(header.stderr).toContain("ids.csv:1:4 error csv-column  unknown column 'nam'; did you mean 'name'?");
    expect(header.stderr).toContain(
      "ids.csv:1:8 error csv-column  unknown column 'descripton'; did you mean 'description'?",
    );
    await made.write('ids.csv', 'id,name,description\ncamp_1,Desk,D\n\ncamp_1,desk,"D\nE",x\n,desk,D\n');
    const rows = await made.run('import', '--from', 'ids.csv');
    expect(rows.stderr.match(/ids\.csv:\d+:\d+ error +\S+ .*/g)).toEqual([
      expect.stringMatching(/^ids\.csv:2:8 .*the name is 'Desk'/),
      expect.stringMatching(/^ids\.csv:5:4 .*the row has 4 fields and the header 3/),
      expect.stringMatching(/^ids\.csv:6:1 .*the id is empty/),
      expect.stringMatching(/^ids\.csv:6:2 .*the name 'desk' is in an earlier row already/),
    ]);
    expect(server.takeLog()).toEqual([]);
  });

  test('agents without a description get that of the command line, or fail', async () => {
    const { csv, env } = listOf(2);
    const made = await project({ 'ids.csv': csv.replace('"Desk 2, upstairs"', '') }, env);
    expect(await made.run('import', '--from', 'ids.csv')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the column description'),
    });
    expect(await made.run('import', '--from', 'ids.csv', '--description', 'All alike')).toMatchObject({ code: 0 });
    expect(await made.read('agents/desk-1.yaml')).toContain('description: Desk 1, upstairs');
    expect(await made.read('agents/desk-2.yaml')).toContain('description: All alike');
  });

  test('two agents under the same credentials are refused before anything is read', async () => {
    const made = await project({
      'ids.csv': 'id,name,description,query\na,one,D,\nb,two,D,\nc,three,D,targetAccountId=3\n',
    });
    const result = await made.run('import', '--from', 'ids.csv');
    expect(result).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Agent/one and Agent/two have the same base URL, token and query'),
    });
    expect(server.takeLog()).toEqual([]);
  });
});
