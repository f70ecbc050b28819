import { resolve } from 'node:path';

/**
 * What node is started with to run the built program. V8 would compile undici's parser with its optimizing compiler,
 * a fifth of a short run, which no test runs long enough to earn back.
 */
export const nodeFlags = ['--liftoff-only'] as const;

/** The words that start the built CLI. */
export const cliCommand = [process.execPath, ...nodeFlags, resolve(import.meta.dirname, '../../dist/cli.js')] as const;
