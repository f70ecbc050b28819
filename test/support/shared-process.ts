import { connect } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CliResult } from './cli.ts';
import { cliCommand, cliPath, requireProgramTest } from './node.ts';

export interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

let isShared = false;

/**
 * Makes this test file run the CLI in processes that all test files share (`pool/`), because starting a process takes
 * most of the time of a run. Each process carries out one run at a time. Tests still see the output and exit code of a
 * run, and the handles that the run leaves open. Tests of process starts or signals need separate processes.
 */
export function shareProcess(): void {
  isShared = true;
}

/** Carries out a run in a shared process. Returns undefined if this test file does not share processes. */
export function sharedRun(run: Run): Promise<CliResult> | undefined {
  requireProgramTest();
  const pool = process.env.AGENTFORM_TEST_POOL;
  return isShared && pool !== undefined ? runIn(pool, run) : undefined;
}

/** Returns the command with which a shell runs the built CLI in a shared process, without standard input. */
export function sharedCommand(): readonly string[] {
  const pool = process.env.AGENTFORM_TEST_POOL;
  return pool === undefined
    ? cliCommand
    : [process.execPath, resolve(import.meta.dirname, 'pool/run.mjs'), pool, cliPath];
}

async function runIn(pool: string, run: Run): Promise<CliResult> {
  const socket = connect(pool);
  socket.write(`${JSON.stringify(run)}\n`);
  return JSON.parse(await text(socket));
}
