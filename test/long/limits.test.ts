import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { assemblePlan } from '../../src/plan/plan.ts';
import { change, resource } from '../report/plan/plan-builders.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, json, type Reply, startIndependentServer } from '../support/independent-server.ts';
import { agentRecord } from '../support/observations.ts';
import { planText } from '../support/plan-text.ts';
import { testedStores } from '../support/stores.ts';

// Tests the slowest known inputs. Machines differ in speed, so the limit is a multiple of the processor time for
// parsing a file.
const maxParses = 20;
const patience = 300_000;
const maxMegabytes = 500;
// Without a limit, V8 leaves garbage on the heap, so the peak depends on the machine (decisions/0145).
const heapLimit = '--max-old-space-size=400';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const support = (name: string) => resolve(import.meta.dirname, '../support', name);
const meter = pathToFileURL(support('usage.mjs')).href;
const parse = support('parse-yaml.mjs');

let server: IndependentServer;
let secondsOfParse: number;
const made: TestProject[] = [];

beforeAll(async () => {
  server = await startIndependentServer();
  secondsOfParse = (await measured([parse], import.meta.dirname)).seconds;
});
afterEach(() => Promise.all(made.splice(0).map((project) => project.remove())));
afterAll(() => server.close());

type Files = Readonly<Record<string, string>>;

/** Runs the command line on a project with these files. Checks that the program ends in time and without a bug. */
async function runWithin(files: Files, args: readonly string[]): Promise<string> {
  const project = await testProject(files);
  made.push(project);
  const { out, err, seconds, megabytes } = await measured([cli, ...args], project.root);
  expect({ args, seconds, megabytes }).toEqual({ args, seconds: expect.any(Number), megabytes: expect.any(Number) });
  expect(seconds / secondsOfParse).toBeLessThan(maxParses);
  expect(megabytes).toBeLessThan(maxMegabytes);
  expect(err).not.toContain('this is a bug');
  return out + err;
}

/**
 * The output and the resource usage of a Node process. A process that was killed or ran out of memory reports nothing.
 */
