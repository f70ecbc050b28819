import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import type { Project } from '../../../src/manifest/project/project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { renderProblems } from '../../../src/report/problems/problems-text.ts';
import { knownKeys } from '../../../src/schemas/known-keys.ts';
import { mayBePastedSecret } from '../../../src/secrets/secret.ts';
import type { Problem } from '../../../src/yaml/problem.ts';
import { makeProject, manifest, resolve, resolveWithValues, rowProblems, show } from '../temp-project.ts';

const head = 'resellerId: r\nsettings:\n  orgName: Acme\n';
const organization = (settings: string): string =>
  manifest('Organization', `${head}  ${settings.replaceAll('\n', '\n  ')}`);
const provider = (config: string): string =>
  organization(`numberingProviders:\n  - providerId: twilio\n    config: ${config.replaceAll('\n', '\n      ')}`);

const file = 'agents/a.yaml';

async function validated(text: string): Promise<{ project: Project; problems: readonly Problem[] }> {
  const project = await makeProject({ [file]: text });
  return { project, problems: (await validateProject(project, { env: {} })).problems };
}

/** Checks that no problem and no code frame contains part of a literal credential, and that places stay the same. */
function expectHidden(text: string, { project, problems }: Awaited<ReturnType<typeof validated>>): void {
  expect(inspect(problems, { depth: 9 })).not.toContain('hunter2');
  expect(project.sourceOf(file)).not.toContain('hunter2');
  expect(project.sourceOf(file)).toHaveLength(text.length);
}

describe('the content of a sensitive value', () => {
  test('A sensitive value has secrets as texts, and all its content is sensitive.', async () => {
    const integrations =
      'integrations:\n  - { appId: crm, appVersion: v1, appData: { key: "${secret.KEY}", list: ["${secret.KEY}"] } }';
    const providers =
      'numberingProviders:\n  - providerId: twilio\n    config: { sid: "${secret.SID}", port: 5060, tls: true }\n    default: true';
    const { desired, problems, secrets } = await resolve(
      { [file]: organization(`${providers}\n${integrations}`) },
      { env: { SID: 'hidden-sid', KEY: 'hidden-key' } },
    );
    expect(problems).toEqual([]);
    expect(desired[0]?.sections).toMatchObject({
      settings: {
        numberingProviders: [
          { providerId: 'twilio', config: { sid: 'hidden-sid', port: 5060, tls: true }, default: true },
        ],
        integrations: [{ appId: 'crm', appData: { key: 'hidden-key', list: ['hidden-key'] } }],
      },
    });
    expect([...(desired[0]?.sensitive ?? [])]).toEqual([
      '/settings/numberingProviders/0/config/sid',
      '/settings/numberingProviders/0/config/port',
      '/settings/numberingProviders/0/config/tls',
      '/settings/integrations/0/appData/key',
      '/settings/integrations/0/appData/list/0',
    ]);
    expect(secrets.map((secret) => secret.reveal()).sort()).toEqual(['hidden-key', 'hidden-sid']);
  });

  test('A sensitive value with an unset secret is an error.', async () => {
    const { problems, desired } = await resolve({ [file]: provider('{ sid: "${secret.SID}" }') });
    expect([desired, problems.map(show)]).toEqual([
      [],
      ["agents/a.yaml:9:23 the secret 'SID' has no value: the process variable SID is unset or empty"],
    ]);
  });

  test.each([
    ['a plain text', '{ key: hunter2 }', 17],
    ['one beside a reference', '{ key: "hunter2-${secret.KEY}" }', 17],
    ['one that looks like a reference', '{ key: "${secret.hunter2-x}" }', 17],
    ['a variable', '{ key: "${var.hunter2}" }', 17],
    ['an escaped reference', '{ key: "$${secret.hunter2}" }', 17],
    ['a file', '{ key: { file: hunter2.pem } }', 24],
    ['a file in the place of the value', '{ file: hunter2.json }', 17],
    ['one deep inside', '{ a: [{ b: [{ appId: hunter2 }] }] }', 29],
    ['an item of a list', '{ a: [hunter2] }', 21],
    ['a block', '\n  key: |\n    hunter2\n    hunter2', 11],
  ])('A sensitive value with %s is refused and never repeated.', async (_case, config, column) => {
    const text = provider(config);
    const found = await validated(text);
    expect(found.problems).toMatchObject([{ rule: 'secret-literal', hideSource: true, at: { column } }]);
    expect(found.problems[0]?.message).toBe(
      'settings.numberingProviders[twilio].config must not contain a literal credential: write ${secret.NAME}, and set the process variable NAME to the value',
    );
    expectHidden(text, found);
  });

  test('A sensitive value is also checked in an overlay and in a base.', async () => {
    const element = '[{ appId: crm, appVersion: v, appData: { key: hunter2 } }]';
    const overlay = `${organization('accountName: a')}environments: { local: { settings: { integrations: ${element} } } }\n`;
    const found = await validated(overlay);
    expect(found.problems).toMatchObject([{ rule: 'secret-literal', at: { line: 8 } }]);
    expectHidden(overlay, found);
    const base = `apiVersion: agentform/v1\nkind: Organization\nsettings: { integrations: ${element} }\n`;
    const project = await makeProject({
      [file]: `${organization('accountName: a')}extends: ../b.yaml\n`,
      'b.yaml': base,
    });
    const { problems } = await validateProject(project, { env: {} });
    expect(problems).toMatchObject([{ rule: 'secret-literal', at: { file: 'b.yaml' } }]);
    expect(project.sourceOf('b.yaml')).not.toContain('hunter2');
  });

  test('A sensitive value under an alias hides the anchor.', async () => {
    const text = organization('accountName: &a hunter2\nnumberingProviders: [{ providerId: p, config: { key: *a } }]');
    const found = await validated(text);
    expect(found.problems).toMatchObject([{ rule: 'secret-literal', at: { line: 8 } }]);
    expectHidden(text, found);
  });

  test.each([
    ['leading zeros', '0012'],
    ['a fraction that ends in 0', '1.50'],
    ['another base', '0x1F'],
    ['too many digits', '12345678901234567890'],
  ])('A number with %s in a sensitive value is refused, because it would change.', async (_case, number) => {
    const { project, problems } = await validated(provider(`{ pin: ${number} }`));
    expect(problems.map(show)).toEqual([
      'agents/a.yaml:9:17 settings.numberingProviders[twilio].config contains a number that would not be sent as written: write ${secret.NAME}, and set the process variable NAME to the value',
    ]);
    expect(problems[0]?.hideSource).toBe(true);
    expect(project.sourceOf(file)).not.toContain(number);
  });
});

