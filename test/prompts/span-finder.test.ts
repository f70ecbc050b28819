import { describe, expect, test } from '@jest/globals';
import { type ValidateOptions, validateProject } from '../../src/manifest/resolve/validate-project.ts';
import { renderProblems } from '../../src/report/problems/problems-text.ts';
import { problemSentence } from '../../src/report/problems/sentence.ts';
import type { Problem } from '../../src/yaml/problem.ts';
import { agent, type Files, makeProject, projectFile, sectionsOf } from '../manifest/temp-project.ts';

const file = 'agentInstructions: { file: ../prompts/desk.md }';

async function problemsOf(files: Files, options: Partial<ValidateOptions> = {}): Promise<readonly Problem[]> {
  const { problems } = await validateProject(await makeProject(files), { env: {}, prompts: 'all', ...options });
  return problems;
}

async function placesOf(files: Files, options: Partial<ValidateOptions> = {}): Promise<string[]> {
  const problems = await problemsOf(files, options);
  return problems.map(({ rule, at }) => `${at?.file}:${at?.line}:${at?.column} ${rule}`);
}

const linting = (lint: string) => `${projectFile}lint: ${lint}\n`;

describe('the place of a prompt finding', () => {
  test('A finding in a prompt file has its line and column in the prompt file.', async () => {
    const files = { 'agents/a.yaml': agent(file), 'prompts/desk.md': '# Desk\r\n\r\nOpen [INSERT HOURS].\r\n' };
    expect(await placesOf(files)).toEqual(['prompts/desk.md:3:6 prompt-placeholder']);
  });

  test.each([
    ['a plain scalar', 'agentInstructions: Open [INSERT HOURS] always', '7:27'],
    ['a plain scalar of several lines', 'agentInstructions: Be nice.\n  Open [INSERT HOURS] always', '8:10'],
    ['double quotes', 'agentInstructions: "Say \\"hi\\"\\n\\u00e9 [INSERT HOURS]"', '7:42'],
    ['single quotes', "agentInstructions: 'It''s [INSERT HOURS]'", '7:29'],
    ['a literal block', 'agentInstructions: |\n  Be nice.\n\n  Open [INSERT HOURS].', '10:10'],
    ['a folded block', 'agentInstructions: >-\n  Be nice,\n  open [INSERT HOURS].', '9:10'],
  ])('A finding in %s has its place in the manifest.', async (_name, settings, place) => {
    expect(await placesOf({ 'agents/a.yaml': agent(settings) })).toEqual([`agents/a.yaml:${place} prompt-placeholder`]);
  });

  test("A finding in a base's text is reported once in the base for all manifests that extend it.", async () => {
    const base = `apiVersion: agentform/v1\nkind: Agent\nsettings:\n  ${file}\n`;
    const files = {
      'shared/base.yaml': base,
      'prompts/desk.md': 'Hi.\n\nWe are in [YOUR CITY].\n',
      'agents/a.yaml': agent('', 'extends: ../shared/base.yaml', 'a'),
      'agents/b.yaml': agent('', 'extends: ../shared/base.yaml\ntarget: { query: { targetAccountId: 2 } }', 'b'),
    };
    expect(await placesOf(files)).toEqual(['prompts/desk.md:3:11 prompt-placeholder']);
  });

  test('A finding in a patched text has its place in the patch or, for unchanged lines, in the base.', async () => {
    const base = `apiVersion: agentform/v1\nkind: Agent\nsettings:\n  ${file}\n`;
    const patch = '--- a\n+++ b\n@@ -1,1 +1,2 @@\n First.\n+Open [INSERT HOURS].\n';
    const files = {
      'shared/base.yaml': base,
      'prompts/desk.md': 'First.\n\nWe are in [YOUR CITY].\n',
      'prompts/desk.patch': patch,
      'agents/a.yaml': agent('agentInstructions: { patch: ../prompts/desk.patch }', 'extends: ../shared/base.yaml'),
    };
    const places = ['prompts/desk.md:3:11 prompt-placeholder', 'prompts/desk.patch:5:7 prompt-placeholder'];
    expect(await placesOf(files)).toEqual(places);
  });

  test('A finding in a patch of a patch has its place in the text that contains it.', async () => {
    const base =
      'apiVersion: agentform/v1\nkind: Agent\nsettings:\n  agentInstructions: |\n    One.\n    In [YOUR CITY].\n';
    const over = (path: string) => `{ patch: ../prompts/${path} }`;
    const files = {
      'shared/base.yaml': base,
      'shared/middle.yaml': `apiVersion: agentform/v1\nkind: Agent\nextends: base.yaml\nsettings:\n  agentInstructions: ${over('one.patch')}\n`,
      'prompts/one.patch': '--- a\n+++ b\n@@ -1,1 +1,2 @@\n One.\n+Two [INSERT NAME].\n',
      'prompts/two.patch': '--- a\n+++ b\n@@ -1,1 +1,2 @@\n+Zero [INSERT DATE].\n One.\n',
      'agents/a.yaml': agent(`agentInstructions: ${over('two.patch')}`, 'extends: ../shared/middle.yaml'),
    };
    expect(await placesOf(files)).toEqual([
      'prompts/one.patch:5:6 prompt-placeholder',
      'prompts/two.patch:4:7 prompt-placeholder',
      'shared/base.yaml:6:8 prompt-placeholder',
    ]);
  });

  test('A finding in the value of a variable has its place in the declaration.', async () => {
    const project = projectFile.replace('clinic: Oak Road', 'clinic: "[INSERT NAME]"');
    const files = { 'agentform.yaml': project, 'agents/a.yaml': agent('agentInstructions: Be nice at ${var.clinic}.') };
    const [found] = await problemsOf(files);
    expect(found).toMatchObject({ rule: 'prompt-placeholder', at: { file: 'agentform.yaml', line: 12 } });
    expect(found?.environments).toEqual(['production']);
  });

  test('A variable that differs by environment leaves one warning about the text around it.', async () => {
    const files = { 'agents/a.yaml': agent('agentInstructions: Be nice at ${var.clinic}, open [INSERT HOURS].') };
    expect((await problemsOf(files)).map(problemSentence)).toEqual([
      "'[INSERT HOURS]' is a placeholder that is never filled in; replace it with the actual text",
    ]);
  });
});

