import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CliResult, type TestProject, testProject } from '../support/cli.ts';
import {
  type IndependentServer,
  json,
  type LoggedCall,
  startIndependentServer,
} from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

/** Characters that are escaped in URLs, forms, JSON and regular expressions, and some non-ASCII characters. */
const odd = `/ + = & % %2F  " \\ ' ? # $& (x) ä€🙂 `;

/** The characters among these that a URL may contain. */
const oddInUrl = `/+=&%2F'?$&(x)ä€🙂`;

/**
 * Secrets with marks at both ends and in the middle. If an output contains one of these marks, that output leaks a
 * secret, even if other characters are escaped.
 */
const secrets = {
  AGENT_TOKEN: `qtokheadq${odd}qtokmidq${odd}qtoktailq`,
  TITLE_SECRET: `qtitheadq${odd}qtitmidq${odd}qtittailq`,
  SKILL_SECRET: `qskiheadq${odd}qskimidq${odd}qskitailq`,
  LINK_SECRET: `qlnkheadq${oddInUrl}qlnkmidq${oddInUrl}qlnktailq`,
  QUERY_SECRET: `qqryheadq${odd}qqrymidq${odd}qqrytailq`,
  BLIND_SECRET: `qbldheadq${odd}qbldmidq${odd}qbldtailq`,
};
const mark = /q(tok|tit|ski|lnk|qry|bld|lit)(head|mid|tail)q/gi;

const manifest = `apiVersion: agentform/v1
kind: Agent
name: front-desk
target: { query: { apiKey: "\${secret.QUERY_SECRET}" } }
settings:
  title: "Desk \${secret.TITLE_SECRET}"
  description: "About \${secret.BLIND_SECRET}"
  welcomeMessage: Hi
  links: ["https://x.example/?key=\${secret.LINK_SECRET}", "https://y.example"]
skills:
  - { slug: calendar, instructions: "Call with \${secret.SKILL_SECRET}." }
  - { slug: billing, instructions: Explain. }
`;

let server: IndependentServer;
let project: TestProject;
let said: CliResult[] = [];

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const { id } of server.agents()) server.drop(id);
  Object.assign(server, { quirks: {}, before: undefined, after: undefined });
  server.takeLog();
  said = [];
  project = await testProject({ 'agentform.yaml': projectFile(), 'agents/front-desk.yaml': manifest }, secrets);
});
afterEach(() => project.remove());

test('The leak detector finds a secret in every encoding.', () => {
  const { TITLE_SECRET } = secrets;
  for (const text of [TITLE_SECRET, encodeURIComponent(TITLE_SECRET), JSON.stringify({ x: TITLE_SECRET })]) {
    expect(text.match(mark)).toHaveLength(3);
  }
});

test.each(['undici', 'FETCH', 'net,http', '*', 'und*'])(
  'The setting NODE_DEBUG=%s is refused, because it prints addresses.',
  async (sections) => {
    const debugged = await testProject({ 'agentform.yaml': projectFile() }, { ...secrets, NODE_DEBUG: sections });
    const { code, stdout, stderr } = await debugged.run('plan');
    await debugged.remove();
    expect({ code, stdout, mark: stderr.match(mark) }).toEqual({ code: 1, stdout: '', mark: null });
    expect(stderr).toContain('NODE_DEBUG would print tokens with every request; run `unset NODE_DEBUG` (usage)');
  },
);

