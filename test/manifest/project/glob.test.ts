import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Glob, parseGlob } from '../../../src/manifest/project/glob.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { matchesWildcard, parseWildcard } from '../../../src/text/wildcard.ts';
import { processorMs } from '../../support/processor.ts';
import { agent, makeFolder, show } from '../temp-project.ts';

describe('glob patterns', () => {
  test.each<[string, string[], string[]]>([
    ['agents/*.yaml', ['agents/a.yaml', 'agents/x.y.yaml'], ['agents/b/a.yaml', 'a.yaml', 'agents/.a.yaml']],
    ['./agents//*.yaml', ['agents/a.yaml'], ['a.yaml']],
    ['agents/**/*.yaml', ['agents/a.yaml', 'agents/b/c/a.yaml'], ['agents/.b/a.yaml', 'other/a.yaml']],
    ['**', ['a', 'b/c'], ['.a', '.b/c', 'b/.c']],
    ['**/b/**/d', ['b/d', 'a/b/c/d', 'b/b/b/d'], ['a/d', 'b/dd']],
    ['.a/.b*', ['.a/.b', '.a/.bc'], ['a/.b']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['a?c', ['abc', 'aéc', 'a😀c'], ['ac', 'a/c']],
    ['[a-c][!x]', ['ay', 'c-'], ['ax', 'dy', 'a']],
    ['[]a][^]b]', ['ac', ']a'], ['a]', 'ab', 'bc']],
    ['{a,b/c}/{x,y*}.yaml', ['a/x.yaml', 'b/c/yy.yaml'], ['b/x.yaml', 'a/z.yaml']],
    ['a{,b}', ['a', 'ab'], ['abb']],
    ['\\*\\{\\(a\\)', ['*{(a)'], ['x{(a)']],
    ['a|b+@!$^', ['a|b+@!$^'], ['a', 'b']],
  ])('The pattern %s matches the expected files and no others.', (pattern, matching, others) => {
    expect(parseGlob(pattern).problem).toBeUndefined();
    const glob = new Glob(pattern);
    for (const path of matching) expect([path, glob.matches(path)]).toEqual([path, true]);
    for (const path of others) expect([path, glob.matches(path)]).toEqual([path, false]);
  });

  test.each([
    ['agents/(a+)+b.yaml', 'has a group'],
    ['agents/!(a|b).yaml', 'has a group'],
    ['('.repeat(500), 'has a group'],
    ['('.repeat(20_000), 'has 20000 characters'],
    ['{a,{b,c}}', 'has nested braces'],
    ['{1..9}', 'has braces without a comma'],
    ['{a,b', 'has an unclosed brace'],
    ['a}', 'has an unmatched closing brace'],
    ['{a,b}'.repeat(7), 'has more than 100 alternatives'],
  ])('The pattern %s is refused.', (pattern, problem) => expect(parseGlob(pattern).problem).toContain(problem));

  test.each([
    ['ten stars in a row', `${'*a'.repeat(10)}*b`, 'a'.repeat(250)],
    ['as many stars as fit', `${'*a'.repeat(400)}b`, 'a'.repeat(4000)],
    ['as many folders as fit', `${'**/a/'.repeat(190)}b`, Array(2000).fill('a').join('/')],
    ['alternatives', `${'{a,*}'.repeat(6)}b`, 'a'.repeat(4000)],
  ])('A pattern is matched in bounded time: %s.', (_name, pattern, path) => {
    expect(parseGlob(pattern).problem).toBeUndefined();
    const glob = new Glob(pattern);
    const start = processorMs();
    expect(glob.matches(path)).toBe(false);
    expect(processorMs() - start).toBeLessThan(1000);
  });
});

test('Names on the command line are matched in bounded time.', () => {
  const tokens = parseWildcard('*a'.repeat(50_000));
  const start = processorMs();
  for (let count = 0; count < 1000; count += 1) {
    expect(matchesWildcard(tokens, 'Agent/aaaaaaaaaaaaaaaaaaaab')).toBe(false);
  }
  expect(processorMs() - start).toBeLessThan(2000);
});

const projectWith = (...patterns: string[]) =>
  `apiVersion: agentform/v1\nkind: Project\nmanifests: ${JSON.stringify(patterns)}\nenvironments: { local: { baseUrl: emulator } }\n`;

describe('the manifests of a project', () => {
  test('An invalid pattern is refused at its place.', async () => {
    const root = makeFolder({ 'agentform.yaml': projectWith('agents/(a+)+b.yaml'), [`agents/${'a'.repeat(60)}`]: '' });
    await expect(loadProject(root)).rejects.toMatchObject({
      problems: [
        {
          rule: 'pattern',
          message: expect.stringContaining("the pattern 'agents/(a+)+b.yaml' has a group; write alternatives as {a,b}"),
          at: { file: 'agentform.yaml', line: 3, column: 13 },
        },
      ],
    });
    const many = makeFolder({ 'agentform.yaml': projectWith(...Array(101).fill('a')) });
    await expect(loadProject(many)).rejects.toMatchObject({
      problems: [expect.objectContaining({ message: 'there are 101 patterns; at most 100 are allowed' })],
    });
  });

  test('The patterns of a project have at most 500 alternatives in braces together.', async () => {
    const patterns = Array.from({ length: 8 }, (_, index) => `${'{a,*}'.repeat(6)}${index}`);
    const root = makeFolder({ 'agentform.yaml': projectWith(...patterns) });
    await expect(loadProject(root)).rejects.toMatchObject({
      problems: [
        {
          rule: 'pattern',
          message: 'the patterns up to this one have more than 500 alternatives in braces; write fewer',
          at: { file: 'agentform.yaml', line: 3 },
        },
      ],
    });
  });

  test('The search for manifests follows links, visits each folder once, and skips circles and dangling links.', async () => {
    const files = { 'agents/a.yaml': agent(''), 'kept/b.yaml': agent('', '', 'b') };
    const root = makeFolder({ 'agentform.yaml': projectWith('**/*.yaml'), ...files });
    symlinkSync('..', join(root, 'agents/up'));
    symlinkSync('agents', join(root, 'again'));
    symlinkSync('nowhere', join(root, 'none'));
    symlinkSync('self', join(root, 'self'));
    for (let level = 0; level < 40; level += 1) {
      mkdirSync(join(root, 'many', String(level)), { recursive: true });
      for (const name of ['x', 'y']) symlinkSync(`../${level + 1}`, join(root, 'many', String(level), name));
    }
    const { manifests, problems } = await loadProject(root);
    expect(manifests).toEqual(['agents/a.yaml', 'kept/b.yaml']);
    expect(problems).toEqual([]);
  });

  test('The search for manifests does not leave the project folder.', async () => {
    const root = makeFolder({ 'agentform.yaml': projectWith('agents/**/*.yaml'), 'agents/a.yaml': agent('') });
    symlinkSync('/', join(root, 'agents/everything'));
    const { problems } = await loadProject(root);
    expect(problems.map(show)).toEqual([
      "agentform.yaml:3:13 the pattern 'agents/**/*.yaml' covers the folder 'agents/everything', which cannot be searched: it is a link that leads outside the project folder",
    ]);
  });

  test('The search for manifests leaves out a folder that a pattern with ! excludes.', async () => {
    const root = makeFolder({
      'agentform.yaml': projectWith('agents/**/*.yaml', '!agents/old'),
      'agents/a.yaml': agent(''),
      'agents/old/b.yaml': agent('', '', 'b'),
    });
    expect((await loadProject(root)).manifests).toEqual(['agents/a.yaml']);
  });

  test('A manifest path that is not a regular file is an error.', async () => {
    const root = makeFolder({ 'agentform.yaml': projectWith('agents/**/*.yaml'), 'agents/a.yaml': agent('') });
    execFileSync('mkfifo', [join(root, 'agents/pipe.yaml')]);
    symlinkSync('/dev/null', join(root, 'agents/device.yaml'));
    symlinkSync('../gone.yaml', join(root, 'agents/dangling.yaml'));
    symlinkSync('loop-back.yaml', join(root, 'agents/loop.yaml'));
    symlinkSync('loop.yaml', join(root, 'agents/loop-back.yaml'));
    const { problems } = await validateProject(await loadProject(root), { env: {} });
    expect(problems.map(({ severity }) => severity)).toEqual(problems.map(() => 'error'));
    expect(problems.map(show)).toEqual([
      "agents/dangling.yaml:1:1 the manifest is a link to '../gone.yaml', which does not exist",
      'agents/device.yaml:1:1 the manifest is a link that leads outside the project folder',
      'agents/loop-back.yaml:1:1 the manifest is a link to itself, directly or through other links',
      'agents/loop.yaml:1:1 the manifest is a link to itself, directly or through other links',
      'agents/pipe.yaml:1:1 the manifest is not a regular file',
    ]);
  });
});
