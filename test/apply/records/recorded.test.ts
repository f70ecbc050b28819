import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AgentformError } from '../../../src/errors.ts';
import type { JsonObject } from '../../../src/json/json.ts';
import { recordText } from '../../../src/record/record-text.ts';
import { fingerprintOf } from '../../../src/secrets/fingerprint.ts';
import { json } from '../../support/independent-server.ts';
import { storeWith } from '../../support/late-store.ts';
import { testKey } from '../../support/observations.ts';
import { agent } from '../agent.ts';
import { applied, isRead, isWrite, pipeline, recordOf, refused, secret, server, useApplying } from '../applying.ts';

/** Tests what a record contains about its apply: the person, the time, failures and overwritten values. */
useApplying({ client: { retry: { tries: 1 } } });

const at = new Date(0).toISOString();
/** A text that a prompt check mistakes for a key. */
const keyLike = 'Use the api key a1B2c3D4e5F6g7H8i9J0 for bookings.';

/** Edits the newest agent in the dashboard. */
const someoneEdits = (settings: JsonObject) => {
  const stored = server.agents().at(-1);
  if (stored === undefined) throw new Error('there is no agent');
  server.edit(stored.id, settings);
};

describe('the applier of a record', () => {
  test('A record names the known applier, with the pull request and the run.', async () => {
    const applier = { by: 'tess', commit: 'c0ffee', pullRequest: 12, run: 'https://ci.example/runs/7' };
    await applied(agent(), { context: { applier } });
    expect(await recordOf(agent())).toMatchObject({
      appliedAt: at,
      appliedBy: 'tess',
      commit: 'c0ffee',
      pullRequest: 12,
      run: 'https://ci.example/runs/7',
    });
    const next = agent({ title: 'Next' });
    await applied(next);
    for (const name of ['appliedBy', 'commit', 'pullRequest', 'run'])
      expect(await recordOf(next)).not.toHaveProperty(name);
  });

  test('The applier in a record is short, visible and free of secrets.', async () => {
    const applier = { by: `Eve\u202e\n${secret}${'x'.repeat(500)}`, run: `https://ci.example/${secret}` };
    await applied(agent(), { context: { applier } });
    const { appliedBy = '', run } = (await recordOf(agent())) ?? {};
    expect(appliedBy).toMatch(/^Eve\\u202e \(sensitive\)x+…$/);
    expect(appliedBy.length).toBeLessThanOrEqual(100);
    expect(`${appliedBy} ${run}`).not.toContain(secret);
  });
});

describe('the time of a digest', () => {
  const digests = { declaredOf: () => 'd1', contentOf: () => ({ digest: 'c1', revision: 'r1' }) };

  test('The time of a digest is the time of the response to the write, by the clock of the service.', async () => {
    server.quirks = { date: 'Sun, 06 Nov 1994 08:49:37 GMT' };
    await applied(agent(), { context: digests });
    const since = '1994-11-06T08:49:37.000Z';
    expect(await recordOf(agent())).toMatchObject({
      declared: { digest: 'd1', since },
      content: { digest: 'c1', since },
      revision: 'r1',
      appliedAt: at,
    });
  });

  test.each([[undefined], ['yesterday'], ['Sun, 06 Foo 1994 08:49:37 GMT'], ['1']])(
    'The time of a digest is the lastUpdate of the read-back if the response has the date %j.',
    async (date) => {
      server.quirks = date === undefined ? {} : { date };
      const { id } = await applied(agent(), { context: digests });
      const lastUpdate = server.agents().find((one) => one.id === id)?.lastUpdate ?? 0;
      expect((await recordOf(agent()))?.declared?.since).toBe(new Date(lastUpdate).toISOString());
    },
  );

  test('The time of a digest changes only with the digest.', async () => {
    server.quirks = { date: 'Sun, 06 Nov 1994 08:49:37 GMT' };
    await applied(agent(), { context: digests });
    server.quirks = { date: 'Mon, 07 Nov 1994 08:49:37 GMT' };
    await applied(agent({ title: 'Undone' }), { context: { ...digests, declaredOf: () => 'd2' } });
    expect(await recordOf(agent())).toMatchObject({
      declared: { digest: 'd2', since: '1994-11-07T08:49:37.000Z' },
      content: { digest: 'c1', since: '1994-11-06T08:49:37.000Z' },
    });
  });

  test('A record has no digests if a setting is not stored.', async () => {
    await applied(agent(), { context: digests });
    server.quirks = { ignores: ['title'] };
    await applied(agent({ title: 'New' }), { context: digests });
    for (const name of ['declared', 'content', 'revision']) expect(await recordOf(agent())).not.toHaveProperty(name);
  });
});

