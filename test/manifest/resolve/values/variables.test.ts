import { describe, expect, test } from '@jest/globals';
import { agent, type Files, projectFile, resolve, rowProblems, sectionsOf, show } from '../../temp-project.ts';

const base = `apiVersion: agentform/v1
kind: Agent
variables: { who: base, clinic: base, hours: "9" }
settings: { welcomeMessage: "\${var.who} \${var.clinic} \${var.hours}" }
environments:
  local: { variables: { hours: "10" } }
`;

async function welcome(manifest: string, options: Parameters<typeof sectionsOf>[1] = {}): Promise<unknown> {
  const files: Files = { 'shared/base.yaml': base, 'agents/a.yaml': manifest };
  return (await sectionsOf(files, options)).settings;
}

describe('the nearest value of a variable', () => {
  const extending = agent('', 'extends: ../shared/base.yaml');
  test.each([
    ['a base, then the environment', extending, {}, 'base Elm Street 10'],
    ['the manifest over the environment', `${extending}variables: { clinic: own }\n`, {}, 'base own 10'],
    [
      'the overlay over the manifest',
      `${extending}variables: { clinic: own, who: own }\nenvironments: { local: { variables: { who: overlay } } }\n`,
      {},
      'overlay own 10',
    ],
    [
      'the process over all',
      `${extending}variables: { clinic: own }\n`,
      { AGENTFORM_VAR_clinic: 'given' },
      'base given 10',
    ],
  ])('The nearest value of a variable wins: %s', async (_case, manifest, env, message) => {
    expect(await welcome(manifest, { env })).toMatchObject({ welcomeMessage: message });
  });

  test('A number and a boolean keep their type, and a text of digits keeps its zeros.', async () => {
    const text = agent('noConvoHistory: ${var.quiet}\nwaitOnAnswer: ${var.every}\nwelcomeMessage: ${var.code}');
    const variables = 'variables: { quiet: true, every: 15, code: 007 }\n';
    expect((await sectionsOf({ 'agents/a.yaml': text + variables })).settings).toMatchObject({
      noConvoHistory: true,
      waitOnAnswer: 15,
      welcomeMessage: '007',
    });
  });

  test.each(['TRUE', 'True', 'true'])('A boolean becomes the text that the service expects: %s', async (written) => {
    const literal = agent(`autoRecordingNotification: ${written}`);
    const variable = agent('autoRecordingNotification: ${var.notify}', `variables: { notify: ${written} }`);
    for (const manifest of [literal, variable]) {
      const { settings } = await sectionsOf({ 'agents/a.yaml': manifest });
      expect(settings).toMatchObject({ autoRecordingNotification: 'true' });
    }
  });

  test('Two manifests with one base have separate variables.', async () => {
    const of = (name: string) => agent('', `extends: ../shared/base.yaml\nvariables: { who: ${name} }`, name);
    const { desired } = await resolve({
      'shared/base.yaml': base,
      'agents/a.yaml': of('ann'),
      'agents/b.yaml': of('bob'),
    });
    expect(desired.map(({ sections }) => sections.settings)).toMatchObject([
      { welcomeMessage: 'ann Elm Street 10' },
      { welcomeMessage: 'bob Elm Street 10' },
    ]);
  });
});

describe('where manifest variables apply', () => {
  const production = { environment: 'production', env: { AGENT_TOKEN: 'token-0' } } as const;

  test('A variable of a manifest applies to the query of the environment for this manifest only.', async () => {
    const project = projectFile.replace('    token:', '    query: { account: "${var.account}" }\n    token:');
    const of = (name: string, account: number) => agent('', `variables: { account: ${account} }`, name);
    const files = { 'agentform.yaml': project, 'agents/a.yaml': of('a', 1), 'agents/b.yaml': of('b', 2) };
    const { desired } = await resolve(files, production);
    expect(desired.map(({ target }) => target.query)).toEqual([{ account: '1' }, { account: '2' }]);
  });

  test('A reference to another manifest may contain variables, and an invalid name is reported.', async () => {
    const number = (agentName: string) =>
      `apiVersion: agentform/v1\nkind: PhoneNumber\nname: line\nvariables: { owner: ${agentName} }\nagent: \${var.owner}\nsettings: { number: '+14155550100' }\n`;
    const files = { 'agents/a.yaml': agent('', ''), 'agents/n.yaml': number('desk') };
    expect((await resolve(files)).desired).toMatchObject([{ kind: 'Agent' }, { kind: 'PhoneNumber', agent: 'desk' }]);
    const { problems } = await resolve({ ...files, 'agents/n.yaml': number('No Name') });
    expect(problems.map(show)).toEqual([
      "agents/n.yaml:5:8 agent is 'No Name' (from '${var.owner}'): expected lowercase letters, digits and hyphens, at most 63, with a letter or digit at both ends, and no Windows device name such as con",
    ]);
  });
});