describe('secrets in output and files', () => {
  test.each([
    ['plan', 'SECRET'],
    ['plan', '--format', 'json', 'Agent/SECRET'],
    ['plan', '--format', 'SECRET'],
    ['validate', '-e', 'SECRET'],
    ['explain', 'Agent', 'SECRET'],
    ['test', '--SECRET'],
    ['SECRET'],
  ])('No secret is shown if it is typed as an argument: %s %s', async (...args) => {
    await expectCode(1, ...args.map((arg) => arg.replace('SECRET', () => secrets.TITLE_SECRET)));
    expect(said.at(-1)?.stderr).toContain('(sensitive)');
    await expectNoLeak();
  });

  test('No secret is shown or stored in a create, change, blind change, drift or unset.', async () => {
    await everyPlan();
    await run('apply', '--new', 'all', '--plan', 'plan.json', '--debug', '--report', 'ledger.json');
    expect(server.takeWrites()).toMatchObject([
      {
        title: `Desk ${secrets.TITLE_SECRET}`,
        skills: [{ instructions: `Call with ${secrets.SKILL_SECRET}.` }, { slug: 'billing' }],
      },
    ]);
    expect(server.agents()).toHaveLength(1);
    await expectCode(0, 'plan', '--exit-code');
    await project.edit('agents/front-desk.yaml', 'Desk $', 'Reception $');
    await project.edit('agents/front-desk.yaml', 'About $', 'All about $');
    await project.edit('agents/front-desk.yaml', /, "https:\/\/y.example"/, '');
    server.edit(agentId(), { skills: [{ slug: 'calendar', instructions: secrets.SKILL_SECRET }] });
    await everyPlan();
    await expectCode(
      0,
      'apply',
      '--new',
      'all',
      '--plan',
      'plan.json',
      '--debug',
      '--format',
      'json',
      '--report',
      'ledger.json',
    );
    await expectCode(0, 'plan', '--exit-code', '--full');
    await project.edit('agents/front-desk.yaml', /skills:\n.*\n.*\n/, '');
    await somePlans();
    await expectCode(0, 'apply', '--yes', '--new', 'all', '--debug');
    await run('record', 'list');
    await run('record', 'show', 'Agent/front-desk');
    await run('record', 'rename', 'Agent/front-desk', 'Agent/other');
    await run('plan');
    await expectNoLeak();
  });

  const failures: Record<string, (call: LoggedCall, rawUrl: string) => ReturnType<typeof json> | 'reset'> = {
    'a 401 that repeats the address and the token': ({ query }, url) =>
      json(401, { success: false, message: `bad token ${query.token} at ${url} (${decodeURIComponent(url)})` }),
    'a 403 in plain text': ({ query }, url) => text(403, `no ${query.token}, ${query.apiKey} at ${url}`),
    'a 500 with a page that repeats the address': (_, url) =>
      text(500, `<html><body>Cannot POST ${url} ${decodeURIComponent(url)}</body></html>`),
    'a 500 with a message that does': (_, url) => json(500, { success: false, message: `failed: ${url}` }),
    'a redirect with the token in its Location': (_, url) => ({
      status: 307,
      headers: { location: `http://127.0.0.1:1${url}` },
      body: url,
    }),
    'success: false with the address': (_, url) => json(200, { success: false, message: `no: ${url}` }),
    'a body that is not JSON': (_, url) => text(200, `Cannot POST ${url}`),
    'a body of another shape': (_, url) => json(200, { success: true, campaignId: { [url]: url } }),
    'a 400 that repeats the body': ({ body }) =>
      json(400, { success: false, message: `title ${body?.title} and ${JSON.stringify(body)}` }),
    'a 400 whose message is cut in the middle of a secret': ({ body }) =>
      json(400, { success: false, message: `${'the title is too long '.repeat(12)}${body?.title}` }),
    'a reset': () => 'reset',
  };

  test.each(Object.entries(failures))(
    'No secret is shown or stored in a create that fails with %s.',
    async (_, failure) => {
      server.before = failure;
      await expectCode(1, 'apply', '--yes', '--new', 'all', '--debug', '--report', 'ledger.json');
      await expectNoLeak();
    },
  );

  const badReads = ['a 401 that repeats the address and the token', 'a redirect with the token in its Location'];
  test.each(badReads)('No secret is shown or stored in a read that fails with %s.', async (name) => {
    await expectCode(0, 'apply', '--yes', '--new', 'all');
    server.before = failures[name];
    await expectCode(1, 'plan', '--format', 'markdown', '--out', 'plan.json');
    await expectCode(1, 'apply', '--yes', '--new', 'all', '--debug', '--format', 'json');
    await expectNoLeak();
  });

  test('No secret is shown or stored if no server listens.', async () => {
    await project.edit('agentform.yaml', server.baseUrl, 'http://127.0.0.1:9');
    await expectCode(1, 'apply', '--yes', '--new', 'all', '--debug', '--report', 'ledger.json');
    await expectNoLeak();
  });

  test('No secret is shown or stored if the token would go over http to another machine.', async () => {
    await project.edit('agentform.yaml', server.baseUrl, 'http://service.example');
    await expectCode(1, 'apply', '--yes', '--new', 'all', '--debug');
    await expectNoLeak();
  });

  test('No secret is shown or stored if live values, reasons, ids and types contain one.', async () => {
    await expectCode(0, 'apply', '--yes', '--new', 'all');
    server.edit(agentId(), { welcomeMessage: `call ${secrets.AGENT_TOKEN}`, timezone: secrets.TITLE_SECRET });
    server.after = (call, reply) => {
      if (call.method !== 'GET') return undefined;
      const answer = JSON.parse(reply.body);
      for (const skill of answer.campaign.skills) Object.assign(skill, { usable: false, reason: secrets.AGENT_TOKEN });
      return json(200, answer);
    };
    await everyPlan();
    await expectCode(0, 'apply', '--yes', '--new', 'all', '--debug', '--report', 'ledger.json');
    server.quirks = { campaignType: secrets.AGENT_TOKEN };
    await somePlans();
    await expectCode(3, 'apply', '--yes', '--new', 'all', '--format', 'json', '--report', 'ledger.json');
    server.quirks = { answeredId: () => secrets.AGENT_TOKEN };
    await project.edit('agents/front-desk.yaml', 'welcomeMessage: Hi', 'welcomeMessage: Hello');
    // An unusable id makes the response unclear, so the update counts because the agent shows it.
    await expectCode(0, 'apply', '--yes', '--new', 'all', '--report', 'ledger.json');
    await expectNoLeak();
  });

  test('No secret is shown or stored if the service reads a value back with one.', async () => {
    server.after = (call, reply) => (call.method === 'GET' ? readBackWith(reply, secrets.AGENT_TOKEN) : undefined);
    await run('apply', '--yes', '--new', 'all', '--debug', '--report', 'ledger.json');
    await run('plan', '--full', '--format', 'json');
    await expectNoLeak();
  });

  test('No secret is shown or stored if live lists and extra settings have elements and keys with one.', async () => {
    await expectCode(0, 'apply', '--yes', '--new', 'all');
    const slug = `x${secrets.AGENT_TOKEN}`;
    server.edit(agentId(), {
      skills: [{ slug, instructions: secrets.AGENT_TOKEN }],
      links: [`https://x.example/${encodeURIComponent(secrets.AGENT_TOKEN)}`],
    });
    await somePlans();
    server.quirks = { ignores: ['skills', 'links'] };
    await expectCode(1, 'apply', '--yes', '--new', 'all', '--format', 'json', '--report', 'ledger.json');
    await expectNoLeak();
  });

  test('No secret is shown or stored if a create answers with an id that contains one.', async () => {
    server.quirks = { answeredId: () => `agent-${secrets.AGENT_TOKEN}` };
    await run('apply', '--yes', '--new', 'all', '--format', 'json', '--report', 'ledger.json');
    await run('plan', '--format', 'json');
    await run('record', 'list');
    await expectNoLeak();
  });

  test('No secret is shown or stored in a conflict.', async () => {
    await expectCode(0, 'apply', '--yes', '--new', 'all');
    server.edit(agentId(), { title: `Somebody wrote ${secrets.TITLE_SECRET}` });
    await project.edit('agents/front-desk.yaml', 'Desk $', 'Reception $');
    await somePlans();
    await expectCode(3, 'apply', '--yes', '--new', 'all', '--format', 'json');
    await expectCode(0, 'apply', '--yes', '--new', 'all', '--overwrite', 'Agent/front-desk');
    await expectNoLeak();
  });

  test('No secret is shown or stored if a manifest contains its value in clear.', async () => {
    await project.edit('agents/front-desk.yaml', 'welcomeMessage: Hi', 'welcomeMessage: qlitheadq and so on');
    const other = await testProject({}, { ...secrets, LITERAL: 'qlitheadq' });
    await project.edit('agents/front-desk.yaml', 'Explain.', `"\${secret.LITERAL}"`);
    for (const args of [
      ['apply', '--yes', '--new', 'all', '--report', 'ledger.json'],
      ['plan', '--format', 'json'],
    ]) {
      said.push(await other.run(...args, '--project', project.root));
    }
    await project.edit('agents/front-desk.yaml', 'welcomeMessage: q', 'welcomMessage: q');
    const mistaken = await other.run('plan', '--project', project.root);
    said.push(mistaken);
    expect(mistaken).toMatchObject({ code: 1, stderr: expect.stringContaining('welcomMessage') });
    await other.remove();
    await expectNoLeak(['agents/front-desk.yaml']);
  });
});

