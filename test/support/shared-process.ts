import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CliResult } from './cli.ts';

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
  const pool = process.env.AGENTFORM_TEST_POOL;
  return isShared && pool !== undefined ? runIn(pool, run) : undefined;
}

async function runIn(pool: string, run: Run): Promise<CliResult> {
  const socket = connect(pool);
  socket.write(`${JSON.stringify(run)}\n`);
  return JSON.parse(await text(socket));
}
