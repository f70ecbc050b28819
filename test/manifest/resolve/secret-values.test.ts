import { expect, test } from '@jest/globals';
import { agent, resolve, show } from '../temp-project.ts';

test('A manifest with errors has the same problems with and without the values of its secrets.', async () => {
  const text = agent('timezone: Mars\nagentVoice: "${secret.CODE}"', 'setings: {}\nlabels: { ring: "?" }').replace(
    '  description: d\n',
    '',
  );
  const files = { 'agents/a.yaml': text };
  const env = { CODE: 'a voice with a long name', TOKEN: 'token-of-the-project' };
  const [byForm, byValue] = [await resolve(files, { secrets: 'names', env }), await resolve(files, { env })];
  expect(byForm.problems.length).toBeGreaterThan(3);
  expect(byValue.problems.map(show)).toEqual(byForm.problems.map(show));
});

test('The value of a secret is checked if its form is not sufficient.', async () => {
  const files = { 'agents/a.yaml': agent('timezone: "${secret.ZONE}"') };
  const env = { ZONE: 'Mars/Olympus' };
  expect((await resolve(files, { secrets: 'names', env })).problems).toEqual([]);
  const { problems, selected } = await resolve(files, { env });
  expect(problems).toMatchObject([{ severity: 'error', at: { file: 'agents/a.yaml', line: 7 } }]);
  expect(problems[0]?.message).not.toContain('Olympus');
  expect(selected).toEqual([]);
});
