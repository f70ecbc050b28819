import { truncate } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTask } from '../../../src/commands/task/create.ts';
import { placedSentence } from '../../../src/report/problems/sentence.ts';
import { ProblemsError } from '../../../src/yaml/problem.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

let place: Workplace;

beforeAll(async () => {
  place = await workplace({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
  });
});
afterAll(() => place.remove());

/** Returns the problems of a task file in the project. */
async function problemsOf(file: string): Promise<string[]> {
  const signal = new AbortController().signal;
  const options = { project: place.root, query: [], flags: {}, signal, confirm: async () => true };
  const error = await createTask(place.host, { ...options, file: `${place.root}/${file}` }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProblemsError)) throw error;
  return error.problems.map(placedSentence);
}

const task = (settings: string) => `apiVersion: agentform/v1\nkind: Task\nsettings: { ${settings} }\n`;

test('A task file that is missing or a list is refused.', async () => {
  // A long path is shortened.
  expect(await problemsOf('nowhere.yaml')).toEqual([expect.stringMatching(/^the task file '.*' does not exist$/)]);
  await place.write('task.yaml', '- type: ping\n');
  expect(await problemsOf('task.yaml')).toEqual([
    'task.yaml:1:3 the file is a list: expected an object with apiVersion, kind and settings',
  ]);
});

test('A task file is refused if its account id is too large for an exact JSON number.', async () => {
  await place.write('task.yaml', task('type: ping, accountId: 12345678901234567890'));
  expect(await problemsOf('task.yaml')).toEqual([
    'task.yaml:3:36 settings.accountId is 12345678901234567000: expected an integer of at most 9007199254740991',
  ]);
});

test('If the attachments of a task file are too large in total, the first one beyond the limit is reported.', async () => {
  await place.write('film.mp4', '');
  await truncate(`${place.root}/film.mp4`, 13 * 1024 * 1024);
  const attachments = 'meta: { email: { subject: S, attachments: [{ file: film.mp4 }, { file: film.mp4 }] } }';
  await place.write('task.yaml', task(`type: email, target: a@example.com, message: M, ${attachments}`));
  expect(await problemsOf('task.yaml')).toEqual(['task.yaml:3:126 the attachments are larger than 25 MiB in total']);
});

test('A task file is refused if a line break could add a header to an email.', async () => {
  const email = (meta: string) => task(`type: email, target: a@example.com, message: M, meta: { email: { ${meta} } }`);
  await place.write('task.yaml', email('subject: "S\\r\\nBcc: b@example.com"'));
  expect(await problemsOf('task.yaml')).toEqual([
    expect.stringMatching(/^task\.yaml:3:87 settings\.meta\.email\.subject is '[^']*': expected one line/),
  ]);
  await place.write('task.yaml', email('attachments: [{ filename: "a\\nb", type: text/plain, content: YQ== }]'));
  expect(await problemsOf('task.yaml')).toEqual([
    expect.stringMatching(/^task\.yaml:3:\d+ the filename '[^']*' has a line break or control character$/),
  ]);
});

test('A task file is refused if a text has half of a surrogate pair, which cannot be sent.', async () => {
  await place.write('task.yaml', task('type: ping, context: "a\\ud83d"'));
  expect(await problemsOf('task.yaml')).toEqual([
    'task.yaml:3:34 the text contains half of a surrogate pair (U+D83D): write the whole character, or delete it',
  ]);
});
