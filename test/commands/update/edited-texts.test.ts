import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { editedTexts, type FileEdit, invalidEdits } from '../../../src/commands/update/edited-texts.ts';
import { ProjectFiles, yamlLimit } from '../../../src/manifest/project/project-files.ts';
import { YamlEditor } from '../../../src/yaml/edit/yaml-editor.ts';

const names = Array.from({ length: 40 }, (_, index) => `m${index}`);
const text = names.map((name) => `${name}: x\n`).join('');
let root: string;
let files: ProjectFiles;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-edits-'));
  await writeFile(join(root, 'a.yaml'), text);
  files = new ProjectFiles(root);
  files.read('a.yaml', yamlLimit);
});
afterAll(() => rm(root, { recursive: true, force: true }));

function editsOf(name: string, value: string): FileEdit[] {
  const edit = new YamlEditor(text).set([name], value);
  if (edit === undefined) throw new Error('there was no way to write it');
  return [{ file: 'a.yaml', ...edit }];
}

/** Returns an edit that does not produce the value that it claims to produce. */
function wrong(name: string, written: string): FileEdit[] {
  return editsOf(name, 'y').map((edit) => ({
    ...edit,
    splices: edit.splices.map((one) => ({ ...one, text: written })),
  }));
}

test('Any number of edits is accepted if each gives the wanted value.', () => {
  expect(
    invalidEdits(
      files,
      names.map((name) => editsOf(name, `${name}!`)),
    ),
  ).toEqual(new Set());
});

test.each([
  ['another value', 'z'],
  ['a file that is no longer valid YAML', '[ {'],
])('The edits that lead to %s are found among the others.', (_name, written) => {
  const all = names.map((name) => (['m3', 'm30'].includes(name) ? wrong(name, written) : editsOf(name, 'y')));
  expect(invalidEdits(files, all)).toEqual(new Set([all[3], all[30]]));
});

test('Two contradictory edits of one place are both reported, and equal edits count once.', () => {
  const [one, other] = [editsOf('m1', 'y'), editsOf('m1', 'z')];
  expect(editedTexts(files, [...one, ...other]).clashes).toEqual([[one[0], other[0]]]);
  const twice = editedTexts(files, [...one, ...editsOf('m1', 'y')]);
  expect(twice.clashes).toEqual([]);
  expect(twice.texts.get('a.yaml')).toBe(text.replace('m1: x', 'm1: "y"'));
});
