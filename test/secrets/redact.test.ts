import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { joinedRedactor, redactor, secretFinder } from '../../src/secrets/redact.ts';
import { mask, Secret } from '../../src/secrets/secret.ts';
import { codePoint } from '../support/code-point.ts';

const odd = 'a/b+c d"e\\f&g=ä%2F\n(!)~*\'';

describe('the redactor', () => {
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
  ])('The redactor finds a secret that is %s.', (_, written) => {
    expect(redactor([new Secret(odd)])(`<${written}>`)).toBe(`<${mask}>`);
  });

  test('The redactor replaces the longest secret first, so that no rest is left.', () => {
    expect(redactor(['key', 'key-long'])('key-long, key')).toBe(`${mask}, ${mask}`);
  });

  test('The redactor finds a secret without the final line break of its variable.', () => {
    expect(redactor(['tok\n'])('bad token tok!')).toBe(`bad token ${mask}!`.replace('bad token', `bad ${mask}en`));
  });

  test('The redactor replaces every occurrence, and treats patterns as plain text.', () => {
    expect(redactor(['a.c'])('a.c abc a.c')).toBe(`${mask} abc ${mask}`);
  });

  test('The redactor ignores empty secrets and texts without secrets.', () => {
    expect(redactor(['', new Secret(' ')])('some text'.replace(' ', '_'))).toBe('some_text');
    expect(redactor([])('text')).toBe('text');
  });

  test('The redactor gives the same result twice, even for a secret that the mask contains.', () => {
    const redact = redactor(['sensitive', 'e']);
    expect(redact(redact('see sensitive'))).toBe(redact('see sensitive'));
  });

  test('The law holds that no form of a secret is left.', () => {
    const secrets = fc.array(fc.string({ unit: codePoint, minLength: 12, maxLength: 30 }), {
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

  test('The redactor finds a whole secret that contains the mask.', () => {
    expect(redactor([`x${mask}y`])(`a x${mask}y b`)).toBe(`a ${mask} b`);
  });

  test('The redactor does not search what a mask decodes to.', () => {
    expect(redactor(['   +  '])(`a ${mask} b`)).toBe(`a ${mask} b`);
  });

  test('The redactor finds all of a thousand secrets, and no other text.', () => {
    const secrets = Array.from({ length: 1000 }, (_, index) => `tok+${index}/${'x'.repeat(index % 50)}=`);
    const text = 'An ordinary prompt, of some length. '.repeat(60);
    const [redact, find] = [redactor(secrets), secretFinder(secrets)];
    expect([redact(text) === text, find(text)]).toEqual([true, false]);
    const [last] = text.split('. ');
    const missed = secrets.filter(
      (secret) => redact(`${last}${secret} ${last}`) !== `${last}${mask} ${last}` || !find(last + secret),
    );
    expect(missed).toEqual([]);
    expect(redact(secrets.join(text))).toBe(Array(1000).fill(mask).join(text));
  });

  test('The law holds that the result equals that of one search after another.', () => {
    const unit = fc.constantFrom('a', 'b', '+', '%', '/', ' ', '(', '"', '\\', mask, 'é');
    const secrets = fc.array(fc.string({ unit, maxLength: 8 }), { maxLength: 5 });
    const pieces = fc.array(fc.oneof(fc.string({ unit, maxLength: 6 }), fc.nat({ max: 4 })), { maxLength: 8 });
    fc.assert(
      fc.property(secrets, pieces, fc.boolean(), (values, parts, isEncoded) => {
        const words = parts.map((part) => (typeof part === 'string' ? part : (values[part] ?? '')));
        const text = words.map((word) => (isEncoded ? encodeURIComponent(word) : word)).join('');
        const forms = values.flatMap(naiveForms).filter((form) => form !== '');
        const found = [redactor(values)(text), secretFinder(values)(text)];
        expect(found).toEqual([naiveRedact(text, forms), forms.some((form) => text.includes(form))]);
      }),
      { numRuns: 400 },
    );
  });
});

describe('joined redactors', () => {
  const first = redactor([new Secret('tok_first'), 'tok_both']);

  test('Joined redactors remove what each of them does, encoded too.', () => {
    const joined = joinedRedactor(first, redactor([new Secret('tok_first_and_more'), 'tok_other']));
    const text = `tok_first tok_both tok_other tok_first_and_more ${Buffer.from('tok_other').toString('base64')}`;
    expect(joined(text)).toBe([mask, mask, mask, mask, mask].join(' '));
  });

  test('Joined redactors equal the first one if the second has no new secret.', () => {
    expect(joinedRedactor(first, redactor(['tok_both']))).toBe(first);
    expect(joinedRedactor(first, redactor([]))).toBe(first);
  });

  test('Joined redactors run one after another if one learns its secrets later.', () => {
    const secrets: string[] = [];
    const joined = joinedRedactor(first, (text) => redactor(secrets)(text));
    secrets.push('tok_later');
    expect(joined('tok_first tok_later')).toBe(`${mask} ${mask}`);
  });

  test('A secret in a sentence, in JSON or in a log is masked.', () => {
    const secret = new Secret('tok_other');
    expect([`${secret}`, JSON.stringify({ secret }), inspect(secret)]).toEqual([mask, `{"secret":"${mask}"}`, mask]);
  });

  test('Joined redactors print no secret.', () => {
    expect(inspect(joinedRedactor(first, redactor(['tok_other'])), { showHidden: true })).not.toContain('tok_');
  });
});

function naiveRedact(text: string, forms: readonly string[]): string {
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const pattern = [mask, ...longestFirst].map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  return text.replace(new RegExp(pattern, 'g'), mask);
}

function naiveForms(secret: string): string[] {
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  return [secret, secret.trim()].flatMap((text) => {
    const component = encodeURIComponent(text);
    const strict = component.replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    const form = new URLSearchParams({ '': text }).toString().slice(1);
    const url = [component, strict, encodeURI(text), form, form.replaceAll('+', '%20')];
    const row = text.replaceAll('"', '""');
    const quoted = [row, escaped(row), text.replaceAll("'", "''")];
    return [text, escaped(text), escaped(escaped(text)), ...quoted, ...url, ...url.map(lower)];
  });
}
