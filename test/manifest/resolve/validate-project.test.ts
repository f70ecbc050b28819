import { expect, test } from '@jest/globals';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { problemSentence } from '../../../src/report/problems/sentence.ts';
import { agent, makeProject, projectFile, resolveWithValues, rowProblems } from '../temp-project.ts';

test('A problem of every environment is reported once, and other problems name their environments.', async () => {
  const files = {
    'agentform.yaml': `${projectFile}  staging: { baseUrl: emulator, variables: { clinic: "", only: 1 } }\n`,
  };
  const text = agent('timezone: Mars\nwelcomeMessage: ${var.only} ${var.wait}');
  expect(await rowProblems(text, files)).toEqual([
    "agents/a.yaml:7:13 settings.timezone is 'Mars': expected an IANA time zone, such as 'Europe/Berlin'",
    "agents/a.yaml:8:19 the variable 'only' has no value: declare it under `variables`, in the manifest or in the environment in agentform.yaml, or set AGENTFORM_VAR_only (in the environments local and production)",
    "agents/a.yaml:8:31 the variable 'wait' has no value: declare it under `variables`, in the manifest or in the environment in agentform.yaml, or set AGENTFORM_VAR_wait (in the environment staging)",
  ]);
});

test('An overlay is checked in its own environment.', async () => {
  expect(await rowProblems(agent('', 'environments: { production: { settings: { timezone: Mars } } }'))).toEqual([
    "agents/a.yaml:7:53 settings.timezone is 'Mars': expected an IANA time zone, such as 'Europe/Berlin' (in the environment production)",
  ]);
});

test('Validation only checks the selected environments.', async () => {
  const text = agent('', 'environments: { production: { settings: { timezone: Mars } } }');
  const project = await makeProject({ 'agents/a.yaml': text });
  const messages = async (environments: readonly string[]) =>
    (await validateProject(project, { env: {}, environments })).problems.map(problemSentence);
  expect(await messages(['local'])).toEqual([]);
  expect(await messages(['production'])).toEqual([
    "settings.timezone is 'Mars': expected an IANA time zone, such as 'Europe/Berlin'",
  ]);
});

test('Validation of a selection only checks its resources, but the syntax of all files.', async () => {
  const project = await makeProject({
    'agents/a.yaml': agent('timezone: Mars', '', 'a'),
    'agents/b.yaml': agent('titel: x', '', 'b'),
    'agents/c.yaml': agent('', 'target: { query: { targetAccountId: 2 } }', 'c'),
  });
  const { problems, resources } = await validateProject(project, {
    env: {},
    select: (address) => address === 'Agent/c',
  });
  expect([resources, problems.map(({ rule }) => rule)]).toEqual([1, ['unknown-key']]);
});

test('The order of the result does not depend on the order of the files.', async () => {
  const project = await makeProject({
    'agents/z.yaml': agent('', '', 'a'),
    'agents/a.yaml': agent('', '', 'z'),
    'agents/b/c.yaml': agent('', '', 'm'),
  });
  const { desired, all } = await resolveWithValues(project, { environment: 'local', secrets: 'names', env: {} });
  expect(desired.map(({ name }) => name)).toEqual(['a', 'm', 'z']);
  expect(all.map(({ name }) => name)).toEqual(['a', 'm', 'z']);
});

const brandPolicy = `apiVersion: agentform/v1
kind: Policy
name: brands
rules: [{ deny: 'desired.settings.title.startsWith("E")', message: Not this brand }]
`;

test('A policy denial names the resources that violate the rule, unless its place shows them.', async () => {
  const fleet = `apiVersion: agentform/v1
kind: Fleet
name: clients
templates: [../template.yaml]
members: [{ name: ash, brand: Ash }, { name: elm, brand: Elm }, { name: oak, brand: Eok }]
`;
  const template = `apiVersion: agentform/v1
kind: Agent
settings: { title: "\${var.brand}", description: Answers. }
target: { query: { account: "\${var.name}" } }
`;
  const project = await makeProject({
    ...{ 'agents/fleet.yaml': fleet, 'template.yaml': template, 'agents/policy.yaml': brandPolicy },
    'agents/a.yaml': agent('').replace(/title: .*/, 'title: Elm'),
  });
  const basePolicies = { policies: [], broken: [], lost: [], lostSubmodules: [] };
  const { problems } = await validateProject(project, { env: {}, judge: { now: new Date(0), basePolicies } });
  expect(problems.map(({ at, message }) => [at?.file, message])).toEqual([
    ['agents/a.yaml', 'policy brands: Not this brand'],
    ['template.yaml', 'policy brands: Not this brand (Agent/elm and Agent/oak)'],
  ]);
});
