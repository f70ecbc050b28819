import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type MaskedPart, MaskedText, SecretNeeded, type Tristate } from '../../src/secrets/masked-text.ts';

const piece = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n'), maxLength: 4 });
const part = fc.oneof(piece, fc.record({ reference: fc.constant('${secret.S}'), value: piece }));

/** A masked text, and its original. */
function both(parts: readonly (string | { readonly reference: string; readonly value: string })[]) {
  const masked: MaskedPart[] = parts.map((one) => (typeof one === 'string' ? one : { reference: one.reference }));
  const text = parts.map((one) => (typeof one === 'string' ? one : one.value)).join('');
  return { masked: new MaskedText(masked), text };
}

test('The law holds that results of a masked text are true of the text with the secrets.', () => {
  const regexes = ['a', '^a', 'b$', '^a*$', '[ab]1', 'a|b', '^a|1$', '\\ba', '(?=b)a', '.b', '1+ ', '^', '$'];
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), piece, fc.constantFrom(...regexes), (parts, other, regex) => {
      const { masked, text } = both(parts);
      const agrees = (known: Tristate, truth: boolean) => expect([undefined, truth]).toContain(known);
      agrees(masked.contains(other), text.includes(other));
      agrees(masked.startsWith(other), text.startsWith(other));
      agrees(masked.endsWith(other), text.endsWith(other));
      agrees(masked.equals(other), text === other);
      agrees(masked.equals(text), true);
      agrees(masked.matches(regex), new RegExp(regex).test(text));
      agrees(
        masked.edited((one) => one.replaceAll('\n', '')).contains(other),
        text.replaceAll('\n', '').includes(other),
      );
    }),
    { numRuns: 400 },
  );
});

test('A masked text shows references, and never becomes a string by accident.', () => {
  const masked = new MaskedText(['pin ', { reference: '${secret.PIN}' }, '!']);
  expect([masked.shown, JSON.stringify({ masked }), inspect(masked)]).toEqual([
    'pin ${secret.PIN}!',
    '{"masked":"pin ${secret.PIN}!"}',
    'pin ${secret.PIN}!',
  ]);
  expect(() => `${masked}`).toThrow(SecretNeeded);
});

test('An edit with an ambiguous result hides the whole text.', () => {
  const masked = new MaskedText(['a\uffffb', { reference: '${secret.PIN}' }]).edited((text) => text);
  expect(masked.shown).toBe('${secret.PIN}');
  expect(masked.contains('a')).toBeUndefined();
});
