import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type Admission, Limiter } from '../../src/service/limiter.ts';

const options = { concurrency: 8, pauseMs: 20, maxPauseMs: 200, patienceMs: 10_000 };

/** Makes the given number of requests enter the limiter. Returns how many of them are admitted immediately. */
async function crowd(limiter: Limiter, size: number): Promise<{ admitted: () => number }> {
  let admitted = 0;
  for (let i = 0; i < size; i++) {
    void Promise.resolve(limiter.enter()).then((entry) => {
      if (entry.admitted) admitted += 1;
    });
  }
  await Promise.resolve();
  return { admitted: () => admitted };
}

async function permitOf(entry: Admission | Promise<Admission>): Promise<number> {
  const entered = await entry;
  if (!entered.admitted) throw new Error('turned away');
  return entered.permit;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the limiter', () => {
  test.each([1, 2, 3])('The limiter delays no request forever if a pause ends at clock reading %i.', async (look) => {
    let now = 1_000;
    let looks = Number.POSITIVE_INFINITY;
    jest.spyOn(performance, 'now').mockImplementation(() => {
      looks -= 1;
      return looks > 0 ? now : now + 1_000;
    });
    const limiter = new Limiter(options);
    limiter.slowDown(await permitOf(limiter.enter()), 100);
    limiter.leave();
    now += 99;
    looks = look;
    expect(await limiter.enter()).toMatchObject({ admitted: true });
  });

  test('The limiter admits as many requests as the concurrency, and the next when one leaves.', async () => {
    const limiter = new Limiter(options);
    const { admitted } = await crowd(limiter, 20);
    expect(admitted()).toBe(8);
    limiter.leave();
    await sleep(1);
    expect(admitted()).toBe(9);
    limiter.close();
  });

  test('The limiter halves the concurrency once for each burst, down to one.', async () => {
    const limiter = new Limiter(options);
    for (const expected of [4, 2, 1, 1]) {
      const permit = await permitOf(limiter.enter());
      for (let heard = 0; heard < 3; heard++) limiter.slowDown(permit, 0.01);
      limiter.leave();
      await sleep(5);
      const { admitted } = await crowd(limiter, expected);
      expect(admitted()).toBe(expected);
      for (let i = 0; i < expected; i++) limiter.leave();
    }
    limiter.close();
  });

  test('The limiter recovers by one for every four rounds of successes.', async () => {
    const limiter = new Limiter(options);
    limiter.slowDown(await permitOf(limiter.enter()), 1);
    limiter.leave();
    await sleep(5);
    for (let i = 0; i < 18; i++) limiter.speedUp();
    const { admitted } = await crowd(limiter, 20);
    expect(admitted()).toBe(5);
    for (let i = 0; i < 500; i++) limiter.speedUp();
    limiter.leave();
    await sleep(1);
    expect(admitted()).toBe(9);
    limiter.close();
  });

  test('The limiter lengthens its pauses while no request succeeds.', async () => {
    const limiter = new Limiter({ ...options, pauseMs: 2, maxPauseMs: 100 });
    const pauses: number[] = [];
    for (let i = 0; i < 5; i++) {
      pauses.push(limiter.slowDown(await permitOf(limiter.enter()), undefined));
      limiter.leave();
    }
    expect(pauses[4]).toBeGreaterThan(15);
    expect(pauses[0]).toBeLessThanOrEqual(2);
    limiter.close();
  });

  test('The limiter rejects a request that would wait longer than its patience.', async () => {
    const limiter = new Limiter({ ...options, concurrency: 1, patienceMs: 50 });
    const permit = await permitOf(limiter.enter());
    const waiting = limiter.enter();
    limiter.slowDown(permit, 1000);
    expect(await waiting).toMatchObject({ admitted: false, pauseMs: expect.any(Number) });
    expect(await limiter.enter()).toMatchObject({ admitted: false });
    limiter.close();
    expect(await limiter.enter()).toEqual({ admitted: false, pauseMs: undefined });
  });
});
