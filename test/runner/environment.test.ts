import { describe, expect, test } from '@jest/globals';
import ProcessEnvironment from './environment.mjs';

describe('the environment of a test file', () => {
  test.each(['message', 'SIGTERM'])(
    "A test file's remaining listeners of %s are removed, and no others.",
    async (event) => {
      const [before, left] = [() => {}, () => {}];
      process.on(event, before);
      const environment = new ProcessEnvironment({ projectConfig: { globals: {}, fakeTimers: {} } });
      await environment.setup();
      process.on(event, left);
      await environment.teardown();
      expect(process.listeners(event as 'SIGTERM')).toContain(before);
      expect(process.listeners(event as 'SIGTERM')).not.toContain(left);
      process.removeListener(event, before);
    },
  );
});