test('A fleet of 40 has one warning for its template, and one for each bad cell.', async () => {
  const rows = Array.from(
    { length: 40 },
    (_, index) => `client-${index},City ${index},${index === 7 ? 'TBD' : '9 to 5'}`,
  );
  const files = {
    'agents/fleet.yaml':
      'apiVersion: agentform/v1\nkind: Fleet\nname: clients\ntemplates: [../shared/base.yaml]\nmembers: { file: ../tables/all.csv }\n',
    'tables/all.csv': `name,city,hours\n${rows.join('\n')}\n`,
    'shared/base.yaml': `apiVersion: agentform/v1\nkind: Agent\nsettings:\n  title: "Desk \${var.city}"\n  description: d\n  ${file}\ntarget: { query: { account: "\${var.name}" } }\n`,
    'prompts/desk.md': 'In ${var.city}, open ${var.hours}.\nCall us on [YOUR PHONE].\n',
  };
  const places = await placesOf(files);
  expect(places.filter((place) => !place.includes('prompt-'))).toEqual([]);
  expect(places).toEqual(['prompts/desk.md:2:12 prompt-placeholder', 'tables/all.csv:9:17 prompt-placeholder']);
});

describe('slots in short settings', () => {
  test.each([
    ['a voice', 'agentVoice: REPLACE_WITH_VOICE_ID', '7:15'],
    ['a voice that is nothing else', 'agentVoice: "<voice-id>"', '7:15'],
    ['a model', 'agentModel: your-model-here', '7:15'],
  ])('A slot in a short setting is found in %s.', async (_name, setting, place) => {
    expect(await placesOf({ 'agents/a.yaml': agent(setting) })).toEqual([`agents/a.yaml:${place} prompt-placeholder`]);
  });

  test('A slot in a short setting is found at the declaration of its variable.', async () => {
    const project = projectFile.replace('clinic: Oak Road', 'clinic: CHANGE_ME');
    const files = { 'agentform.yaml': project, 'agents/a.yaml': agent('agentVoice: "${var.clinic}"') };
    expect(await placesOf(files)).toEqual(['agentform.yaml:12:26 prompt-placeholder']);
  });

  test('A slot in a short setting is accepted in a regex, an action or an extra setting.', async () => {
    const actions = 'actions: [ADD_CONTACT, ENTER_PIN]';
    const rest = 'transferRules: { cnamAutoRejectRegex: "^[A-Z]{3}$" }\nextraSettings: { note: "<b>" }';
    expect(await placesOf({ 'agents/a.yaml': agent(actions, rest) })).toEqual([]);
  });
});

