// Replaces `@jest/globals`: the functions of jest for the test file that imports this module.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for('agentform.jest-globals')];
