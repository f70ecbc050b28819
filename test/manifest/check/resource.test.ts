import { expect, test } from '@jest/globals';
import { resolvedProblems } from '../../../src/manifest/check/resource.ts';
import { parseYaml } from '../../../src/yaml/parse-yaml.ts';
import { SourceFile } from '../../../src/yaml/source-file.ts';
import { createValueChecks } from '../../../src/yaml/values.ts';

// If the cache provides the results of file checks, this check is the first check of a run. The test must be alone in
// this file.
test('A resource with its values can be checked without an earlier check of the file.', async () => {
  const text =
    'apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: { title: A, description: d, agentThinking: lots }\n';
  const { root } = parseYaml(new SourceFile('agents/a.yaml', text));
  if (root?.type !== 'map') throw new Error('the text is an object');
  const resource = {
    kind: 'Agent',
    root,
    sections: root,
    isWhole: true,
    reported: [],
    meant: new Set<string>(),
  } as const;
  const problems = await resolvedProblems(resource, createValueChecks());
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('agentThinking')]);
});
