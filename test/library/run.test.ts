import { expect, test } from '@jest/globals';
import * as library from '../../src/index.ts';

type Run = (options?: unknown) => Promise<unknown>;

const { plan, hold, status, diff, history, blame, forgetRecords } = library as unknown as Readonly<
  Record<'plan' | 'hold' | 'status' | 'diff' | 'history' | 'blame' | 'forgetRecords', Run>
>;

const usageError = (message: string) => ({ name: 'AgentformError', code: 'usage', message });

test.each([
  [{ names: 'front-desk' }, 'names must be an array of strings'],
  [{ exclude: [1] }, 'exclude must be an array of strings'],
  [{ new: 'all' }, 'new must be an array of strings'],
  [{ allowedHosts: 'example.com' }, 'allowedHosts must be an array of strings'],
  [{ concurrency: -1 }, 'concurrency must be an integer of at least 1'],
  [{ concurrency: '4' }, 'concurrency must be an integer of at least 1'],
  [{ allowCreates: -1 }, 'allowCreates must be an integer of at least 0'],
  [{ fromRow: Number.NaN }, 'fromRow must be an integer of at least 1'],
  [{ batchRows: 0 }, 'batchRows must be an integer of at least 1'],
  [{ page: 1.5 }, 'page must be an integer of at least 0'],
  [{ query: 'targetAccountId=17' }, 'query must be an array of strings'],
  [{ project: 5 }, 'project must be a string'],
  [{ environment: null }, 'environment must be a string'],
  [{ skipTests: 'false' }, 'skipTests must be true or false'],
  [{ env: { TOKEN: 5 } }, 'env must be an object of strings'],
  [{ onEvent: {} }, 'onEvent must be a function'],
  [{ signal: {} }, 'signal must be an AbortSignal'],
  [null, 'the argument must be an object'],
  ['front-desk', 'the argument must be an object'],
])('The library refuses untyped options: %j', async (options, message) => {
  await expect(plan(options)).rejects.toMatchObject(usageError(message));
});

test('Each library function that has options refuses untyped options.', async () => {
  const runs = Object.entries(library).filter(([name]) => !/^(?:render|exitCode|parse|savePlan|[A-Z])/.test(name));
  const functions = runs.flatMap(([name, run]) => (typeof run === 'function' ? [[name, run as Run] as const] : []));
  expect(functions.length).toBeGreaterThan(25);
  for (const [name, run] of functions) {
    const sentence = await run({ allowedHosts: 5 }).catch(String);
    expect([name, sentence]).toEqual([name, 'AgentformError: allowedHosts must be an array of strings']);
  }
});

test.each([
  ['hold', {}, 'reason must be a string'],
  ['diff', {}, 'with must be a string'],
  ['explain', {}, 'name must be a string'],
  ['show', {}, 'plan must be a string'],
  ['showRecord', {}, 'address must be a string'],
  ['blame', { name: 'Agent/desk' }, 'path must be a string'],
  ['adoptRecord', {}, 'address must be a string'],
  ['renameRecord', { from: 'a' }, 'to must be a string'],
  ['renameEnvironment', {}, 'from must be a string'],
  ['forgetEnvironment', {}, 'environment must be a string'],
  ['moveRecords', {}, 'to must be a string'],
  ['uploadTasks', {}, 'file must be a string'],
  ['importAgents', undefined, 'the argument must be an object'],
  ['importAgents', {}, 'what must be an object'],
  ['importAgents', { what: { id: 'camp_1', name: 'desk' } }, 'what.query must be an array of strings'],
  ['importAgents', { what: { list: 5 } }, 'what.list must be a string'],
  ['importAgents', { what: { fleet: 'desks', query: [] } }, 'what.list must be a string'],
  ['createTask', { flags: 'call' }, 'flags must be an object'],
  ['createTask', { flags: { target: 14155550100 } }, 'flags.target must be a string'],
  ['createTask', { flags: { waitToGreet: 'yes' } }, 'flags.waitToGreet must be true or false'],
  ['createTask', { flags: { attach: 'a.pdf' } }, 'flags.attach must be an array of strings'],
  ['createTask', { flags: { accountId: '5' } }, 'flags.accountId must be an integer'],
  ['startEmulator', { port: '80' }, 'port must be an integer of at least 0'],
  ['startEmulator', { faults: 'latency:ms=5' }, 'faults must be an array'],
])('The library function %s names a wrong or missing option of %j.', async (name, options, message) => {
  const { [name]: run = plan } = library as unknown as Readonly<Record<string, Run>>;
  await expect(run(options)).rejects.toMatchObject(usageError(message));
});

test.each([
  [{ faults: [{ kind: 'fire' }] }, /^"fire" is not a kind of fault; use one of /],
  [{ faults: [5] }, /^a fault must be an object with a kind/],
  [
    {
      accounts: [
        { id: 'a', token: 't' },
        { id: 5, token: 'u' },
      ],
    },
    /^emulator account 2 is invalid: id, token/,
  ],
  [{ accounts: [null] }, /^emulator account 1 is invalid/],
])('The emulator refuses untyped options: %j', async (options, message) => {
  const refused = { name: 'AgentformError', code: 'emulator-unusable', message: expect.stringMatching(message) };
  await expect(library.startEmulator(options as never)).rejects.toMatchObject(refused);
});

test.each([plan, hold, status, diff, history, blame, forgetRecords])(
  'The library function %p does nothing if its signal is already aborted.',
  async (run) => {
    const required = { reason: 'r', with: 'production', name: 'desk', path: 'settings.title' };
    const options = { ...required, project: '/no-such-project', signal: AbortSignal.abort() };
    await expect(run(options)).rejects.toMatchObject({ name: 'AgentformError', code: 'interrupted' });
  },
);
