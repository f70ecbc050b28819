import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parseBaseUrl } from '../../../../src/manifest/project/project-checks.ts';
import { resolveEnvironment } from '../../../../src/manifest/resolve/identity/target.ts';
import type { ResolveOptions } from '../../../../src/manifest/resolve/resolution.ts';
import { validateProject } from '../../../../src/manifest/resolve/validate-project.ts';
import { redactor } from '../../../../src/secrets/redact.ts';
import { hasErrors } from '../../../../src/yaml/problem.ts';
import { agent, makeProject, projectFile, resolve, rowProblems, show } from '../../temp-project.ts';

const literal = (token: string): string => agent('', `target:\n  token: ${token}\n  query: { a: b }`);
const production = (env: ResolveOptions['env']) => ({ environment: 'production', env }) as const;

describe('the ids of a target', () => {
  test.each(['agentId', 'campaignId'])('An unusable id under target.%s is reported at its place.', async (name) => {
    const target = (id: string) => agent('', `target: { ${name}: "${id}" }`);
    for (const id of ['a b', '..', 'a/b', 'a?x=1', '${var.id}']) {
      const env = { AGENT_TOKEN: 'shared', AGENTFORM_VAR_id: ' ' };
      const { problems } = await resolve({ 'agents/a.yaml': target(id) }, production(env));
      expect(problems.map(({ rule, at }) => [rule, at?.file])).toEqual([['target-id', 'agents/a.yaml']]);
      expect(problems.map(show).join()).toMatch(
        /^agents\/a\.yaml:\d+:\d+ target\.\w+ is '.*': expected an id of at most 200 characters, without white space or any of \/ \\ \? # %$/,
      );
    }
  });
});

describe('the query of a target', () => {
  test.each(['10\u200b2', '102 ', '${var.account}'])(
    'The query parameter %j is reported at its place.',
    async (written) => {
      const manifest = agent('', `target: { query: { targetAccountId: "${written}" } }`);
      const env = { AGENT_TOKEN: 'shared', AGENTFORM_VAR_account: '1\ufeff' };
      const { problems } = await resolve({ 'agents/a.yaml': manifest }, production(env));
      expect(problems.map(({ rule }) => rule)).toEqual(['target-id']);
      expect(problems.map(show).join()).toMatch(
        /^agents\/a\.yaml:\d+:\d+ the query parameter targetAccountId is '.*': expected a text without invisible characters, and without white space at its ends$/,
      );
    },
  );

  test('A query parameter of the environment is reported once, and one from a secret is not examined.', async () => {
    const queryOf = (value: string) => projectFile.replace(/( +)token: .*/, `$&\n$1query: { group: "${value}" }`);
    const problemsWith = async (value: string) => {
      const files = {
        'agentform.yaml': queryOf(value),
        'agents/a.yaml': agent(''),
        'agents/b.yaml': agent('', '', 'b'),
      };
      return (await resolve(files, production({ AGENT_TOKEN: 'shared', GROUP: 'x ' }))).problems;
    };
    expect((await problemsWith('7\u200b')).map(({ rule, at }) => [rule, at?.file])).toEqual([
      ['target-id', 'agentform.yaml'],
    ]);
    expect((await problemsWith('${secret.GROUP}')).filter(({ rule }) => rule === 'target-id')).toEqual([]);
  });
});

