import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import fc from 'fast-check';
import type { Lock } from '../../src/files/lock.ts';
import { createGitStore } from '../../src/record/git/store.ts';
import type { RecordStore } from '../../src/record/store.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { type BareRemote, bareRemote, clonedProject, gitEnv, pushedProject } from '../support/git.ts';
import { type StoreSite, testedStores } from '../support/stores.ts';

interface Told {
  /** The process that printed the event, and the time on a clock that all processes share. */
  readonly by: number;
  readonly at: number;
  readonly name?: string;
  readonly trying?: number;
  readonly saved?: number;
  readonly shared?: true;
  readonly locked?: true;
  readonly refused?: string;
}

/** Says when to kill a run: this number of milliseconds after its start, or after it got the lock. */
interface Kill {
  readonly after: number;
  readonly once: 'started' | 'locked';
  readonly seed: number;
}

/** The values that a record may have according to the events, and the last value that all runs can see. */
interface Known {
  readonly possible: ReadonlySet<number>;
  readonly shared: number;
}

const kill: fc.Arbitrary<Kill> = fc.record({
  after: fc.nat(250),
  once: fc.constantFrom('started' as const, 'locked' as const),
  seed: fc.nat(),
});

let folder: string;
let worker: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-worker-'));
  worker = join(folder, 'worker.mjs');
  await build({
    entryPoints: [resolve(import.meta.dirname, '../support/store-worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: worker,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('kills at any moment', () => {
  test.each(['file', 'postgres'] as const)(
    'A kill at any moment leaves every record as saved, and no lasting lock, in the %s store.',
    async (name) => {
      const tested = await testedStores[name]();
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(kill, kill), { minLength: 6, maxLength: 10 }), async (kills) => {
          const site = await tested.site();
          const roots = [await site.folder(), await site.folder()];
          try {
            const known = new Map<string, Known>();
            for (const pair of kills) {
              const runs = await Promise.all(
                pair.map((one, index) => killedRun({ ...site, root: roots[index] ?? '', prefix: 'a', ...one })),
              );
              const told = runs.flat().sort((one, other) => one.at - other.at);
              expectOneAtATime(told);
              note(known, told);
              await expectKept(await site.open(roots[0] ?? ''), known);
            }
            await expectNothingLeft(roots);
          } finally {
            await site.remove();
          }
        }),
        { endOnFailure: true, ...fuzzing(2) },
      );
      await tested.stop();
    },
    fuzzTimeout,
  );

  test(
    'A kill at any moment loses no shared record in the git store, with two clones that share.',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(kill, kill), { minLength: 4, maxLength: 4 }), async (kills) => {
          const remote = await bareRemote();
          const clones = [await pushedProject(remote, { 'README.md': 'x' }), await clonedProject(remote)];
          try {
            const known = new Map<string, Known>();
            for (const pair of kills) {
              const started = pair.map((one, index) => {
                const root = clones[index]?.root ?? '';
                const at = { record: { store: 'git' }, env: {}, root, prefix: `c${index}-` } as const;
                return killedRun({ ...one, ...at, after: one.after * 8 });
              });
              for (const told of await Promise.all(started)) note(known, told);
              await expectShared(remote, known);
            }
            for (const [index, { root }] of clones.entries()) {
              const store = await createGitStore({ root, branch: 'agentform-records', remote: 'origin', env: gitEnv });
              await expectKept(store, new Map([...known].filter(([name]) => name.startsWith(`c${index}-`))));
              await store.share('Apply to test');
              await store.close();
            }
            await expectShared(remote, known, 'all');
          } finally {
            await Promise.all([...clones, remote].map((each) => each.remove()));
          }
        }),
        { endOnFailure: true, ...fuzzing(1) },
      );
    },
    fuzzTimeout,
  );
});