describe('invisible characters in short settings', () => {
  test.each([
    ['a voice', agent('agentVoice: An\u200bn'), '7:15 prompt-invisible'],
    ['a title, once', agent('').replace('Desk', '\u202aDesk\u202c'), '5:10 prompt-invisible'],
    ['a title with a Cyrillic letter', agent('').replace('Desk', 'D\u0435sk'), '5:10 prompt-invisible'],
    ['a slug', agent('', 'skills: [{ slug: cal\u00adendar, instructions: Hi }]'), '7:18 prompt-invisible'],
    ['a regex', agent('', 'transferRules: { cnamAutoRejectRegex: sp\u00adam }'), '7:39 prompt-invisible'],
  ])('An invisible character is reported in %s.', async (_name, text, place) => {
    expect(await placesOf({ 'agents/a.yaml': text })).toEqual([`agents/a.yaml:${place}`]);
  });

  test('An invisible character in a variable is reported once for a text and a short setting.', async () => {
    const project = projectFile.replace('Oak Road', 'Oak\u00ad Road');
    const settings = agent('agentVoice: "${var.clinic}"\nagentInstructions: Be nice at ${var.clinic}.');
    const files = { 'agentform.yaml': project, 'agents/a.yaml': settings };
    expect(await placesOf(files)).toEqual(['agentform.yaml:12:29 prompt-invisible']);
  });
});

describe('credentials in short settings', () => {
  const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

  test.each([
    ['a title', agent('').replace('Desk', key), '5:10'],
    ['a voice', agent(`agentVoice: ${key}`), '7:15'],
    ['a link', agent(`links: ["https://example.com/a?access_token=${key}"]`), '7:11'],
  ])('A credential in %s is reported and hidden.', async (_name, text, place) => {
    const project = await makeProject({ 'agents/a.yaml': text });
    const { problems } = await validateProject(project, { env: {}, prompts: 'all' });
    expect(problems.map(({ rule, at }) => `${at?.line}:${at?.column} ${rule}`)).toEqual([`${place} prompt-secret`]);
    expect(JSON.stringify(problems) + project.sourceOf('agents/a.yaml')).not.toContain(key);
  });

  test('A credential in a variable of a short setting is reported at its declaration.', async () => {
    const project = projectFile.replace('Oak Road', key);
    const files = { 'agentform.yaml': project, 'agents/a.yaml': agent('agentVoice: "${var.clinic}"') };
    expect(await placesOf(files)).toEqual(['agentform.yaml:12:26 prompt-secret']);
  });

  test('A credential is not searched for in a regex.', async () => {
    const rules = `transferRules: { cnamAutoRejectRegex: ${key} }`;
    expect(await placesOf({ 'agents/a.yaml': agent('', rules) })).toEqual([]);
  });
});

test('A value that begins with a Markdown mark is put into a line.', async () => {
  const project = projectFile.replace('clinic: Oak Road', 'clinic: "##Oak Road"');
  const files = { 'agentform.yaml': project, 'agents/a.yaml': agent('agentInstructions: Be nice at ${var.clinic}.') };
  expect(await placesOf(files)).toEqual([]);
});

