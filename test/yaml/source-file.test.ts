import { expect, test } from '@jest/globals';
import { mostManifests } from '../../src/json/packed.ts';
import { projectTexts, SourceFile } from '../../src/yaml/source-file.ts';

test('a text that was packed has its places, and what was hidden stays masked', () => {
  const texts = projectTexts();
  const file = new SourceFile('a.yaml', 'title: Wörld\nnote: hush hush\ntoken: abcdef123456\n');
  file.keepIn(texts);
  file.hide(file.span(20, 24));
  const before = [file.text, file.span(27, 31), file.shown()];
  for (let index = 0; index < 2 * mostManifests + 300; index++) {
    new SourceFile(`${index}.yaml`, `title: Front desk ${index}\n`).keepIn(texts);
  }
  expect([file.text, file.span(27, 31), file.shown()]).toEqual(before);
  expect(file.shown()).toBe('title: Wörld\nnote: h*** hush\ntoken: ************\n');
  file.hide(file.span(13, 17));
  expect(file.shown()).toBe('title: Wörld\n****: h*** hush\ntoken: ************\n');
});