async function measured(args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [heapLimit, '--import', meter, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, AGENT_TOKEN: 'tok_1234567890' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const textOf = (descriptor: 1 | 2 | 3): Promise<string> => {
    const stream = child.stdio[descriptor];
    if (!stream || !('read' in stream)) throw new Error(`nothing is read from descriptor ${descriptor}`);
    return text(stream);
  };
  const [out, err, usage] = await Promise.all([textOf(1), textOf(2), textOf(3)]);
  return { out, err, ...JSON.parse(usage || '{}') };
}

const projectFile = (parts: { readonly manifests?: readonly string[]; readonly variable?: string } = {}) =>
  `apiVersion: agentform/v1
kind: Project
manifests: ${JSON.stringify(parts.manifests ?? ['agents/*.yaml'])}
environments:
  test:
    baseUrl: ${server.baseUrl}
    token: \${secret.AGENT_TOKEN}
    variables: { large: ${parts.variable ?? 'x'} }
`;

const manifest = (settings = '', rest = '', name = 'desk') => `apiVersion: agentform/v1
kind: Agent
name: ${name}
settings:
  title: T
  description: d
  timezone: Europe/Berlin
${settings}
${rest}
`;

const list = <Item>(length: number, item: (index: number) => Item) => Array.from({ length }, (_, index) => item(index));

/** The record of an agent with these applied fields. */
const recordOf = (paths: readonly string[]): Files => {
  const record = {
    formatVersion: 1,
    environment: 'test',
    kind: 'Agent',
    name: 'desk',
    id: 'camp_1',
    host: new URL(server.baseUrl).host,
    query: {},
    credentials: {},
    lastUpdate: 1,
    fields: Object.fromEntries(paths.map((path) => [path, { value: 'T' }])),
  };
  return { '.agentform/records/test/Agent/desk.json': JSON.stringify(record) };
};

describe('whatever is read', () => {
  const oneManifest = (yaml: string, project = projectFile()) => ({ 'agentform.yaml': project, 'agents/a.yaml': yaml });
  const uploadOf = (csv: string) => ({ ...oneManifest(manifest()), 'tasks.csv': csv });
  const references = '$' + '{var.large}';

  const extra = (value: (at: number) => string, values = 19_000) =>
    list(values, (at) => `k${at}: ${value(at)}`).join(',');
  const largeManifests = (count: number, value: (key: number, at: number) => string, values = 19_000): Files =>
    Object.fromEntries(
      list(count, (at) => {
        const rest = `target: { query: { targetAccountId: "${at}" } }\nextraSettings: {${extra((key) => value(key, at), values)}}`;
        return [`agents/a${at}.yaml`, manifest('', rest, `a${at}`)];
      }),
    );
  const inEnvironments = (count: number, url = (at: number) => `https://s${at}.example.com`) =>
    `${projectFile().split('  test:')[0]}${list(count, (at) => `  e${at}: { baseUrl: "${url(at)}", token: "\${secret.T${at}}", variables: { v: x${at} } }\n`).join('')}`;

  const inputs: Array<[string, () => Files, readonly string[], string]> = [
    [
      'a hundred agents in a hundred environments on one host',
      () => ({
        'agentform.yaml': inEnvironments(100, () => 'https://service.example.com'),
        ...Object.fromEntries(list(100, (at) => [`agents/a${at}.yaml`, manifest('', '', `a${at}`)])),
      }),
      ['validate'],
      'in 100 environments',
    ],
    [
      'three hundred agents of one id each in a hundred environments on one host',
      () => ({
        'agentform.yaml': inEnvironments(100, () => 'https://service.example.com'),
        ...Object.fromEntries(
          list(300, (at) => [`agents/a${at}.yaml`, manifest('', `target: { agentId: c${at} }`, `a${at}`)]),
        ),
      }),
      ['validate', '--format', 'json'],
      'environments-share-agent',
    ],
    [
      'three manifests of 19,000 values in 99 environments',
      () => ({ 'agentform.yaml': inEnvironments(99), ...largeManifests(3, () => 'p') }),
      ['validate'],
      '3 manifests valid in 99 environments',
    ],
    [
      'three manifests of 19,000 values that differ in each of 99 environments',
      () => ({ 'agentform.yaml': inEnvironments(99), ...largeManifests(3, () => '"${var.v}"') }),
      ['validate'],
      'environments from here on were not checked',
    ],
    [
      'a thousand manifests that extend a base of 19,000 values',
      () => ({
        'agentform.yaml': projectFile(),
        'base.yaml': `apiVersion: agentform/v1\nkind: Agent\nextraSettings: {${extra(() => 'p')}}\n`,
        ...Object.fromEntries(
          list(1000, (at) => [`agents/a${at}.yaml`, manifest('', 'extends: ../base.yaml', `a${at}`)]),
        ),
      }),
      ['validate'],
      'the manifests up to this one, including their bases, have more than 60,000 values',
    ],
    [
      'as many values as a project may have, all of them new and different, in JSON',
      () => ({
        'agentform.yaml': projectFile().replace(server.baseUrl, 'emulator'),
        ...largeManifests(3, (key, at) => `p${at}-${key}`, 19_900),
      }),
      ['plan', '--format', 'json'],
      '"create": 3',
    ],
    [
      'two new agents that share 19,000 settings',
      () => ({
        'agentform.yaml': projectFile().replace(server.baseUrl, 'emulator'),
        ...largeManifests(2, (at) => `p${at}`),
      }),
      ['plan'],
      '2 to create',
    ],
    [
      'a list of 19,000 former names',
      () => ({
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifest('', `renamedFrom: [${list(19_000, (at) => `a${at}`).join(', ')}]`),
      }),
      ['validate'],
      'expected at most 20 items',
    ],
    ['a file of 250,000 documents', () => oneManifest('---\n'.repeat(250_000)), ['validate'], 'file-documents'],
    ['a text of 400,000 bad escapes', () => oneManifest(`"${'\\x'.repeat(400_000)}"`), ['validate'], 'yaml-syntax'],
    [
      '200,000 merge keys',
      () => oneManifest(`a: &a {}\nb: { <<: [${'*a,'.repeat(200_000)}] }`),
      ['validate'],
      'yaml-aliases',
    ],
    [
      'a variable of 900 KB that 2,000 places use',
      () =>
        oneManifest(
          manifest(`  agentInstructions: "${references.repeat(2000)}"`),
          projectFile({ variable: 'v'.repeat(900_000) }),
        ),
      ['validate'],
      'text-size',
    ],
    [
      'texts as large as a project may have',
      () => ({
        'agentform.yaml': projectFile({ variable: 'v'.repeat(130_000) }).replace(server.baseUrl, 'emulator'),
        ...Object.fromEntries(
          list(30, (index) => [
            `agents/a${index}.yaml`,
            manifest(
              ['agentInstructions', 'publicInstructions']
                .map((field) => `  ${field}: "${references.repeat(4)}"`)
                .join('\n'),
              `target: { query: { targetAccountId: '${index}' } }`,
              `a${index}`,
            ),
          ]),
        ),
      }),
      ['plan', '--full'],
      '30 to create',
    ],
    [
      'thirty regexes that each take as long as one may',
      () => {
        const regex = (at: number) => `transferRules: { cnamAutoRejectRegex: "${'(a|b|c|d)*'.repeat(100)}${at}" }`;
        const target = (at: number) => `target: { query: { targetAccountId: "${at + 1}" } }`;
        const agents = list(30, (at) => [`agents/a${at}.yaml`, manifest('', `${regex(at)}\n${target(at)}`, `a${at}`)]);
        return { 'agentform.yaml': projectFile(), ...Object.fromEntries(agents) };
      },
      ['validate'],
      '30 warnings',
    ],
    [
      '20,000 keys that look like credentials',
      () =>
        oneManifest(manifest('', `extraSettings: {${list(19_900, (index) => `apiKey${index}: p${index}`).join()}}`)),
      ['validate'],
      '1 manifest valid',
    ],
    [
      'patterns of many alternatives beside long names',
      () => ({
        'agentform.yaml': projectFile({ manifests: list(7, (index) => `**/${'{a,*}'.repeat(6)}b${index}`) }),
        ...Object.fromEntries(list(3000, (index) => [`agents/${'a'.repeat(240)}${index}`, ''])),
      }),
      ['validate'],
      'takes too long',
    ],
    [
      'a saved plan of 30 million numbers',
      () => ({ 'plan.json': `[${'1,'.repeat(30 * 2 ** 20)}1]` }),
      ['show', 'plan.json'],
      'plan-unreadable',
    ],
    [
      'a saved plan of 450,000 empty maps',
      () => ({ 'plan.json': `{"formatVersion": 1, "resources": [{}${',{}'.repeat(449_999)}]}` }),
      ['show', 'plan.json'],
      'plan-unreadable',
    ],
    [
      'a saved plan of a resource with 490,000 maps',
      () => {
        const large = change({ to: list(490_000, () => ({})) });
        const resources = [resource({ changes: [large] })];
        return { 'plan.json': planText(assemblePlan({ environment: 'test', refusals: [], resources })) };
      },
      ['show', 'plan.json'],
      'plan-altered',
    ],
    [
      'a file of 60 million brackets in the place of a saved plan',
      () => ({
        ...oneManifest(manifest(), projectFile().replace(server.baseUrl, 'emulator')),
        'plan.json': '['.repeat(30 * 2 ** 20) + ']'.repeat(30 * 2 ** 20),
      }),
      ['plan', '--out', 'plan.json'],
      'file-taken',
    ],
    [
      'a CSV row of 15 million fields',
      () => uploadOf(`type\n${','.repeat(15_000_000)}\n`),
      ['task', 'upload', 'tasks.csv', '--dry-run'],
      'more than 1,000 fields',
    ],
    [
      'a CSV cell of 15 million brackets',
      () => uploadOf(`type,meta.email.attachments\nemail,"${'['.repeat(7_500_000)}${']'.repeat(7_500_000)}"\n`),
      ['task', 'upload', 'tasks.csv', '--dry-run'],
      'expected a JSON list',
    ],
    [
      'a file of 20 MB that a task attaches 400 times',
      () => {
        const attachments = list(400, () => '{ file: large.txt }').join(', ');
        const task = `apiVersion: agentform/v1\nkind: Task\nsettings: { type: email, target: a@example.com, meta: { email: { attachments: [${attachments}] } } }\n`;
        return { ...oneManifest(manifest()), 'task.yaml': task, 'large.txt': 'x'.repeat(20_000_000) };
      },
      ['task', 'create', 'task.yaml', '--yes'],
      'the attachments are larger than 25 MiB in total',
    ],
    [
      'a list of a million agents to import',
      () => ({
        'agentform.yaml': projectFile(),
        'list.csv': `id,name\n${list(1e6, (at) => `c${at},n${at}\n`).join('')}`,
      }),
      ['import', '--from', 'list.csv'],
      'more than 10,000 agents',
    ],
    [
      'an agent to import with an id of 15 MB',
      () => ({ 'agentform.yaml': projectFile(), 'list.csv': `id,name\n${'x'.repeat(15_000_000)},a\n` }),
      ['import', '--from', 'list.csv'],
      'this row is too long',
    ],
    [
      'a record of 7 million numbers',
      () => ({
        ...oneManifest(manifest()),
        '.agentform/records/test/Agent/desk.json': `[${'1,'.repeat(7 * 2 ** 20)}1]`,
      }),
      ['record', 'list'],
      'record-unreadable',
    ],
    [
      'a record of 100,000 fields',
      () => ({ ...oneManifest(manifest()), ...recordOf(list(100_000, (at) => `settings.k${at}`)) }),
      ['plan'],
      'more than 60,250 fields',
    ],
    [
      'a record of a field that is 100,000 members deep',
      () => ({ ...oneManifest(manifest()), ...recordOf([`settings${'.a'.repeat(100_000)}`]) }),
      ['plan'],
      'are nested more than 100 levels deep',
    ],
  ];

  test.each(inputs)(
    'A run that reads %s takes at most the time of 20 parses and 500 MB.',
    async (_name, files, args, said) => {
      expect(await runWithin(files(), args)).toContain(said);
    },
    patience,
  );
});

describe('whatever the service answers', () => {
  const target = 'target: { agentId: camp_1 }';
  const filesOf = (): Files => ({
    'agentform.yaml': projectFile(),
    'agents/desk.yaml': manifest('  agentInstructions: hello', `skills: [{ slug: a, instructions: b }]\n${target}`),
    ...recordOf(['settings.title', 'skills[a].instructions']),
  });
  const campaign = (parts: Readonly<Record<string, unknown>>): Reply =>
    json(200, {
      success: true,
      message: 'm',
      campaign: { id: 'camp_1', campaignType: 'chatAgent', lastUpdate: 2, ...parts },
    });
  const skillsOf = (count: number) =>
    campaign({ skills: list(count, (index) => ({ slug: `s${index}`, instructions: 'x' })) });
  const skills = () => skillsOf(16_000);
  const lines = () => campaign({ agentInstructions: list(300_000, (index) => `l${index}`).join('\n') });
  const escapes = () => campaign({ agentInstructions: '\u001b'.repeat(690_000), title: '`'.repeat(1000) });
  const rooms = () => json(200, { success: true, rooms: list(24_000, (index) => ({ roomId: `r${index}` })) });
  const words = (text: string) => () => json(400, { success: false, message: text });

  const answers: Array<[string, () => Reply, readonly string[]]> = [
    ['16,000 elements of a list, plan', skills, ['plan', '--full']],
    ['16,000 elements of a list, drift', skills, ['drift', '--full']],
    ['12,000 elements of a list, explain', () => skillsOf(12_000), ['explain', 'desk', 'skills']],
    ['16,000 elements of a list, update', skills, ['update', 'desk', '--format', 'json']],
    ['a text of 300,000 lines, plan', lines, ['plan', '--full', '--format', 'markdown']],
    ['a text of 300,000 lines, drift', lines, ['drift', '--full']],
    ['a text of 690,000 escape characters, plan', escapes, ['plan', '--full']],
    ['24,000 rooms, inbox', rooms, ['inbox']],
    ['24,000 rooms, inbox as CSV', rooms, ['inbox', '--format', 'csv']],
    ['a message of 4 MB of question marks, plan', words('?'.repeat(4_000_000)), ['plan']],
    ['a message of 4 MB of points, inbox', words('.'.repeat(4_000_000)), ['inbox']],
    ['a message of nothing but base64, plan', words('QUJD'.repeat(1_000_000)), ['plan']],
  ];

  test.each(answers)(
    'A run that is sent %s takes at most the time of 20 parses and 500 MB.',
    async (_name, answer, args) => {
      server.before = answer;
      expect(await runWithin(filesOf(), args)).not.toContain('tok_1234567890');
    },
    patience,
  );

  test.each([
    ['plan', ['plan']],
    ['drift', ['drift', '--full']],
  ])(
    'A record with 60,000 undeclared fields takes at most the time of 20 parses and 500 MB in %s.',
    async (_name, args) => {
      server.before = () => campaign({ title: 'T' });
      const files = { ...filesOf(), ...recordOf(list(60_000, (at) => `settings.k${at}`)) };
      expect(await runWithin(files, args)).toContain('Agent/desk');
    },
    patience,
  );

  test(
    'An update of 3,000 changed elements takes at most the time of 20 parses and 500 MB.',
    async () => {
      const skills = (instructions: string) => list(3000, (index) => ({ slug: `s${index}`, instructions }));
      server.before = () => campaign({ skills: skills('new') });
      const files = {
        ...filesOf(),
        'agents/desk.yaml': manifest('', `skills: ${JSON.stringify(skills('old'))}\n${target}`),
      };
      const said = await runWithin(files, ['update', 'desk', '--field', 'skills']);
      expect(said).toContain('Updated 3,000 values');
    },
    patience,
  );
});

test.each(Object.entries(testedStores))(
  'The %s store refuses to read 7 records of 15 MB in one environment.',
  async (_name, start) => {
    const tested = await start();
    const site = await tested.site();
    const large = { a: 'x'.repeat(15_500_000) };
    const store = await site.open(await site.folder());
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await store.save(agentRecord(large, { name }), undefined);
    await store.share('Apply to test');
    const other = await site.open(await site.folder());
    await expect(other.list('test')).rejects.toMatchObject({
      code: 'record-unreadable',
      message: expect.stringMatching(/more than 96 MiB in 7 records;/),
    });
    await site.remove();
    await tested.stop();
  },
);
