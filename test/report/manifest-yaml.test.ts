import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { renderManifestsYaml } from '../../src/report/manifest-yaml.ts';
import { visible } from '../../src/text/visible.ts';

test('A text with CRLF is a block with a comment, and other texts are unchanged.', () => {
  const settings = {
    all: '# Desk\r\n\r\nBe kind.',
    some: 'One\r\nTwo\n',
    lone: 'a\rb\r\nc',
    line: 'x\r\n',
    lf: 'x\ny\n',
  };
  const text = renderManifestsYaml({ written: [{ settings }] });
  expect(text).toBe(`settings:
  all: |- # lines end with CRLF
    # Desk

    Be kind.
  some: | # some lines end with CRLF
    One
    Two
  lone: "a\\rb\\r\\nc"
  line: | # lines end with CRLF
    x
  lf: |
    x
    y
`);
  expect(parse(text)).toMatchObject({ settings: { all: '# Desk\n\nBe kind.', some: 'One\nTwo\n', line: 'x\n' } });
});

test('A text with invisible characters is quoted, and its escapes are read as these characters.', () => {
  const settings = {
    block: 'One\u2028two\u200b.\nThree.\n',
    tag: 'a\u{e0041}b\u0085c\u001b',
    'key\u200b': 'x\ud800',
    thai: 'ไทย\u200bไทย',
    crlf: 'a\u200b\r\nb\r\n',
  };
  const text = renderManifestsYaml({ written: [{ settings }] });
  expect(visible(text)).toBe(text);
  expect(parse(text)).toEqual({ settings });
});
