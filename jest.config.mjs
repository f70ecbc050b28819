// A test that runs the built program is in test/e2e/ or test/docs/. These folders need the processes that test/jest-setup.mjs
// starts; all other tests are unit tests, and begin without it. jest.apart.config.mjs has test/long/ and test/editor/.
const builtProgram = ['<rootDir>/test/e2e', '<rootDir>/test/docs'];

const shared = {
  // Node loads the tests, and not jest (decisions/0129).
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  testRunner: '<rootDir>/test/runner/run-file.mjs',
  testMatch: ['**/*.test.ts'],
  transform: {},
  injectGlobals: false,
};

/** The project of tests in these folders, which run the built program. */
export const programTests = (displayName, roots) => ({
  ...shared,
  displayName,
  globalSetup: '<rootDir>/test/jest-setup.mjs',
  roots,
  globals: { runsBuiltProgram: true },
});

export const forAll = {
  coverageProvider: 'v8',
  // Ends a test that hangs; nothing is judged by the clock, which also runs on a machine that is busy with something else.
  testTimeout: 600_000,
  // A process of 600 MB takes 24 ms to start another one, which is ten times what git then takes.
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
      testPathIgnorePatterns: [...builtProgram, '<rootDir>/test/long', '<rootDir>/test/editor'].map(
        (folder) => `^${folder}/`,
      ),
    },
    programTests('program', builtProgram),
  ],
  ...forAll,
};
