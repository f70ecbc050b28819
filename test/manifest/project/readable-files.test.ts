import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { validateProject } from '../../../src/manifest/resolve/validate-project.ts';
import { agent, makeFolder, show } from '../temp-project.ts';

const secret = '//registry.example/:_authToken=npm_S3cret\n';
const reading = (file: string) => agent(`settings: { title: { file: ${file} }, description: d }`);

test.each([
  ['a manifest', reading('../.npmrc')],
  ['a link', reading('../notes.md')],
  ['a base', `extends: ../.npmrc\n${agent('')}`],
])('A file that must not be read is not read through %s.', async (_, manifest) => {
  const root = makeFolder({ 'agents/desk.yaml': manifest });
  writeFileSync(join(root, '.npmrc'), secret);
  symlinkSync('.npmrc', join(root, 'notes.md'));
  const paths = new Set(['agentform.yaml', 'agents/desk.yaml', 'notes.md']);
  const project = await loadProject(root, { readable: { paths, otherwise: 'is not tracked' } });
  const problems = (await validateProject(project, { env: {} })).problems.map(show).join('\n');
  expect(problems).toContain('is not tracked');
  expect(problems).not.toContain('npm_S3cret');
});

test('A Git LFS pointer is refused as a prompt.', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n';
  const root = makeFolder({ 'agents/desk.yaml': reading('../prompt.md'), 'prompt.md': pointer });
  const { problems } = await validateProject(await loadProject(root), { env: {} });
  expect(problems.map(show).join('\n')).toContain('is a Git LFS pointer, not the text itself: run `git lfs pull`');
});