describe('invalid variables', () => {
  test.each([
    ['variables: { a: "${var.b}" }', /^agents\/a.yaml:7:17 the value of a variable cannot refer to a variable/],
    ['variables: { a: "${secret.B}" }', /the value of a variable cannot refer to a variable or a secret/],
    ['environments: { local: { variables: { a: "$${var.b} ${var.c}" } } }', /the value of a variable cannot refer/],
    ['variables: { a: [1] }', /variables.a is a list: expected/],
    ['variables: { a-b: 1 }', /the name variables.a-b is invalid: expected letters, digits and underscores/],
  ])('The variable declaration %s is refused.', async (rest, sentence) => {
    expect((await rowProblems(agent('', rest))).join('\n')).toMatch(sentence);
  });

  test('A missing variable is reported with a similar one of the manifest.', async () => {
    const text = agent('welcomeMessage: ${var.brnd}', 'variables: { brand: Acme }');
    expect((await rowProblems(text))[0]).toContain("the variable 'brnd' has no value; did you mean 'brand'?");
  });
});

describe('unused variables', () => {
  test('An unused variable is reported for a manifest, but not for a base.', async () => {
    const text = agent('', 'extends: ../shared/base.yaml\nvariables: { clinc: Oak }');
    expect(await rowProblems(text, { 'shared/base.yaml': base.replace('${var.who} ', '') })).toEqual([
      "agents/a.yaml:8:21 the variable 'clinc' is not used: nothing here or in a base refers to ${var.clinc}",
    ]);
  });

  test.each([
    ['in a file', 'agentInstructions: { file: ../p.md }', ''],
    ['in a label', '', 'labels: { ring: "${var.mine}" }'],
    ['in another environment', '', 'environments: { production: { settings: { timezone: "${var.mine}" } } }'],
    [
      'perhaps in a file of another environment',
      '',
      'environments: { production: { settings: { agentInstructions: { file: ../p.md } } } }',
    ],
  ])('A variable counts as used %s.', async (_case, settings, rest) => {
    const text = agent(settings, `variables: { mine: UTC }\n${rest}`);
    expect(await rowProblems(text, { 'p.md': 'For ${var.mine}.' })).toEqual([]);
  });

  test('The lint level of unused variables can be changed.', async () => {
    const files = { 'agentform.yaml': `${projectFile}lint: { variable-unused: off }\n` };
    expect(await rowProblems(agent('', 'variables: { mine: x }'), files)).toEqual([]);
  });
});

describe('labels', () => {
  const labelled = `${base}labels: { ring: late, tier: gold }\n`;

  test('Labels merge as settings do, with variables.', async () => {
    const text = agent(
      '',
      'extends: ../shared/base.yaml\nlabels: { ring: "${var.who}", "example.com/a": x }\nenvironments: { local: { labels: { tier: lead } } }',
    );
    const { desired, all } = await resolve({ 'shared/base.yaml': labelled, 'agents/a.yaml': text });
    const labels = { ring: 'base', tier: 'lead', 'example.com/a': 'x' };
    expect([desired[0]?.labels, all[0]?.labels]).toEqual([labels, labels]);
    expect(Object.keys(desired[0]?.sections ?? {})).toEqual(['settings']);
  });

  test('Labels select resources before they are resolved.', async () => {
    const of = (name: string, ring: string) => agent('welcomeMessage: ${secret.A}', `labels: { ring: ${ring} }`, name);
    const { desired, problems } = await resolve(
      { 'agents/a.yaml': of('a', 'early'), 'agents/b.yaml': of('b', 'late') },
      { select: (_address, { ring }) => ring === 'early', env: { A: 'secret-a' } },
    );
    expect([desired.map(({ name }) => name), problems]).toEqual([['a'], []]);
  });

  test.each([
    ['labels: { "-a": b }', /the label '-a' is not a valid key: expected/],
    ['labels: { a: b c }', /^agents\/a.yaml:7:14 labels.a is 'b c': expected letters/],
    ['labels: { a: 1 }', /labels.a is 1: expected a string; quote it: '1'/],
    ['variables: { v: b c }\nlabels: { a: "${var.v}" }', /labels.a is 'b c' \(from '\$\{var.v\}'\): expected letters/],
    ['labels: { a: "${secret.A}" }', /a label cannot contain a secret, because it is shown and stored/],
    ['labels: { a: "${var.none}" }', /the variable 'none' has no value/],
  ])('The label declaration %s is refused.', async (rest, sentence) => {
    expect((await rowProblems(agent('', rest))).join('\n')).toMatch(sentence);
  });
});

