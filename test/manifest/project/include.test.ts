import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { agent, makeFolder, rowProblems, sectionsOf, show } from '../temp-project.ts';

describe('texts from files', () => {
  test('A text from a file is found relative to the declaring file, with variables resolved.', async () => {
    const sections = await sectionsOf({
      'agents/deep/a.yaml': agent('welcomeMessage: { file: ../../prompts/hi.md }'),
      'prompts/hi.md': 'Hello from ${var.clinic}.\n',
    });
    expect(sections).toMatchObject({ settings: { welcomeMessage: 'Hello from Elm Street.' } });
  });

  test.each([
    ['Hi', 'Hi'],
    ['Hi\n', 'Hi'],
    ['Hi\r\n', 'Hi'],
    ['Hi\n\n', 'Hi\n'],
    ['Hi\r\nBye\r\n\r\n', 'Hi\r\nBye\r\n'],
    ['Hi\r', 'Hi\r'],
    ['\n', ''],
    ['', ''],
    ['Hi\n<!-- agentform-allow prompt-slot -->\n', 'Hi'],
    ['Hi\r\n<!-- agentform-allow prompt-slot -->\r\n', 'Hi'],
  ])('A text from a file with %j loses its last line break, like |- in YAML.', async (text, value) => {
    const files = { 'agents/a.yaml': agent('welcomeMessage: { file: hi.md }'), 'agents/hi.md': text };
    expect(await sectionsOf(files)).toMatchObject({ settings: { welcomeMessage: value } });
  });

  test.each(['', '\n', ' \r\n\t\n'])(
    'A file with only %j is reported, unless its path has a variable.',
    async (text) => {
      expect(await rowProblems(agent('welcomeMessage: { file: hi.md }'), { 'agents/hi.md': text })).toEqual([
        `agents/a.yaml:7:27 the file 'hi.md' contains no text; write the text, or write "" in place of the file`,
      ]);
      const ofMember = agent('welcomeMessage: { file: "${var.clinic}.md" }');
      const files = { 'agents/Elm Street.md': text, 'agents/Oak Road.md': text };
      expect(await rowProblems(ofMember, files)).toEqual([]);
    },
  );

  test('A text from a file may be in a base, in lists, in elements and in extra settings.', async () => {
    const sections = await sectionsOf({
      'agents/a.yaml': agent(
        'actions: [{ file: x.txt }]',
        'extends: ../shared/base.yaml\nskills: [{ slug: a, instructions: { file: x.txt } }]\nextraSettings: { a: { file: x.txt } }',
      ),
      'agents/x.txt': 'near',
      'shared/x.txt': 'far',
      'shared/base.yaml': 'apiVersion: agentform/v1\nkind: Agent\nsettings: { welcomeMessage: { file: x.txt } }\n',
    });
    expect(sections).toEqual({
      settings: { title: 'Desk', description: 'd', welcomeMessage: 'far', actions: ['near'] },
      skills: [{ slug: 'a', instructions: 'near' }],
      extraSettings: { a: 'near' },
    });
  });

  test('A file path may contain a variable, and a byte order mark is dropped.', async () => {
    const sections = await sectionsOf(
      { 'agents/a.yaml': agent('welcomeMessage: { file: "hi-${var.lang}.md" }'), 'agents/hi-es.md': '\uFEFFHola' },
      { env: { AGENTFORM_VAR_lang: 'es' } },
    );
    expect(sections).toMatchObject({ settings: { welcomeMessage: 'Hola' } });
  });

  test.each([
    [
      'a file',
      'welcomeMessage: { file: "" }',
      '',
      "7:27 settings.welcomeMessage.file is '': expected a non-empty string",
    ],
    [
      'a patch',
      'welcomeMessage: { patch: "" }',
      '',
      "7:28 settings.welcomeMessage.patch is '': expected a non-empty string",
    ],
    ['an extra setting', '', 'extraSettings: { a: { file: "" } }', '7:29 the path of a file must not be empty'],
  ])('An empty path in %s is one error.', async (_case, setting, section, expected) => {
    expect(await rowProblems(agent(setting, section))).toEqual([`agents/a.yaml:${expected}`]);
  });

  test.each([
    ['missing', 'promt.md', "does not exist; did you mean 'prompt.md'?"],
    ['missing with this extension', '../prompts/hi.txt', "does not exist; did you mean '../prompts/hi.md'?"],
    [
      'relative to the project',
      'prompts/hi.md',
      "does not exist: there is no folder 'prompts'; did you mean '../prompts/hi.md'?",
    ],
    ['written with backslashes', '..\\prompts\\hi.md', "does not exist; did you mean '../prompts/hi.md'?"],
    ['a folder', '../agents', 'is a folder, not a file'],
    ['above the project', '../../x.md', 'leads outside the project folder'],
    ['absolute', '/etc/hosts', 'is an absolute path: write it relative to this file'],
    ['a URL', 'https://example.com/x.md', 'is a URL: expected the path of a file in the project'],
    ['absolute on Windows', 'C:\\x.md', 'is an absolute path: write it relative to this file'],
    [
      'not UTF-8',
      'latin.md',
      "is not UTF-8 text: line 2, column 4 has the byte 0xE9 ('é' in Windows-1252); save the file as UTF-8",
    ],
    [
      'in another Unicode form',
      'caf\u00e9.md',
      "does not exist, but a file in 'agents' has the same name in another Unicode form (decomposed, NFD); rename that file to 'caf\u00e9.md'",
    ],
    ['too large', 'large.md', 'is too large: it is 4.0 MiB, but the limit is 4 MiB'],
  ])('A file path that is %s is refused.', async (_case, path, expected) => {
    const files = {
      'agents/prompt.md': 'x',
      'prompts/hi.md': 'x',
      'agents/latin.md': Buffer.from('Hola\ncaf\xe9', 'latin1'),
      'agents/cafe\u0301.md': 'x',
      'agents/large.md': 'x'.repeat(4 * 1024 * 1024 + 1),
    };
    expect(await rowProblems(agent(`welcomeMessage: { file: '${path}' }`), files)).toEqual([
      `agents/a.yaml:7:27 the file '${path.replaceAll('\\', '\\\\')}' ${expected}`,
    ]);
  });

  test('A dangling link is reported with its target.', async () => {
    const root = makeFolder({ 'agents/a.yaml': agent('welcomeMessage: { file: hi.md }') });
    symlinkSync('gone.md', join(root, 'agents/hi.md'));
    const { problems } = await validateProject(await loadProject(root), { env: {} });
    expect(problems.map(show)).toEqual([
      "agents/a.yaml:7:27 the file 'hi.md' is a link to 'gone.md', which does not exist",
    ]);
  });

  test.each([
    [
      'another member',
      '{ file: x.md, trim: true }',
      "agents/a.yaml:7:33 unknown key 'trim' in settings.welcomeMessage: allowed keys are 'file' and 'patch'",
    ],
    [
      'a number',
      '{ file: 5 }',
      "agents/a.yaml:7:27 settings.welcomeMessage.file is 5: expected a string; quote it: '5'",
    ],
    ['nothing', '{}', 'agents/a.yaml:7:19 settings.welcomeMessage is an empty object: expected a string'],
    [
      'both',
      '{ file: a.md, patch: a.patch }',
      'agents/a.yaml:7:21 settings.welcomeMessage is an object: expected a string',
    ],
  ])('A file reference with %s is an error.', async (_case, value, expected) => {
    expect(await rowProblems(agent(`welcomeMessage: ${value}`))).toEqual([expected]);
  });
});

