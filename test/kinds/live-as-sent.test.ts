import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FormRule, isEscaped, liveAsSent } from '../../src/kinds/service-forms.ts';

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/'/g, '&#39;');

describe('live texts in the sent form', () => {
  const sent = "# Q & A\n\nDon't be rude.\nA & B.\n\nGive no prices.\n";
  const asSent = (live: string, from = sent, readBack = escaped(from), rules: readonly FormRule[] = ['html-escapes']) =>
    liveAsSent({ sent: from, readBack, live, rules });

  test('A live text without edits equals the sent one.', () => {
    expect(asSent(escaped(sent))).toBe(sent);
  });

  test('A live text keeps an edited line as it is live, and every other line as it was sent.', () => {
    const live = escaped(sent).replace('no prices', 'prices & hours');
    expect(asSent(live)).toBe(sent.replace('no prices', 'prices & hours'));
  });

  test('A live text keeps an edited line between two lines in another form.', () => {
    const [from, live] = ['A & B\nC & D\nE & F', 'A &amp; B\nC or D\nE &amp; F'];
    expect(asSent(live, from)).toBe('A & B\nC or D\nE & F');
  });

  test('A live text lacks deleted lines, and has moved or copied lines as they were sent.', () => {
    expect(asSent('A &amp; B\nE &amp; F', 'A & B\nC & D\nE & F')).toBe('A & B\nE & F');
    expect(asSent('E &amp; F\nA &amp; B\nA &amp; B', 'A & B\nE & F')).toBe('E & F\nA & B\nA & B');
  });

  test('A live text keeps a line that a person wrote without the escape.', () => {
    expect(asSent('A & B\nC &amp; D', 'A & B\nC & D')).toBe('A & B\nC & D');
  });

  test('A live text loses the escapes of the service in an edited line, but not those that a person wrote.', () => {
    expect(asSent('A &amp; C', 'A & B')).toBe('A & C');
    expect(asSent('A &amp;amp; B', 'A & B')).toBe('A &amp; B');
    expect(asSent('A &amp; B', 'A &amp; B', 'A &amp;amp; B')).toBe('A & B');
    expect(asSent('A &amp; C\nB', 'A &amp; B\n "B"', 'A &amp; B\n “B”', ['quotes'])).toBe('A &amp; C\nB');
  });

  test('A live text keeps the blank lines and the indentation that the service drops.', () => {
    const from = '\n- a\n  - b\n\n\n- c\n\n- d\n';
    const readBack = '- a\n- b\n- c\n- d';
    const rules = ['white-space'] as const;
    expect(asSent('- a\n- b\n- C\n- d', from, readBack, rules)).toBe('\n- a\n  - b\n\n\n- C\n\n- d\n');
    expect(asSent('- a\n- b\n- c\n- d\n- e', from, readBack, rules)).toBe('\n- a\n  - b\n\n\n- c\n\n- d\n- e\n');
    expect(asSent('- 0\n- a\n- b\n- d', from, readBack, rules)).toBe('- 0\n\n- a\n  - b\n\n\n\n- d\n');
  });

  test('A live text is used as it is if the lines of the two forms do not match.', () => {
    expect(asSent('a\nb\nX', 'a\nb\nc', 'a\nb')).toBe('a\nb\nX');
  });

  test('A live text consists of lines as sent or as live, whatever was edited.', () => {
    const line = fc.constantFrom('', 'a & b', "c'd", 'plain', '&amp;', 'x', 'a &amp; b');
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (from, edits) => {
        const live = [...from.map(escaped), ...edits].join('\n');
        expect(
          String(asSent(live, from.join('\n')))
            .trimEnd()
            .startsWith(from.join('\n').trimEnd()),
        ).toBe(true);
      }),
    );
  });
});

test('Unchanged items of a live list equal the sent ones.', () => {
  const [sent, readBack] = [
    ['https://A.example', 'https://a.example/b'],
    ['https://a.example/b', 'https://a.example/'],
  ];
  const live = ['https://a.example/', 'https://c.example/'];
  expect(liveAsSent({ sent, readBack, live, rules: ['url'] })).toEqual(['https://A.example', 'https://c.example/']);
});

test('A live value of another type is used as it is.', () => {
  expect(liveAsSent({ sent: 'a', readBack: 'A', live: 1, rules: ['letter-case'] })).toBe(1);
  expect(liveAsSent({ sent: ['a'], readBack: ['A'], live: ['a', 1], rules: [] })).toEqual(['a', 1]);
});

test('A text with an escape has another meaning if the service escapes.', () => {
  expect(isEscaped('a &amp; b', ['html-escapes'])).toBe(true);
  expect(isEscaped(['a', '&#39;'], ['html-escapes'])).toBe(true);
  expect(isEscaped('a & b', ['html-escapes'])).toBe(false);
  expect(isEscaped('a &amp; b', ['quotes'])).toBe(false);
});