describe('the token of a target', () => {
  test('The token comes from the target. If the target has no token, it comes from the environment.', async () => {
    const files = {
      'agents/a.yaml': agent('', 'target: { token: "${secret.OWN}" }', 'a'),
      'agents/b.yaml': agent('', '', 'b'),
    };
    const { desired, all, secrets } = await resolve(files, production({ OWN: 'own-token', AGENT_TOKEN: 'shared' }));
    expect(desired.map(({ target }) => target.token.reveal())).toEqual(['own-token', 'shared']);
    expect(all.map(({ token }) => token)).toEqual(['${secret.OWN}', '${secret.AGENT_TOKEN}']);
    expect(secrets.map((secret) => secret.reveal()).sort()).toEqual(['own-token', 'shared']);
  });

  test.each(['tok-one\n', 'tok-one\r\n', ' tok-one', '\ttok-one '])(
    'White space around the token %j is removed with a warning.',
    async (value) => {
      const { desired, problems, secrets } = await resolve(
        { 'agents/a.yaml': agent('') },
        production({ AGENT_TOKEN: value }),
      );
      expect(desired[0]?.target.token.reveal()).toBe('tok-one');
      expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
      expect(problems.map(show)).toEqual([
        'agentform.yaml:11:12 the process variable AGENT_TOKEN begins or ends with white space, such as a line break; the token is used without this white space',
      ]);
      expect(redactor(secrets)('token=tok-one')).toBe('token=(sensitive)');
    },
  );

  test('A token of white space alone is too short.', async () => {
    const { problems } = await resolve({ 'agents/a.yaml': agent('') }, production({ AGENT_TOKEN: '         ' }));
    expect(problems.map(({ rule }) => rule)).toEqual(['token-short']);
  });

  test('The token of commands for an environment is trimmed, too.', async () => {
    const project = await makeProject({ 'agents/a.yaml': agent('') });
    const { target } = resolveEnvironment(project, 'production', { env: { AGENT_TOKEN: 'tok-one\n' } });
    expect(target?.token.reveal()).toBe('tok-one');
  });

  test('An unset token is reported once, with its variable and place.', async () => {
    const files = { 'agents/a.yaml': agent('', '', 'a'), 'agents/b.yaml': agent('', '', 'b') };
    const { problems, desired } = await resolve(files, production({}));
    expect(problems.map(show)).toEqual([
      "agentform.yaml:11:12 the secret 'AGENT_TOKEN' has no value: the process variable AGENT_TOKEN is unset or empty",
    ]);
    expect(desired).toEqual([]);
  });

  test('A run may limit the secrets that manifests may use.', async () => {
    const files = { 'agents/a.yaml': agent('welcomeMessage: "${secret.GITHUB_TOKEN}"', '', 'a') };
    const env = { AGENT_TOKEN: 'shared', GITHUB_TOKEN: 'not for the service' };
    const { problems, desired } = await resolve(files, {
      ...production(env),
      allowedSecrets: { names: new Set(['AGENT_TOKEN']), from: 'the input `secrets`' },
    });
    expect(problems.map(show)).toEqual([
      "agents/a.yaml:7:20 the secret 'GITHUB_TOKEN' is not allowed, because the input `secrets` allows only 'AGENT_TOKEN'. If a manifest may send this secret to the service, add GITHUB_TOKEN to the input `secrets` and set its value",
    ]);
    expect(desired).toEqual([]);
    const inForm = {
      ...production(env),
      secrets: 'names',
      allowedSecrets: { names: new Set<string>(), from: 'the input `secrets`' },
    } as const;
    expect((await resolve(files, inForm)).problems.map(({ rule, at }) => [rule, at?.file])).toEqual([
      ['secret-unset', 'agentform.yaml'],
      ['secret-unset', 'agents/a.yaml'],
    ]);
  });

  test('A missing token is reported with both possible places.', async () => {
    const files = { 'agentform.yaml': projectFile.replace('    token: ${secret.AGENT_TOKEN}\n', '') };
    expect(await rowProblems(agent(''), files)).toEqual([
      'agents/a.yaml:3:1 there is no token; write `token: ${secret.NAME}` under the environment in agentform.yaml, or under target in agents/a.yaml (in the environment production) [the environment agentform.yaml:9:3]',
    ]);
  });

  test.each([
    ['a missing token', '', 'emulator'],
    ['an unset token', 'target: { token: "${secret.OWN}" }', 'emulator-OWN'],
  ])('The embedded emulator accepts %s.', async (_case, rest, token) => {
    const { desired, secrets } = await resolve({ 'agents/a.yaml': agent('', rest) });
    expect(desired[0]?.target).toMatchObject({ baseUrl: 'emulator', host: 'emulator' });
    expect(desired[0]?.target.token.reveal()).toBe(token);
    expect(secrets).toEqual([]);
  });

  test('Setting a secret does not change its account on the embedded emulator, but output hides the value.', async () => {
    const files = { 'agents/a.yaml': agent('', 'target: { token: "${secret.OWN}" }') };
    const { desired, secrets } = await resolve(files, { env: { OWN: 'own-token' } });
    expect(desired[0]?.target.token.reveal()).toBe('emulator-OWN');
    expect(secrets.map((secret) => secret.reveal())).toEqual(['own-token']);
  });

  test.each([
    'hunter2',
    'Bearer ${secret.OWN}',
    '${var.clinic}',
    '$${secret.OWN}',
    '12345678',
    '{ file: hunter2.txt }',
    '[hunter2]',
    '"${secret.}"',
  ])('The literal token %s is refused and never repeated.', async (token) => {
    const project = await makeProject({ 'agents/a.yaml': literal(token) });
    const { problems } = await validateProject(project, { env: {} });
    expect(problems).toMatchObject([{ rule: 'token-literal', hideSource: true, at: { line: 8, column: 3 } }]);
    expect(inspect(problems, { depth: 9 })).not.toContain(token);
    expect(project.sourceOf('agents/a.yaml')).not.toContain(token);
    expect(project.sourceOf('agents/a.yaml')).toHaveLength(literal(token).length);
  });

  test.each([
    ['token: hunter2', 'the query cannot set the token; write `token: ${secret.NAME}` beside the query'],
    ['token: "${secret.OWN}"', 'the query cannot set the token; write `token: ${secret.NAME}` beside the query'],
    ['x-api-key: hunter2', expect.stringMatching(/^write the query parameter 'x-api-key' as \$\{secret\.NAME\}/)],
    ...[
      'accessKey',
      'access-key',
      'auth',
      'x-auth',
      'credential',
      'signature',
      'X-Amz-Signature',
      'sig',
      'pwd',
      'userPass',
    ].map((name) => [`${name}: hunter2`, expect.stringContaining(`write the query parameter '${name}' as`)] as const),
    ['apiToken: "${var.clinic}"', expect.stringMatching(/^write the query parameter 'apiToken' as/)],
  ])('The query %s is refused, in a manifest and in an overlay.', async (member, message) => {
    const query = `query: { ${member}, account: "17", apikey: "\${secret.KEY}" }`;
    const project = await makeProject({
      'agents/a.yaml': agent('', `target: { ${query} }\nenvironments: { production: { target: { ${query} } } }`),
    });
    const { problems } = await validateProject(project, { env: {} });
    const found = { rule: 'token-literal', hideSource: true, message };
    expect(problems).toMatchObject([found, found]);
    expect(project.sourceOf('agents/a.yaml')).not.toContain('hunter2');
  });

  test('A query parameter whose name only resembles that of a credential is accepted.', async () => {
    const query = 'target: { query: { bypass: hunter2, "design-sigma": a, compass: b, monkey: c, oauth: d } }';
    const { problems } = await validateProject(await makeProject({ 'agents/a.yaml': agent('', query) }), { env: {} });
    expect(problems.filter(({ rule }) => rule === 'token-literal')).toEqual([]);
  });

  test.each([
    ['target: hunter2', 'target is a sensitive value: expected an object'],
    ['target: [hunter2]', 'target is a list: expected an object'],
    ['target: { query: hunter2 }', 'target.query is a sensitive value: expected an object'],
    ['target: { tk: hunter2 }', expect.stringMatching(/^unknown key 'tk' in target/)],
    ['environments: hunter2', 'environments is a sensitive value: expected an object'],
    ['query: { sig: hunter2 }', expect.stringMatching(/^unknown key 'query'/)],
    ['tokn: hunter2', expect.stringMatching(/^unknown key 'tokn'/)],
    ['credentials: hunter2', expect.stringMatching(/^unknown key 'credentials'/)],
    ['environments: { production: hunter2 }', 'environments.production is a sensitive value: expected an object'],
    [
      'environments: { production: { target: hunter2 } }',
      'environments.production.target is a sensitive value: expected an object',
    ],
  ])('A value in place of the map in %s is neither repeated nor shown.', async (lines, message) => {
    const project = await makeProject({
      'agents/a.yaml': agent('', lines),
      'agents/b.yaml':
        'target: hunter2\nenvironments:\n  production: { target: { query: hunter2 } }\nauth: hunter2\nX-Sig: >-\n  hunter2\nopen: [\n',
    });
    const { problems } = await validateProject(project, { env: {} });
    expect(problems[0]).toMatchObject({ message, hideSource: true });
    for (const path of ['agents/a.yaml', 'agents/b.yaml']) expect(project.sourceOf(path)).not.toContain('hunter2');
  });

  test('An empty target is shown as it is.', async () => {
    const { problems } = await validateProject(await makeProject({ 'agents/a.yaml': agent('', 'target:') }), {
      env: {},
    });
    expect(problems.map((problem) => [problem.message, problem.hideSource])).toEqual([
      [expect.stringMatching(/^target is empty/), undefined],
    ]);
  });

  test('A token in a misspelt member or in an unparsable file is not shown.', async () => {
    const project = await makeProject({
      'agents/a.yaml': agent('', 'target:\n  tokn: hunter2'),
      'agents/b.yaml': 'target:\n  token: hunter2\n  open: [\n',
    });
    const { problems } = await validateProject(project, { env: {} });
    expect(problems.map(show)[0]).toBe("agents/a.yaml:8:3 unknown key 'tokn' in target; did you mean 'token'?");
    expect(problems[0]?.hideSource).toBe(true);
    expect(project.sourceOf('agents/b.yaml')).toBe('target:\n  token: *******\n  open: [\n');
  });

  test('A code frame shows a reference to a secret.', async () => {
    const text = agent('', 'target: { token: "${secret.OWN}", agentId: a }');
    const project = await makeProject({ 'agents/a.yaml': text });
    await validateProject(project, { env: {} });
    expect(project.sourceOf('agents/a.yaml')).toBe(text);
    expect(project.sourceOf('agentform.yaml')).toBe(projectFile);
    expect(project.sourceOf('nothing.yaml')).toBeUndefined();
  });
});