describe('secrets in manifest errors', () => {
  // Values with an invalid form. Only the schema checks the form of a secret, and no other check may report the value.
  const wrongByForm: Record<string, string> = {
    'an enumeration': '  agentLang: "${secret.TITLE_SECRET}"\n',
    'a number': '  speakingTimeout: "${secret.TITLE_SECRET}"\n',
    'a boolean': '  noConvoHistory: "${secret.TITLE_SECRET}"\n',
    'the key of an app': 'apps:\n  - { appId: "${secret.TITLE_SECRET}", version: v1, instructions: I }\n',
    'an agentId': 'target: { agentId: "${secret.TITLE_SECRET}" }\n',
  };
  const wrongByMeaning = `  timezone: "\${secret.TITLE_SECRET}"
  links: ["\${secret.LINK_SECRET}", "ftp://x.example/\${secret.LINK_SECRET}"]
backgroundAudio: "\${secret.SKILL_SECRET}"
transferRules:
  cnamAutoRejectRegex: "(\${secret.BLIND_SECRET}"
  cnamAutoTransferRegex: "(a|a)*\${secret.BLIND_SECRET}$"
  cnamAutoTransferDestination: "\${secret.TITLE_SECRET}"
`;

  test.each(Object.entries(wrongByForm))(
    'No secret is shown or stored if a manifest has a mistake in %s.',
    async (_, lines) => {
      await project.write('agents/front-desk.yaml', `${envelope}settings:\n  title: T\n  description: D\n${lines}`);
      await expectCode(1, 'apply', '--yes', '--new', 'all', '--debug');
      expect(said.at(-1)?.stderr).toMatch(/agents\/front-desk\.yaml:\d+:\d+/);
      await expectNoLeak();
      expect(server.takeLog()).toEqual([]);
    },
  );

  test('No secret is shown or stored if only checks beyond the schema would find the mistake.', async () => {
    const settings = 'settings:\n  title: T\n  description: D\n';
    await project.write('agents/front-desk.yaml', `${envelope}${settings}${wrongByMeaning}`);
    await run('plan', '--format', 'json');
    await run('apply', '--yes', '--new', 'all', '--debug');
    await project.edit('agents/front-desk.yaml', 'title: T', 'title: [1]');
    await expectCode(1, 'plan');
    await expectNoLeak();
  });

  test('No secret is shown or stored in a lint warning.', async () => {
    const phrase = 'autoRecordingNotification: "false"\n  recordingNotificationPhrase: "${secret.TITLE_SECRET}"';
    await project.write('agents/front-desk.yaml', `${envelope}settings:\n  title: T\n  description: D\n  ${phrase}\n`);
    await expectCode(0, 'apply', '--yes', '--new', 'all');
    expect(said.at(-1)?.stderr).toContain('warning');
    await expectNoLeak();
  });

  const literals: Record<string, [string, string]> = {
    'in a manifest': ['agents/front-desk.yaml', 'target: { token: "qlitheadq/x" }\n'],
    'in a manifest, over two lines': ['agents/front-desk.yaml', 'target:\n  token: >-\n    qlitheadq\n    qlittailq\n'],
    'next to another mistake': ['agents/front-desk.yaml', 'target: { token: "qlitheadq", tokn: 1 }\n'],
    'almost a reference': ['agents/front-desk.yaml', 'target: { token: "${secret.T}qlitheadq" }\n'],
    'in an overlay': ['agents/front-desk.yaml', 'environments: { test: { target: { token: qlitheadq } } }\n'],
  };
  test.each(Object.entries(literals))(
    'No secret is shown or stored if a literal token is %s.',
    async (_, [path, lines]) => {
      await project.write(path, `${envelope}settings: { title: T, description: D }\n${lines}`);
      for (const args of [['validate'], ['apply', '--yes', '--new', 'all', '--debug']]) await expectCode(1, ...args);
      await expectNoLeak([path]);
      expect(server.takeLog()).toEqual([]);
    },
  );

  test('No secret is shown or stored if agentform.yaml has a literal token.', async () => {
    await project.edit('agentform.yaml', '"${secret.AGENT_TOKEN}"', 'qlitheadq');
    for (const args of [['plan'], ['record', 'list']]) await expectCode(1, ...args);
    await expectNoLeak(['agentform.yaml']);
  });

  test('No secret is shown or stored if a base URL has credentials.', async () => {
    await project.edit('agentform.yaml', 'http://', 'http://user:qlitheadq@');
    await expectCode(1, 'plan');
    await expectNoLeak(['agentform.yaml']);
  });
});

