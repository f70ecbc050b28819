import { resolve } from 'node:path';

/**
 * What node is started with to run the built program. Optimizing compilers, for undici's parser and for the program,
 * take a quarter of a short run, which no test runs long enough to earn back; nor does it need its garbage collected.
 */
export const nodeFlags = ['--liftoff-only', '--no-opt', '--min-semi-space-size=16'] as const;

/** The words that start the built CLI. */
export const cliCommand = [process.execPath, ...nodeFlags, resolve(import.meta.dirname, '../../dist/cli.js')] as const;
