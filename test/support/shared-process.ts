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
 * From now on, the runs of this test file are carried out by processes that all test files share (`pool/`): a start is most of a
 * run. What a run says, its exit code and that it leaves nothing open is seen as with a process of its own, and no two runs are
 * in one process at the same time; what a process does at its start or with signals is not seen, and such tests have
 * processes of their own.
 */
export function shareProcess(): void {
  isShared = true;
}

/** Undefined if this test file shares no processes. */
export function sharedRun(run: Run): Promise<CliResult> | undefined {
  requireProgramTest();
  const pool = process.env.AGENTFORM_TEST_POOL;
  return isShared && pool !== undefined ? runIn(pool, run) : undefined;
}

/** The words that a shell starts the built CLI with, in a process that others share; nothing is read from standard input. */
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
