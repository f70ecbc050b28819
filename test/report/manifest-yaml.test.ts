import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { renderManifestsYaml } from '../../src/report/manifest-yaml.ts';

test('A text with CRLF is a block with a comment, and other texts are unchanged.', () => {
  const settings = {
    all: '# Desk\r\n\r\nBe kind.',
    some: 'One\r\nTwo\n',
    lone: 'a\rb\r\nc',
    line: 'x\r\n',
    lf: 'x\ny\n',
  };
  const text = renderManifestsYaml([{ settings }]);
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
