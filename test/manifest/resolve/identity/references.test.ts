import { describe, expect, test } from '@jest/globals';
import { agent, type Files, manifest, projectFile, resolve, rowProblems, show } from '../../temp-project.ts';

const phone = (body: string, name = 'line'): string =>
  manifest('PhoneNumber', `settings: { number: "+14155550100" }\n${body}`, name);
const organization = manifest('Organization', 'resellerId: r\nsettings: { orgName: Acme }', 'acme');
const production = (env: Readonly<Record<string, string>>) => ({ environment: 'production', env }) as const;

/** The problems in agents/a.yaml, beside an Organization acme and an Agent front-desk. */
const among = (text: string, files: Files = {}): Promise<string[]> =>
  rowProblems(text, { 'agents/o.yaml': organization, 'agents/z.yaml': agent('', '', 'front-desk'), ...files });

describe('references to an organization', () => {
  test('The organization is in the desired state, the identity and the sources of every kind but Organization.', async () => {
    const { desired, all, problems, originOf } = await resolve({
      'agents/o.yaml': organization,
      'agents/a.yaml': agent('', 'organization: acme', 'desk'),
      'agents/u.yaml': manifest('AgentUrl', 'organization: acme\nsettings: { targetUsername: u, slug: s }', 'url'),
      'agents/c.yaml': manifest('Context', 'organization: acme\nsettings: { context: c, target: jo }', 'jo'),
      'agents/m.yaml': manifest('Member', 'organization: acme\nsettings: { email: jo@example.com }', 'jo'),
      'agents/p.yaml': phone('agent: desk'),
    });
    expect(problems).toEqual([]);
    const expected = [
      ['Agent', 'acme'],
      ['AgentUrl', 'acme'],
      ['Context', 'acme'],
      ['Member', 'acme'],
      ['Organization', undefined],
      ['PhoneNumber', 'acme'],
    ];
    expect(desired.map((one) => [one.kind, one.organization])).toEqual(expected);
    expect(all.map((one) => [one.kind, one.organization])).toEqual(expected);
    expect(desired[0]?.sections).not.toHaveProperty('organization');
    expect(originOf('Agent/desk', '/organization')?.at).toMatchObject({ file: 'agents/a.yaml', line: 7, column: 15 });
  });

  test.each([
    [
      'an unknown one',
      'organization: zzz',
      "4:15 organization is 'zzz': no manifest with the kind 'Organization' has this name",
    ],
    [
      'a misspelt one shows the one that is meant',
      'organization: acmee',
      "4:15 organization is 'acmee': no manifest with the kind 'Organization' has this name; did you mean 'acme'? [Organization/acme agents/o.yaml:3:7]",
    ],
    [
      'the name of another kind shows that',
      'organization: front-desk',
      "4:15 organization is 'front-desk': no manifest with the kind 'Organization' has this name; Agent/front-desk has this name [Agent/front-desk agents/z.yaml:3:7]",
    ],
    [
      'what is no name',
      'organization: Acme Ltd',
      "4:15 organization is 'Acme Ltd': expected lowercase letters, digits and hyphens, at most 63, with a letter or digit at both ends, and no Windows device name such as con",
    ],
    ['a number', 'organization: 5', "4:15 organization is 5: expected a string; quote it: '5'"],
    ['nothing', 'organization:', '4:1 organization is empty: expected a string; to leave it out, remove the line'],
  ])('The reference to an organization is refused: %s', async (_case, line, expected) => {
    const text = manifest('Context', `${line}\nsettings: { context: c }`);
    expect(await among(text)).toEqual([`agents/a.yaml:${expected}`]);
  });

  test('A reference to an organization is reported in a project without organizations.', async () => {
    expect(await rowProblems(agent('', 'organization: acme'))).toEqual([
      "agents/a.yaml:7:15 organization is 'acme': this environment has no manifest with the kind 'Organization'",
    ]);
  });

  test('A name that an unreadable file may declare is not reported as unknown.', async () => {
    const text = agent('', 'organization: lost');
    expect(await among(text, { 'agents/b.yaml': 'a: [\n' })).toEqual([
      'agents/b.yaml:2:1 a [ above is not closed: add the ], or indent this line further if it belongs inside',
    ]);
    const nameless = organization.replace('name: acme\n', '');
    expect(await among(text, { 'agents/b.yaml': nameless })).toEqual([
      'agents/b.yaml:2:1 name is missing: a manifest needs a name that is unique for its kind',
    ]);
  });

  test('An organization cannot belong to an organization.', async () => {
    expect(await rowProblems(organization.replace('resellerId', 'organization: acme\nresellerId'))).toEqual([
      "agents/a.yaml:4:1 unknown key 'organization': it belongs to the kinds 'Agent', 'Member', 'AgentUrl', 'PhoneNumber' and 'Context'",
    ]);
  });

  test('A wrong reference in a base is reported once.', async () => {
    const base = 'apiVersion: agentform/v1\nkind: Agent\norganization: acmee\nsettings: { title: t, description: d }\n';
    const extending = (name: string) => `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\nextends: ../base.yaml\n`;
    expect(await among(extending('a'), { 'base.yaml': base, 'agents/b.yaml': extending('b') })).toEqual([
      "base.yaml:3:15 organization is 'acmee': no manifest with the kind 'Organization' has this name; did you mean 'acme'? [Organization/acme agents/o.yaml:3:7]",
    ]);
  });

  test('A reference to an organization beside targetAccountId is an error with both places.', async () => {
    const text = agent('', 'organization: acme\ntarget: { query: { targetAccountId: 17 } }');
    const message =
      'organization and the query parameter targetAccountId set the same thing: remove the query parameter';
    expect(await among(text)).toEqual([`agents/a.yaml:7:15 ${message} [the query parameter agents/a.yaml:8:20]`]);
    const project = projectFile.replace('baseUrl: emulator', 'baseUrl: emulator\n    query: { targetAccountId: "17" }');
    expect(await among(agent('', 'organization: acme'), { 'agentform.yaml': project })).toEqual([
      `agents/a.yaml:7:15 ${message} (in the environment local) [the query parameter agentform.yaml:8:14]`,
    ]);
  });
});

