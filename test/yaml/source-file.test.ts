import { expect, test } from '@jest/globals';
import { SourceFile } from '../../src/yaml/source-file.ts';

test('A source file masks literal credentials and every hidden part, even one hidden later.', () => {
  const file = new SourceFile('a.yaml', 'title: Wörld\nnote: hush hush\ntoken: abcdef123456\n');
  file.hide(file.span(20, 24));
  expect(file.shown()).toBe('title: Wörld\nnote: h*** hush\ntoken: ************\n');
  file.hide(file.span(13, 17));
  expect(file.shown()).toBe('title: Wörld\n****: h*** hush\ntoken: ************\n');
  expect(file.span(13, 17)).toEqual({ file: 'a.yaml', line: 2, column: 1, offset: 13, end: 17 });
});
