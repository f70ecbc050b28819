import { describe, expect, test } from '@jest/globals';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { agent, type Files, makeProject, manifest, projectFile, resolve, rowProblems, show } from '../temp-project.ts';

const member = (body: string, name = 'second') => manifest('Member', body, name);
const jo = (rest = '') => `settings: { email: jo@example.com }\n${rest}`;
const invited = 'in the same account: the person would be invited twice [first here agents/a.yaml:4:20]';

/** The problems of two members, agents/a.yaml and agents/b.yaml. */
const ofMembers = (first: string, second: string, files: Files = {}): Promise<string[]> =>
  rowProblems(member(first, 'first'), { 'agents/b.yaml': member(second), ...files });

describe('unique members', () => {
  test.each<[string, string, string[]]>([
    ['with one address', jo(), [`agents/b.yaml:4:20 Member/first has the same email 'jo@example.com' ${invited}`]],
    [
      'with one address in another case',
      'settings: { email: Jo@Example.com }',
      [`agents/b.yaml:4:20 Member/first has the same email 'Jo@Example.com' ${invited}`],
    ],
    ['with other addresses', 'settings: { email: al@example.com }', []],
    ['at another target by its query', jo('target: { query: { targetAccountId: 17 } }'), []],
    ['at another target by its token', jo('target: { token: "${secret.OTHER}" }'), []],
  ])('Two members are compared %s.', async (_name, second, expected) =>
    expect(await ofMembers(jo(), second)).toEqual(expected),
  );

  test('Two members are compared in each environment, with variables resolved and overlays merged.', async () => {
    const second =
      'settings: { email: "${var.clinic}" }\nenvironments: { production: { settings: { email: jo@example.com } } }';
    const found = await ofMembers(jo(), second, {
      'agentform.yaml': projectFile
        .replace('clinic: Elm Street', 'clinic: al@example.com')
        .replace('clinic: Oak Road', 'clinic: x@example.com'),
    });
    expect(found).toEqual([
      "agents/b.yaml:5:50 Member/first has the same email 'jo@example.com' in the same account: the person would be invited twice (in the environment production) [first here agents/a.yaml:4:20]",
    ]);
  });

  test('Two members with secret addresses count as equal if their references are equal, and the secret is not shown.', async () => {
    const secret = (name: string) => `settings: { email: "\${secret.${name}}" }`;
    expect(await ofMembers(secret('JO'), secret('JO'))).toEqual([
      `agents/b.yaml:4:20 Member/first has the same email ${invited}`,
    ]);
    expect(await ofMembers(secret('JO'), secret('AL'))).toEqual([]);
    const files = { 'agents/a.yaml': member(secret('JO'), 'first'), 'agents/b.yaml': member(secret('JO')) };
    const { problems } = await resolve(files, { env: { JO: 'hush@example.com' } });
    expect(problems.map(show)).toEqual([`agents/b.yaml:4:20 Member/first has the same email ${invited}`]);
  });

  test('Two members with the address of a base are reported at their names.', async () => {
    const base = 'apiVersion: agentform/v1\nkind: Member\nsettings: { email: jo@example.com }\n';
    expect(await ofMembers('extends: ../base.yaml', 'extends: ../base.yaml', { 'base.yaml': base })).toEqual([
      expect.stringMatching(/^agents\/b.yaml:3:7 .*first here agents\/a.yaml:3:7\]$/),
    ]);
  });

  test('Two unselected members are not compared.', async () => {
    const files = { 'agents/a.yaml': member(jo(), 'first'), 'agents/b.yaml': member(jo()), 'agents/z.yaml': agent('') };
    const chosen = async (address: string) => {
      const { problems } = await resolve(files, { select: (candidate) => candidate === address });
      return problems.length;
    };
    expect([await chosen('Agent/desk'), await chosen('Member/first'), await chosen('Member/second')]).toEqual([
      0, 1, 1,
    ]);
  });
});