describe('the query of a target', () => {
  test('The query of the target wins over the environment, and numbers keep their digits.', async () => {
    const files = {
      'agentform.yaml': projectFile.replace(
        '    baseUrl: emulator',
        '    baseUrl: emulator\n    query: { a: 1, b: "${var.clinic}", c: true }',
      ),
      'agents/a.yaml': agent(
        '',
        'target: { query: { a: 00123456789012345678901, d: "${var.wait}", e: "${secret.E}" } }',
      ),
    };
    const { desired, all } = await resolve(files, { env: { E: 'hidden' } });
    expect(desired[0]?.target.query).toEqual({
      a: '00123456789012345678901',
      b: 'Elm Street',
      c: 'true',
      d: '500',
      e: 'hidden',
    });
    expect([...(desired[0]?.target.sensitiveQuery ?? [])]).toEqual(['e']);
    expect(all[0]?.query).toEqual({
      a: '00123456789012345678901',
      b: 'Elm Street',
      c: 'true',
      d: '500',
      e: '${secret.E}',
    });
  });
});

describe('the ids of a target', () => {
  test('The ids are in the target and in the identity, with variables resolved.', async () => {
    const files = { 'agents/a.yaml': agent('', 'target: { agentId: "camp_${var.wait}", campaignId: c }') };
    const { desired, all, originOf } = await resolve(files, { select: () => true });
    expect(desired[0]?.target).toMatchObject({ agentId: 'camp_500', campaignId: 'c' });
    expect(all).toMatchObject([
      { kind: 'Agent', name: 'desk', file: 'agents/a.yaml', agentId: 'camp_500', campaignId: 'c' },
    ]);
    expect(originOf('Agent/desk', '/target/agentId')).toMatchObject({ raw: 'camp_${var.wait}', at: { line: 7 } });
  });

  test('The ids of unselected manifests are known, too.', async () => {
    const files = { 'agents/a.yaml': agent('welcomeMessage: ${secret.X}', 'target: { agentId: a }') };
    const { all, problems } = await resolve(files, { select: () => false });
    expect([all.map(({ agentId }) => agentId), problems]).toEqual([['a'], []]);
  });
});

