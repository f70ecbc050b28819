import { describe, expect, test } from '@jest/globals';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { agent, makeProject, show } from '../temp-project.ts';

/** Environments on separate hosts, each with this content. */
const environments = (bodies: Readonly<Record<string, string>>): string =>
  `apiVersion: agentform/v1
kind: Project
manifests: ["agents/**/*.yaml"]
environments:
${Object.entries(bodies)
  .map(([name, body]) => `  ${name}: { baseUrl: "https://${name}.example.com", token: "\${secret.TOKEN}"${body} }\n`)
  .join('')}`;

describe('limits of values in a project', () => {
  const extra = (value: string) => `extraSettings: {${Array.from({ length: 19_000 }, (_, at) => `k${at}: ${value}`)}}`;
  const names = Array.from({ length: 23 }, (_, at) => `e${at}`);
  const differing = environments(Object.fromEntries(names.map((name) => [name, `, variables: { v: ${name} }`])));

  test('Values that are equal in all environments count once.', async () => {
    const project = await makeProject({ 'agentform.yaml': differing, 'agents/a.yaml': agent('', extra('x')) });
    expect((await validateProject(project, { env: {} })).problems).toEqual([]);
  });

  test('Different values count in each environment, and the unchecked environments are named.', async () => {
    const project = await makeProject({ 'agentform.yaml': differing, 'agents/a.yaml': agent('', extra('"${var.v}"')) });
    const { problems } = await validateProject(project, { env: {} });
    expect(problems.map(show)).toEqual([
      'agentform.yaml:26:3 2 environments from here on were not checked, because the preceding environments have 399,105 values; run `agentform validate -e e21`',
    ]);
    expect((await validateProject(project, { env: {}, environments: names.slice(21) })).problems).toEqual([]);
  });

  test('A base counts for each manifest that extends it, and the first manifest beyond the limit is named.', async () => {
    const manifests = Array.from({ length: 8 }, (_, at): [string, string] => [
      `agents/a${at}.yaml`,
      agent('', `extends: ../base.yaml\ntarget: { query: { targetAccountId: "${at}" } }`, `a${at}`),
    ]);
    const files = {
      ...Object.fromEntries(manifests),
      'base.yaml': `apiVersion: agentform/v1\nkind: Agent\n${extra('x')}`,
    };
    const { problems } = await validateProject(await makeProject(files), { env: {} });
    expect(problems.map(show)).toEqual([
      'agents/a3.yaml:3:7 the manifests up to this one, including their bases, have more than 60,000 values; split the project',
    ]);
  });
});

test('Many manifests may have more values than a few.', async () => {
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
