export default {
  globalSetup: '<rootDir>/test/jest-setup.mjs',
  testEnvironment: '<rootDir>/test/jest-environment.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  coverageProvider: 'v8',
  testTimeout: 90_000,
  // A process of 600 MB takes 24 ms to start another one, which is ten times what git then takes.
  workerIdleMemoryLimit: '150MB',
  testSequencer: '<rootDir>/test/slowest-first.mjs',
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