describe('a sensitive value that is not a map', () => {
  test.each([
    ['a text', 'hunter2', '9:15 settings.numberingProviders[twilio].config is a sensitive value: expected an object'],
    [
      'a secret',
      '${secret.ALL}',
      '9:15 settings.numberingProviders[twilio].config is a sensitive value: expected an object',
    ],
    ['a number', '5', '9:15 settings.numberingProviders[twilio].config is a sensitive value: expected an object'],
    ['empty', '', '9:7 settings.numberingProviders[twilio].config is empty: expected an object'],
  ])('A sensitive value that is %s is refused.', async (_case, config, expected) => {
    const text = provider(config);
    const found = await validated(text);
    expect(found.problems.map(show)).toEqual([`agents/a.yaml:${expected}`]);
    expect(found.problems[0]?.hideSource).toBe(true);
    expectHidden(text, found);
  });

  test('A missing sensitive value is reported.', async () => {
    expect(
      await rowProblems(organization('numberingProviders: [{ providerId: p }]\nintegrations: [{ appId: a }]')),
    ).toEqual([
      'agents/a.yaml:7:26 settings.numberingProviders[p].config is missing',
      'agents/a.yaml:8:20 settings.integrations[a].appData is missing',
      'agents/a.yaml:8:20 settings.integrations[a].appVersion is missing',
    ]);
  });
});