const diskFull = new AgentformError('file-unwritable', 'the disk is full');

describe('a failed update', () => {
  const applier = { by: 'tess', commit: 'bad', run: 'https://ci.example/runs/8' };
  const tried = { at, by: 'tess', commit: 'bad', run: 'https://ci.example/runs/8' };
  const next = () => agent({ title: 'New' });

  async function failing(): Promise<void> {
    await applied(agent(), { context: { applier: { by: 'jo', commit: 'good' } } });
  }

  test('An update that the service refuses leaves the record unchanged, except for the code and the status.', async () => {
    await failing();
    const before = await recordOf(next());
    server.before = (call) => (isWrite(call) ? refused : undefined);
    expect(await applied(next(), { context: { applier } })).toMatchObject({ outcome: 'failed', sent: false });
    const { hmac: _, ...record } = (await recordOf(next())) ?? {};
    const { hmac: __, ...unchanged } = before ?? {};
    expect(record).toEqual({
      ...unchanged,
      failure: { code: 'service-refused', facts: { operation: 'updateAgent', status: 400 }, ...tried },
    });
    expect(JSON.stringify(record)).not.toContain('no such voice');
  });

  test('A record names the settings that the service did not store.', async () => {
    await failing();
    server.quirks = { ignores: ['title'] };
    expect(await applied(next(), { context: { applier } })).toMatchObject({ outcome: 'failed', sent: true });
    expect(await recordOf(next())).toMatchObject({
      appliedBy: 'tess',
      failure: { code: 'not-stored', facts: { ignored: ['settings.title'], otherwise: [] }, ...tried },
    });
  });

  test('A record says that the response to an update was lost.', async () => {
    await failing();
    server.before = (call) => (isWrite(call) ? 'reset' : undefined);
    expect(await applied(next(), { context: { applier } })).toMatchObject({ outcome: 'unknown' });
    expect(await recordOf(next())).toMatchObject({ failure: { code: 'service-unclear', ...tried } });
  });

  test('A record says that an agent could not be read before the write or after it.', async () => {
    await failing();
    let reads = 0;
    const unreadable = (from: number) => {
      reads = 0;
      server.before = (call) => {
        if (isRead(call)) reads += 1;
        return isRead(call) && reads >= from ? json(403, { success: false, message: 'no' }) : undefined;
      };
    };
    const planned = await pipeline.plan([next()]);
    unreadable(1);
    await pipeline.carryOut(planned, { context: { applier } });
    expect(await recordOf(next())).toMatchObject({
      failure: { code: 'service-refused', facts: { operation: 'getAgent', status: 403 } },
    });
    unreadable(2);
    const again = await pipeline.plan([next()]);
    unreadable(2);
    await pipeline.carryOut(again, { context: { applier } });
    expect(await recordOf(next())).toMatchObject({
      fields: { 'settings.title': { value: 'New' } },
      failure: { code: 'not-read-back', facts: { operation: 'getAgent', status: 403, cause: 'service-refused' } },
    });
  });

  test('The next successful update removes the failure from the record.', async () => {
    await failing();
    server.before = (call) => (isWrite(call) ? refused : undefined);
    await applied(next(), { context: { applier } });
    server.before = undefined;
    await applied(next());
    expect(await recordOf(next())).not.toHaveProperty('failure');
  });

  test('The failure leaves the record once the manifest matches the service.', async () => {
    await failing();
    server.before = (call) => (isWrite(call) ? refused : undefined);
    await applied(next(), { context: { applier } });
    expect(await applied(agent())).toMatchObject({ outcome: 'unchanged' });
    const record = await recordOf(agent());
    expect(record).not.toHaveProperty('failure');
    expect(record).toMatchObject({ appliedBy: 'jo', commit: 'good' });
  });

  test('An update reports its own failure even if that cannot be recorded.', async () => {
    await failing();
    server.before = (call) => (isWrite(call) ? refused : undefined);
    let saves = 0;
    const save: typeof pipeline.store.save = (...record) => {
      saves += 1;
      return saves === 1 ? pipeline.store.save(...record) : Promise.reject(diskFull);
    };
    const store = storeWith(pipeline.store, { save });
    expect(await applied(next(), { context: { applier, store } })).toMatchObject({
      outcome: 'failed',
      reasons: [
        { code: 'call-failed', facts: { problem: { call: { said: expect.stringContaining('no such voice') } } } },
      ],
    });
    expect(await recordOf(next())).toMatchObject({ failure: { code: 'interrupted' } });
  });

  test('An update is not sent if the doubt cannot be saved first.', async () => {
    await failing();
    server.takeLog();
    const store = storeWith(pipeline.store, { save: () => Promise.reject(diskFull) });
    expect(await applied(next(), { context: { applier, store } })).toMatchObject({ outcome: 'failed', sent: false });
    expect(server.takeLog().filter(isWrite)).toEqual([]);
  });

  test('A failed create has no record.', async () => {
    server.before = (call) => (isWrite(call) ? refused : undefined);
    expect(await applied(agent())).toMatchObject({ outcome: 'failed' });
    expect(await recordOf(agent())).toBeUndefined();
  });
});

