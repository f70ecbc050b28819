import { expect, test } from '@jest/globals';
import { late, processorTime, withinLimit } from '../../src/yaml/values.ts';

/** Imitates a machine that is busy with other work: time passes, but nothing is computed. */
function wait(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function compute(milliseconds: number): void {
  const end = processorTime() + milliseconds;
  while (processorTime() < end);
}

test('An attempt that the clock ended before it could compute is repeated with more patience.', () => {
  const given: number[] = [];
  const { result, spent } = withinLimit(100, (milliseconds) => {
    given.push(milliseconds);
    wait(given.length === 1 ? milliseconds : 150);
    return given.length === 1 ? late : 'done';
  });
  expect({ result, given }).toEqual({ result: 'done', given: [100, expect.any(Number)] });
  expect(given[1]).toBeGreaterThan(1000);
  expect(spent).toBeLessThan(90);
});

test('An attempt that computed up to its limit is late immediately.', () => {
  let attempts = 0;
  const { result, spent } = withinLimit(100, (milliseconds) => {
    attempts += 1;
    compute(milliseconds);
    return late;
  });
  expect({ result, attempts }).toEqual({ result: late, attempts: 1 });
  expect(spent).toBeGreaterThanOrEqual(100);
});

test('A second attempt is late if it computes much longer than allowed, even if it ends.', () => {
  let attempts = 0;
  const { result, spent } = withinLimit(50, () => {
    attempts += 1;
    if (attempts === 2) compute(150);
    return attempts === 2 ? 'done' : late;
  });
  expect({ result, attempts, spent }).toEqual({ result: late, attempts: 2, spent: 50 });
});

test('An attempt that ends in time is made once.', () => {
  expect(withinLimit(1000, (milliseconds) => milliseconds)).toEqual({ result: 1000, spent: expect.any(Number) });
});
