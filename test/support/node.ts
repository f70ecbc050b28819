import { resolve } from 'node:path';

/** What node is started with to run the built program. */
export const nodeFlags = ['--require', resolve(import.meta.dirname, 'short-run.cjs')] as const;

/** The words that start the built CLI. */
export const cliCommand = [process.execPath, ...nodeFlags, resolve(import.meta.dirname, '../../dist/cli.js')] as const;