describe('process variables', () => {
  const using = agent('welcomeMessage: ${var.clinic} ${var.hours}', 'variables: { hours: "9" }');

  test('An empty process variable counts as unset, and a variable without a value is reported.', async () => {
    expect(await sectionsOf({ 'agents/a.yaml': using }, { env: { AGENTFORM_VAR_hours: '' } })).toMatchObject({
      settings: { welcomeMessage: 'Elm Street 9' },
    });
    const { problems } = await resolve(
      { 'agents/a.yaml': agent('welcomeMessage: ${var.phone}') },
      { env: { AGENTFORM_VAR_phone: '' } },
    );
    expect(problems.map(show)).toEqual([
      expect.stringContaining(
        "'phone' has no value, because AGENTFORM_VAR_phone is empty: set AGENTFORM_VAR_phone, or declare the variable",
      ),
    ]);
  });

  const unused = async (files: Files, env: Record<string, string>, options: Parameters<typeof resolve>[1] = {}) =>
    (await resolve(files, { ...options, env })).problems.map(show);

  test('A process variable that no manifest uses causes a warning with a similar name.', async () => {
    expect(await unused({ 'agents/a.yaml': using }, { AGENTFORM_VAR_Clinic: 'x', AGENTFORM_VAR_zz: 'x' })).toEqual([
      "? AGENTFORM_VAR_Clinic is set, but no manifest refers to ${var.Clinic}; did you mean 'AGENTFORM_VAR_clinic'?",
      '? AGENTFORM_VAR_zz is set, but no manifest refers to ${var.zz}',
    ]);
    expect(await unused({ 'agents/a.yaml': using }, { AGENTFORM_VAR_Clinic: 'x', AGENTFORM_VAR_clinic: 'y' })).toEqual([
      '? AGENTFORM_VAR_Clinic is set, but no manifest refers to ${var.Clinic}',
    ]);
    const quiet = {
      'agentform.yaml': `${projectFile}lint: { process-variable-unused: off }\n`,
      'agents/a.yaml': using,
    };
    expect(await unused(quiet, { AGENTFORM_VAR_zz: 'x' })).toEqual([]);
  });

  test('A process variable that another environment or its manifests may use causes no warning.', async () => {
    const env = { AGENTFORM_VAR_far: 'x' };
    const overlay = 'environments: { production: { settings: { welcomeMessage: "${var.far}" } } }';
    expect(await unused({ 'agents/a.yaml': agent('', overlay) }, env)).toEqual([]);
    const limited = agent('welcomeMessage: ${var.far}', 'onlyIn: [production]', 'night');
    expect(await unused({ 'agents/a.yaml': agent(''), 'agents/b.yaml': limited }, env)).toEqual([]);
    const including = agent('welcomeMessage: { file: ../hi.md }', 'onlyIn: [production]', 'night');
    const files = { 'agents/a.yaml': agent(''), 'agents/b.yaml': including, 'hi.md': '${var.far}' };
    expect(await unused(files, env)).toEqual([]);
    const query = projectFile.replace('token:', 'query: { x: "${var.far}" }\n    token:');
    expect(await unused({ 'agentform.yaml': query, 'agents/a.yaml': agent('') }, env)).toEqual([]);
  });

  test('A process variable with the name of a fleet column causes a warning that tables are never overridden.', async () => {
    const files = {
      'agents/fleet.yaml':
        'apiVersion: agentform/v1\nkind: Fleet\nname: f\ntemplates: [../t.yaml]\nmembers: [{ name: elm, brand: Elm }]\n',
      't.yaml': 'apiVersion: agentform/v1\nkind: Agent\nsettings: { title: "${var.brand}", description: d }\n',
    };
    expect(await unused(files, { AGENTFORM_VAR_brand: 'x' })).toEqual([
      "? AGENTFORM_VAR_brand is set, but 'brand' comes from fleet tables, which process variables do not override",
    ]);
  });

  test('Unused process variables are only reported if every manifest was checked.', async () => {
    const env = { AGENTFORM_VAR_zz: 'x' };
    expect(await unused({ 'agents/a.yaml': agent('') }, env, { select: () => false })).toEqual([]);
    expect(await unused({ 'agents/a.yaml': agent('welcomeMessage: ${var.phone}') }, env)).toHaveLength(1);
  });
});
