import { expect, test } from '@jest/globals';
import { addressOf } from '../../../src/kinds/desired.ts';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { agent, makeProject } from '../temp-project.ts';

test('Only the latest manifests keep their parsed files, and the values of the others can still be resolved.', async () => {
  const manifests = Array.from({ length: 102 }, (_, at): [string, string] => [
    `agents/a${at}.yaml`,
    agent('', `target: { query: { targetAccountId: "${at}" } }`, `a${at}`),
  ]);
  const project = await makeProject(Object.fromEntries(manifests));
  const { selected, desiredOf } = await resolveProject(project, { environment: 'local', secrets: 'names', env: {} });
  expect(selected).toHaveLength(102);
  const [first, last] = ['agents/a0.yaml', 'agents/a99.yaml'].map((path) => project.parsed.parse(path));
  const values = selected.map((one) => desiredOf(addressOf(one)));
  expect(project.parsed.parse('agents/a99.yaml')).toBe(last);
  expect(project.parsed.parse('agents/a0.yaml')).not.toBe(first);
  expect(desiredOf('Agent/a0')).toEqual(values[0]);
});