/** Checks that killed runs leave no files of locks or records behind. */
async function expectNothingLeft(roots: readonly string[]): Promise<void> {
  const left = await Promise.all(roots.map((root) => readdir(root, { recursive: true })));
  expect(left.flat().filter((path) => /\.takeover$|^\.agentform\/records.*\.tmp$/.test(path))).toEqual([]);
}

interface Run extends Kill, Pick<StoreSite, 'record' | 'env'> {
  readonly root: string;
  readonly prefix: string;
}

/** Runs the worker until it is killed. Returns the events that the worker printed. */
async function killedRun({ record, env, root, prefix, seed, after, once }: Run): Promise<Told[]> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [worker, JSON.stringify(record), root, prefix, String(seed)], {
    env: { PATH, ...gitEnv, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const hasLock = new Promise<void>((settle) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) settle();
    });
    child.once('close', () => settle());
  });
  const closed = new Promise<void>((settle) => child.once('close', () => settle()));
  if (once === 'locked') await hasLock;
  await sleep(after);
  child.kill('SIGKILL');
  await closed;
  return text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line): Told => JSON.parse(line));
}

/** Checks that two runs in one project folder never work at the same time: one starts after the other was killed. */
function expectOneAtATime(told: readonly Told[]): void {
  const holders = told.filter(({ refused }) => refused === undefined).map(({ by }) => by);
  const turns = holders.filter((by, index) => by !== holders[index - 1]);
  expect(turns).toEqual([...new Set(turns)]);
}

/** Adds the events of a run, or of several consecutive runs, to the known values. */
function note(known: Map<string, Known>, told: readonly Told[]): void {
  const of = (name: string) => known.get(name) ?? { possible: new Set([0]), shared: 0 };
  for (const { name, trying, saved, shared } of told) {
    if (shared)
      for (const [each, { possible }] of known)
        if (isOf(told, each)) known.set(each, { possible, shared: Math.min(...possible) });
    if (name === undefined) continue;
    const before = of(name);
    if (trying !== undefined) known.set(name, { ...before, possible: new Set([...before.possible, trying]) });
    if (saved !== undefined) known.set(name, { ...before, possible: new Set([saved]) });
  }
}

/** Whether a run saved the record with this name. A run shares only records that it saved. */
function isOf(told: readonly Told[], name: string): boolean {
  return told.some((one) => one.name === name);
}

/** Checks, while holding the lock, that the store has the known records. */
async function expectKept(store: RecordStore, known: ReadonlyMap<string, Known>): Promise<void> {
  const lock = await lockOf(store);
  for (const { record } of await store.list('test')) {
    const { possible } = known.get(record.name) ?? { possible: new Set() };
    if (known.has(record.name)) expect([...possible]).toContain(record.fields.value?.value);
  }
  const found = new Set((await store.list('test')).map(({ record }) => record.name));
  for (const [name, { possible }] of known)
    if (!possible.has(0)) expect({ name, found: found.has(name) }).toEqual({ name, found: true });
  await lock.release();
}

/** Gets the lock. A server may need a moment to notice that a connection has ended. */
async function lockOf(store: RecordStore, until = Date.now() + 300_000): Promise<Lock> {
  try {
    return await store.lock('test');
  } catch (error) {
    if (!store.sharesAtOnce || Date.now() > until) throw error;
    await sleep(20);
    return lockOf(store, until);
  }
}

/** Checks that a run tried to write each value on the branch, and that no value is older than the last shared value. */
async function expectShared(remote: BareRemote, known: ReadonlyMap<string, Known>, what?: 'all'): Promise<void> {
  const records = Object.values(await remote.records());
  for (const [name, { possible, shared }] of known) {
    const record = records.find((one) => one.name === name) as { fields?: { value?: { value?: number } } } | undefined;
    const value = record?.fields?.value?.value ?? 0;
    expect(value).toBeGreaterThanOrEqual(what === 'all' ? Math.min(...possible) : shared);
    expect(value).toBeLessThanOrEqual(Math.max(...possible));
  }
}