describe('references to an agent', () => {
  const own = 'organization: acme\ntarget: { token: "${secret.OWN}", query: { a: b }, agentId: i, campaignId: c }';
  const files = { 'agents/o.yaml': organization, 'agents/d.yaml': agent('', own, 'desk') };

  test("A phone number uses its agent's account, without its ids.", async () => {
    const { desired, all, originOf } = await resolve(
      { ...files, 'agents/p.yaml': phone('agent: desk') },
      production({ OWN: 'own-token', AGENT_TOKEN: 'token-0' }),
    );
    const line = desired.find(({ kind }) => kind === 'PhoneNumber');
    expect(line).toMatchObject({
      agent: 'desk',
      organization: 'acme',
      target: { baseUrl: 'https://service.example.com', query: { a: 'b' } },
      sections: { settings: { number: '+14155550100' } },
    });
    expect(line?.target.token.reveal()).toBe('own-token');
    expect([line?.target.agentId, line?.target.campaignId]).toEqual([undefined, undefined]);
    expect(all.find(({ kind }) => kind === 'PhoneNumber')).toEqual({
      kind: 'PhoneNumber',
      name: 'line',
      labels: {},
      renamedFrom: [],
      file: 'agents/p.yaml',
      ownFile: 'agents/p.yaml',
      at: expect.objectContaining({ line: 3 }),
      agent: 'desk',
      organization: 'acme',
      query: { a: 'b' },
      token: '${secret.OWN}',
    });
    expect(originOf('PhoneNumber/line', '/agent')?.at.file).toBe('agents/p.yaml');
    expect(originOf('PhoneNumber/line', '/target/query/a')?.at.file).toBe('agents/d.yaml');
  });

  test('An agent that is not selected is resolved for its phone number, and its secret is needed.', async () => {
    const select = (address: string) => address === 'PhoneNumber/line';
    const all = { ...files, 'agents/p.yaml': phone('agent: desk') };
    const missing = await resolve(all, { ...production({}), select });
    expect([missing.desired, missing.problems.map(show)]).toEqual([
      [],
      ["agents/d.yaml:8:18 the secret 'OWN' has no value: the process variable OWN is unset or empty"],
    ]);
    const { desired, secrets, problems } = await resolve(all, { ...production({ OWN: 'own-token' }), select });
    expect(problems).toEqual([]);
    expect(desired.map(({ kind, organization }) => [kind, organization])).toEqual([['PhoneNumber', 'acme']]);
    expect(secrets.map((secret) => secret.reveal())).toEqual(['own-token']);
  });

  test("A problem of the agent's target is reported once.", async () => {
    const text = agent('', 'target: { query: { a: "${var.no}" } }', 'desk');
    const found = await rowProblems(phone('agent: desk'), {
      'agents/b.yaml': phone('agent: desk', 'x').replace('0100', '0101'),
      'agents/d.yaml': text,
    });
    expect(found).toEqual([
      "agents/d.yaml:7:24 the variable 'no' has no value: declare it under `variables`, in the manifest or in the environment in agentform.yaml, or set AGENTFORM_VAR_no",
    ]);
  });

  test('An agent with errors in its file keeps its phone number out of the desired state.', async () => {
    const { desired } = await resolve({ 'agents/p.yaml': phone('agent: desk'), 'agents/d.yaml': agent('titel: x') });
    expect(desired).toEqual([]);
  });

  test('An overlay may name another agent for a phone number.', async () => {
    const overlay = phone('agent: desk\nenvironments: { production: { agent: other } }');
    const agents = { 'agents/d.yaml': agent('', '', 'desk'), 'agents/e.yaml': agent('', '', 'other') };
    const local = await resolve({ ...agents, 'agents/p.yaml': overlay });
    expect(local.desired.map((one) => one.agent)).toEqual([undefined, undefined, 'desk']);
    const other = await resolve({ ...agents, 'agents/p.yaml': overlay }, production({ AGENT_TOKEN: 'token-0' }));
    expect(other.desired.map((one) => one.agent)).toEqual([undefined, undefined, 'other']);
  });

  test.each([
    ['none', '', '2:1 agent is missing: a phone number needs the name of the agent manifest that it belongs to'],
    [
      'an unknown one',
      'agent: front-dsk',
      "5:8 agent is 'front-dsk': no manifest with the kind 'Agent' has this name; did you mean 'front-desk'? [Agent/front-desk agents/z.yaml:3:7]",
    ],
    [
      'one in an overlay',
      'agent: front-desk\nenvironments: { local: { agent: absent } }',
      "6:33 agent is 'absent': no manifest with the kind 'Agent' has this name (in the environment local)",
    ],
    [
      'a separate target',
      'agent: front-desk\ntarget: { query: { a: b } }',
      '6:1 a phone number cannot have its own target, because it uses the target of Agent/front-desk; remove this target [the agent agents/a.yaml:5:8]',
    ],
    [
      'another organization',
      'agent: front-desk\norganization: acme',
      "6:15 organization is 'acme', but Agent/front-desk, whose target the phone number uses, belongs to no organization; remove organization [the agent agents/a.yaml:5:8]",
    ],
  ])('The agent of a phone number is refused: %s', async (_case, body, expected) => {
    expect(await among(phone(body))).toEqual([`agents/a.yaml:${expected}`]);
  });

  test("A phone number may repeat its agent's organization, but another organization is an error.", async () => {
    const same = phone('agent: desk\norganization: acme');
    expect(await rowProblems(same, { ...files, 'agents/d.yaml': agent('', 'organization: acme') })).toEqual([]);
    const other = phone('agent: desk\norganization: elsewhere');
    expect(await rowProblems(other, { ...files, 'agents/d.yaml': agent('', 'organization: acme') })).toEqual([
      "agents/a.yaml:6:15 organization is 'elsewhere', but Agent/desk, whose target the phone number uses, belongs to 'acme'; remove organization [the agent agents/d.yaml:7:15]",
    ]);
  });

  test('Only a phone number may name an agent.', async () => {
    expect(await rowProblems(manifest('Context', 'agent: desk\nsettings: { context: c }'))).toEqual([
      "agents/a.yaml:4:1 unknown key 'agent': it belongs to the kind 'PhoneNumber'",
    ]);
  });
});

