import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FieldPath, formatPath, parsePath, typedPath } from '../../src/kinds/field-path.ts';
import { codePoint } from '../support/code-point.ts';
import { processorMs } from '../support/processor.ts';

const paths: [string, FieldPath][] = [
  ['settings.title', ['settings', 'title']],
  ['skills', ['skills']],
  ['skills[calendar]', ['skills', 'calendar']],
  ['skills[calendar].instructions', ['skills', 'calendar', 'instructions']],
  ['skills[a.b c].instructions', ['skills', 'a.b c', 'instructions']],
  ['skills["a]b"]', ['skills', 'a]b']],
  ['skills["a\\"b"]', ['skills', 'a"b']],
  ['skills[""]', ['skills', '']],
  ['apps[pay].version', ['apps', 'pay', 'version']],
  ['backgroundAudio.gain', ['backgroundAudio', 'gain']],
  ['transferRules.confirmTransfers', ['transferRules', 'confirmTransfers']],
  ['extraSettings."a.b"', ['extraSettings', 'a.b']],
  ['extraSettings.""', ['extraSettings', '']],
];

describe('field paths as text', () => {
  test.each(paths)('The path %s is formatted and parsed without loss.', (text, path) => {
    expect(formatPath('Agent', path)).toBe(text);
    expect(parsePath(text)).toEqual(path);
  });
});

const name = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: codePoint }),
  fc.string({ unit: fc.constantFrom('[', ']', '"', '\\', '.', 'a', ' ', '\n', '\u2028', '\ud800') }),
);
const anyPath = fc.oneof(
  fc.tuple(fc.constant('settings'), name),
  fc.tuple(fc.constant('extraSettings'), name),
  fc.tuple(fc.constantFrom('skills', 'apps'), name),
  fc.tuple(fc.constantFrom('skills', 'apps'), name, name),
  fc.tuple(fc.constant('backgroundAudio'), name),
  fc.tuple(name, name),
);

test('The law holds that parsePath is the inverse of formatPath.', () => {
  fc.assert(
    fc.property(anyPath, (path) => expect(parsePath(formatPath('Agent', path))).toEqual(path)),
    { numRuns: 1000 },
  );
});

test('The law holds that two different paths have different texts.', () => {
  fc.assert(
    fc.property(anyPath, anyPath, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      expect(formatPath('Agent', one) === formatPath('Agent', other)).toBe(same);
    }),
  );
});

test.each(['["', '[', '"', '"\\\\"', '.', ']'])('A text of many %p is parsed in little time.', (part) => {
  const started = processorMs();
  parsePath(`"${part.repeat(100_000)}`);
  expect(processorMs() - started).toBeLessThan(2_000);
});

test.each([
  ['extraSettings."a', ['extraSettings', '."a']],
  ['extraSettings."\\q"', ['extraSettings', '."\\q"']],
])('The text %s is not a path, so its rest is one member.', (text, path) => {
  expect(parsePath(text)).toEqual(path);
});

test.each([
  ...['skills[', 'skills["x', 'skills[x', 'skills[x]]', 'skills[x]instructions', 'skills.[x]', '.skills[x]'],
  ...['extraSettings.a]', 'extraSettings."a', 'settings."title"x', 'settings.', 'skills[]', ''],
])('The typed text %p is refused, because it is not a path.', (text) => {
  expect(typedPath(text)).toBeUndefined();
});

test.each(paths.filter(([, path]) => !path.includes('')))('The typed path %s is accepted.', (text, path) => {
  expect(typedPath(text)).toEqual(path);
});
