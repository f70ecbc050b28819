import { describe, expect, test } from '@jest/globals';
import { agent, type Files, resolve } from '../../temp-project.ts';

interface Asked {
  readonly before?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly environment?: string;
}

async function written(files: Files, path: readonly string[], { before, env, environment = 'local' }: Asked = {}) {
  const { sourceAt } = await resolve(files, { environment, env: { AGENT_TOKEN: 'token-0', ...env } });
  const found = sourceAt('Agent/desk', path, before);
  return found && `${found.file}:${found.line}`;
}

const base = `apiVersion: agentform/v1
kind: Agent
settings: { agentVoice: base }
skills:
  - { slug: calendar, instructions: base }
  - { slug: email, instructions: base }
environments:
  local: { settings: { timezone: UTC } }
`;
const extending = (settings: string, rest = '') => ({
  'shared/base.yaml': base,
  'agents/a.yaml': agent(settings, `extends: ../shared/base.yaml\n${rest}`),
});

describe('the source of the effective value', () => {
  test.each([
    ['in the manifest', ['settings', 'title'], 'agents/a.yaml:5'],
    ['in a base', ['settings', 'agentVoice'], 'shared/base.yaml:3'],
    ['in the overlay of a base', ['settings', 'timezone'], 'shared/base.yaml:8'],
    ['in an element of a keyed list', ['skills', 'email', 'instructions'], 'shared/base.yaml:6'],
    ['in the element around a field that it lost', ['skills', 'calendar', 'other'], 'shared/base.yaml:5'],
    ['in the list that lost an element', ['skills', 'fax'], 'shared/base.yaml:5'],
  ])('The source of the effective value is found %s.', async (_, path, place) => {
    expect(await written(extending('agentLang: en'), path)).toBe(place);
  });

  test('The source of the effective value is the overlay of the environment, if it has one.', async () => {
    const files = { 'agents/a.yaml': agent('', 'environments:\n  local:\n    settings:\n      title: Local') };
    expect(await written(files, ['settings', 'title'])).toBe('agents/a.yaml:10');
    expect(await written(files, ['settings', 'title'], { environment: 'production' })).toBe('agents/a.yaml:5');
  });

  test.each([['settings', 'agentVoice'], ['skills', 'calendar'], ['apps'], ['extraSettings', 'x', 'y'], ['nothing']])(
    'The source of the effective value is unknown if no file declares %s.',
    async (...path) => {
      expect(await written({ 'agents/a.yaml': agent('') }, path)).toBeUndefined();
    },
  );

  test('The source of omitted members of an object is the object.', async () => {
    const files = { 'agents/a.yaml': agent('', 'backgroundAudio:\n  url: https://cdn.example.com/a.mp3') };
    expect(await written(files, ['backgroundAudio', 'gain'])).toBe('agents/a.yaml:8');
    expect(await written(files, ['backgroundAudio', 'url'])).toBe('agents/a.yaml:8');
  });
});

describe('the source of a variable', () => {
  const files = { 'agents/a.yaml': agent('agentVoice: ${var.clinic}\nwelcomeMessage: At ${var.clinic}') };

  test('The source of a value that is one variable is agentform.yaml.', async () => {
    expect(await written(files, ['settings', 'agentVoice'])).toBe('agentform.yaml:8');
    expect(await written(files, ['settings', 'agentVoice'], { environment: 'production' })).toBe('agentform.yaml:12');
  });

  test('The source of a text with a variable is the text.', async () => {
    expect(await written(files, ['settings', 'welcomeMessage'])).toBe('agents/a.yaml:8');
  });

  test('The source of a process variable is the manifest, because no file has the value.', async () => {
    const env = { AGENTFORM_VAR_clinic: 'Given' };
    expect(await written(files, ['settings', 'agentVoice'], { env })).toBe('agents/a.yaml:7');
  });
});

describe('the source of an included text', () => {
  const including = (text: string) => ({
    'prompts/p.md': text,
    'agents/a.yaml': agent('agentInstructions: { file: ../prompts/p.md }'),
  });
  const at = (text: string, asked?: Asked) => written(including(text), ['settings', 'agentInstructions'], asked);

  test.each([
    ['its first line without a text before', undefined, 1],
    ['the first line that changed', 'One\nthree\nThree\n', 2],
    ['the first line that is new', 'One\n', 2],
    ['its last line where lines at the end are gone', 'One\nTwo\nThree\nFour\n', 3],
    ['its last line where only the line break at the end changed', 'One\nTwo\nThree', 3],
    ['no change of line ends or blanks', 'One\r\nTwo  \r\n3\r\n', 3],
    ['its first line where everything differs', 'Other', 1],
  ])('The source of an included text is %s.', async (_, before, line) => {
    expect(await at('One\nTwo\nThree\n', before === undefined ? {} : { before })).toBe(`prompts/p.md:${line}`);
  });

  test('The source of an empty included text is its first line.', async () => {
    expect(await at('', { before: 'One\nTwo' })).toBe('prompts/p.md:1');
  });

  test('The source of an included text counts the lines of the file, with variables resolved.', async () => {
    const text = '# ${var.clinic}\nTwo\nThree\n';
    expect(await at(text, { before: '# Elm Street\nTwo\n3' })).toBe('prompts/p.md:3');
    expect(await at(text, { before: '# Elm Road\nTwo\nThree' })).toBe('prompts/p.md:1');
  });

  test('The source of an included text counts the lines of the file if a variable or secret has several lines.', async () => {
    const env = { AGENTFORM_VAR_clinic: 'Elm\nStreet' };
    const text = 'One\n# ${var.clinic}\nThree\nFour\n';
    expect(await at(text, { env, before: 'One\n# Elm\nStreet\nThree\n4' })).toBe('prompts/p.md:4');
    expect(await at(text, { env, before: 'One\n# Elm\nRoad\nThree\nFour' })).toBe('prompts/p.md:2');
    expect(await at(text, { env, before: '1\n# Elm\nStreet\nThree\nFour' })).toBe('prompts/p.md:1');
    const withSecret = { AGENT_TOKEN: 'token-0', PIN: 'first line\nsecond line' };
    const secret = 'One\n${secret.PIN}\nThree\n';
    expect(await at(secret, { env: withSecret, before: 'One\nfirst line\nsecond line\n3' })).toBe('prompts/p.md:3');
  });
});