describe('possibly sensitive values in frames', () => {
  const misspelt = 'numberingProviders:\n  - providerId: p\n    config: {}\n    cofnig:\n      key: hunter2';
  test.each([
    [
      'a misspelt member',
      organization(misspelt),
      "10:7 unknown key 'cofnig' in settings.numberingProviders[p]; did you mean 'config'?",
    ],
    [
      'any unknown member of such an element',
      organization('integrations: [{ appId: a, appVersion: v, appData: {}, zzz: hunter2 }]'),
      "7:58 unknown key 'zzz' in settings.integrations[a]: allowed keys are 'appId', 'appVersion' and 'appData'",
    ],
    [
      'a misspelt list',
      organization('integration: [{ appId: a, appData: { key: hunter2 } }]'),
      "7:3 unknown key 'integration' in settings; did you mean 'integrations'?",
    ],
    [
      'a list at the top level',
      `${organization('accountName: a')}integrations: [{ appId: a, appData: { key: hunter2 } }]\n`,
      "8:1 unknown key 'integrations': it belongs under 'settings'",
    ],
    [
      'a list in a manifest of another kind',
      manifest('Context', 'settings:\n  context: c\n  integrations: [{ appId: a, appData: { key: hunter2 } }]'),
      "6:3 unknown key 'integrations' in settings: it belongs to the kind 'Organization'",
    ],
  ])('A frame hides the value of %s.', async (_case, text, expected) => {
    const found = await validated(text);
    expect(found.problems.map(show)).toEqual([`agents/a.yaml:${expected}`]);
    expect(found.problems[0]?.hideSource).toBe(true);
    expectHidden(text, found);
  });

  test.each([
    ['a syntax error', provider('\n  key: hunter2\n\n  more:\n    - hunter2\n').concat('  open: [\n')],
    ['a syntax error in a flow', provider('{\n    key: hunter2,\n    more: [hunter2\n    ').concat('  orgName: x\n')],
    ['a flow that is indented too little', provider('{ key:').concat('hunter2 }\n  accountName: x: y\n')],
    ['a text that is indented too little', provider('\n  key: "a').concat('hunter2"\n')],
    ['a duplicate key', provider('{ key: "${secret.K}" }').concat('      "config" : { key: hunter2 }\n')],
    ['an unknown kind', provider('{ key: hunter2 }').replace('Organization', 'Organisation')],
    ['no kind', provider('{ key: hunter2 }').replace('kind: Organization\n', '')],
  ])('A frame hides a possibly sensitive value in a file with %s.', async (_case, text) => {
    const found = await validated(text);
    expect(found.problems).not.toHaveLength(0);
    expectHidden(text, found);
    expect(found.project.sourceOf(file)).toContain('providerId: twilio');
    expect(found.project.sourceOf(file)).toContain('config');
  });

  test('A frame shows references and other values.', async () => {
    const text = provider('{ sid: "${secret.SID}", tls: true }');
    const { project, problems } = await validated(text);
    expect([problems, project.sourceOf(file)]).toEqual([[], text]);
  });
});

test('Elements with the same key are reported with both places.', async () => {
  const element = (key: string) => `{ ${key}, config: {} }`;
  const text = organization(
    `numberingProviders:\n  - ${element('providerId: p')}\n  - ${element('providerId: p')}\nintegrations:\n  - { appId: a, appVersion: v, appData: {} }\n  - { appId: a, appVersion: v, appData: {} }`,
  );
  expect(await rowProblems(text)).toEqual([
    "agents/a.yaml:9:21 numberingProviders has two elements with the providerId 'p' [first here agents/a.yaml:8:21]",
    "agents/a.yaml:12:16 integrations has two elements with the appId 'a' [first here agents/a.yaml:11:16]",
  ]);
});