describe('overwritten values', () => {
  test('A record keeps an edit that an apply undid until the next write.', async () => {
    const desired = agent({ welcomeMessage: 'Hello' });
    await applied(desired);
    someoneEdits({ welcomeMessage: 'Hey\nthere', title: 'Edited' });
    await applied(desired);
    const overwrote = [
      { path: 'settings.title', cause: 'drift', value: 'Edited' },
      { path: 'settings.welcomeMessage', cause: 'drift', value: 'Hey\nthere' },
    ];
    expect(await recordOf(desired)).toMatchObject({ overwrote });
    await applied(desired, { context: { settlesDeclared: true, declaredOf: () => 'd2' } });
    expect(await recordOf(desired)).toMatchObject({ overwrote, declared: { digest: 'd2' } });
    const next = agent({ welcomeMessage: 'Welcome' });
    await applied(next);
    expect(await recordOf(next)).not.toHaveProperty('overwrote');
  });

  test('A record keeps an edit that a decision overwrote, and the decision.', async () => {
    await applied(agent());
    someoneEdits({ title: 'Theirs' });
    const desired = agent({ title: 'Ours' });
    await applied(desired, { overwrite: [`Agent/${desired.name}`] });
    expect(await recordOf(desired)).toMatchObject({
      overwrote: [{ path: 'settings.title', cause: 'conflict', value: 'Theirs' }],
      overruled: [{ rule: 'conflict', names: ['settings.title'], by: 'flag' }],
    });
  });

  test('A record keeps the value from before a setting was managed, and no value for a removed setting.', async () => {
    await applied(agent({ timezone: 'UTC' }));
    someoneEdits({ welcomeMessage: 'From the dashboard', timezone: null });
    const desired = agent({ timezone: 'UTC', welcomeMessage: 'Hello' });
    await applied(desired);
    expect((await recordOf(desired))?.overwrote).toEqual([
      { path: 'settings.welcomeMessage', cause: 'adopt', value: 'From the dashboard' },
      { path: 'settings.timezone', cause: 'drift' },
    ]);
  });

  test('A record keeps an undeclared list element that an apply removed.', async () => {
    const desired = agent({}, {}, { skills: [{ slug: 'calendar', instructions: 'Book.' }] });
    await applied(desired);
    someoneEdits({
      skills: [
        { slug: 'calendar', instructions: 'Book.' },
        { slug: 'billing', instructions: 'Bill.' },
      ],
    });
    await applied(desired);
    expect((await recordOf(desired))?.overwrote).toEqual([
      { path: 'skills[billing]', cause: 'drift', value: { instructions: 'Bill.' } },
    ]);
  });

  test('A record keeps the values that a write with a lost response may have replaced.', async () => {
    await applied(agent());
    someoneEdits({ title: 'Edited' });
    server.before = (call) => (isWrite(call) ? 'reset' : undefined);
    expect(await applied(agent())).toMatchObject({ outcome: 'unknown' });
    const overwrote = [{ path: 'settings.title', cause: 'drift', value: 'Edited' }];
    expect(await recordOf(agent())).toMatchObject({ overwrote, failure: { code: 'service-unclear' } });
  });

  test('A record only keeps overwritten values that the service replaced.', async () => {
    await applied(agent());
    someoneEdits({ title: 'Edited', timezone: 'UTC' });
    server.quirks = { ignores: ['title'] };
    const desired = agent({ timezone: 'CET' });
    await applied(desired);
    expect((await recordOf(desired))?.overwrote).toEqual([{ path: 'settings.timezone', cause: 'adopt', value: 'UTC' }]);
  });

  test.each<[string, string, object]>([
    ['a secret', `Ask for ${secret}.\nThen book.`, { type: 'string', lines: 2 }],
    ['what looks like a key', keyLike, { type: 'string', lines: 1 }],
    ['more than is kept', `${'long '.repeat(50_000)}\n\n`, { type: 'string', lines: 2 }],
  ])('A record has a fingerprint and a summary of an overwritten value with %s.', async (_what, text, summary) => {
    const desired = agent({ welcomeMessage: 'Hello' });
    await applied(desired);
    someoneEdits({ welcomeMessage: text });
    await applied(desired);
    const record = await recordOf(desired);
    expect(record?.overwrote).toEqual([
      { path: 'settings.welcomeMessage', cause: 'drift', fingerprint: expect.stringMatching(/^hmac:/), summary },
    ]);
    const place = { environment: 'test', kind: 'Agent', name: desired.name, path: 'settings.welcomeMessage' };
    expect(record?.overwrote?.[0]?.fingerprint).toBe(fingerprintOf(testKey, place, JSON.stringify(text)));
    expect(JSON.stringify(record)).not.toContain(text.slice(0, 20));
  });

  test('A record keeps no more than a million characters of overwritten values.', async () => {
    const skills = (text: string) => Array.from({ length: 8 }, (_, n) => ({ slug: `s${n}`, instructions: text }));
    const desired = agent({}, {}, { skills: skills('Book.') });
    await applied(desired);
    someoneEdits({ skills: skills('long '.repeat(35_000)) });
    await applied(desired);
    const overwrote = (await recordOf(desired))?.overwrote ?? [];
    expect(overwrote.map(({ value }) => value !== undefined)).toEqual([
      ...Array(5).fill(true),
      ...Array(3).fill(false),
    ]);
    expect(overwrote.slice(5)).toEqual(
      Array(3).fill(expect.objectContaining({ summary: { type: 'string', lines: 1 } })),
    );
  });

  test('No secret gets into a record through a value that an apply overwrote.', async () => {
    const desired = agent({ welcomeMessage: 'Hello' }, {}, { skills: [{ slug: 'calendar', instructions: 'Book.' }] });
    await applied(desired);
    const pieces = fc.array(
      fc.constantFrom(secret, secret.slice(3), encodeURIComponent(secret), 'Hi ', '\n', '"', '{'),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    const text = pieces.map((all) => all.join(''));
    const edits = fc.record({ welcomeMessage: text, title: text, slug: text, instructions: text });
    await fc.assert(
      fc.asyncProperty(edits, async ({ welcomeMessage, title, slug, instructions }) => {
        const calendar = { slug: 'calendar', instructions };
        someoneEdits({ welcomeMessage, title, skills: [calendar, { slug: `s-${slug}`, instructions }] });
        await applied(desired, { context: { applier: { by: title, run: welcomeMessage } } });
        const record = await recordOf(desired);
        expect(record === undefined ? '' : recordText(record)).not.toContain(secret);
      }),
      { numRuns: 25 },
    );
  });
});
