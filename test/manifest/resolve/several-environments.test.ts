import { describe, expect, test } from '@jest/globals';
import { secretUses, validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { agent, type Files, makeProject, resolveWithValues } from '../temp-project.ts';

/** Environments on separate hosts, each with this content. */
const environments = (bodies: Readonly<Record<string, string>>): string =>
  `apiVersion: agentform/v1
kind: Project
manifests: ["agents/**/*.yaml"]
environments:
${Object.entries(bodies)
  .map(([name, body]) => `  ${name}: { baseUrl: "https://${name}.example.com", token: "\${secret.TOKEN}"${body} }\n`)
  .join('')}`;

const variable = (value: string): string => `, variables: { v: ${value} }`;

/** Returns the result for each environment, resolved both after the other environments and alone. */
async function bothWays(files: Files) {
  const project = await makeProject(files);
  const options = { env: {}, secrets: 'names' as const };
  return Promise.all(
    project.environments.map(async (environment) => {
      const after = await resolveWithValues(project, { ...options, environment });
      const alone = await resolveWithValues(await makeProject(files), { ...options, environment });
      const told = ({ desired, problems, secretNames }: typeof alone) => ({ desired, problems, secretNames });
      return { environment, after: told(after), alone: told(alone) };
    }),
  );
}

describe('environments that share their work', () => {
  test.each<[string, Files]>([
    [
      'if a variable is the same, different, of another type or missing',
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
      'if an overlay or a base differs, or a manifest is excluded',
      {
        'agentform.yaml': environments({ a: '', b: '', c: '', d: '' }),
        'base.yaml':
          'apiVersion: agentform/v1\nkind: Agent\nsettings: { timezone: UTC }\nenvironments: { b: { settings: { timezone: Mars } } }\n',
        'agents/a.yaml': agent('', 'extends: ../base.yaml\nenvironments: { c: { settings: { titel: x } } }', 'a'),
        'agents/b.yaml': agent('', 'onlyIn: [b, c]', 'b'),
        'agents/c.yaml': agent('timezone: Mars', '', 'c'),
      },
    ],
  ])('Environments have the same result together as alone %s.', async (_name, files) => {
    for (const { after, alone } of await bothWays(files)) expect(after).toEqual(alone);
  });
});

test('A secret counts as used in each environment whose manifests share their work.', async () => {
  const project = await makeProject({
    'agentform.yaml': environments({ a: '', b: '' }),
    'agents/a.yaml': agent('agentInstructions: "${secret.CODE}"'),
  });
  for (const environment of ['a', 'b']) {
    const { secrets } = await secretUses(project, { environment, env: {} });
    expect([...secrets].sort()).toEqual(['CODE', 'TOKEN']);
  }
});

describe('one agent id in many environments', () => {
  const inMany = async (count: number, body: string) => {
    const named = Array.from({ length: count }, (_, at) => [`e${at}`, ''] as const);
    const project = await makeProject({
      'agentform.yaml': environments(Object.fromEntries(named)).replaceAll(/e\d+\.example/g, 'one.example'),
      'agents/a.yaml': agent('', body),
    });
    const { problems } = await validateProject(project, { env: {} });
    return problems.flatMap(({ rule, message }) =>
      rule === 'environments-share-agent' ? [message.split(' write')[0]] : [],
    );
  };

  test('An id that many environments inherit from one place is one problem, which names some of them.', async () => {
    const everywhere = 'target: { agentId: camp_1 }';
    expect(await inMany(4, everywhere)).toEqual(["the environments 'e0', 'e1', 'e2' and 'e3' all"]);
    expect(await inMany(40, everywhere)).toEqual(["the environments 'e0', 'e1', 'e2', 'e3', 'e4' and 35 more all"]);
  });

  test('An id declared separately for several environments is reported at each place, with the first environment.', async () => {
    const own = (at: number) => `  e${at}: { target: { agentId: camp_1 } }\n`;
    const apart = `environments:\n${own(0)}${own(1)}${own(2)}`;
    expect(await inMany(3, apart)).toEqual([
      "the environments 'e0' and 'e1' both",
      "the environments 'e0' and 'e2' both",
    ]);
    const mixed = `target: { agentId: camp_1 }\nenvironments:\n${own(0)}`;
    expect(await inMany(4, mixed)).toEqual(["the environments 'e0', 'e1', 'e2' and 'e3' all"]);
  });
});