describe('a URL with a password', () => {
  const agent = (body: string) => manifest('Agent', `settings:\n  title: A\n  description: d\n${body}`);
  const url = 'https://joe:hunter2@cdn.example.com/a.mp3';

  test.each([
    ['a section', `backgroundAudio: { url: "${url}" }`, 25],
    ['the short form of a section', `backgroundAudio: ${url}`, 18],
    ['a list', `  links: [https://a.example.com, "${url}"]`, 34],
    ['an extra setting', `extraSettings: { hooks: [{ to: "${url}" }] }`, 32],
    ['a value with a variable', `backgroundAudio: "\${var.scheme}://joe:hunter2@cdn.example.com"`, 18],
  ])('A URL with a password in %s is refused and never repeated.', async (_case, body, column) => {
    const project = await makeProject({ [file]: agent(`${body}\nvariables: { scheme: https }\n`) });
    const { problems } = await validateProject(project, { env: {} });
    expect(problems).toMatchObject([{ rule: 'secret-literal', severity: 'error', hideSource: true, at: { column } }]);
    expect(problems[0]?.message).toBe(
      'this is a URL with a password: write ${secret.NAME}, and set the process variable NAME to the URL',
    );
    expect(inspect(problems, { depth: 9 })).not.toContain('hunter2');
  });

  test.each([
    ['a variable', { [file]: agent(`variables: { hook: "${url}" }\n`) }, file],
    ['an overlay', { [file]: agent(`environments: { local: { variables: { hook: "${url}" } } }\n`) }, file],
    [
      'a base',
      {
        [file]: agent('extends: ../b.yaml\n'),
        'b.yaml': agent(`variables: { hook: "${url}" }\n`).replace(/name: .*\n/, ''),
      },
      'b.yaml',
    ],
    [
      'a cell of a fleet',
      {
        'agents/fleet.yaml': `apiVersion: agentform/v1\nkind: Fleet\nname: f\ntemplates: [../t.yaml]\nmembers: { file: ../c.csv }\n`,
        't.yaml': agent('').replace(/name: .*\n/, ''),
        'c.csv': `name,hook\nelm,${url}\n`,
      },
      'c.csv',
    ],
    [
      'a member of a fleet',
      {
        'agents/fleet.yaml': `apiVersion: agentform/v1\nkind: Fleet\nname: f\ntemplates: [../t.yaml]\nmembers: [{ name: elm, hook: "${url}" }]\n`,
        't.yaml': agent('').replace(/name: .*\n/, ''),
      },
      'agents/fleet.yaml',
    ],
  ])('A URL with a password in %s that nothing uses is refused and never repeated.', async (_case, files, place) => {
    const project = await makeProject(files as Readonly<Record<string, string>>);
    const { problems } = await validateProject(project, { env: {} });
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { rule: 'secret-literal', hideSource: true, at: { file: place } },
    ]);
    expect(inspect(problems, { depth: 9 })).not.toContain('hunter2');
    expect(project.sourceOf(place)).not.toContain('hunter2');
  });

  test('A URL with a password in a used variable is reported once, where the variable gets its value.', async () => {
    const body = `backgroundAudio: { url: "\${var.hook}" }\n`;
    const inFile = await validated(agent(`${body}variables: { hook: "${url}" }\n`));
    expect(inFile.problems).toMatchObject([{ rule: 'secret-literal', at: { file, line: 8 } }]);
    const ofProcess = await validateProject(await makeProject({ [file]: agent(body) }), {
      env: { AGENTFORM_VAR_hook: url },
    });
    expect(ofProcess.problems).toMatchObject([{ rule: 'secret-literal', at: { file, line: 7 } }]);
    expect(inspect([inFile, ofProcess.problems], { depth: 9 })).not.toContain('hunter2');
  });

  test('A URL with a password in a variable of an environment is refused and never repeated.', async () => {
    const text = `apiVersion: agentform/v1\nkind: Project\nmanifests: ["*.yaml"]\nenvironments: { local: { baseUrl: emulator, variables: { hook: "${url}" } } }\n`;
    const failure = await makeProject({ 'agentform.yaml': text }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ problems: [{ rule: 'secret-literal', hideSource: true }] });
    expect(inspect(failure, { depth: 9 })).not.toContain('hunter2');
  });

  test.each([
    ['a reference to a secret', 'backgroundAudio: "${secret.AUDIO_URL}"'],
    ['a password that is a secret', 'backgroundAudio: "https://joe:${secret.PASSWORD}@cdn.example.com/a.mp3"'],
    ['a user name only', 'backgroundAudio: https://joe@cdn.example.com/a.mp3'],
    ['a port and an at sign in the path', 'backgroundAudio: https://cdn.example.com:8443/@joe:a@b.mp3'],
    ['an example within a prompt', '  agentInstructions: Say https://user:password@host to nobody.'],
  ])('A URL with %s is allowed.', async (_case, body) => {
    expect((await validated(agent(body))).problems).toEqual([]);
  });
});

