// A test that runs the built program is in test/e2e/, test/docs/ or test/long/. These folders need the processes that
// test/jest-setup.mjs starts; all other tests are unit tests, and begin without it.
const builtProgram = ['<rootDir>/test/e2e', '<rootDir>/test/docs'];
const longSimulations = ['<rootDir>/test/long'];

const shared = {
  testEnvironment: '<rootDir>/test/jest-environment.mjs',
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript' },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      // With src/, so that `npm run watch` sees its changes.
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testPathIgnorePatterns: [...builtProgram, ...longSimulations].map((folder) => `^${folder}/`),
    },
    {
      ...shared,
      displayName: 'program',
      globalSetup: '<rootDir>/test/jest-setup.mjs',
      roots: builtProgram,
      globals: { runsBuiltProgram: true },
    },
    {
      ...shared,
      displayName: 'long',
      globalSetup: '<rootDir>/test/jest-setup.mjs',
      roots: longSimulations,
      globals: { runsBuiltProgram: true },
    },
  ],
  coverageProvider: 'v8',
  testTimeout: 300_000,
  // A process of 600 MB takes 24 ms to start another one, which is ten times what git then takes.
  workerIdleMemoryLimit: '150MB',
  testSequencer: '<rootDir>/test/slowest-first.mjs',
};
