// Replaces `@jest/globals`. Exports the jest functions of the test file that imports this module.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for('agentform.jest-globals')];
