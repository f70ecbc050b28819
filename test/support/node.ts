import { resolve } from 'node:path';

/** The node flags for the built program. */
export const nodeFlags = ['--require', resolve(import.meta.dirname, 'short-run.cjs')] as const;

export const cliPath = resolve(import.meta.dirname, '../../dist/cli.js');

/** The command that starts the built program. */
export const cliCommand = [process.execPath, ...nodeFlags, cliPath] as const;

/**
 * Throws if it is called in a unit test. Only tests in test/e2e/ and test/docs/ may run the built program (see
 * jest.config.mjs).
 */
export function requireProgramTest(): void {
  if (!('runsBuiltProgram' in globalThis)) throw new Error('this test runs the built program: move it to test/e2e/');
}