describe('comments that allow a rule', () => {
  const text =
    'Be nice.\n<!-- agentform-allow prompt-placeholder -->\nOpen [INSERT HOURS].\n\nIn [YOUR CITY]. <!-- agentform-allow prompt-placeholder -->\nBye.\n';

  test('An allow comment affects its own line and the next one.', async () => {
    const files = { 'agents/a.yaml': agent(file), 'prompts/desk.md': `${text}\nAt [YOUR ADDRESS].\n` };
    expect(await placesOf(files)).toEqual(['prompts/desk.md:8:4 prompt-placeholder']);
  });

  test('An allow comment affects no other rule.', async () => {
    const other = text.replaceAll('prompt-placeholder', 'prompt-length');
    expect(await placesOf({ 'agents/a.yaml': agent(file), 'prompts/desk.md': other })).toHaveLength(2);
  });

  test('An allow comment is not sent.', async () => {
    const sections = await sectionsOf({ 'agents/a.yaml': agent(file), 'prompts/desk.md': text });
    expect(sections.settings).toMatchObject({
      agentInstructions: 'Be nice.\nOpen [INSERT HOURS].\n\nIn [YOUR CITY].\nBye.',
    });
  });

  test('An allow comment is sent in a setting without instructions.', async () => {
    const title = 'description: "x <!-- agentform-allow prompt-secret -->"';
    const manifest = agent('').replace('  description: d', `  ${title}`);
    const { settings } = await sectionsOf({ 'agents/a.yaml': manifest });
    expect(settings).toMatchObject({ description: 'x <!-- agentform-allow prompt-secret -->' });
  });
});

test('An allow comment in a short setting has no effect, because it is sent.', async () => {
  const setting = 'agentVoice: "REPLACE_WITH_VOICE_ID <!-- agentform-allow prompt-placeholder -->"';
  expect(await placesOf({ 'agents/a.yaml': agent(setting) })).toEqual(['agents/a.yaml:7:15 prompt-placeholder']);
});

describe('levels of prompt checks', () => {
  const files = { 'agents/a.yaml': agent('agentInstructions: Open [INSERT HOURS].') };

  test('A rule that is off finds nothing.', async () => {
    expect(await problemsOf({ ...files, 'agentform.yaml': linting('{ prompt-placeholder: off }') })).toEqual([]);
  });

  test('A rule may be an error, which other commands report as well.', async () => {
    const strict = { ...files, 'agentform.yaml': linting('{ prompt-placeholder: { level: error } }') };
    expect(await problemsOf(strict, { prompts: 'errors' })).toMatchObject([{ severity: 'error' }]);
    expect(await problemsOf(files, { prompts: 'errors' })).toEqual([]);
  });

  test('A limit only applies to a rule that has one.', async () => {
    const long = { ...files, 'agentform.yaml': linting('{ prompt-length: { max: 10 }, prompt-placeholder: off }') };
    expect(await placesOf(long)).toEqual(['agents/a.yaml:7:22 prompt-length']);
    const wrong = makeProject({ 'agentform.yaml': linting('{ prompt-secret: { max: 10 } }') });
    await expect(wrong).rejects.toMatchObject({
      problems: [{ message: 'the lint rule prompt-secret does not support max' }],
    });
  });
});

test('A secret is in no message and in no code frame.', async () => {
  const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const project = await makeProject({
    'agents/a.yaml': agent(file),
    'prompts/desk.md': `Hi [YOUR NAME]\nKey ${key}\n`,
  });
  const { problems } = await validateProject(project, { env: {}, prompts: 'all' });
  expect(problems.map(({ rule }) => rule)).toEqual(['prompt-placeholder', 'prompt-secret']);
  expect(JSON.stringify(problems)).not.toContain(key);
  expect(renderProblems(problems, { color: false, sourceOf: project.sourceOf })).not.toContain(key.slice(4));
});

test('A repeated secret is reported once and shown nowhere.', async () => {
  const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const project = await makeProject({
    'agents/a.yaml': agent(file),
    'prompts/desk.md': `Key ${key}\n\nAgain ${key} at [YOUR CITY]\n`,
  });
  const { problems } = await validateProject(project, { env: {}, prompts: 'all' });
  expect(problems.map(({ rule }) => rule).sort()).toEqual(['prompt-placeholder', 'prompt-secret']);
  expect(renderProblems(problems, { color: false, sourceOf: project.sourceOf })).not.toContain(key.slice(4));
});

test('A text with a secret is checked as it is written.', async () => {
  const files = { 'agents/a.yaml': agent('agentInstructions: "Use ${secret.PIN} at [YOUR CITY]."') };
  expect(await placesOf(files)).toEqual(['agents/a.yaml:7:44 prompt-placeholder']);
});
