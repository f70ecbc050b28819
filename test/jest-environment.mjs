import { TestEnvironment } from 'jest-environment-node';

/**
 * Under jest, errors thrown by Node's core belong to another realm, so that
 * `error instanceof Error` is false for them. Sharing the outer constructors
 * makes the tests see what a user's process sees.
 */
export default class SharedErrorsEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError']) {
      this.global[name] = globalThis[name];
    }
  }
}
