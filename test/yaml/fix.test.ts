import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadProject } from '../../src/manifest/project/load-project.ts';
import { validateProject } from '../../src/manifest/resolve/validate-project.ts';
import { type Problem, ProblemsError } from '../../src/yaml/problem.ts';
import { agent, type Files, makeFolder, manifest, projectFile } from '../manifest/temp-project.ts';

async function problemsIn(root: string): Promise<readonly Problem[]> {
  try {
    return (await validateProject(await loadProject(root), { env: {}, prompts: 'all' })).problems;
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
}

/** Another account than that of agents without a target. */
const apart = 'target: { query: { targetAccountId: 2 } }';

/** Applies the edits of the only problem. Returns the changed lines. */
async function settled(files: Files): Promise<readonly string[]> {
  const root = makeFolder(files);
  const [problem, ...others] = await problemsIn(root);
  expect(others).toEqual([]);
  // Facts about a manifest are stored as JSON.
  expect(JSON.parse(JSON.stringify(problem))).toEqual(problem);
  const [fix] = problem?.fixes ?? [];
  const [first] = fix?.edits ?? [];
  if (first === undefined) return [];
  const path = join(root, first.at.file);
  const known = readFileSync(path, 'utf8');
  // Edits are applied from the end, so that no edit moves the place of another edit.
  const edits = [...(fix?.edits ?? [])].sort((one, other) => other.at.offset - one.at.offset);
  const after = edits.reduce((text, { at, text: own }) => text.slice(0, at.offset) + own + text.slice(at.end), known);
  writeFileSync(path, after);
  expect(await problemsIn(root)).toEqual([]);
  return after.split('\n').filter((line) => !known.split('\n').includes(line));
}

const policy = (expression: string) => manifest('Policy', `rules:\n  - { warn: '${expression}', message: No. }`);

test.each<[string, Files, string]>([
  ['a misspelt key', { 'agents/a.yaml': agent('timezon: Europe/Berlin') }, '  timezone: Europe/Berlin'],
  ['a misspelt key in quotes', { 'agents/a.yaml': agent('"timezon": Europe/Berlin') }, '  "timezone": Europe/Berlin'],
  ['a value in the wrong case', { 'agents/a.yaml': agent('agentLang: en-us') }, '  agentLang: en-US'],
  ['a value in quotes', { 'agents/a.yaml': agent("agentLang: 'en-us'") }, '  agentLang: "en-US"'],
  ['a time zone', { 'agents/a.yaml': agent('timezone: Europe/Berln') }, '  timezone: Europe/Berlin'],
  ['a number for a text', { 'agents/a.yaml': agent('agentVoice: 5') }, '  agentVoice: "5"'],
  ['a quoted boolean', { 'agents/a.yaml': agent('noConvoHistory: "true"') }, '  noConvoHistory: true'],
  ['a quoted number', { 'agents/a.yaml': agent("waitOnAnswer: '500'") }, '  waitOnAnswer: 500'],
  [
    'a destination with blanks',
    { 'agents/a.yaml': agent('', 'transferRules: { cnamAutoTransferRegex: VIP, cnamAutoTransferDestination: ext 5 }') },
    'transferRules: { cnamAutoTransferRegex: VIP, cnamAutoTransferDestination: ext:5 }',
  ],
  [
    'a misspelt variable inside a text',
    { 'agents/a.yaml': agent('welcomeMessage: Hi from ${var.clinik}, hi') },
    '  welcomeMessage: Hi from ${var.clinic}, hi',
  ],
  [
    'the name of an included file',
    { 'agents/a.yaml': agent('agentInstructions: { file: ../prompts/dsk.md }'), 'prompts/desk.md': 'Be kind.\n' },
    '  agentInstructions: { file: ../prompts/desk.md }',
  ],
  [
    'the name of a base',
    { 'agents/a.yaml': agent('', 'extends: ../bse.yaml'), 'base.yaml': 'apiVersion: agentform/v1\nkind: Agent\n' },
    'extends: ../base.yaml',
  ],
  [
    'the name of an environment',
    { 'agents/a.yaml': agent('', 'onlyIn: [producton]\ntarget: {}').replace('target: {}\n', '') },
    'onlyIn: [production]',
  ],
  [
    'the default environment',
    { 'agentform.yaml': projectFile.replace('Environment: local', 'Environment: locl'), 'agents/a.yaml': agent('') },
    'defaultEnvironment: local',
  ],
  [
    'a member in the expression of a policy',
    { 'agents/a.yaml': agent(''), 'agents/p.yaml': policy('desired.settings.titel == "x"') },
    `  - { warn: 'desired.settings.title == "x"', message: No. }`,
  ],
  [
    'a file that no pattern matches, in a list of one line',
    { 'agents/a.yaml': agent(''), 'more/b.yaml': agent('', apart, 'other') },
    'manifests: ["agents/**/*.yaml", "more/**/*.yaml"]',
  ],
  [
    'a file that no pattern matches, in a list of several lines',
    {
      'agentform.yaml': projectFile.replace('["agents/**/*.yaml"]', '\n  - agents/**/*.yaml # all'),
      'agents/a.yaml': agent(''),
      'more/b.yaml': agent('', apart, 'other'),
    },
    '  - "more/**/*.yaml"',
  ],
  [
    'a variable without braces in a setting',
    { 'agents/a.yaml': agent('welcomeMessage: Hi from $var.clinic, hi') },
    '  welcomeMessage: Hi from ${var.clinic}, hi',
  ],
  [
    'a variable in the wrong brackets in a file',
    { 'agents/a.yaml': agent('agentInstructions: { file: ../a.md }'), 'a.md': 'Be kind.\nAnswer for {var.clinic}.\n' },
    'Answer for ${var.clinic}.',
  ],
  [
    'a secret with a misspelt word',
    { 'agents/a.yaml': agent('welcomeMessage: Your code is ${secrets.CODE}, bye') },
    '  welcomeMessage: Your code is ${secret.CODE}, bye',
  ],
  [
    'a secret as in a GitHub workflow',
    { 'agents/a.yaml': agent('agentVoice: Ann ${{ secrets.CODE }}') },
    '  agentVoice: Ann ${secret.CODE}',
  ],
  [
    'a variable with a colon',
    { 'agents/a.yaml': agent('agentVoice: Ann ${vars:clinic}') },
    '  agentVoice: Ann ${var.clinic}',
  ],
  [
    'a variable without braces in a short setting',
    { 'agents/a.yaml': agent('agentVoice: $var.clinic voice') },
    '  agentVoice: ${var.clinic} voice',
  ],
  [
    'a misspelt rule in a comment of a prompt',
    {
      'agents/a.yaml': agent('agentInstructions: { file: ../a.md }'),
      'a.md': 'Open at 9. <!-- agentform-allow prompt-secre -->\n',
    },
    'Open at 9. <!-- agentform-allow prompt-secret -->',
  ],
  [
    'a finding in a prompt',
    { 'agents/a.yaml': agent('agentInstructions: { file: ../a.md }'), 'a.md': 'Open [INSERT HOURS].\r\nBe kind.\r\n' },
    'Open [INSERT HOURS]. <!-- agentform-allow prompt-placeholder -->\r',
  ],
  [
    'a finding in a text in quotes',
    { 'agents/a.yaml': agent('agentInstructions: "Be kind. [INSERT HOURS]"') },
    '  agentInstructions: "Be kind. [INSERT HOURS] <!-- agentform-allow prompt-placeholder -->"',
  ],
])('The suggested edits fix the problem of %s.', async (_case, files, line) => {
  expect(await settled(files)).toEqual([line]);
});

const moves: readonly [string, Files, readonly string[]][] = [
  [
    'of another section',
    { 'agents/a.yaml': agent('confirmTransfers: true # asked', 'transferRules:\n    cnamAutoRejectRegex: Spam') },
    [' # asked', '    confirmTransfers: true'],
  ],
  [
    'whose section is not there yet',
    { 'agents/a.yaml': agent('', 'confirmTransfers: true') },
    ['transferRules:', '  confirmTransfers: true'],
  ],
  [
    'of the top level',
    { 'agents/a.yaml': agent("skills: [{ slug: calendar, instructions: 'Book.' }]") },
    ["skills: [{ slug: calendar, instructions: 'Book.' }]"],
  ],
  [
    'in a file with Windows line breaks',
    { 'agents/a.yaml': agent('', 'agentVoice: x').replaceAll('\n', '\r\n') },
    ['  agentVoice: x\r', '\r'],
  ],
];

test.each(moves)('The suggested edits move a setting %s.', async (_case, files, lines) => {
  expect(await settled(files)).toEqual(lines);
});

test.each([
  ['of several lines', agent('skills:\n  - slug: calendar\n    instructions: Book.')],
  ['in braces', agent('', 'backgroundAudio: { url: https://a.example/a.mp3, confirmTransfers: true }')],
  [
    'in an overlay',
    agent('', 'environments:\n  local:\n    settings:\n      confirmTransfers: true\n      title: Desk'),
  ],
  ['that is alone in its section', agent('', 'transferRules:\n  agentVoice: x')],
])('A setting %s that belongs to another section is reported without edits.', async (_case, text) => {
  const problems = await problemsIn(makeFolder({ 'agents/a.yaml': text }));
  expect(problems.map(({ rule, fixes }) => [rule, fixes?.map(({ action, edits }) => [action, edits])])).toEqual([
    ['unknown-key', [['move', []]]],
  ]);
});

test('A possible credential is not moved, because the edit would repeat it.', async () => {
  const text = agent('token: xK9$mQ2vLp8z', 'transferRules:\n  confirmTransfers: true');
  const problems = await problemsIn(makeFolder({ 'agents/a.yaml': text }));
  expect(JSON.stringify(problems)).not.toContain('xK9');
});

test('A suggestion for a text from a variable has no edit, because the reference would be lost.', async () => {
  const project = projectFile
    .replaceAll('clinic: Elm Street', 'zone: Europe/Berln')
    .replace('clinic: Oak Road', 'zone: Europe/Berln');
  const root = makeFolder({ 'agentform.yaml': project, 'agents/a.yaml': agent('timezone: ${var.zone}') });
  expect((await problemsIn(root)).map(({ fixes }) => fixes)).toEqual([
    [{ action: 'replace', text: 'Europe/Berlin', edits: [] }],
  ]);
});

test('A missing brace in braces is reported without edits, because the reference would need quotes.', async () => {
  const text = agent('', 'skills: [{ slug: book, instructions: Book for $var.clinic }]');
  expect((await problemsIn(makeFolder({ 'agents/a.yaml': text }))).map(({ fixes }) => fixes?.[0])).toEqual([
    { action: 'write', text: '${var.clinic}', edits: [] },
  ]);
});

test('Problems of two environments with different suggestions stay separate.', async () => {
  const project = projectFile.replace('clinic: Oak Road', 'clinics: Oak Road');
  const root = makeFolder({ 'agentform.yaml': project, 'agents/a.yaml': agent('welcomeMessage: ${var.clinicss}') });
  expect((await problemsIn(root)).map(({ fixes, environments }) => [fixes?.[0]?.text, environments])).toEqual([
    ['clinic', ['local']],
    ['clinics', ['production']],
  ]);
});

test('A possible credential is neither shown nor corrected.', async () => {
  const root = makeFolder({
    'agents/a.yaml': agent(
      'agentInstructions: The password is xK9$mQ2vLp8z and [INSERT HOURS].',
      'target: { query: { token: 5 } }',
    ),
  });
  for (const { rule, hideSource, found, fixes } of await problemsIn(root)) {
    if (hideSource)
      expect([rule, found, fixes?.filter(({ action }) => action !== 'allow') ?? []]).toEqual([rule, undefined, []]);
  }
});
