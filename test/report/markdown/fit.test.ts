import { describe, expect, test } from '@jest/globals';
import { maskedWithin } from '../../../src/report/markdown/fit.ts';
import { planMarkdown } from '../../../src/report/plan.ts';
import { redactor } from '../../../src/secrets/redact.ts';
import { change, plan, resource } from '../plan/plan-builders.ts';

const secret = 'abcdef';
const mask = redactor([secret]);
const changed = (name: string) =>
  resource({ name, changes: [change({ from: '', to: `${name} ${`${secret} `.repeat(2000)}` })] });
const made = plan(['a', 'b', 'c', 'd', 'e'].map(changed));

describe('a text whose masks are longer than what they hide', () => {
  test.each([150_000, 65_000, 30_000, 5_000, 500, 40])(
    'A text whose masks are longer than what they hide stays within %i characters.',
    (limit) => {
      const { text, shortened } = maskedWithin((room) => planMarkdown(made, { limit: room }), { limit, mask });
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(text).not.toContain(secret);
      expect(shortened).toBe(limit < 150_000);
    },
  );

  test('A text whose masks are longer than what they hide is cut where its renderer takes no limit.', () => {
    const text = `${secret} `.repeat(1000);
    expect(maskedWithin(() => ({ text }), { limit: 1000, mask }).text.length).toBeLessThanOrEqual(1000);
  });

  test('A text whose masks are longer than what they hide is empty where there is no room at all.', () => {
    expect(maskedWithin(() => ({ text: secret }), { limit: 0, mask }).text).toBe('');
  });

  test('A text whose masks are longer than what they hide is measured as its reader measures it.', () => {
    const sizeOf = (text: string) => Buffer.byteLength(text);
    const render = (room: number) => ({ text: '診'.repeat(room) });
    const { text } = maskedWithin(render, { limit: 1000, mask, sizeOf });
    expect(sizeOf(text)).toBeLessThanOrEqual(1000);
    expect(sizeOf(text)).toBeGreaterThan(500);
  });
});
