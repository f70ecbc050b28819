import { expect, test } from '@jest/globals';
import { TextFiles, type TextSetting } from '../../../src/commands/import/manifest/text-files.ts';
import { fieldsByKind } from '../../../src/schemas/fields.ts';

const fieldNamed = (wanted: string) => {
  const field = fieldsByKind.Agent.find(({ name }) => name === wanted);
  if (field === undefined) throw new Error(`no field ${wanted}`);
  return field;
};
const skill = (key: string): TextSetting => ({ field: fieldNamed('skills'), key, member: 'instructions' });
const filesOfDesk = () => new TextFiles({ name: 'desk', path: 'agents/desk.yaml' });

test.each([
  ['CON', 'con-text'],
  ['nul', 'nul-text'],
  ['Aux!', 'aux-text'],
  ['lpt9', 'lpt9-text'],
  ['console', 'console'],
  [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
  ['-', 'unnamed'],
])('The text of the skill %j gets a file name that every file system allows.', (key, name) => {
  expect(filesOfDesk().add(skill(key), 'text')).toBe(`../prompts/desk/skills/${name}.md`);
});

test('Thousands of texts with the same file name get numbers, and each needs only a few look-ups.', () => {
  const files = filesOfDesk();
  let lookUps = 0;
  const has = files.texts.has.bind(files.texts);
  files.texts.has = (path) => {
    lookUps += 1;
    return has(path);
  };
  const paths = Array.from({ length: 3000 }, (_, index) => files.add(skill('?'.repeat(index + 1)), 'text'));
  expect([paths[0], paths[1], paths[2], paths.at(-1)]).toEqual([
    '../prompts/desk/skills/unnamed.md',
    '../prompts/desk/skills/unnamed-instructions.md',
    '../prompts/desk/skills/unnamed-instructions-2.md',
    '../prompts/desk/skills/unnamed-instructions-2999.md',
  ]);
  expect(lookUps).toBeLessThan(4 * paths.length);
});
