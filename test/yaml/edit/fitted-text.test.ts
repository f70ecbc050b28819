import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fitText, updatedText } from '../../../src/yaml/edit/fitted-text.ts';
import { escapeText, splitText } from '../../../src/yaml/interpolate.ts';

const variables = new Map([
  ['clinic', 'Elm Street'],
  ['phone', '+1 415'],
  ['none', ''],
  ['one', 'a'],
  ['lines', 'one\ntwo'],
]);

function comesTo(raw: string): string {
  return splitText(raw)
    .map((piece) => (piece.type === 'var' ? (variables.get(piece.name) ?? '') : piece.text))
    .join('');
}

describe('live texts written into a file', () => {
  test.each<[string, string, string, string, string[]]>([
    ['a line that is the same', 'a ${var.clinic}\nb', 'a Elm Street\nc', 'a ${var.clinic}\nc', []],
    ['an edited line', 'At ${var.clinic}. Hi.', 'At Elm Street. Hello.', 'At Elm Street. Hello.', ['clinic']],
    ['only as part of a word', 'x ${var.one} y', 'n bat m', 'n bat m', ['one']],
    [
      'a variable that other lines still have',
      '${var.clinic}\n${var.clinic}: ${var.phone}\n',
      'Elm Street\nElm Street!\n',
      '${var.clinic}\nElm Street!\n',
      ['phone'],
    ],
    ['a deleted line', 'a\nb ${var.clinic}\nc\n', 'a\nc\n', 'a\nc\n', ['clinic']],
    ['a deleted last line', 'a ${var.clinic}\nb', 'a Elm Street', 'a ${var.clinic}', []],
    ['a line behind the only one', 'a ${var.clinic}', 'a Elm Street\nb', 'a ${var.clinic}\nb', []],
    ['a line that moved', 'x ${var.clinic}\ny\n', 'y\nx Elm Street\n', 'y\nx Elm Street\n', ['clinic']],
    ['the value in another line', 'x ${var.one}\nb\n', 'x ${var.one}\na\n', 'x $${var.one}\na\n', ['one']],
    ['a variable of several lines that stays', 'x\n${var.lines}\ny', 'z\none\ntwo\ny', 'z\n${var.lines}\ny', []],
    ['one whose first line was edited', '${var.lines}!\ny', 'One\ntwo!\ny', 'One\ntwo!\ny', ['lines']],
    ['one whose last line is gone', 'x\n${var.lines}\ny', 'x\none\ny', 'x\none\ny', ['lines']],
    ['a line within one', '${var.lines}\ny', 'one\nnew\ntwo\ny', 'one\nnew\ntwo\ny', ['lines']],
    ['a line before one', 'x\n${var.lines}', 'x\nnew\none\ntwo', 'x\nnew\n${var.lines}', []],
    ['an escape that nobody needs, elsewhere', 'say $${x}\nnow', 'say ${x}\nthen', 'say $${x}\nthen', []],
    [
      'new text that looks like a reference',
      'a',
      'b ${var.clinic} ${secret.X} ${name} $${y}',
      'b $${var.clinic} $${secret.X} ${name} $$${y}',
      [],
    ],
    [
      'lines that end as on Windows',
      'a ${var.clinic}\r\nb\r\n',
      'a Elm Street\r\nc\r\n',
      'a ${var.clinic}\r\nc\r\n',
      [],
    ],
  ])('A live text keeps variables in unchanged lines: %s', (_name, raw, wanted, expected, lost) => {
    expect(fitText({ raw, variables }, wanted)).toEqual({ raw: expected, lost });
    expect(comesTo(expected)).toBe(wanted);
  });
});

