import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../src/manifest/project/load-project.ts';
import { resolveProject } from '../../src/manifest/resolve/resolve-project.ts';
import { validateProject } from '../../src/manifest/resolve/validate-project.ts';
import { maxCharacters } from '../../src/manifest/resolve/values/value-resolver.ts';
import { renderProblems } from '../../src/report/problems/problems-text.ts';
import { createServiceClient } from '../../src/service/client.ts';
import type { Problem } from '../../src/yaml/problem.ts';
import { connectionTo, serve } from '../service/loopback.ts';
import { agent, type Files, makeFolder, makeProject, projectFile, show } from './temp-project.ts';

/** The maximum processor time for validation, in microseconds. */
const maxTime = 25_000_000;

/** Validates within the time limit. Checks that every problem has a place and is rendered in time. */
async function problemsOf(files: Files, env: Readonly<Record<string, string>> = {}): Promise<readonly Problem[]> {
  const start = process.cpuUsage();
  const project = await makeProject(files);
  const { problems } = await validateProject(project, { env });
  renderProblems(problems, { color: false, sourceOf: project.sourceOf });
  const { user, system } = process.cpuUsage(start);
  expect(user + system).toBeLessThan(maxTime);
  expect(problems.every(({ at }) => at !== undefined)).toBe(true);
  return problems;
}

const said = async (files: Files, env: Readonly<Record<string, string>> = {}): Promise<string[]> => [
  ...new Set((await problemsOf(files, env)).map(show)),
];

const ofAgent = (settings: string, rest = '') => said({ 'agents/a.yaml': agent(settings, rest) });

describe('hostile regexes', () => {
  const regex = (text: string) => ofAgent('', `transferRules: { cnamAutoRejectRegex: ${JSON.stringify(text)} }`);
  const unproven = 'the check could not rule out catastrophic backtracking in this regex; write a simpler regex';

  test.each<[string, string]>([
    ['of 200 nested groups', `${'('.repeat(200)}a${')'.repeat(200)}*`],
    ['of 5,000 nested groups', `${'('.repeat(5000)}a${')'.repeat(5000)}*`],
    ['of 5,000 groups', '(a)*'.repeat(5000)],
    ['that is long', `(a)*${'b'.repeat(100_000)}`],
  ])('A regex %s is a problem at its line.', async (_name, text) => {
    expect(await regex(text)).toEqual([expect.stringMatching(`^agents/a.yaml:7:39 .*${unproven}`)]);
  });
});

describe('many references in one text', () => {
  test.each<[string, string]>([
    ['60,000 unresolved', '${var.x} '.repeat(60_000)],
    [
      '60,000 unresolved of different names',
      Array.from({ length: 60_000 }, (_, index) => `\${var.x${index}}`).join(''),
    ],
    ['150,000 unclosed', '${var.'.repeat(150_000)],
  ])('Many references in one text are reported up to a hundred: %s', async (_name, text) => {
    const found = await ofAgent(`agentInstructions: "${text}"`);
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatch(
      /^agents\/a.yaml:7:\d+ there are more problems in this file; the first 100 are shown$/,
    );
  });

  test('Escaped references that cannot be located are reported at the value.', async () => {
    const values = Array.from({ length: 5000 }, () => '"\\x24{var.x}"').join(', ');
    expect((await ofAgent(`links: [${values}]`))[0]).toMatch(/^agents\/a.yaml:7:11 the variable 'x' has no value/);
  });
});