test('Problems with a resource name show the name, even if it looks like a credential.', async () => {
  const name = 'c4d5e6f7-12ab-4c3d-8e9f-0a1b2c3d4e5f';
  const text = `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\nsettings: { title: A, description: A }\n`;
  const project = await makeProject({ 'agents/a.yaml': text, 'agents/b.yaml': text });
  const { problems } = await validateProject(project, { env: {} });
  expect(problems.map(({ message }) => message)).toContain(
    `two manifests declare Agent/${name}: rename or delete one of them`,
  );
});

describe('a credential in place of a name', () => {
  const pasted = 'hunter2b3C4d5E6f7G8h9';
  const online = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments: { local: { baseUrl: "https://service.example.com", token: "\${secret.TOKEN}" } }
`;
  const settings = (text: string, more = '') =>
    manifest('Agent', `settings:\n  title: A\n  description: "${text}"\n${more}`);

  test.each([
    ['a variable', settings(`\${var.${pasted}}`)],
    ['a secret', settings(`\${secret.${pasted}}`)],
    ['a secret after a prefix', settings(`\${secret.sk_live_${pasted}}`)],
    ['an entry of a secret', settings(`\${secret.TOKENS[${pasted}]}`)],
    ['a malformed reference', settings(`\${secret.${pasted}-x!}`)],
    ['a reference without its end', settings(`\${secret.${pasted} now`)],
    ['a token', settings('d', `target: { token: "\${secret.${pasted}}" }\n`)],
    [
      'an entry from a variable',
      settings('d', `target: { token: "\${secret.TOKENS[var.key]}" }\nvariables: { key: "${pasted}!" }\n`),
    ],
  ])('A credential pasted as the name of %s is not repeated, but its place is reported.', async (_case, text) => {
    const project = await makeProject({ [file]: text, 'agentform.yaml': online });
    const env = { TOKEN: 'token-0123456789' };
    const options = { environment: 'local', secrets: 'values', env, allowedSecrets: undefined } as const;
    const { problems } = await resolveWithValues(project, options);
    expect(problems).toMatchObject([{ rule: 'secret-literal', severity: 'error', hideSource: true, at: { file } }]);
    expect(problems[0]?.message).toBe(
      'this name has no value, and looks like a key or a token: write ${secret.NAME}, and set the process variable NAME to the value',
    );
    const frames = renderProblems(problems, { color: false, sourceOf: (path) => project.sourceOf(path) });
    expect(frames).toContain('agents/a.yaml:');
    expect(inspect([problems, frames], { depth: 9 })).not.toContain('hunter2');
  });

  const fleet = (members: string) => ({
    'agents/fleet.yaml': `apiVersion: agentform/v1\nkind: Fleet\nname: f\ntemplates: [../t.yaml]\nmembers: ${members}\n`,
    't.yaml': settings('d').replace(/name: .*\n/, ''),
  });
  const table = (csv: string) => ({ ...fleet('{ file: ../c.csv }'), 'c.csv': csv });
  const member = `{ name: elm, ${pasted}: x }`;
  const pastedTwice = (kind: string) => {
    const text = manifest(kind, 'settings: { title: A, description: A }\n').replace(/name: .*/, `name: ${pasted}A`);
    return { [file]: text, 'agents/b.yaml': text };
  };

  test.each<readonly [string, string, Readonly<Record<string, string>>]>([
    ['an unused variable', 'variable-unused', { [file]: settings('d', `variables: { ${pasted}: x }\n`) }],
    ['an unknown key', 'unknown-key', { [file]: settings('d', `  ${pasted}: x\n`) }],
    ['an unknown quoted key', 'unknown-key', { [file]: settings('d', `"sk-live-${pasted}": x\n`) }],
    ['a key that appears twice', 'yaml-duplicate-key', { [file]: settings('d', `  ${pasted}: x\n  ${pasted}: x\n`) }],
    ['a key without a space', 'yaml-syntax', { [file]: settings('d', `  ${pasted}:x\n  agentLang: en\n`) }],
    ['a variable with a wrong value', 'value', { [file]: settings('d', `variables: { ${pasted}: [x] }\n`) }],
    ['a wrong variable', 'name', { [file]: settings('d', `variables: { sk-live-${pasted}: x }\n`) }],
    ['a label', 'label', { [file]: settings('d', `labels: { "${pasted}!": x }\n`) }],
    ['a manifest', 'value', { [file]: settings('d').replace(/name: .*/, `name: ${pasted}A`) }],
    ['two manifests', 'value', pastedTwice('Agent')],
    ['two Tests', 'value', pastedTwice('Test')],
    ['a kind', 'kind', { [file]: settings('d').replace('Agent', pasted) }],
    ['an environment', 'environment-unknown', { [file]: settings('d', `environments: { ${pasted}: {} }\n`) }],
    ['an unused column', 'column-unused', table(`name,${pasted}\nelm,x\n`)],
    ['a wrong column', 'csv-column', table(`name,sk-${pasted}\nelm,x\n`)],
    ['a wrong member', 'name', table(`name\n${pasted}A\n`)],
    ['an unused value of a member', 'column-unused', fleet(`[${member}]`)],
    ['a wrong member of a list', 'value', fleet(`[{ name: ${pasted}A }]`)],
  ])('A credential as the name of %s is not repeated, but %s is reported at its place.', async (_case, rule, files) => {
    const project = await makeProject(files);
    const { problems } = await validateProject(project, { env: {} });
    expect(problems.map((one) => one.rule)).toContain(rule);
    const frames = renderProblems(problems, { color: false, sourceOf: (path) => project.sourceOf(path) });
    expect(inspect([problems, frames], { depth: 9 })).not.toContain('hunter2');
  });

  const key = 'hunter2b3c4d5e6f7g8h9';
  const number = (more: string) =>
    manifest('PhoneNumber', `${more}settings: { number: "+4930123456" }\n`).replace(/name: .*/, 'name: n');
  const chosen = (agents: string) =>
    `apiVersion: agentform/v1\nkind: Test\nname: t\nagents: ${agents}\ncases: [{ name: c, silence: true, expect: { asks: 3 } }]\n`;

  test.each<readonly [string, string, Readonly<Record<string, string>>]>([
    ['an agent that does not exist', 'reference-unknown', { 'agents/n.yaml': number(`agent: ${key}\n`) }],
    ['an environment that does not exist', 'environment-unknown', { [file]: settings('d', `onlyIn: ["${key}!#+"]\n`) }],
    ['an organization that does not exist', 'reference-unknown', { [file]: settings('d', `organization: ${key}\n`) }],
    ['an agent in a Test', 'test-agent', { [file]: settings('d'), 'agents/t.yaml': chosen(`[${key}]`) }],
    [
      'a former name that two manifests have',
      'renamed-from',
      {
        [file]: settings('d', `renamedFrom: ${key}\n`),
        'agents/b.yaml': settings('d', `renamedFrom: ${key}\n`).replace(/name: .*/, 'name: b'),
      },
    ],
  ])('A credential in place of %s is repeated neither in one run nor in the next.', async (_case, rule, files) => {
    const project = await makeProject(files);
    for (const known of [project, await loadProject(project.root)]) {
      const { problems } = await validateProject(known, { env: {} });
      expect(problems.map((one) => one.rule)).toContain(rule);
      const frames = renderProblems(problems, { color: false, sourceOf: (path) => known.sourceOf(path) });
      expect(inspect([problems, frames], { depth: 9 })).not.toContain('hunter2');
    }
  });

  test('A credential as a key of agentform.yaml is not repeated.', async () => {
    for (const more of [`${pasted}: x\n`, `lint: { ${pasted}: warn }\n`, `record: { store: ${pasted} }\n`]) {
      const failure = await makeProject({ 'agentform.yaml': online + more }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ problems: [{ severity: 'error', hideSource: true }] });
      expect(inspect(failure, { depth: 9 })).not.toContain('hunter2');
    }
  });

  test.each(['AGENT_TOKEN', 'clientTokens2026', 'OAUTH2_S3_KEY_11', 'TOKENS[elm-street_2.east]'])(
    'The name %s is repeated, because it looks like a name.',
    async (name) => {
      const { problems } = await resolve({ [file]: settings(`\${secret.${name}}`) }, { env: {} });
      expect(problems[0]?.message).toContain(`the secret '${name}' has no value`);
    },
  );

  test('No key of a schema is taken for a credential.', () => {
    const keys = Object.values(knownKeys).flatMap((byPath) => Object.values(byPath).flat());
    expect(keys.length).toBeGreaterThan(100);
    expect(keys.filter(mayBePastedSecret)).toEqual([]);
  });
});
