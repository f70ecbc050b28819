import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { agent, type Files, makeFolder, manifest, projectFile, show } from '../temp-project.ts';

const desk = { 'agents/desk.yaml': agent('') };
const policy = manifest('Policy', 'rules: []', 'limits');
const base = 'apiVersion: agentform/v1\nkind: Agent\nsettings: { agentLang: en-US }\n';

async function found(files: Files, root = makeFolder({ ...desk, ...files })): Promise<string[]> {
  const { problems } = await validateProject(await loadProject(root), { env: {} });
  return problems.map(show);
}

/** Returns the warning at a path. The warning suggests this pattern. */
const add = (path: string, pattern: string) =>
  `${path}:1:1 no pattern under \`manifests\` matches this file, so it is not read; add ${JSON.stringify(pattern)} to \`manifests\` in agentform.yaml`;

test.each<[string, string, string, string]>([
  ['a policy in a folder of its own', 'policies/limits.yaml', policy, 'policies/**/*.yaml'],
  ['an agent with the other ending', 'agents/night.yml', agent('', '', 'night'), 'agents/**/*.yml'],
  ['a fleet in nested folders', 'a/b/fleet.yaml', manifest('Fleet', ''), 'a/**/*.yaml'],
  ['a file beside agentform.yaml', 'night.yaml', agent('', '', 'night'), 'night.yaml'],
  ['a folder whose name has characters of patterns', 'old [1]/x.yaml', agent('', '', 'x'), 'old \\[1\\]/**/*.yaml'],
  [
    'JSON, which is YAML',
    'more/x.yaml',
    '{ "apiVersion": "agentform/v1",\n"kind": "Agent", "name": "x" }',
    'more/**/*.yaml',
  ],
  [
    'quotes, comments and line ends of Windows',
    'x/x.yaml',
    '# x\r\napiVersion: "agentform/v1" # v1\r\nname: x\r\n',
    'x/**/*.yaml',
  ],
])('An unmatched file is reported with the pattern to add: %s', async (_, path, text, pattern) => {
  expect(await found({ [path]: text })).toEqual([add(path, pattern)]);
});

test('Adding the suggested pattern makes the project read the file and ends the warning.', async () => {
  const files = {
    ...desk,
    'policies/limits.yaml': manifest('Policy', 'rules: [{ name: a, when: "false", deny: no }]'),
  };
  const root = makeFolder(files);
  const before = await found({}, root);
  const [, pattern] = /add ("[^"]+")/.exec(before[0] ?? '') ?? [];
  writeFileSync(
    join(root, 'agentform.yaml'),
    projectFile.replace('["agents/**/*.yaml"]', `["agents/**/*.yaml", ${pattern}]`),
  );
  const project = await loadProject(root);
  expect(project.manifests).toContain('policies/limits.yaml');
  expect((await found({}, root)).filter((line) => line.includes('no pattern'))).toEqual([]);
});

test('Several unmatched files of one folder are one warning.', async () => {
  const files = Object.fromEntries(['a', 'b', 'c/d'].map((name) => [`policies/${name}.yaml`, policy]));
  expect(await found(files)).toEqual([
    'policies/a.yaml:1:1 no pattern under `manifests` matches this file (and 2 more files), so they are not read; ' +
      'add "policies/**/*.yaml" to `manifests` in agentform.yaml',
  ]);
});

test('A suggested pattern never matches files in other use, or of another program.', async () => {
  const files = {
    'agents/desk.yaml': agent('', 'extends: ../shared/base.yaml'),
    'shared/base.yaml': base,
    'shared/more/night.yaml': agent('', '', 'night'),
    'shared/dusk.yaml': agent('', '', 'dusk'),
    'deploy/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: { name: x }\n',
    'deploy/agents/x.yaml': agent('', '', 'x'),
  };
  expect(await found(files)).toEqual([
    add('deploy/agents/x.yaml', 'deploy/agents/**/*.yaml'),
    add('shared/dusk.yaml', 'shared/dusk.yaml'),
    add('shared/more/night.yaml', 'shared/more/**/*.yaml'),
  ]);
});

