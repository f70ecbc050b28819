import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { YamlEditor } from '../../../../src/commands/update/edit/yaml-editor.ts';
import { liveText, type RandomFile, randomFile } from './random-yaml.ts';
import { withEdit } from './with-edit.ts';

/** The lines that are not the member's. */
function others(text: string, { spans }: RandomFile, name: string, grown: number): readonly string[] {
  const [first, last] = spans.get(name) ?? [0, 0];
  const lines = text.split('\n');
  return [...lines.slice(0, first), ...lines.slice(last + 1 + grown)];
}

test('a new text of a member changes that member and nothing else, whatever the style of the file', () => {
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

test('the same text again is no change at all', () => {
  fc.assert(
    fc.property(randomFile, fc.nat(), (file, choice) => {
      const { name, value } = file.members[choice % file.members.length] ?? { name: '', value: '' };
      expect(withEdit(file.text, new YamlEditor(file.text).set(['settings', name], value))).toBe(file.text);
    }),
    { numRuns: 200 },
  );
});

test('items and elements come and go, and the lines of the others stay', () => {
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