describe('live texts written into a shared file', () => {
  test.each<[string, string, string, string, string[]]>([
    ['before the change', 'At ${var.clinic}. Hi.', 'At Elm Street. Hello.', 'At ${var.clinic}. Hello.', []],
    ['behind the change', 'Hi at ${var.clinic}.', 'Hello at Elm Street.', 'Hello at ${var.clinic}.', []],
    ['between two changes', 'Hi, ${var.clinic}, bye', 'Hello, Elm Street, ciao', 'Hello, ${var.clinic}, ciao', []],
    [
      'two of them',
      '${var.clinic}: ${var.phone}!',
      'New Elm Street - +1 415.',
      'New ${var.clinic} - ${var.phone}.',
      [],
    ],
    ['nothing but the variable', '${var.clinic}', 'Elm Street 5', '${var.clinic} 5', []],
    ['the value is gone', 'At ${var.clinic}.', 'At Oak Road.', 'At Oak Road.', ['clinic']],
    ['one of two is gone', '${var.clinic}: ${var.phone}', 'Elm Street: 911', '${var.clinic}: 911', ['phone']],
    ['only as part of a word', 'x ${var.one} y', 'n bat m', 'n bat m', ['one']],
    ['an empty one', 'a${var.none}b', 'a!b', 'a${var.none}!b', []],
    ['an escape that stays', 'a $${var.x} b', 'a ${var.x} c', 'a $${var.x} c', []],
    ['an escape that nobody needs, elsewhere', 'say $${x} now', 'say ${x} then', 'say $${x} then', []],
    [
      'new text that looks like a reference',
      'a',
      'b ${var.clinic} ${secret.X} ${name} $${y}',
      'b $${var.clinic} $${secret.X} ${name} $$${y}',
      [],
    ],
    [
      'far from a changed line that has its value, too',
      'a ${var.one}\n\nkeep\n\nsay ${var.one} and\n\nz\n',
      'a a\n\nkeep a\n\nsay a and\n\nz!\n',
      'a ${var.one}\n\nkeep a\n\nsay ${var.one} and\n\nz!\n',
      [],
    ],
    ['a dollar before the variable cannot be written', 'x ${var.one}', '$a', '$a', ['one']],
  ])('A shared text keeps its variables if they still fit: %s', (_name, raw, wanted, expected, lost) => {
    expect(fitText({ raw, variables }, wanted, { isShared: true })).toEqual({ raw: expected, lost });
    expect(comesTo(expected)).toBe(wanted);
  });

  test('A written text of any kind resolves to the wanted text.', () => {
    const piece = fc.constantFrom(
      '${var.clinic}',
      '${var.phone}',
      '${var.one}',
      '${var.none}',
      '${var.lines}',
      '$${',
      '$',
      '{',
      '}',
      'a',
      'Elm Street',
      ' ',
      '\n',
      'var.x}',
      '${secret.',
      '${',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));
    const raw = text.filter((one) => splitText(one).every(({ type }) => type === 'literal' || type === 'var'));
    fc.assert(
      fc.property(raw, text, fc.boolean(), (now, wanted, isShared) => {
        const texts = {
          fitted: comesTo(fitText({ raw: now, variables }, wanted, { isShared }).raw),
          escaped: comesTo(escapeText(wanted)),
        };
        const same = fitText({ raw: now, variables }, comesTo(now), { isShared });
        expect({ ...texts, ...same }).toEqual({ fitted: wanted, escaped: wanted, raw: now, lost: [] });
      }),
      { numRuns: 400 },
    );
  });
});

test('A comment that is not sent stays beside its lines.', () => {
  const comment = '<!-- agentform-allow prompt-length -->';
  const raw = `one\n${comment}\ntwo\nthree ${comment}\n`;
  const fitted = fitText({ raw, variables: new Map() }, 'one\ntwo\nthree\nfour\n');
  expect(fitted).toEqual({ raw: `${raw}four\n`, lost: [] });
  const edited = fitText({ raw, variables: new Map() }, 'one\n2\n3\n');
  expect(edited.raw).toBe(`one\n${comment}\n2 ${comment}\n3\n`);
});

test('Unchanged lines keep their line ends in a file with mixed line ends.', () => {
  const written = (raw: string, live: string) =>
    fitText({ raw, variables: new Map() }, updatedText(live, raw), { isShared: false }).raw;
  expect(written('a\r\nb\nc\nd\r\n', 'a\nB\nc\nd\n')).toBe('a\r\nB\r\nc\nd\r\n');
  expect(written('a\r\nb\nc\nd\r\n', 'a\nc\nd\n')).toBe('a\r\nc\nd\r\n');
  expect(written('a\nb\r\nc', 'a\nb\nc\nd\n')).toBe('a\nb\r\nc\r\nd');
});

test('A text of millions of characters is written.', () => {
  const long = 'x'.repeat(3_000_000);
  for (const isShared of [false, true]) {
    const fitted = fitText({ raw: `${long}a${long}`, variables }, `${long}b${long}`, { isShared });
    expect(fitted).toEqual({ raw: `${long}b${long}`, lost: [] });
  }
});

describe('ignored differences in a written text', () => {
  test.each([
    ['a line break at the end', 'new', 'one\n', 'new\n'],
    ['none at the end', 'a\nb\n', 'one\ntwo', 'a\nb'],
    ['several', 'new\n', 'one\n\n\n', 'new\n\n\n'],
    ['line ends of the file', 'a\nb', 'one\r\ntwo\r\n', 'a\r\nb\r\n'],
    ['line ends of the service', 'a\r\nb', 'one\ntwo\n', 'a\nb\n'],
    ['mixed line ends', 'a\nb', 'one\r\ntwo\n', 'a\r\nb\r\n'],
    ['the line end before a last line without one', 'a\nb\nc\n', 'a\r\nb', 'a\r\nb\r\nc'],
    ['a text of one line is taken as it is', 'a\r\nb ', 'one', 'a\r\nb '],
    ['an empty text is empty', '', 'one\n', ''],
    ['blanks at the end count', 'a  ', 'one\n', 'a  \n'],
    ['nothing before', 'a', undefined, 'a'],
  ])('A written text keeps the form of the file: %s', (_name, live, now, taken) => {
    expect(updatedText(live, now)).toBe(taken);
  });
});
