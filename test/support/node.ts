import { resolve } from 'node:path';

/** What node is started with to run the built program. */
export const nodeFlags = ['--require', resolve(import.meta.dirname, 'short-run.cjs')] as const;

/** The built CLI. */
export const cliPath = resolve(import.meta.dirname, '../../dist/cli.js');

/** The words that start it. */
export const cliCommand = [process.execPath, ...nodeFlags, cliPath] as const;

/** Fails in a unit test: only the tests in test/e2e/ and test/docs/ run the built program (see jest.config.mjs). */
export function requireProgramTest(): void {
  if (!('runsBuiltProgram' in globalThis)) throw new Error('this test runs the built program: move it to test/e2e/');
}
