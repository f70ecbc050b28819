// Tests in test/e2e/ and test/docs/ run the built program, and need the processes that test/jest-setup.mjs starts. All
// other tests are unit tests and do not need them. jest.apart.config.mjs configures slow tests and editor tests.
//
// A worker that uses too much memory is restarted, because starting git takes longer in a large process. `npm run jest`
// sets this limit. With a limit, jest starts all workers even for a single file, so `npm run unit` sets none.
const builtProgram = ['<rootDir>/test/e2e', '<rootDir>/test/docs'];

const shared = {
  // Node.js loads the tests instead of jest (decisions/0129).
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  testRunner: '<rootDir>/test/runner/run-file.mjs',
  testMatch: ['**/*.test.ts'],
  transform: {},
  injectGlobals: false,
};

/** Makes a project for tests that run the built program. */
export const programTests = (displayName, options) => ({
  ...shared,
  displayName,
  globalSetup: '<rootDir>/test/jest-setup.mjs',
  globals: { runsBuiltProgram: true },
  ...options,
});

export const forAll = {
  coverageProvider: 'v8',
  // Only stops tests that hang. A lower limit would fail tests on a busy machine.
  testTimeout: 600_000,
  // On a busy machine, a worker without open handles can take longer than jest's default of 500 ms to exit.
  workerGracefulExitTimeout: 20_000,
  testSequencer: '<rootDir>/test/slowest-first.mjs',
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      // Includes src/, so that `npm run watch` detects changes there.
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testPathIgnorePatterns: [
        ...[...builtProgram, '<rootDir>/test/editor', '<rootDir>/test/fuzz', '<rootDir>/test/long'].map(
          (folder) => `^${folder}/`,
        ),
        '\\.(laws|limits)\\.test\\.ts$',
      ],
    },
    programTests('program', { roots: builtProgram }),
  ],
  ...forAll,
};