describe('links to files', () => {
  test('A link inside the project is followed, and a link out of it is refused.', async () => {
    const outside = makeFolder({ 'secret.md': 'outside', 'z.yaml': agent('', '', 'z') });
    const root = makeFolder({
      'agents/a.yaml': agent(
        'welcomeMessage: { file: in.md }\nagentVoice: { file: out.md }\nagentModel: { file: dir/secret.md }',
      ),
      'prompts/in.md': 'inside',
    });
    symlinkSync('../prompts/in.md', join(root, 'agents/in.md'));
    symlinkSync(join(outside, 'secret.md'), join(root, 'agents/out.md'));
    symlinkSync(outside, join(root, 'agents/dir'));
    symlinkSync('loop.yaml', join(root, 'agents/loop.yaml'));
    const { problems } = await validateProject(await loadProject(root), { env: {} });
    expect(problems.map(show)).toEqual([
      "agentform.yaml:3:13 the pattern 'agents/**/*.yaml' covers the folder 'agents/dir', which cannot be searched: it is a link that leads outside the project folder",
      "agents/a.yaml:8:23 the file 'out.md' is a link that leads outside the project folder",
      "agents/a.yaml:9:23 the file 'dir/secret.md' is a link that leads outside the project folder",
      'agents/loop.yaml:1:1 the manifest is a link to itself, directly or through other links',
    ]);
  });

  test('A file or folder whose name is not UTF-8 is reported.', async () => {
    const root = makeFolder({ 'agents/a.yaml': agent('') });
    const named = (end: string) =>
      Buffer.concat([Buffer.from(`${root}/agents/`), Buffer.from([0xff]), Buffer.from(end)]);
    writeFileSync(named('.yaml'), agent('', '', 'b'));
    mkdirSync(named(''));
    const { problems } = await validateProject(await loadProject(root), { env: {} });
    expect(problems.map(show)).toEqual([
      "agentform.yaml:3:13 the pattern 'agents/**/*.yaml' covers the folder 'agents/\ufffd', which cannot be searched: its name is not UTF-8",
      'agents/\ufffd.yaml:1:1 the manifest has a path that is not UTF-8; rename the file or folder',
    ]);
  });

  test("A link cannot read git's own files, just as a path cannot.", async () => {
    const root = makeFolder({
      'agents/a.yaml': agent('welcomeMessage: { file: ../.git/config }\nagentVoice: { file: in.md }'),
      '.git/config': 'extraheader = AUTHORIZATION: basic x',
    });
    symlinkSync('../.git', join(root, 'agents/dot'));
    symlinkSync('dot/config', join(root, 'agents/in.md'));
    const { problems } = await validateProject(await loadProject(root), { env: {} });
    expect(problems.map(show)).toEqual([
      "agents/a.yaml:7:27 the file '../.git/config' is part of git's own files, which may contain credentials",
      "agents/a.yaml:8:23 the file 'in.md' is part of git's own files, which may contain credentials",
    ]);
  });

  test('The project folder itself may be a link.', async () => {
    const root = makeFolder({ 'agents/a.yaml': agent('welcomeMessage: { file: ../hi.md }'), 'hi.md': 'hi' });
    const link = join(makeFolder({}), 'link');
    symlinkSync(root, link);
    expect((await validateProject(await loadProject(link), { env: {} })).problems).toEqual([]);
  });
});

test('The folders node_modules, .git and .agentform contain no manifests.', async () => {
  const root = makeFolder({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["**/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
    'b/z.yaml': agent('', '', 'z'),
    'a.yaml': agent('', '', 'a'),
  });
  for (const folder of ['node_modules/x', '.git', '.agentform/records', 'b/node_modules']) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'x.yaml'), 'nonsense');
  }
  expect((await loadProject(root)).manifests).toEqual(['a.yaml', 'b/z.yaml']);
});
