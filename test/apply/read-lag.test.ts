import { describe, expect, test } from '@jest/globals';
import pLimit from 'p-limit';
import { patienceOf, readUntil, waitedFor } from '../../src/apply/read-back.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import { json } from '../support/independent-server.ts';
import { messageOf, spoken } from '../support/notices.ts';
import { agent } from './agent.ts';
import { applied, isRead, isWrite, methods, pipeline, recordOf, server, useApplying } from './applying.ts';

useApplying({ client: { retry: { tries: 1 } } });

/** Allows a single wait before the last read, of the given length in milliseconds. */
const patient = { context: { readBackMs: 20 } };

/** After each write, the given number of reads return the state before the write. */
function lag(reads: number): void {
  let shown = json(404, { success: false, message: 'Agent not found' });
  let left = 0;
  server.after = (call, reply) => {
    if (isWrite(call)) left = reads;
    if (!isRead(call)) return undefined;
    left -= 1;
    if (left >= 0) return shown;
    shown = reply;
    return undefined;
  };
}

/** The changes that another plan would make. */
async function pending(desired: Desired): Promise<(string | undefined)[]> {
  const { plan } = await pipeline.plan([desired]);
  return plan.resources.flatMap(({ action, changes }) => [action, ...changes.map(({ cause }) => cause)]);
}

const liveOf = ({ target }: Desired) => server.agentOf(target.token.reveal());

describe('a read that lags behind the write', () => {
  test('The read after a create is repeated until the agent exists.', async () => {
    lag(1);
    const desired = agent();
    expect(await applied(desired, patient)).toMatchObject({ outcome: 'applied', warnings: [] });
    expect(methods()).toEqual(['POST', 'GET', 'GET']);
    expect((await recordOf(desired))?.lastUpdate).toBe(liveOf(desired)?.lastUpdate);
  });

  test('The read after an update is repeated until every setting is stored.', async () => {
    await applied(agent());
    lag(1);
    const desired = agent({ title: 'New' });
    expect(await applied(desired, patient)).toMatchObject({ outcome: 'applied', warnings: [] });
    expect(await pending(desired)).toEqual(['none']);
  });

  test('The read after writing unreadable settings is repeated until lastUpdate moves.', async () => {
    await applied(agent());
    lag(1);
    const desired = agent({ description: 'New' });
    expect(await applied(desired, patient)).toMatchObject({ outcome: 'applied', warnings: [] });
    expect((await recordOf(desired))?.lastUpdate).toBe(liveOf(desired)?.lastUpdate);
    expect(await pending(desired)).toEqual(['none']);
  });

  test('A read that lags too long fails the settings that differ, with the time waited.', async () => {
    await applied(agent());
    lag(2);
    expect(spoken(await applied(agent({ title: 'New' }), patient))).toMatchObject({
      outcome: 'failed',
      message: 'the service did not store settings.title (after waiting 0.1 s)',
    });
  });

  test('A read that lags too long does not turn our own write into an edit.', async () => {
    await applied(agent());
    lag(2);
    await applied(agent({ title: 'New' }), patient);
    expect((await pending(agent({ title: 'Newer' }))).slice(0, 2)).toEqual(['update', 'manifest']);
    server.after = undefined;
    expect((await pending(agent({ title: 'Newer' }))).slice(0, 2)).toEqual(['update', 'manifest']);
    expect(await pending(agent({ title: 'New' }))).toEqual(['update', 'unverified']);
  });

  test('A read that lags too long reports a new agent as not read back.', async () => {
    lag(2);
    expect(spoken(await applied(agent(), patient))).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/could not be read back: .*404.*not found" \(after waiting 0\.1 s\); plan again$/),
    });
  });

  test('A read that lags too long does not record the old lastUpdate, so the next apply resends once.', async () => {
    await applied(agent());
    lag(2);
    const desired = agent({ description: 'New' });
    const entry = await applied(desired, patient);
    expect(entry).toMatchObject({ outcome: 'applied' });
    expect(spoken(entry.warnings)).toEqual([
      'the service was slow to show the change. It still shows the old lastUpdate (after waiting 0.1 s), so the next apply resends the settings that cannot be read back. If reads often lag this long, raise service.readBack in agentform.yaml',
    ]);
    expect(await recordOf(desired)).not.toHaveProperty('lastUpdate');
    server.after = undefined;
    expect(await pending(desired)).toEqual(['update', 'unverified']);
    expect(await applied(desired, patient)).toMatchObject({ outcome: 'applied', warnings: [] });
    expect(await pending(desired)).toEqual(['none']);
  });

  test('The read after a write is not repeated if readBack is 0.', async () => {
    await applied(agent());
    lag(1);
    methods();
    expect(spoken(await applied(agent({ title: 'New' })))).toMatchObject({
      outcome: 'failed',
      message: 'the service did not store settings.title',
    });
    expect(methods()).toEqual(['GET', 'GET', 'POST', 'GET']);
  });

  test('A lagging read is not repeated if the read fails for another reason.', async () => {
    server.before = (call) => (isRead(call) ? json(403, { success: false, message: 'no' }) : undefined);
    expect(await applied(agent(), patient)).toMatchObject({ outcome: 'failed' });
    expect(methods()).toEqual(['POST', 'GET']);
  });

  test('An interrupted run stops waiting for a lagging read.', async () => {
    await applied(agent());
    lag(9);
    const controller = new AbortController();
    const lagged = server.after;
    server.after = (call, reply) => {
      if (isWrite(call)) controller.abort();
      return lagged?.(call, reply);
    };
    const desired = agent({ title: 'New' });
    const entry = await applied(desired, { context: { readBackMs: 600_000 }, signal: controller.signal });
    expect(messageOf(entry)).toBe(
      'the service did not store settings.title (the run was interrupted while it waited for a later read)',
    );
    expect(await recordOf(desired)).not.toHaveProperty('lastUpdate');
    server.after = undefined;
    // The plan finds no conflict, because only the earlier run has edited the title.
    expect(await pending(agent({ title: 'Newer' }))).toEqual(['update', 'manifest', 'unverified']);
  });

  test('A lagging read after a lost response does not make the outcome unknown.', async () => {
    await applied(agent());
    lag(1);
    const lagged = server.after;
    server.after = (call, reply) => {
      const shown = lagged?.(call, reply);
      return isWrite(call) ? 'reset' : shown;
    };
    expect(await applied(agent({ title: 'New' }), patient)).toMatchObject({ outcome: 'applied' });
  });
});

