import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyPatch, makePatch, readPatch } from '../../src/text/patch.ts';
import { processorTime } from '../../src/yaml/values.ts';

const names = { from: 'prompts/agent.md', to: 'elm-street' };
const template = '# Agent\n\nBe nice.\n\nNever give prices.\n\nSay goodbye.\n';

function made(from: string, to: string): string {
  const patch = makePatch(from, to, names);
  if (patch === undefined) throw new Error('no patch');
  return patch;
}

function applied(text: string, patch: string) {
  const read = readPatch(patch);
  return read.failure === undefined ? applyPatch(text, read.hunks) : read;
}

describe('patches of a text', () => {
  test('A patch is a unified diff with the fewest context lines that identify its place.', () => {
    expect(made(template, template.replace('Be nice.', 'Be very nice.'))).toBe(
      ['--- prompts/agent.md', '+++ elm-street', '@@ -2,3 +2,3 @@', ' ', '-Be nice.', '+Be very nice.', ' ', ''].join(
        '\n',
      ),
    );
  });

  test('A patch applies to a text that changed elsewhere, wherever its lines are.', () => {
    const patch = made(template, template.replace('Be nice.', 'Be very nice.'));
    const moved = `Preface\n\n${template.replace('Say goodbye.', 'Say farewell.')}`;
    expect(applied(moved, patch)).toMatchObject({ text: moved.replace('Be nice.', 'Be very nice.') });
  });

  test.each<[string, string, 'none' | 'several']>([
    ['the line itself changed', template.replace('Be nice.', 'Be kind.'), 'none'],
    ['a line beside it changed', template.replace('Be nice.\n\n', 'Be nice.\nNow.\n'), 'none'],
    ['its lines are there twice', `${template}\nBe nice.\n\n`, 'several'],
  ])('A patch does not apply if %s.', (_name, text, matches) => {
    const patch = made(template, template.replace('Be nice.', 'Be very nice.'));
    expect(applied(text, patch)).toMatchObject({ matches, misfit: { line: 3, hint: 2 } });
  });

  test('A patch of repeated lines has more context lines.', () => {
    const text = 'a\n\nx\n\nb\n\nx\n\nc\n';
    const to = 'a\n\nx\n\nb\n\ny\n\nc\n';
    expect(applied(text, made(text, to))).toMatchObject({ text: to });
    expect(made(text, to)).toContain(' b\n');
  });

  test('A patch keeps line ends and the end of the text.', () => {
    const patch = made(template, template.replace('Be nice.', 'Be very nice.'));
    const crlf = template.replaceAll('\n', '\r\n').trimEnd();
    expect(applied(crlf, patch.replaceAll('\n', '\r\n'))).toMatchObject({
      text: crlf.replace('Be nice.', 'Be very nice.'),
    });
  });

  test('A patch with hunks in another order than their lines does not apply.', () => {
    const hunk = (line: string) => `@@ -1 +1 @@\n-${line}\n+${line}!\n`;
    expect(applied('a\nb\n', `--- a\n+++ b\n${hunk('b')}${hunk('a')}`)).toMatchObject({ matches: 'none' });
  });

  test('A generated patch gives the wanted text when applied.', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', '', '-- a', '++ b', '@@ x', '\\ no', '${var.x}'), {
      maxLength: 12,
    });
    const text = lines.map((all) => all.join('\n'));
    let count = 0;
    fc.assert(
      fc.property(text, text, (from, to) => {
        const patch = makePatch(from, to, names);
        if (patch === undefined) return;
        count += 1;
        const { text: patched = '' } = applied(from, patch) as { text?: string };
        expect(patched.replace(/\n$/, '')).toBe(to.replace(/\n$/, ''));
      }),
      { numRuns: 1000 },
    );
    expect(count).toBeGreaterThan(500);
  });
});

describe('invalid patches', () => {
  test.each([
    ['nothing', '', 'is not a unified diff'],
    ['a text', 'Be nice.\n', 'is not a unified diff'],
    ['hunks without a header', '@@ -1 +1 @@\n-a\n+b\n', 'is not a unified diff'],
    ['a hunk with wrong counts', '--- a\n+++ b\n@@ -1,3 +1 @@\n-a\n+b\n', 'is malformed'],
    ['lines behind the last hunk', '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n\nnotes\n', 'has lines outside its hunks'],
    ['two texts', '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n--- c\n+++ d\n@@ -1 +1 @@\n-a\n+b\n', 'changes several files'],
  ])('An invalid patch is refused: %s', (_name, text, failure) => {
    expect(readPatch(text)).toEqual({ failure: expect.stringContaining(failure) });
  });
});

test('Hostile patches and texts take little time.', () => {
  const start = processorTime();
  const text = 'a\n'.repeat(200_000);
  const hunk = (count: number) => `@@ -1,${count} +1,${count} @@\n${' a\n'.repeat(count - 1)}-a\n+b\n`;
  expect(applied(`${text}b\n`, `--- a\n+++ b\n${hunk(100_000)}`)).toMatchObject({ matches: 'several' });
  const many = `--- a\n+++ b\n${'@@ -1 +1 @@\n-z\n+b\n'.repeat(900)}`;
  expect(applied(text, many)).toMatchObject({ matches: 'several' });
  expect(readPatch(`--- a\n+++ b\n${'@@ -1 +1 @@\n-z\n+b\n'.repeat(2_000)}`)).toEqual({
    failure: 'has 2000 hunks; at most 1000 are allowed',
  });
  expect(processorTime() - start).toBeLessThan(15_000);
});
