import { describe, expect, test } from '@jest/globals';
import { validateProject } from '../../../../src/manifest/resolve/validate-project.ts';
import { agent, type Files, makeProject, manifest, resolve, rowProblems, show } from '../../temp-project.ts';

/** Returns a project with `production` and `staging`, on the same host unless `staging` sets another host. */
function project({ host = 'service.example.com', staging = 'token: ${secret.STAGING_TOKEN}', rest = '' } = {}): string {
  return `apiVersion: agentform/v1
kind: Project
manifests: ["agents/**/*.yaml"]
environments:
  production:
    baseUrl: https://service.example.com
    token: \${secret.AGENT_TOKEN}
  staging:
    baseUrl: https://${host}
    ${staging}
${rest}`;
}

const found = (body: string, files: Files = {}): Promise<string[]> =>
  rowProblems(agent('', body), { 'agentform.yaml': project(), ...files });

const both = "the environments 'production' and 'staging' both";
const remedy =
  'so each would overwrite what the other wrote; declare the id only under `environments.NAME.target` of the environment that it belongs to';

describe('one agent id in two environments', () => {
  const everywhere = 'target: { agentId: camp_1 }';

  test('One agent id in two environments on one host is an error, at the id and at the other environment.', async () => {
    expect(await found(everywhere)).toEqual([
      `agents/a.yaml:7:20 ${both} write the agent 'camp_1' on service.example.com, ${remedy} [this environment has the same host agentform.yaml:8:3]`,
    ]);
  });

  test('One agent id in two environments is an error for two names of this machine, too.', async () => {
    const files = {
      'agentform.yaml': project({ host: '127.0.0.1:8080' }).replace('service.example.com', 'localhost:8080'),
    };
    expect(await found(everywhere, files)).toEqual([
      expect.stringContaining(`${both} write the agent 'camp_1' on localhost:8080, which is 127.0.0.1:8080, so each`),
    ]);
  });

  test('One agent id in two environments is an error at both places if two manifests declare it.', async () => {
    const overlay = (environment: string) => `environments: { ${environment}: { target: { agentId: camp_1 } } }`;
    const files = {
      'agents/b.yaml': agent('', `${overlay('staging')}\ntarget: { query: { targetAccountId: 2 } }`, 'night'),
    };
    expect(await found(overlay('production'), files)).toEqual([
      `agents/b.yaml:7:47 ${both} write the agent 'camp_1' on service.example.com, ${remedy} [in production agents/a.yaml:7:50]`,
    ]);
  });

  test('One agent id in two environments is an error if a base or a variable declares it.', async () => {
    const base = 'apiVersion: agentform/v1\nkind: Agent\ntarget: { agentId: "${var.id}" }\n';
    const variables = project({ rest: '    variables: { id: camp_1 }\n' }).replace(
      'token: ${secret.AGENT_TOKEN}',
      'token: ${secret.AGENT_TOKEN}\n    variables: { id: camp_1 }',
    );
    const files = { 'agentform.yaml': variables, 'base.yaml': base };
    expect(await found('extends: ../base.yaml', files)).toEqual([
      expect.stringMatching(/^base.yaml:3:20 the env.*camp_1/),
    ]);
    const own = variables.replace('id: camp_1', 'id: camp_2');
    expect(await found('extends: ../base.yaml', { ...files, 'agentform.yaml': own })).toEqual([]);
  });

  test.each<[string, string, Files]>([
    ['on two hosts', everywhere, { 'agentform.yaml': project({ host: 'staging.example.com' }) }],
    ['in the overlay of one environment', 'environments: { production: { target: { agentId: camp_1 } } }', {}],
    [
      'replaced in the overlay of the other',
      `${everywhere}\nenvironments: { staging: { target: { agentId: camp_2 } } }`,
      {},
    ],
  ])('One agent id in two environments is allowed %s.', async (_name, body, files) =>
    expect(await found(body, files)).toEqual([]),
  );

  test('One agent id in two environments prevents a plan of either environment.', async () => {
    const files = { 'agentform.yaml': project(), 'agents/a.yaml': agent('', everywhere) };
    for (const environment of ['production', 'staging']) {
      const { problems } = await resolve(files, { environment, secrets: 'names' });
      expect(problems.map(({ rule, severity }) => [rule, severity])).toEqual([['environments-share-agent', 'error']]);
    }
  });

  test('One agent id in two environments is not reported for unselected resources.', async () => {
    const files = {
      'agentform.yaml': project(),
      'agents/a.yaml': agent('', everywhere),
      'agents/b.yaml': agent('', '', 'b'),
    };
    const select = (address: string) => address === 'Agent/b';
    expect((await resolve(files, { environment: 'staging', secrets: 'names', select })).problems).toEqual([]);
  });

  test('The error about one agent id in two environments cannot be turned off.', async () => {
    const files = { 'agentform.yaml': project({ rest: 'lint: { environments-share-agent: off }\n' }) };
    await expect(found(everywhere, files)).rejects.toThrow('agentform.yaml has an error');
  });
});

describe('one token and query in two environments', () => {
  const shared = project({ staging: 'token: ${secret.AGENT_TOKEN}' });
  const told = `agentform.yaml:10:12 ${both} use the token \${secret.AGENT_TOKEN} with the same query on service.example.com, so each would overwrite what the other wrote; give each environment its own token, or turn this rule off if the secret has a different value in each [in production agentform.yaml:7:12]`;

  test('One token and query in two environments is a warning at both tokens, once for all manifests.', async () => {
    const files = { 'agentform.yaml': shared, 'agents/b.yaml': agent('', 'target: { query: { a: 1 } }', 'night') };
    expect(await found('', files)).toEqual([told]);
  });

  test('One token and query in two environments is a warning for kinds other than agents, too.', async () => {
    const organization = manifest('Organization', 'settings: { orgName: Acme, accountName: acme }');
    expect(await rowProblems(organization, { 'agentform.yaml': shared })).toContain(told);
  });

  test.each<[string, string, Files]>([
    ['with another query', 'environments: { staging: { target: { query: { targetAccountId: 17 } } } }', {}],
    ['with another token in the manifest', 'environments: { staging: { target: { token: "${secret.OTHER}" } } }', {}],
    ['where the rule is off', '', { 'agentform.yaml': `${shared}lint: { environments-share-token: off }\n` }],
    ['on the emulator', '', { 'agentform.yaml': shared.replaceAll(/https:\/\/service.example.com/g, 'emulator') }],
  ])('One token and query in two environments is allowed %s.', async (_name, body, files) =>
    expect(await found(body, { 'agentform.yaml': shared, ...files })).toEqual([]),
  );

  test('One token and query in two environments is an error if agentform.yaml says so.', async () => {
    const files = {
      'agentform.yaml': `${shared}lint: { environments-share-token: error }\n`,
      'agents/a.yaml': agent(''),
    };
    const { problems } = await validateProject(await makeProject(files), { env: {} });
    expect(problems.map((problem) => [problem.severity, show(problem)])).toEqual([['error', told]]);
  });
});
