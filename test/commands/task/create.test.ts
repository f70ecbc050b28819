import { expect, test } from '@jest/globals';
import { createTask } from '../../../src/commands/task/create.ts';
import { placedSentence } from '../../../src/report/problems/sentence.ts';
import { ProblemsError } from '../../../src/yaml/problem.ts';
import { workplace } from '../../support/in-process.ts';

test.each([
  ['list.yaml', 'list.yaml:1:3 the file is a list: expected a map with apiVersion, kind and settings'],
  ['nowhere.yaml', "the task file 'nowhere.yaml' does not exist"],
])('The task file %s is refused.', async (file, sentence) => {
  const place = await workplace({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
    'list.yaml': '- type: ping\n',
  });
  try {
    const signal = new AbortController().signal;
    const options = { project: place.root, query: [], flags: {}, signal, confirm: async () => true };
    const error = await createTask(place.host, { ...options, file: `${place.root}/${file}` }).catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ProblemsError)) throw error;
    expect(error.problems.map(placedSentence)).toEqual([
      sentence.replace('nowhere.yaml', `${place.root}/nowhere.yaml`),
    ]);
  } finally {
    await place.remove();
  }
});
