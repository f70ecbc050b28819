import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redactor } from '../../src/kinds/redact.ts';
import { mask, Secret } from '../../src/kinds/secret.ts';

const odd = 'a/b+c d"e\\f&g=ä%2F\n(!)~*\'';

describe('redactor', () => {
  test.each<[string, string]>([
    ['raw', odd],
    ['percent-encoded', encodeURIComponent(odd)],
    ['percent-encoded in small letters', encodeURIComponent(odd).replace(/%../g, (byte) => byte.toLowerCase())],
    [
      'percent-encoded strictly',
      encodeURIComponent(odd).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    ],
    ['percent-encoded as a whole', encodeURI(odd)],
    ['form-encoded', new URLSearchParams({ x: odd }).toString().slice(2)],
    ['JSON-escaped', JSON.stringify(odd).slice(1, -1)],
  ])('finds a secret that is %s', (_, written) => {
    expect(redactor([new Secret(odd)])(`<${written}>`)).toBe(`<${mask}>`);
  });

  test('takes the longest first, so that no rest is left', () => {
    expect(redactor(['key', 'key-long'])('key-long, key')).toBe(`${mask}, ${mask}`);
  });

  test('finds a secret without the line break that its variable ended with', () => {
    expect(redactor(['tok\n'])('bad token tok!')).toBe(`bad token ${mask}!`.replace('bad token', `bad ${mask}en`));
  });

  test('replaces every place, and patterns are plain text', () => {
    expect(redactor(['a.c'])('a.c abc a.c')).toBe(`${mask} abc ${mask}`);
  });

  test('leaves empty secrets and texts without secrets alone', () => {
    expect(redactor(['', new Secret(' ')])('some text'.replace(' ', '_'))).toBe('some_text');
    expect(redactor([])('text')).toBe('text');
  });

  test('redacting twice is redacting once, even for a secret that the mask holds', () => {
    const redact = redactor(['sensitive', 'e']);
    expect(redact(redact('see sensitive'))).toBe(redact('see sensitive'));
  });

  test('law: no form of a secret is left', () => {
    const secrets = fc.array(fc.string({ unit: 'binary', minLength: 12, maxLength: 30 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(secrets, fc.string(), (values, around) => {
        const redact = redactor(values);
        for (const value of values) {
          const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
          for (const form of forms) expect(redact(around + form + around)).not.toContain(form);
        }
      }),
    );
  });
});