describe('secrets that are ordinary words', () => {
  test.each(['create', 'changes', 'settings'])(
    'A secret with the value %s leaves saved plans and JSON intact.',
    async (word) => {
      const plain = await testProject(
        {
          'agentform.yaml': projectFile(),
          'agents/front-desk.yaml': `${envelope}settings: { title: T, description: D }\n`,
        },
        { AGENT_TOKEN: word },
      );
      const planned = await plain.run('plan', '--format', 'json', '--out', 'plan.json');
      const applied = await plain.run(
        'apply',
        '--new',
        'all',
        '--plan',
        'plan.json',
        '--format',
        'json',
        '--report',
        'ledger.json',
      );
      const report = await plain.read('ledger.json').catch(() => 'no report');
      await plain.remove();
      expect(() => JSON.parse(planned.stdout)).not.toThrow();
      expect({ code: applied.code, stderr: applied.stderr.match(/error:.*/)?.[0] }).toEqual({ code: 0 });
      expect(() => JSON.parse(applied.stdout)).not.toThrow();
      expect(() => JSON.parse(report)).not.toThrow();
    },
  );
});

const envelope = 'apiVersion: agentform/v1\nkind: Agent\nname: front-desk\n';

function projectFile(): string {
  return `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  test:
    baseUrl: ${server.baseUrl}
    token: "\${secret.AGENT_TOKEN}"
service: { readBack: 0 }
`;
}