describe('a service that never changes lastUpdate', () => {
  const frozen = 1_700_000_000_000;
  const freeze = () => {
    server.after = (call, reply) => {
      if (!isRead(call) || reply.status !== 200) return undefined;
      const answer = JSON.parse(reply.body);
      return json(200, { ...answer, campaign: { ...answer.campaign, lastUpdate: frozen } });
    };
  };

  test('An unchanged lastUpdate is recorded once a new value shows that the read is new.', async () => {
    freeze();
    await applied(agent());
    const desired = agent({ title: 'New', description: 'New' });
    expect(await applied(desired, patient)).toMatchObject({ outcome: 'applied', warnings: [] });
    expect((await recordOf(desired))?.lastUpdate).toBe(frozen);
    expect(await pending(desired)).toEqual(['none']);
  });

  test('With a frozen lastUpdate, unreadable settings are resent only once.', async () => {
    freeze();
    await applied(agent());
    const desired = agent({ description: 'New' });
    await applied(desired, patient);
    expect(await pending(desired)).toEqual(['update', 'unverified']);
    await applied(desired, patient);
    expect(await pending(desired)).toEqual(['none']);
  });

  test('With a frozen lastUpdate, a read with new values is repeated only for the shortest waits.', async () => {
    freeze();
    await applied(agent());
    methods();
    const entry = await applied(agent({ title: 'New' }), { context: { readBackMs: 600_000 } });
    expect(entry.outcome).toBe('applied');
    expect(methods()).toEqual(['GET', 'GET', 'POST', 'GET', 'GET', 'GET']);
  });
});

describe('waits between reads', () => {
  /** Returns the waits that an apply requests before the given number of reads. No wait takes any time. */
  async function waits(limitMs: number, reads = Number.POSITIVE_INFINITY) {
    const asked: number[] = [];
    let count = 0;
    const pause = async (ms: number) => asked.push(ms) > 0;
    const found = await readUntil(
      async () => {
        count += 1;
        return count;
      },
      (seen) => seen >= reads,
      { limitMs, pause },
    );
    return { asked, found };
  }

  test('The waits between reads grow, and together stay within the limit.', async () => {
    expect((await waits(8_000)).asked).toEqual([200, 500, 1_000, 2_000, 4_000, 300]);
    expect((await waits(600)).asked).toEqual([200, 400]);
    expect((await waits(20_000)).asked).toEqual([200, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 300]);
    expect((await waits(0)).asked).toEqual([]);
  });

  test('The waits between reads end when the read shows the value.', async () => {
    expect(await waits(8_000, 3)).toEqual({
      asked: [200, 500],
      found: { seen: 3, waitedMs: 700, isCutShort: false },
    });
    expect(waitedFor((await waits(8_000)).found)).toEqual({ ms: 8_000 });
    expect(waitedFor((await waits(8_000, 1)).found)).toEqual({ ms: 0 });
  });

  test('The waits between reads end when the run is interrupted, and free their slot until then.', async () => {
    const controller = new AbortController();
    const slots = pLimit(1);
    const { pause } = patienceOf(600_000, controller.signal, slots);
    const waiting = slots(() => pause(600_000));
    await slots(async () => controller.abort());
    expect(await waiting).toBe(false);
    expect(slots.concurrency).toBe(1);
  });

  test('A resource that finished waiting continues beside the resource that took its slot.', async () => {
    const slots = pLimit(1);
    const { pause } = patienceOf(600_000, new AbortController().signal, slots);
    const order: string[] = [];
    const waiting = slots(async () => {
      await pause(1);
      order.push('waited');
    });
    const others = ['second', 'third'].map((name) =>
      slots(async () => {
        if (name === 'second') await waiting;
        order.push(name);
      }),
    );
    await Promise.all([waiting, ...others]);
    expect(order).toEqual(['waited', 'second', 'third']);
  });
});