test.each<[string, string, string, string, string[]]>([
  [
    'a number belongs to one agent, whatever the target',
    'PhoneNumber',
    'agent: desk\nsettings: { number: "+14155550100" }',
    'agent: web\nsettings: { number: "+14155550100" }',
    [
      "agents/b.yaml:5:21 PhoneNumber/first has the same number '+14155550100': a number belongs to one agent, so the agent that is applied last would get it [first here agents/a.yaml:5:21]",
    ],
  ],
  [
    'an agent has one URL',
    'AgentUrl',
    'settings: { targetUsername: jo, slug: one }',
    'settings: { targetUsername: jo, slug: two }',
    [
      "agents/b.yaml:4:29 AgentUrl/first has the same targetUsername 'jo' in the same account: an agent has one URL, so each apply would replace the other URL [first here agents/a.yaml:4:29]",
    ],
  ],
  [
    'a text is added once for a person',
    'Context',
    'settings: { target: jo, context: Likes tea }',
    'settings: { target: jo, context: "Likes tea  " }',
    [
      'agents/b.yaml:4:21 Context/first has the same target and context in the same account: the text would be added twice [first here agents/a.yaml:4:21]',
    ],
  ],
  [
    'a person may have several texts',
    'Context',
    'settings: { target: jo, context: tea }',
    'settings: { target: jo, context: no milk }',
    [],
  ],
  [
    'an organization is created once',
    'Organization',
    'resellerId: r\nsettings: { orgName: Acme }',
    'resellerId: r\nsettings: { orgName: Acme }',
    [
      "agents/b.yaml:5:22 Organization/first has the same orgName 'Acme' in the same account: two organizations with the same name would be created [first here agents/a.yaml:5:22]",
    ],
  ],
  [
    'or once for each reseller',
    'Organization',
    'resellerId: r\nsettings: { orgName: Acme }',
    'resellerId: s\nsettings: { orgName: Acme }',
    [],
  ],
])('Uniqueness is checked: %s', async (_name, kind, first, second, expected) => {
  const files = {
    'agents/b.yaml': manifest(kind, second, 'second'),
    'agents/y.yaml': agent('', 'target: { query: { targetAccountId: 1 } }', 'desk'),
    'agents/z.yaml': agent('', '', 'web'),
  };
  expect(await rowProblems(manifest(kind, first, 'first'), files)).toEqual(expected);
});

test('A probable mistake is a warning that agentform.yaml can turn off.', async () => {
  const text = (name: string) => manifest('Context', 'settings: { target: jo, context: tea }', name);
  const files = { 'agents/a.yaml': text('one'), 'agents/b.yaml': text('two') };
  expect((await resolve(files)).problems.map(({ severity }) => severity)).toEqual(['warning']);
  const off = { ...files, 'agentform.yaml': `${projectFile}lint: { duplicate-resource: off }\n` };
  expect((await resolve(off)).problems).toEqual([]);
});

describe('unique targets', () => {
  const desk = (name: string, rest = '') => agent('', rest, name);
  const ofDesks = (first: string, second: string, files: Files = {}) =>
    rowProblems(desk('a', first), { 'agents/b.yaml': desk('b', second), ...files });
  const query = (account: number) => `target: { query: { targetAccountId: ${account} } }`;
  const remedy = 'give each a separate `target` with a token, or a query such as targetAccountId';
  const shared = `agents/b.yaml:3:7 Agent/a has the same token and query, so each would overwrite the other; ${remedy} [first here agents/a.yaml:3:7]`;

  test('Two agents with the same token reference and query are reported, with the places of both.', async () => {
    expect(await ofDesks('', '')).toEqual([shared]);
    expect(await ofDesks(query(17), query(17))).toEqual([shared]);
  });

  test.each([
    ['query', query(17), query(18)],
    ['token', '', 'target: { token: "${secret.OTHER}" }'],
    ['environment', 'onlyIn: [local]', 'onlyIn: [production]'],
  ])('Two agents are not reported if they differ in their %s.', async (_what, first, second) => {
    expect(await ofDesks(first, second)).toEqual([]);
  });

  test('Many agents with the same target are reported once.', async () => {
    const files = Object.fromEntries(['c', 'd', 'e', 'f'].map((name) => [`agents/${name}.yaml`, desk(name)]));
    expect(await ofDesks('', '', files)).toEqual([
      `agents/b.yaml:3:7 Agent/a, Agent/c, Agent/d and 2 more have the same token and query as this one, so each would overwrite the others; ${remedy} [first here agents/a.yaml:3:7]`,
    ]);
  });

  test('Two agents with the same id are reported, even if their tokens differ.', async () => {
    const target = (token: string) =>
      `environments: { production: { target: { agentId: camp_1, token: "\${secret.${token}}" } } }\nonlyIn: [production]`;
    expect(await ofDesks(target('ONE'), target('TWO'))).toEqual([
      "agents/b.yaml:3:7 Agent/a has the same agent id 'camp_1', so each would overwrite the other; give each a separate agentId (in the environment production) [first here agents/a.yaml:3:7]",
    ]);
  });

  test('Agents whose query has an unset variable are not compared.', async () => {
    const unset = 'target: { query: { targetAccountId: "${var.nowhere}" } }';
    for (const problem of await ofDesks(unset, unset)) expect(problem).toContain('nowhere');
  });

  test('Two unselected agents are not compared, but an unselected agent is compared with a selected one.', async () => {
    const files = { 'agents/a.yaml': desk('a'), 'agents/b.yaml': desk('b'), 'agents/c.yaml': desk('c', query(17)) };
    const chosen = async (wanted: string) => {
      const { problems } = await validateProject(await makeProject(files), {
        env: {},
        select: (address) => address === wanted,
      });
      return problems.map(show);
    };
    expect(await chosen('Agent/c')).toEqual([]);
    expect(await chosen('Agent/b')).toEqual([shared]);
    expect(await chosen('Agent/a')).toEqual([
      `agents/a.yaml:3:7 Agent/b has the same token and query, so each would overwrite the other; ${remedy} [also here agents/b.yaml:3:7]`,
    ]);
  });
});
