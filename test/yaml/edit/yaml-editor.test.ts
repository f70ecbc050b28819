import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../src/json/json.ts';
import { type YamlEdit, YamlEditor } from '../../../src/yaml/edit/yaml-editor.ts';
import { withEdit } from './with-edit.ts';

/** The removed lines with `-`, and the new lines with `+`. */
function edited(text: string, change: (editor: YamlEditor) => YamlEdit | undefined): string[] | undefined {
  const after = withEdit(text, change(new YamlEditor(text)));
  return after === undefined ? undefined : difference(text.split('\n'), after.split('\n'));
}

function difference(before: readonly string[], after: readonly string[]): string[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const max = Math.min(before.length, after.length) - start;
  while (end < max && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [
    ...before.slice(start, before.length - end).map((line) => `-${line}`),
    ...after.slice(start, after.length - end).map((line) => `+${line}`),
  ];
}

describe('edits of a scalar', () => {
  test.each<[string, string, string | number | boolean | null, string[]]>([
    ['plain', 'a: Front desk   # note', 'Reception', ['-a: Front desk   # note', '+a: Reception   # note']],
    ['plain to what only quotes hold', 'a: x # n', 'b: c', ['-a: x # n', '+a: "b: c" # n']],
    ['in the quotes that the file uses', "a: x\nb: 'y'", 'b: c', ['-a: x', "+a: 'b: c'"]],
    ['what looks like another type', 'a: x', 'yes', ['-a: x', '+a: "yes"']],
    ['a number as text', 'a: x', '0012', ['-a: x', '+a: "0012"']],
    ['a time', 'a: x', '12:30', ['-a: x', '+a: "12:30"']],
    ['a comment sign', 'a: x', 'a #b', ['-a: x', '+a: "a #b"']],
    ['empty', 'a: x', '', ['-a: x', '+a: ""']],
    ['null', 'a: x # n', null, ['-a: x # n', '+a: null # n']],
    ['a number', 'a: x', 7, ['-a: x', '+a: 7']],
    ['blanks at the end', 'a: x', 'y  ', ['-a: x', '+a: "y  "']],
    ['single quotes', "a: 'it''s'", "it's you", ["-a: 'it''s'", "+a: 'it''s you'"]],
    ['double quotes', 'a: "x"', 'say "hi"', ['-a: "x"', '+a: "say \\"hi\\""']],
    ['double quotes keep several lines', 'a: "x"', 'y\nz', ['-a: "x"', '+a: "y\\nz"']],
    ['single quotes to several lines', "a: 'x'   # n\nb: 1", 'y\nz', ["-a: 'x'   # n", '+a: |-   # n', '+  y', '+  z']],
    ['controls and halves of pairs', 'a: x', 'y\u0007\u2028\ud800', ['-a: x', '+a: "y\\u0007\\u2028\\ud800"']],
    ['an anchor', 'a: &x y\nb: *x', 'z', ['-a: &x y', '+a: &x z']],
    ['nothing', 'a:\nb: 1', 'z', ['-a:', '+a: z']],
    ['nothing with a comment', 'a:  # n\nb: 1', 'z', ['-a:  # n', '+a: z  # n']],
    ['tilde', 'a: ~', 'z', ['-a: ~', '+a: z']],
    ['flow', '{ a: x, b: y }', 'p, q', ['-{ a: x, b: y }', '+{ a: "p, q", b: y }']],
    ['flow without a value', '{ a: , b: y }', 'p', ['-{ a: , b: y }', '+{ a: p , b: y }']],
    ['several lines in flow', '{ a: x }', 'p\nq', ['-{ a: x }', '+{ a: "p\\nq" }']],
    ['literal', 'a: |  # n\n  one\n  two\nb: 1', 'one\nthree\n', ['-  two', '+  three']],
    ['literal, other end', 'a: |\n  one\n\nb: 1', 'two', ['-a: |', '-  one', '+a: |-', '+  two']],
    ['literal, deep indentation', 'a: |\n      one\nb: 1', 'two\n', ['-      one', '+      two']],
    ['literal, blanks first', 'a: |-\n  one\nb: 1', ' two', ['-a: |-', '-  one', '+a: |2-', '+   two']],
    ['literal that gets a control', 'a: | # n\n  one\nb: 1', 'x\u0007', ['-a: | # n', '-  one', '+a: "x\\u0007" # n']],
    ['literal that is emptied', 'a: | # n\n  one\nb: 1', '', ['-a: | # n', '-  one', '+a: "" # n']],
    ['literal at the end of the file', 'a: |-\n  one', 'two', ['-  one', '+  two']],
    ['literal, more line breaks', 'a: |+\n  one\n\nb: 1', 'two\n\n', ['-  one', '+  two']],
    ['an alias becomes a value of its own', 'b: &x y\na: *x # n', 'z', ['-a: *x # n', '+a: z # n']],
    ['a merge key gets a value beside it', 'b: &x { a: y }\nc: 1\n<<: *x', 'z', ['+a: z']],
  ])('The edit of a scalar keeps its style: %s', (_name, text, value, lines) => {
    expect(edited(text, (editor) => editor.set(['a'], value))).toEqual(lines);
  });

  test.each<[string, string, Json, string[]]>([
    ['a map', 'a:\n    b: 1\nc: 1', { x: [1], z: 'p' }, ['-    b: 1', '+    x:', '+      - 1', '+    z: p']],
    ['a list', 'a:\n- 1\n- 2\nc: 1', [3, { x: 1, z: 2 }], ['-- 1', '-- 2', '+- 3', '+- x: 1', '+  z: 2']],
    ['a list in a file with CRLF', 'a:\r\n  - 1\r\nc: 1', ['x'], ['-  - 1\r', '+  - x\r']],
    ['a flow list', 'a: [1, 2] # n\nc: 1', [3], ['-a: [1, 2] # n', '+a: [3] # n']],
    ['an emptied map', 'a:\n  b: 1\nc: 1', {}, ['-  b: 1', '+  {}']],
    ['a text', 'a: x # n\nc: 1', { b: 1 }, ['-a: x # n', '+a: { b: 1 } # n']],
    ['a text of several lines', 'a: |\n  x\nc: 1', [1], ['-a: |', '-  x', '+a: [1]']],
  ])('A new map or list keeps the layout that it replaces: %s', (_name, text, value, lines) => {
    expect(edited(text, (editor) => editor.set(['a'], value))).toEqual(lines);
  });

  test('A new member fills an empty map.', () => {
    expect(edited('a: {} # n', (editor) => editor.set(['a', 'b'], 1))).toEqual(['-a: {} # n', '+a: { b: 1 } # n']);
  });

  test('If a flow list has two lines, removing its first item keeps the line.', () => {
    expect(edited('l: [a,\n  b]\nc: 1', (editor) => editor.setItems(['l'], ['b']))).toEqual(['-l: [a,', '+l: [']);
  });

  test('A new member with an empty map is written on one line.', () => {
    expect(edited('a:\n  b: 1\nc: 1', (editor) => editor.set(['a', 'd'], {}))).toEqual(['+  d: {}']);
  });

  // Layouts that would be lost if the whole document were printed again (docs/decisions/0024-editing-yaml.md).
  test.each<[string, string, (editor: YamlEditor) => YamlEdit | undefined, string[]]>([
    ['maps indented differently', 'a:\n    b: 1\nc:\n  d: 1', (editor) => editor.set(['a', 'e'], 2), ['+    e: 2']],
    ['lists indented differently', 'a:\n- x\nb:\n  - y', (editor) => editor.setItems(['a'], ['x', 'z']), ['+- z']],
    [
      'a deep literal of several lines',
      'a: |\n      one\n      two\n',
      (editor) => editor.set(['a'], 'one\nthree\n'),
      ['-      two', '+      three'],
    ],
    [
      'a flow list over two lines',
      'l: [a,\n  b] # n\nc: 1',
      (editor) => editor.setItems(['l'], ['a', 'b', 'd']),
      ['-  b] # n', '+  b, d] # n'],
    ],
    [
      'escapes that a printer resolves',
      'a: "caf\\u00e9"   # n\nb: "x\\u00e9"',
      (editor) => editor.set(['b'], 'y'),
      ['-b: "x\\u00e9"', '+b: "y"'],
    ],
  ])('The edit keeps the form around a scalar: %s', (_name, text, change, lines) => {
    expect(edited(text, change)).toEqual(lines);
  });

  test('A folded text keeps unchanged lines.', () => {
    const text = 'a: >\n  one two three\n  four five\n\n  another paragraph\n  of text\n\n    more indented\nb: 1\n';
    const change = (value: string) => edited(text, (editor) => editor.set(['a'], value));
    expect(change('one two three four 5\nanother paragraph of text\n\n  more indented\n')).toEqual([
      '-  four five',
      '+  four 5',
    ]);
    expect(change('one two three four five\nanother one of text\n\n  more indented\n')).toEqual([
      '-  another paragraph',
      '+  another one',
    ]);
    expect(change('one two three four five\nnew\nanother paragraph of text\n\n  more indented\n')).toEqual([
      '+  new',
      '+',
    ]);
  });

  test('A plain text over several lines keeps its lines.', () => {
    expect(edited('a: one two\n  three four\nb: 1', (editor) => editor.set(['a'], 'one two three 4'))).toEqual([
      '-  three four',
      '+  three 4',
    ]);
  });

  test('Line ends are kept by an edit.', () => {
    const text = 'a: x # n\r\nb: |\r\n  one\r\nc: 1\r\n';
    const set = (name: string, value: string) => withEdit(text, new YamlEditor(text).set([name], value));
    expect(set('a', 'p\nq')).toBe('a: |- # n\r\n  p\r\n  q\r\nb: |\r\n  one\r\nc: 1\r\n');
    expect(set('b', 'two\nthree\n')).toBe('a: x # n\r\nb: |\r\n  two\r\n  three\r\nc: 1\r\n');
    expect(set('d', 'new')).toBe(`${text}d: new\r\n`);
  });

  test('An edit is refused in an invalid document, several documents, or below a scalar.', () => {
    expect(edited('a: [', (editor) => editor.set(['a'], 'x'))).toBeUndefined();
    expect(edited('a: 1\n---\nb: 1', (editor) => editor.set(['a'], 'x'))).toBeUndefined();
    expect(edited('a: x', (editor) => editor.set(['a', 'b'], 'x'))).toBeUndefined();
  });
});

const file = `settings:   # the settings
  title: Desk

  links:
    - https://a   # first
    # between
    - "https://b"
  flow: [a, 'b', c]
  none: []
skills:
  - slug: a
    instructions: x   # why
  # b
  - { slug: b, instructions: y }
end: 1
`;

describe('edits of lists', () => {
  const items = (name: string, values: readonly string[]) =>
    edited(file, (editor) => editor.setItems(['settings', name], values));

  test.each([
    [
      'a new item does not take the comment of one that is gone',
      'links',
      ['https://b', 'https://c'],
      [
        '-    - https://a   # first',
        '-    # between',
        '-    - "https://b"',
        '+    # between',
        '+    - "https://b"',
        '+    - "https://c"',
      ],
    ],
    [
      'where all are new, the comments behind the old ones go',
      'links',
      ['c', 'd'],
      [
        '-    - https://a   # first',
        '-    # between',
        '-    - "https://b"',
        '+    # between',
        '+    - "c"',
        '+    - "d"',
      ],
    ],
    ['an item that is gone goes with its line', 'links', ['https://b'], ['-    - https://a   # first']],
    ['a new one stands behind, as they are written', 'links', ['https://a', 'https://b', 'c: d'], ['+    - "c: d"']],
    [
      'all gone',
      'links',
      [],
      ['-  links:', '-    - https://a   # first', '-    # between', '-    - "https://b"', '+  links: []'],
    ],
    ['another order is no change', 'links', ['https://b', 'https://a'], []],
    ['flow', 'flow', ['a', 'c', 'x, y'], ["-  flow: [a, 'b', c]", '+  flow: [a, c, "x, y"]']],
    ['flow, the first ones gone', 'flow', ['c'], ["-  flow: [a, 'b', c]", '+  flow: [c]']],
    ['flow, the last ones gone', 'flow', ['a'], ["-  flow: [a, 'b', c]", '+  flow: [a]']],
    ['flow, all gone', 'flow', [], ["-  flow: [a, 'b', c]", '+  flow: []']],
    ['flow, all others', 'flow', ['x', 'p', 'z', 'w'], ["-  flow: [a, 'b', c]", '+  flow: [x, p, z, w]']],
    ['empty', 'none', ['x'], ['-  none: []', '+  none: [x]']],
    ['not there', 'more', ['x'], ['+  more:', '+    - x']],
  ])('The edit of a list keeps the other lines: %s', (_name, list, values, lines) => {
    expect(items(list, values)).toEqual(lines);
  });

  const elements = (removed: string[], added: Record<string, string>[], text = file) =>
    edited(text, (editor) => editor.changeElements(['skills'], removed, added));

  test('Elements are added and removed with their lines.', () => {
    expect(elements(['a'], [])).toEqual(['-  - slug: a', '-    instructions: x   # why']);
    expect(elements([], [{ slug: 'm', instructions: 'p\nq' }])).toEqual(['+  - { slug: m, instructions: "p\\nq" }']);
    expect(elements(['b'], [{ slug: 'c' }])).toEqual([
      '-  # b',
      '-  - { slug: b, instructions: y }',
      '+  - slug: c',
      '+  # b',
    ]);
    expect(elements(['a', 'b'], [])?.slice(-2)).toEqual(['-  - { slug: b, instructions: y }', '+skills: []']);
    const block = 'skills:\n- slug: a\n  instructions: x';
    expect(elements([], [{ slug: 'm', instructions: 'p\nq' }], block)).toEqual([
      '+- slug: m',
      '+  instructions: |-',
      '+    p',
      '+    q',
    ]);
    expect(elements(['a'], [{ slug: 'm' }], `${block}\nend: 1\n`)).toEqual([
      '-- slug: a',
      '-  instructions: x',
      '+- slug: m',
    ]);
    expect(elements([], [{ slug: 'm' }], 'a: 1')).toEqual(['+skills:', '+  - slug: m']);
  });

  test('Members of elements are edited in place.', () => {
    const member = (key: string, value: string) =>
      edited(file, (editor) => editor.set(['skills', key, 'instructions'], value));
    const removed = (key: string, text = file) =>
      edited(text, (editor) => editor.remove(['skills', key, 'instructions']));
    expect(member('a', 'p: q')).toEqual(['-    instructions: x   # why', '+    instructions: "p: q"   # why']);
    expect(member('b', 'p, q')).toEqual([
      '-  - { slug: b, instructions: y }',
      '+  - { slug: b, instructions: "p, q" }',
    ]);
    expect(removed('a')).toEqual(['-    instructions: x   # why']);
    expect(removed('b')).toEqual(['-  - { slug: b, instructions: y }', '+  - { slug: b }']);
    const first = 'skills:\n  - instructions: x\n    slug: a\n';
    expect(removed('a', first)).toEqual(['-  - instructions: x', '-    slug: a', '+  - slug: a']);
    expect(edited(first, (editor) => editor.set(['skills', 'a', 'more'], 'z'))).toEqual(['+    more: z']);
  });

  test('A new section is added at the end.', () => {
    expect(edited(file, (editor) => editor.set(['extra', 'deep'], ['a', { b: 1 }]))).toEqual([
      '+extra:',
      '+  deep:',
      '+    - a',
      '+    - b: 1',
    ]);
    expect(edited('settings:\nend: 1', (editor) => editor.set(['settings', 'a'], 'x'))).toEqual([
      '-settings:',
      '+settings: { a: x }',
    ]);
  });

  const lines = (...all: string[]) => all.join('\n');

  test.each<[string, string, string[], string]>([
    ['the last one goes', '[\n  a, # one\n  b # two\n]', ['a'], '[\n  a # one\n]'],
    ['the first one goes', '[\n  a, # one\n  b, # two\n]', ['b'], '[\n  b, # two\n]'],
    ['one of three goes', '[\n  a, # one\n  b,\n  # three\n  c\n]', ['a', 'c'], '[\n  a, # one\n  # three\n  c\n]'],
    ['two on a line go', '[a, b, # ab\n  c, d, e, # cde\n]', ['a', 'e'], '[a, # ab\n  e, # cde\n]'],
    ['a whole line goes', '[a, # one\n  b, c, # two\n  d]', ['a', 'd'], '[a, # one\n  d]'],
    ['the first line goes', '[ a, b, # one\n  c ]', ['c'], '[\n  c ]'],
    ['all go', '[ # list\n  a, # one\n  # two\n  b, c # three\n]', [], '[]'],
    ['a new one', '[\n  a, # one\n  b # two\n]', ['a', 'b', 'c'], '[\n  a, # one\n  b, # two\n  c\n]'],
    ['a new one behind a comma', '[\n  a, # one\n]', ['a', 'c'], '[\n  a, # one\n  c,\n]'],
    ['one for another', '[\n  a, # one\n  b # two\n]', ['a', 'c'], '[\n  a, # one\n  c\n]'],
    ['one for another without a comment', '[\n  a,\n  b # two\n]', ['c', 'b'], '[\n  b, # two\n  c\n]'],
    ['all others', '[\n  a, # one\n  b # two\n]', ['c', 'd'], '[c, d]'],
    ['blanks inside the brackets', '[ a, b ]', ['a', 'c', 'd'], '[ a, c, d ]'],
    ['quotes of the neighbour', "[ 'a' ]", ['a', 'c'], "[ 'a', 'c' ]"],
  ])('Comments of a flow list stay with their items: %s', (_name, list, values, expected) => {
    const text = `l: ${list}\nz: 1\n`;
    expect(withEdit(text, new YamlEditor(text).setItems(['l'], values))).toBe(`l: ${expected}\nz: 1\n`);
  });

  test('A new element copies the quotes and blank lines of its neighbours.', () => {
    const added = (text: string) =>
      withEdit(text, new YamlEditor(text).changeElements(['skills'], [], [{ slug: 'm', instructions: 'x' }]));
    const quoted = lines('skills:', "- slug: 'a'", '  instructions: "y"', '');
    expect(added(quoted)).toBe(`${quoted}- slug: 'm'\n  instructions: "x"\n`);
    const apart = lines('skills:', '  - slug: a', '', '  - slug: b', '', 'end: 1', '');
    expect(added(apart)).toBe(
      lines('skills:', '  - slug: a', '', '  - slug: b', '', '  - slug: m', '    instructions: x', '', 'end: 1', ''),
    );
  });

  test.each([
    ['ends in blank lines', 'p\n\n', 'p\\n\\n'],
    ['is nothing but line breaks', '\n\n', '\\n\\n'],
    ['begins with a byte order mark', '\ufeffp\nq', '\\ufeffp\\nq'],
    ['has invisible characters in one line', 'p\u200b\u{e0041}', 'p\\u200b\\udb40\\udc41'],
  ])('A new element whose text %s is written in quotes.', (_name, instructions, written) => {
    const text = 'skills:\n- slug: a\n\n# end\nend: 1\n';
    const added = [{ slug: 'm', instructions }];
    expect(withEdit(text, new YamlEditor(text).changeElements(['skills'], [], added))).toBe(
      `skills:\n- slug: a\n- slug: m\n  instructions: "${written}"\n\n# end\nend: 1\n`,
    );
  });

  test('Elements and members after a text that keeps its line breaks can be edited.', () => {
    const text = lines('skills:', '- slug: a', '  instructions: |+', '    x', '', '', 'end: 1', '');
    const editor = new YamlEditor(text);
    const kept = text.slice(0, -'end: 1\n'.length);
    expect(withEdit(text, editor.changeElements(['skills'], [], [{ slug: 'm' }]))).toBe(`${kept}- slug: m\nend: 1\n`);
    expect(withEdit(text, editor.changeElements(['skills'], ['a'], [{ slug: 'm' }]))).toBe(
      'skills:\n- slug: m\nend: 1\n',
    );
    expect(withEdit(text, editor.set(['skills', 'a', 'more'], 'z'))).toBe(`${kept}  more: z\nend: 1\n`);
  });
});

describe('edits of a JSON file', () => {
  const text = `{
  "settings": {
    "title": "Desk",
    "links": [
      "https://a",
      "https://b"
    ]
  },
  "skills": [{ "slug": "a" }]
}
`;
  const after = (change: (editor: YamlEditor) => YamlEdit | undefined) =>
    JSON.parse(withEdit(text, change(new YamlEditor(text))) ?? '');

  test.each<[string, (editor: YamlEditor) => YamlEdit | undefined, object]>([
    [
      'a text',
      (editor) => editor.set(['settings', 'title'], 'a\n"b"\u2028'),
      { settings: { title: 'a\n"b"\u2028', links: ['https://a', 'https://b'] } },
    ],
    [
      'nothing',
      (editor) => editor.set(['settings', 'title'], null),
      { settings: { title: null, links: ['https://a', 'https://b'] } },
    ],
    [
      'a new member',
      (editor) => editor.set(['settings', 'more'], true),
      { settings: { title: 'Desk', links: ['https://a', 'https://b'], more: true } },
    ],
    ['a new section', (editor) => editor.set(['extra', 'a-b'], ['x']), { extra: { 'a-b': ['x'] } }],
    [
      'items',
      (editor) => editor.setItems(['settings', 'links'], ['https://a', 'c', 'd']),
      { settings: { title: 'Desk', links: ['https://a', 'c', 'd'] } },
    ],
    [
      'the last item goes',
      (editor) => editor.setItems(['settings', 'links'], ['https://a']),
      { settings: { title: 'Desk', links: ['https://a'] } },
    ],
    ['the last member goes', (editor) => editor.remove(['settings', 'links']), { settings: { title: 'Desk' } }],
    [
      'an element',
      (editor) => editor.changeElements(['skills'], [], [{ slug: 'm', instructions: 'x' }]),
      { skills: [{ slug: 'a' }, { slug: 'm', instructions: 'x' }] },
    ],
  ])('A JSON file stays JSON after an edit of %s.', (_name, change, expected) => {
    expect(after(change)).toEqual({ ...JSON.parse(text), ...expected });
  });
});