test('Bases, templates, overrides, tasks and files of another project are not reported as unmatched.', async () => {
  const fleet = manifest(
    'Fleet',
    'templates: [../templates/agent.yaml]\noverrides: ["../clients/${var.name}.yaml"]\nmembers: [{ name: elm }, { name: oak }]',
  );
  const files = {
    'agentform.yaml': projectFile.replace('["agents', '["fleets/*.yaml", "agents'),
    'agents/desk.yaml': agent('', 'extends: ../shared/near.yaml'),
    'shared/near.yaml': `${base}extends: far.yaml\n`,
    'shared/far.yaml': base,
    'fleets/clients.yaml': fleet,
    'templates/agent.yaml':
      'apiVersion: agentform/v1\nkind: Agent\nsettings: { title: T, description: d }\ntarget: { query: { a: "${var.name}" } }\n',
    'clients/elm.yaml': base,
    'tasks/call.yaml': 'apiVersion: agentform/v1\nkind: Task\nname: call\n',
    'other/agentform.yaml': projectFile,
    'other/agents/x.yaml': agent('', '', 'x'),
    'node_modules/x/agents/x.yaml': agent('', '', 'x'),
    '.hidden/x.yaml': agent('', '', 'x'),
    'docs/embedded.yaml': `apiVersion: v1\nkind: ConfigMap\ndata:\n  x: |\n    apiVersion: agentform/v1\n    name: x\n`,
  };
  expect(await found(files)).toEqual([]);
});

test('Files that a pattern with ! excludes are not reported as unmatched.', async () => {
  const project = projectFile.replace('["agents', '["!drafts", "agents');
  expect(await found({ 'agentform.yaml': project, 'drafts/x.yaml': agent('', '', 'x') })).toEqual([]);
});

test('An unused base is reported without a pattern, which would make it an error.', async () => {
  expect(await found({ 'shared/a.yaml': base, 'shared/b.yaml': base })).toEqual([
    'shared/a.yaml:1:1 this file has no name, and no manifest extends it: add a name, extend it from a manifest, or delete it (the same applies to 1 more file)',
  ]);
});

test('Links and unreadable files are not reported as unmatched.', async () => {
  const root = makeFolder({ ...desk, 'policies/limits.yaml': policy });
  mkdirSync(join(root, 'links'));
  symlinkSync('..', join(root, 'links/up'));
  symlinkSync('../policies/limits.yaml', join(root, 'links/limits.yaml'));
  expect(await found({}, root)).toEqual([add('policies/limits.yaml', 'policies/**/*.yaml')]);
  const readable = { paths: new Set(['agentform.yaml', 'agents/desk.yaml']), otherwise: 'is not tracked' };
  expect((await validateProject(await loadProject(root, { readable }), { env: {} })).problems).toEqual([]);
});

test('The lint level of unmatched files can be off or error.', async () => {
  const files = { 'policies/limits.yaml': policy };
  expect(await found({ ...files, 'agentform.yaml': `${projectFile}lint: { manifest-unmatched: off }\n` })).toEqual([]);
  const root = makeFolder({
    ...desk,
    ...files,
    'agentform.yaml': `${projectFile}lint: { manifest-unmatched: error }\n`,
  });
  const { problems } = await validateProject(await loadProject(root), { env: {} });
  expect(problems.map(({ severity, rule }) => [severity, rule])).toEqual([['error', 'manifest-unmatched']]);
});

test('A run of one resource reports unmatched files, too.', async () => {
  const root = makeFolder({ ...desk, 'policies/limits.yaml': policy });
  const { problems } = await resolveProject(await loadProject(root), {
    environment: 'local',
    secrets: 'names',
    env: {},
    select: (address) => address === 'Agent/none',
  });
  expect(problems.map(show)).toEqual([add('policies/limits.yaml', 'policies/**/*.yaml')]);
});

test('The search for unmatched files is limited, nearest to the project folder first.', async () => {
  const many = Array.from({ length: 2_100 }, (_, index) => [`deep/er/${index}.yaml`, 'a: 1\n']);
  const files = { ...Object.fromEntries(many), 'deep/er/zz.yaml': policy, 'policies/limits.yaml': policy };
  expect(await found(files)).toEqual([add('policies/limits.yaml', 'policies/**/*.yaml')]);
});
