import { describe, expect, test } from '@jest/globals';
import { maskedPages, maskedWithin } from '../../../src/report/markdown/fit.ts';
import { planPages } from '../../../src/report/plan.ts';
import { redactor } from '../../../src/secrets/redact.ts';
import { change, plan, resource } from '../plan/plan-builders.ts';

const secret = 'abcdef';
const mask = redactor([secret]);
const changed = (name: string) =>
  resource({ name, changes: [change({ from: '', to: `${name} ${`${secret} `.repeat(2000)}` })] });
const made = plan(['a', 'b', 'c', 'd', 'e'].map(changed));

describe('texts whose masks are longer than the secrets', () => {
  test.each([150_000, 65_000, 30_000, 5_000, 500, 40])('A masked text stays within %i characters.', (limit) => {
    const { pages, shortened } = maskedPages((room) => planPages(made, { limit: room, maxPages: 1 }), {
      limit,
      mask,
    });
    const [text = ''] = pages;
    expect(text.length).toBeLessThanOrEqual(limit);
    expect(text).not.toContain(secret);
    expect(shortened).toBe(limit < 150_000);
  });

  test('A masked text is cut if its renderer has no limit.', () => {
    const text = `${secret} `.repeat(1000);
    expect(maskedWithin(() => text, { limit: 1000, mask }).length).toBeLessThanOrEqual(1000);
  });

  test('A masked text is empty without any room.', () => {
    expect(maskedWithin(() => secret, { limit: 0, mask })).toBe('');
  });

  test('A masked text is measured in the unit of its reader.', () => {
    const sizeOf = (text: string) => Buffer.byteLength(text);
    const text = maskedWithin((room) => '診'.repeat(room), { limit: 1000, mask, sizeOf });
    expect(sizeOf(text)).toBeLessThanOrEqual(1000);
    expect(sizeOf(text)).toBeGreaterThan(500);
  });
});
