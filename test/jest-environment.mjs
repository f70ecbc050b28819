import { AsyncLocalStorage } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { TestEnvironment } from 'jest-environment-node';

// Each test file has functions of its own, most of which do not run long enough to earn back what V8 takes to optimize them: thirty
// times as much of a function is run before.
setFlagsFromString('--interrupt-budget=2000000');
// What a test makes is garbage soon: the young generation grows in one step, so that it is collected less often.
setFlagsFromString('--semi-space-growth-factor=16');

/** Of the test file that runs. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
  storages.add(this);
  return run.apply(this, given);
};

export default class Environment extends TestEnvironment {
  /**
   * Under jest, errors thrown by Node's core belong to another realm, so that `error instanceof Error` is false for them.
   * Sharing the outer constructors makes the tests see what a user's process sees.
   */
  async setup() {
    await super.setup();
    for (const name of ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError']) {
      this.global[name] = globalThis[name];
    }
  }

  /** Jest has one storage a test file, which it leaves enabled: each promise of all later files would be entered in it as well. */
  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
}