describe('the base URL of an environment', () => {
  test.each([
    ['emulator', { baseUrl: 'emulator', host: 'emulator' }],
    ['https://a.example', { baseUrl: 'https://a.example', host: 'a.example' }],
    ['https://a.example:8443/', { baseUrl: 'https://a.example:8443', host: 'a.example:8443' }],
    ['http://127.0.0.1:80/agents//', { baseUrl: 'http://127.0.0.1/agents', host: '127.0.0.1' }],
    ['http://[::1]:8080', { baseUrl: 'http://[::1]:8080', host: '[::1]:8080' }],
    ...['http://a.example', 'http://localhost.a.example', 'http://10.0.0.5:80'].map(
      (text) =>
        [
          text,
          {
            problem: `is '${text}': tokens would be sent unencrypted, so write https (http is allowed only to this machine)`,
          },
        ] as const,
    ),
    ['https://a.example.', { problem: "is 'https://a.example.': remove the dot at the end of the host" }],
    ['emulatr', { problem: "is 'emulatr': expected 'emulator' or an HTTP(S) URL", meant: 'emulator' }],
    ['ftp://a.example', { problem: "is 'ftp://a.example': expected 'emulator' or an HTTP(S) URL" }],
    [
      'https://a.example/api/v2/',
      { problem: "is 'https://a.example/api/v2/': remove /api/v2 and write https://a.example" },
    ],
    ['https://me:pw@a.example', { problem: 'contains credentials: remove them' }],
    [
      'https://a.example?token=x',
      { problem: 'has a query or fragment: remove it, and put query parameters under query' },
    ],
  ])('The base URL %s is normalised or refused.', (text, expected) => {
    expect(parseBaseUrl(text)).toEqual(expected);
  });

  test('The base URL may contain variables, but no secret.', async () => {
    const withUrl = (url: string) => ({
      'agentform.yaml': projectFile.replace('https://service.example.com', url),
      'agents/a.yaml': agent(''),
    });
    const env = { AGENT_TOKEN: 'token-0', AGENTFORM_VAR_host: 'b.example' };
    expect((await resolve(withUrl('"https://${var.host}/"'), production(env))).desired[0]?.target.baseUrl).toBe(
      'https://b.example',
    );
    const wrong = await resolve(withUrl('"https://${var.clinic}/"'), production(env));
    expect(wrong.problems.map(show)).toEqual([
      "agentform.yaml:10:14 baseUrl is 'https://Oak Road/': expected 'emulator' or an HTTP(S) URL",
    ]);
    const secret = await resolve(withUrl('"https://${secret.AGENT_TOKEN}/"'), production(env));
    expect(secret.problems.map(show)).toEqual([
      'agentform.yaml:10:23 baseUrl cannot contain a secret, because it is shown and stored',
    ]);
    expect(hasErrors(secret.problems)).toBe(true);
  });
});

test('Sensitive values cannot be printed.', async () => {
  const { desired, secrets } = await resolve({ 'agents/a.yaml': agent('') }, production({ AGENT_TOKEN: 'hunter2' }));
  expect(
    inspect({ target: desired[0]?.target, secrets }, { depth: 9 }) + JSON.stringify([desired, secrets]),
  ).not.toContain('hunter2');
});
