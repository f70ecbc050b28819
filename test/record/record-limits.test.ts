import { describe, expect, test } from '@jest/globals';
import { bytesFor, maxRecords, RecordLimits } from '../../src/record/record-text.ts';
import { agentRecord } from '../support/observations.ts';

const refusal = (why: string) =>
  expect.objectContaining({
    code: 'record-unreadable',
    message: `a place cannot be read: ${why}; remove the records that agentform did not write`,
    facts: { place: 'a place' },
  });
const fieldsOf = (count: number) =>
  agentRecord(Object.fromEntries(Array.from({ length: count }, (_, index) => [`extraSettings.k${index}`, 1])));

describe('limits of the records of an environment', () => {
  test('An environment has at most 250,000 records.', () => {
    expect(maxRecords).toBe(250_000);
    expect(new RecordLimits('a place', 250_000)).toBeDefined();
    expect(() => new RecordLimits('a place', 250_001)).toThrow(refusal('it has more than 250,000 records'));
  });

  test.each([
    [1, 96 * 1024 * 1024 + 64 * 1024, 'more than 96 MiB in 1 record'],
    [32, 98 * 1024 * 1024, 'more than 98 MiB in 32 records'],
  ])('The size limit of the records grows with their number: %d', (count, max, why) => {
    expect(bytesFor(count)).toBe(max);
    const room = new RecordLimits('a place', count);
    room.takeText(max - 10);
    room.takeText(10);
    expect(() => room.takeText(1)).toThrow(refusal(why));
  });

  test('Records are collected from existing places, and the limit of fields grows with their number.', () => {
    const [many, few] = [fieldsOf(1000), fieldsOf(250)];
    const places = ['few', 'gone', ...Array.from({ length: 60 }, () => 'many')];
    const found = new Map([
      ['few', { record: few, version: '1' }],
      ['many', { record: many, version: '2' }],
    ]);
    const collected = () => new RecordLimits('a place', 1).collect(places, (place) => found.get(place));
    expect(
      collected()
        .map(({ version }) => version)
        .join(''),
    ).toBe(`1${'2'.repeat(60)}`);
    found.set('few', { record: fieldsOf(251), version: '1' });
    const why = 'more than 60,250 fields in 1 record';
    expect(collected).toThrow(refusal(why));
  });
});