describe('the size of resolved values', () => {
  const large = (size: number) =>
    projectFile
      .replaceAll('clinic: Elm Street', `clinic: ${'v'.repeat(size)}`)
      .replaceAll('clinic: Oak Road', 'clinic: x');

  test('A text that becomes too large is reported at its place.', async () => {
    const text = '${var.clinic}'.repeat(2000);
    const files = { 'agentform.yaml': large(900_000), 'agents/a.yaml': agent(`agentInstructions: "${text}"`) };
    expect(await said(files)).toEqual([
      'agents/a.yaml:7:22 the text would have 1,800,000,000 characters after all references are resolved; at most 1,048,576 are allowed (in the environment local)',
    ]);
    const unresolved = { ...files, 'agents/a.yaml': agent(`agentInstructions: "${text}\${var.none}"`) };
    expect((await said(unresolved)).join()).toContain('the text would have 1,800,000,011 characters');
  });

  test('A manifest that becomes too large is reported at the text that exceeds the limit.', async () => {
    const list = Array.from({ length: 2000 }, () => '"${var.clinic}"').join(', ');
    const files = { 'agentform.yaml': large(900_000), 'agents/a.yaml': agent(`links: [${list}]`) };
    expect((await said(files)).join()).toMatch(
      /agents\/a.yaml:7:\d+ the texts of the manifest would have 17,100,000 characters after all references are resolved; at most 16,777,216/,
    );
  });

  test('A manifest whose texts are too large in total is reported at its longest text.', async () => {
    const at = (size: number) => ({
      'agentform.yaml': large(600_000),
      'agents/a.yaml': agent(`publicInstructions: ${'x'.repeat(449_000 - size)}\nagentInstructions: "\${var.clinic}"`),
    });
    expect((await said(at(0))).join()).toMatch(
      /^agents\/a.yaml:8:22 the texts of the manifest would have 1,049,\d{3} characters after all references are resolved; at most 1,048,576 are allowed/,
    );
    expect(await said(at(1_000))).toEqual([]);
  });

  test('An agent with the largest allowed texts can be read back, no matter how JSON escapes them.', async () => {
    const text = '語'.repeat(maxCharacters.text);
    const escaped = JSON.stringify({ campaign: { id: 'camp_1', agentInstructions: text } }).replaceAll('語', '\\u8a9e');
    const server = await serve((response) => response.end(escaped));
    const service = createServiceClient();
    expect(await service.getAgent(connectionTo(server.baseUrl), 'camp_1')).toMatchObject({ agentInstructions: text });
    await service.close();
    await server.close();
  });

  test('The limits allow ten thousand agents with texts of ten thousand characters.', () => {
    expect(maxCharacters.all).toBeGreaterThan(10_000 * 10_000);
    expect(maxCharacters.ofEach).toBeGreaterThan(8_000);
  });

  test('A project that becomes too large is reported at the text that exceeds the limit.', async () => {
    const text = '"${var.clinic}"';
    const files = Array.from({ length: 140 }, (_, index) => [
      `agents/${index}.yaml`,
      agent(`agentInstructions: ${text}\npublicInstructions: ${text}`, '', `a${index}`),
    ]);
    const all = { 'agentform.yaml': large(500_000), ...Object.fromEntries(files) };
    expect((await said(all)).join()).toContain('all texts would have ');
    // A run with secret values resolves manifests with errors again.
    const project = await makeProject(all);
    const [environment = ''] = project.environments;
    const options = { environment, secrets: 'values', env: {}, allowedSecrets: undefined } as const;
    const { problems } = await resolveProject(project, options);
    expect(problems.map(show).join()).toContain('all texts would have ');
  });
});

describe('hostile YAML', () => {
  const members = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: 1`).join(', ');
  const tooMuch = 'agents/a.yaml:1:1 the file has more than 20,000 values, including those of aliases and merge keys';

  test.each<[string, string]>([
    ['200,000 merge keys', `a: &a {}\nb: { <<: [${'*a,'.repeat(200_000)}] }`],
    ['many merge keys of a large map', `a: &a {${members(1000)}}\nb:\n${'  <<: *a\n'.repeat(20_000)}`],
  ])('YAML with %s is refused.', async (_name, text) => {
    expect(await said({ 'agents/a.yaml': text })).toContain(tooMuch);
  });

  test('YAML that nests deeply through aliases is refused.', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, index) => `a${index}: &a${index} [${index === 0 ? 1 : `*a${index - 1}`}]`,
    );
    expect((await said({ 'agents/a.yaml': lines.join('\n') })).join()).toContain(
      'values are nested more than 64 levels deep',
    );
  });

  test.each<[string, string]>([
    ['unknown keys', `x: {${members(18_000)}}`],
    ['unknown settings', `x: 1\nsettings: {${members(18_000)}}`],
    ['items of another type', `settings: { title: T, description: d, links: [${'1,'.repeat(18_000)}] }`],
    ['values that look like credentials', `settings: {${members(10_000).replaceAll('k', 'apiKey')}}`],
    ['environments that do not exist', `settings: { title: T }\nenvironments: {${members(18_000)}}`],
    ['a key that is long', `settings: { ${'k'.repeat(900_000)}: 1 }`],
    ['keys that are there twice', `settings: {${'a: 1, '.repeat(60_000)}}`],
  ])('YAML with %s ends in problems.', async (_name, text) => {
    const found = await said({ 'agents/a.yaml': `apiVersion: agentform/v1\nkind: Agent\nname: a\n${text}\n` });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(103);
    expect(Math.max(...found.map((one) => one.length))).toBeLessThan(2000);
  });
});

describe('a project', () => {
  test('A project of more than 100 environments is refused.', async () => {
    const names = Array.from({ length: 4000 }, (_, index) => `  e${index}: { baseUrl: emulator }\n`);
    const root = makeFolder({ 'agentform.yaml': projectFile + names.join('') });
    await expect(loadProject(root)).rejects.toMatchObject({
      problems: [expect.objectContaining({ message: 'there are 4002 environments; at most 100 are allowed' })],
    });
  });

  test('A project whose bases extend one another without end is refused.', async () => {
    const base = (index: number) => `apiVersion: agentform/v1\nkind: Agent\nextends: ${index + 1}.yaml\n`;
    const bases = Array.from({ length: 2000 }, (_, index) => [`shared/${index}.yaml`, base(index)]);
    const files = { ...Object.fromEntries(bases), 'agents/a.yaml': agent('', 'extends: ../shared/0.yaml') };
    expect(await said(files)).toContain('shared/19.yaml:3:10 the chain of bases has more than 20 files');
  });
});
