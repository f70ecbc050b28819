// A test that runs the built program is in test/e2e/ or test/docs/. These folders need the processes that test/jest-setup.mjs
// starts; all other tests are unit tests, and begin without it. jest.apart.config.mjs has the tests that take long and those of editors.
const builtProgram = ['<rootDir>/test/e2e', '<rootDir>/test/docs'];

const shared = {
  // Node loads the tests, and not jest (decisions/0129).
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  testRunner: '<rootDir>/test/runner/run-file.mjs',
  testMatch: ['**/*.test.ts'],
  transform: {},
  injectGlobals: false,
};

/** The project of tests that run the built program. */
export const programTests = (displayName, options) => ({
  ...shared,
  displayName,
  globalSetup: '<rootDir>/test/jest-setup.mjs',
  globals: { runsBuiltProgram: true },
  ...options,
});

export const forAll = {
  coverageProvider: 'v8',
  // Ends a test that hangs; nothing is judged by the clock, which also runs on a machine that is busy with something else.
  testTimeout: 600_000,
  // Starting git takes longer in a large process.
  workerIdleMemoryLimit: '512MB',
  testSequencer: '<rootDir>/test/slowest-first.mjs',
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      // With src/, so that `npm run watch` sees its changes.
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
