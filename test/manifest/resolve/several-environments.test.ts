import { describe, expect, test } from '@jest/globals';
import { secretUses, validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { agent, type Files, makeProject, resolveWithValues, show } from '../temp-project.ts';

/** Environments on hosts of their own, each with this under it. */
const environments = (bodies: Readonly<Record<string, string>>): string =>
  `apiVersion: agentform/v1
kind: Project
manifests: ["agents/**/*.yaml"]
environments:
${Object.entries(bodies)
  .map(([name, body]) => `  ${name}: { baseUrl: "https://${name}.example.com", token: "\${secret.TOKEN}"${body} }\n`)
  .join('')}`;

const variable = (value: string): string => `, variables: { v: ${value} }`;

/** What is resolved in each environment after the others, and by itself. */
async function bothWays(files: Files) {
  const project = await makeProject(files);
  const options = { env: {}, secrets: 'form' as const };
  return Promise.all(
    project.environments.map(async (environment) => {
      const after = await resolveWithValues(project, { ...options, environment });
      const alone = await resolveWithValues(await makeProject(files), { ...options, environment });
      const told = ({ desired, problems, secretNames }: typeof alone) => ({ desired, problems, secretNames });
      return { environment, after: told(after), alone: told(alone) };
    }),
  );
}

describe('environments that share their work come to what each comes to alone', () => {
  test.each<[string, Files]>([
    [
      'where a variable is the same, another one, of another type or missing',
      {
        'agentform.yaml': environments({
          a: variable('500'),
          b: variable('500'),
          c: variable("'500'"),
          d: '',
          e: ', variables: { w: 1 }',
          f: variable('x'),
        }),
        'agents/a.yaml': agent('timeout: "${var.v}"', '', 'a'),
        'agents/b.yaml': agent('agentInstructions: "x ${var.v}"', '', 'b'),
        'agents/c.yaml': agent('agentInstructions: { file: ../p.md }', '', 'c'),
        'p.md': 'Hello from ${var.v} and ${secret.CODE}',
      },
    ],
    [
      'where an overlay or a base says otherwise, or a manifest is not in it',
      {
        'agentform.yaml': environments({ a: '', b: '', c: '', d: '' }),
        'base.yaml':
          'apiVersion: agentform/v1\nkind: Agent\nsettings: { timezone: UTC }\nenvironments: { b: { settings: { timezone: Mars } } }\n',
        'agents/a.yaml': agent('', 'extends: ../base.yaml\nenvironments: { c: { settings: { titel: x } } }', 'a'),
        'agents/b.yaml': agent('', 'onlyIn: [b, c]', 'b'),
        'agents/c.yaml': agent('timezone: Mars', '', 'c'),
      },
    ],
  ])('%s', async (_name, files) => {
    for (const { after, alone } of await bothWays(files)) expect(after).toEqual(alone);
  });
});

test('a secret counts as used in each environment whose manifests share their work', async () => {
  const project = await makeProject({
    'agentform.yaml': environments({ a: '', b: '' }),
    'agents/a.yaml': agent('agentInstructions: "${secret.CODE}"'),
  });
  for (const environment of ['a', 'b']) {
    const { secrets } = await secretUses(project, { environment, env: {} });
    expect([...secrets].sort()).toEqual(['CODE', 'TOKEN']);
  }
});

describe('the work that a project asks for is limited', () => {
  const extra = (value: string) => `extraSettings: {${Array.from({ length: 19_000 }, (_, at) => `k${at}: ${value}`)}}`;
  const names = Array.from({ length: 23 }, (_, at) => `e${at}`);
  const differing = environments(Object.fromEntries(names.map((name) => [name, variable(name)])));

  test('what is the same in all environments counts once', async () => {
    const project = await makeProject({ 'agentform.yaml': differing, 'agents/a.yaml': agent('', extra('x')) });
    expect((await validateProject(project, { env: {} })).problems).toEqual([]);
  });

  test('what differs counts in each, and the environments that are left are named', async () => {
    const project = await makeProject({ 'agentform.yaml': differing, 'agents/a.yaml': agent('', extra('"${var.v}"')) });
    const { problems } = await validateProject(project, { env: {} });
    expect(problems.map(show)).toEqual([
      'agentform.yaml:26:3 2 environments from here on were not checked, because those before have 399,105 values; run `agentform validate -e e21`',
    ]);
    expect((await validateProject(project, { env: {}, environments: names.slice(21) })).problems).toEqual([]);
  });

  test('a base counts for each manifest that extends it, and the first manifest beyond is named', async () => {
    const manifests = Array.from({ length: 8 }, (_, at): [string, string] => [
      `agents/a${at}.yaml`,
      agent('', 'extends: ../base.yaml', `a${at}`),
    ]);
    const files = {
      ...Object.fromEntries(manifests),
      'base.yaml': `apiVersion: agentform/v1\nkind: Agent\n${extra('x')}`,
    };
    const { problems } = await validateProject(await makeProject(files), { env: {} });
    expect(problems.map(show)).toEqual([
      'agents/a3.yaml:3:7 the manifests up to here have more than 60,000 values, with those of the bases that they extend; split the project',
    ]);
  });
});

test('many manifests may have more values than few', async () => {
  const values = Array.from({ length: 230 }, (_, at) => `k${at}: x`);
  const manifests = Array.from({ length: 400 }, (_, at): [string, string] => [
    `agents/a${at}.yaml`,
    agent('', `extends: ../base.yaml\ntarget: { query: { targetAccountId: "${at}" } }`, `a${at}`),
  ]);
  const files = {
    ...Object.fromEntries(manifests),
    'base.yaml': `apiVersion: agentform/v1\nkind: Agent\nextraSettings: { ${values.join(', ')} }\n`,
    'agentform.yaml': environments({ a: '' }),
  };
  const { problems, resources } = await validateProject(await makeProject(files), { env: {} });
  expect({ sized: problems.filter(({ rule }) => rule === 'project-size'), resources }).toEqual({
    sized: [],
    resources: 400,
  });
});

test('If many environments write one agent, each is reported with the first one only.', async () => {
  const named = ['a', 'b', 'c', 'd'].map((name) => [name, '']);
  const project = await makeProject({
    'agentform.yaml': environments(Object.fromEntries(named)).replaceAll(/[a-d]\.example/g, 'one.example'),
    'agents/a.yaml': agent('', 'target: { agentId: camp_1 }'),
  });
  const { problems } = await validateProject(project, { env: {} });
  const agents = problems.filter(({ rule }) => rule === 'environments-share-agent');
  expect(agents.map(({ message }) => /'(\w)' and '(\w)' both/.exec(message)?.slice(1).join(''))).toEqual([
    'ab',
    'ac',
    'ad',
  ]);
});
