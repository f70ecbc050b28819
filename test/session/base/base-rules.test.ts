import { expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { restrictedTo, rulesAtCommit, rulesOf } from '../../../src/session/base/base-rules.ts';
import { makeFolder } from '../../manifest/temp-project.ts';

const projectWith = async (requires: string) => {
  const folder = makeFolder({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n' +
      `  qa: { baseUrl: emulator }\n  staging: { baseUrl: emulator }\n  production: { baseUrl: emulator${requires} }\n`,
    'agents/README.md': '',
  });
  return { folder, project: await loadProject(folder) };
};

async function requiredWith(head: string, base: string) {
  const [one, other] = [await projectWith(head), await projectWith(base)];
  const rules = await rulesOf({ commit: 'c', folder: other.folder }, one.project, { environments: [], env: {} });
  return restrictedTo(one.project, rules).requires.get('production') ?? [];
}

const staging = (wait: string) => `, requires: { environment: staging, for: ${wait} }`;

test.each<[string, string, string, object[]]>([
  ['deletes it', '', ', requires: staging', [{ environment: 'staging' }]],
  ['takes less time', staging('1h'), staging('24h'), [{ environment: 'staging', for: '24h' }]],
  ['takes more time', staging('2d'), staging('24h'), [{ environment: 'staging', for: '2d' }]],
  ['leaves out the time', ', requires: staging', staging('5m'), [{ environment: 'staging', for: '5m' }]],
  [
    'names another one',
    ', requires: qa',
    staging('5m'),
    [{ environment: 'qa' }, { environment: 'staging', for: '5m' }],
  ],
  ['adds it', ', requires: qa', '', [{ environment: 'qa' }]],
])('a change that %s is held to the base as well', async (_what, head, base, required) => {
  expect(await requiredWith(head, base)).toEqual(required);
});

test('Without a base, a project has the lint levels that it says.', async () => {
  const { project: plain } = await projectWith('');
  const levels = {
    lint: { 'prompt-secret': 'off', 'prompt-length': 'error' },
    lintMaxima: { 'prompt-length': 100 },
  } as const;
  const project = { ...plain, ...levels };
  const { lint, lintMaxima } = restrictedTo(
    project,
    await rulesAtCommit(project, undefined, { environments: [], env: {} }),
  );
  expect({ lint, lintMaxima }).toEqual(levels);
});
