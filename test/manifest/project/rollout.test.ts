import { describe, expect, test } from '@jest/globals';
import { ProjectError } from '../../../src/manifest/project/load-project.ts';
import { makeProject, projectFile, show } from '../temp-project.ts';

const rollout = (lines: string) => `${projectFile}    rollout:\n${lines}`;

async function problemsOf(lines: string): Promise<string[]> {
  const failure: unknown = await makeProject({ 'agentform.yaml': rollout(lines) }).catch((error: unknown) => error);
  if (failure instanceof ProjectError) return failure.problems.map(show);
  throw new Error('the project was loaded', { cause: failure });
}

describe('the rollout of an environment', () => {
  test('A rollout is read as it is declared.', async () => {
    const project = await makeProject({
      'agentform.yaml': rollout(
        '      steps:\n        - { select: "ring in (canary)" }\n        - { share: 12.5%, after: 2d }\n      stop: { failed: 1 }\n',
      ),
    });
    expect(project.definitions.get(project.environments.at(-1) ?? '')?.rollout).toEqual({
      steps: [{ select: 'ring in (canary)' }, { share: '12.5%', after: '2d' }],
      stop: { failed: 1 },
    });
  });

  const line = projectFile.split('\n').length + 2;
  test.each([
    ['share: 101%', /the share of rollout step 1 is '101%': expected more than 0% and at most 100%/],
    ['share: 0%', /the share of rollout step 1 is '0%': expected more than 0% and at most 100%/],
    ['share: half', /share/],
    ['share: 50', /share/],
    ['select: ring=canary, share: 5%', /rollout step 1 has both select and share: remove one of them/],
    ['after: 1h', /rollout step 1 selects no agents: add select or share/],
    ['share: 5%, after: soon', /after/],
    ['share: 5%, after: 30', /after/],
    ['select: "ring in canary"', /the selector of rollout step 1 is invalid: the selector has 'canary' at character 9/],
    ['share: 5%, wait: 1h', /unknown key 'wait'/],
  ])('A rollout step with %s is an error at its line.', async (step, sentence) => {
    const problems = await problemsOf(`      steps:\n        - { ${step} }\n`);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`:${line}:\\d+ .*${sentence.source}`))]);
  });

  test.each([
    ['      steps: []\n', /steps/],
    ['      stop: { failed: 1 }\n', /steps/],
    ['      steps: [{ share: 5% }]\n      stop: { failed: -1 }\n', /failed/],
    ['      steps: [{ share: 5% }]\n      pause: 1h\n', /unknown key 'pause'/],
  ])('The rollout %j is an error.', async (lines, sentence) => {
    expect(await problemsOf(lines)).toEqual([expect.stringMatching(sentence)]);
  });
});
