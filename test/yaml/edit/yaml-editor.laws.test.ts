import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { YamlEditor } from '../../../src/yaml/edit/yaml-editor.ts';
import { liveText, type RandomFile, randomFile } from './random-yaml.ts';
import { withEdit } from './with-edit.ts';

/** The lines that do not belong to the member. */
function others(text: string, { spans }: RandomFile, name: string, grown: number): readonly string[] {
  const [first, last] = spans.get(name) ?? [0, 0];
  const lines = text.split('\n');
  return [...lines.slice(0, first), ...lines.slice(last + 1 + grown)];
}

test('A new text of a member only changes that member, in any style of the file.', () => {
  fc.assert(
    fc.property(randomFile, liveText, fc.nat(), (file, value, choice) => {
      const { name } = file.members[choice % file.members.length] ?? { name: '' };
      const after = withEdit(file.text, new YamlEditor(file.text).set(['settings', name], value));
      if (after === undefined) throw new Error('there was no way to write it');
      const before = parse(file.text);
      expect(parse(after)).toEqual({ ...before, settings: { ...before.settings, [name]: value } });
      const grown = after.split('\n').length - file.text.split('\n').length;
      expect(others(after, file, name, grown)).toEqual(others(file.text, file, name, 0));
      const [first] = file.spans.get(name) ?? [0];
      const notes = /#.*$/.exec(file.text.split('\n')[first]?.trimEnd() ?? '')?.[0];
      if (notes !== undefined) expect(after.split('\n')[first]?.trimEnd().endsWith(notes)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test('An edit with the same text changes nothing.', () => {
  fc.assert(
    fc.property(randomFile, fc.nat(), (file, choice) => {
      const { name, value } = file.members[choice % file.members.length] ?? { name: '', value: '' };
      expect(withEdit(file.text, new YamlEditor(file.text).set(['settings', name], value))).toBe(file.text);
    }),
    { numRuns: 200 },
  );
});

test('Added and removed items and elements leave the lines of the others unchanged.', () => {
  const items = fc.uniqueArray(fc.constantFrom('a', 'b', 'c d', 'https://e', 'f: g', '#h', ''), { maxLength: 6 });
  const file = fc.record({ before: items, after: items, isFlow: fc.boolean(), lineEnd: fc.constantFrom('\n', '\r\n') });
  fc.assert(
    fc.property(file, ({ before, after, isFlow, lineEnd }) => {
      const quoted = before.map((one) => JSON.stringify(one));
      const list =
        isFlow || before.length === 0
          ? [`  l: [${quoted.join(', ')}] # n`]
          : ['  l:', ...quoted.map((one) => `    - ${one} # ${one}`)];
      const text = ['s:', '  a: 1', ...list, '  # end', '  b: 2', ''].join(lineEnd);
      const written = withEdit(text, new YamlEditor(text).setItems(['s', 'l'], after));
      if (written === undefined) throw new Error('there was no way to write it');
      const found: { s: { a: number; b: number; l: string[] } } = parse(written);
      expect({ ...found.s, l: [...found.s.l].sort() }).toEqual({ a: 1, b: 2, l: [...after].sort() });
      const kept = text
        .split(lineEnd)
        .filter(
          (line) =>
            !line.includes(' l:') &&
            !before.some((one) => !after.includes(one) && line.includes(`- ${JSON.stringify(one)}`)),
        );
      const lines = written.split(lineEnd);
      expect(kept.filter((line) => !lines.includes(line))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

/** The items of a list, each with its comment. */
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c d', 'https://e', 'f: g', '#h', ''), {
  minLength: 1,
  maxLength: 6,
});
const breaks = fc.array(fc.constantFrom(' ', '\n  ', ' # note\n  '), { minLength: 6, maxLength: 6 });

test('Comments in a multi-line flow list stay with their items, and are removed with them.', () => {
  const file = fc.record({ before: names, after: names, breaks, isOpen: fc.boolean(), hasComma: fc.boolean() });
  fc.assert(
    fc.property(file, ({ before, after, breaks: gaps, isOpen, hasComma }) => {
      const items = before.map((one, index) => {
        const isAlone = index === 0 ? isOpen : gaps[index - 1]?.includes('\n');
        const gap = (gaps[index] ?? ' ').replace('note', isAlone ? `of ${JSON.stringify(one)}` : 'of a line');
        const comma = index < before.length - 1 || hasComma ? ',' : '';
        return `${JSON.stringify(one)}${comma}${gap}`;
      });
      const text = `l: [${isOpen ? '\n  ' : ''}${items.join('')}]\nz: 1\n`;
      const written = withEdit(text, new YamlEditor(text).setItems(['l'], after));
      if (written === undefined) throw new Error('there was no way to write it');
      expect([...parse(written).l].sort()).toEqual([...after].sort());
      const lines = written.split('\n');
      for (const line of lines.filter((one) => one.includes('# of "'))) {
        const [item = '', comment = ''] = line.split('# of ');
        expect(item.replace(/,? *$/, '').replace(/^ +|^l: \[/, '')).toBe(comment);
      }
    }),
    { numRuns: 500 },
  );
});

test('A JSON file stays JSON after any edit.', () => {
  const values = fc.dictionary(fc.constantFrom('a', 'b', 'null', 'c d'), liveText, { minKeys: 1 });
  fc.assert(
    fc.property(
      values,
      liveText,
      fc.constantFrom('a', 'b', 'null', 'new'),
      fc.constantFrom(undefined, 2),
      (before, value, name, indent) => {
        const text = JSON.stringify({ s: before }, null, indent);
        const written = withEdit(text, new YamlEditor(text).set(['s', name], value));
        expect(JSON.parse(written ?? '')).toEqual({ s: { ...before, [name]: value } });
      },
    ),
    { numRuns: 300 },
  );
});

test('A new element may contain any text, wherever the list is.', () => {
  const behind = fc.constantFrom('', '\n', '\n\n# end\n', 'z: 1\n', '\nz: 1\n');
  const first = fc.constantFrom('x', '|+\n    x\n\n', '|-\n    x', '"x"');
  fc.assert(
    fc.property(liveText, behind, first, (value, rest, written) => {
      const text = `skills:\n- slug: a\n  instructions: ${written}\n${rest}`;
      const after = withEdit(
        text,
        new YamlEditor(text).changeElements(['skills'], [], [{ slug: 'm', instructions: value }]),
      );
      expect(parse(after ?? '')).toEqual({
        ...parse(text),
        skills: [...parse(text).skills, { slug: 'm', instructions: value }],
      });
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['|', 'a\n'],
  ['>', 'a '],
])('A text of hundreds of thousands of lines can be edited: %s', (mark, repeated) => {
  const text = `a: ${mark}\n${'  a\n'.repeat(200_000)}`;
  const value = `${repeated.repeat(200_000)}b\n`;
  expect(withEdit(text, new YamlEditor(text).set(['a'], value)) === `${text}  b\n`).toBe(true);
});