describe('bases of other kinds', () => {
  const base = (kind: string, body: string): string => `apiVersion: agentform/v1\nkind: ${kind}\n${body}\n`;

  test('A base may name the agent, and an unreadable base is the only error reported.', async () => {
    const text = phone('extends: ../base.yaml');
    expect(await among(text, { 'base.yaml': base('PhoneNumber', 'agent: front-desk') })).toEqual([]);
    expect(await among(text)).toEqual(["agents/a.yaml:5:10 the base '../base.yaml' does not exist"]);
  });

  test('A base of another kind is an error.', async () => {
    const text = manifest('Member', 'extends: ../base.yaml\nsettings: { email: jo@example.com }');
    expect(await rowProblems(text, { 'base.yaml': base('Context', 'settings: { context: c }') })).toEqual([
      "agents/a.yaml:4:10 the base '../base.yaml' has the kind 'Context': expected 'Member'",
    ]);
  });

  test('A base merges keyed lists by their key.', async () => {
    const far = 'settings: { orgName: o, integrations: [{ appId: a, appVersion: v1, appData: { k: "${secret.K}" } }] }';
    const near = 'extends: ../base.yaml\nresellerId: r\nsettings: { integrations: [{ appId: a, appVersion: v2 }] }';
    const files = { 'base.yaml': base('Organization', far), 'agents/o.yaml': manifest('Organization', near) };
    const { desired, problems } = await resolve(files, { env: { K: 'hidden' } });
    expect(problems).toEqual([]);
    expect(desired[0]?.sections).toEqual({
      settings: { orgName: 'o', integrations: [{ appId: 'a', appVersion: 'v2', appData: { k: 'hidden' } }] },
    });
  });
});

test('Names are unique within a kind.', async () => {
  const context = manifest('Context', 'settings: { context: c }', 'desk');
  expect(await rowProblems(agent(''), { 'agents/c.yaml': context })).toEqual([]);
  expect(await rowProblems(context, { 'agents/c.yaml': context })).toEqual([
    'agents/c.yaml:3:7 two manifests declare Context/desk: rename or delete one of them [first here agents/a.yaml:3:7]',
  ]);
});