function agentId(): string {
  return server.agents()[0]?.id ?? '';
}

function text(status: number, body: string) {
  return { status, headers: { 'content-type': 'text/html' }, body };
}

function readBackWith(reply: { readonly body: string }, addition: string) {
  const answer = JSON.parse(reply.body);
  answer.campaign.welcomeMessage += addition;
  return json(200, answer);
}

async function run(...args: string[]): Promise<CliResult> {
  const result = await project.run(...args);
  said.push(result);
  expect(result.stderr).not.toContain('bug in agentform');
  return result;
}

async function expectCode(code: number, ...args: string[]): Promise<void> {
  const result = await run(...args);
  expect({ args, ...result }).toMatchObject({ code });
}

async function everyPlan(): Promise<void> {
  await somePlans();
  await run('plan', '--format', 'markdown');
  await run('plan', '--format', 'github');
  await run('drift', '--format', 'markdown');
  await run('drift', '--format', 'json');
  for (const format of ['text', 'json', 'github']) await run('show', 'plan.json', '--format', format);
  for (const format of ['json', 'sarif', 'github']) await run('validate', '--format', format);
}

/** All formats show the same masked plan, so some of them suffice in most tests. */
async function somePlans(): Promise<void> {
  await run('plan', '--full', '--debug');
  await run('plan', '--format', 'json', '--out', 'plan.json');
  await run('show', 'plan.json', '--format', 'markdown');
  await run('drift', '--full', '--debug');
}

/** Checks that outputs and project files contain no secret, except in files to which a test wrote a secret. */
async function expectNoLeak(but: readonly string[] = []): Promise<void> {
  const outputs = said.flatMap(({ stdout, stderr }) => [stdout, stderr]).map((output) => ['output', output] as const);
  const entries = await readdir(project.root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths
      .filter((path) => !but.some((exception) => path.endsWith(exception)))
      .map(async (path) => [path, await readFile(path, 'utf8')] as const),
  );
  const leaks = [...outputs, ...files].flatMap(([where, content]) =>
    [...content.matchAll(mark)].map(({ index }) => `${where}: …${content.slice(Math.max(0, index - 80), index + 60)}…`),
  );
  expect(leaks).toEqual([]);
}
