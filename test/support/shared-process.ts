import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll } from '@jest/globals';
import type { CliResult } from './cli.ts';

const host = resolve(import.meta.dirname, 'shared-process.mjs');

export interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * One process for all runs of the built program in a test file: a start is most of a run. What a run says, its exit code
 * and that it leaves nothing open is seen as with a process of its own; what a process does at its start, with signals
 * or beside another run is not, and such tests have processes of their own.
 */
export class SharedProcess {
  #child: ChildProcess | undefined;
  #isBusy = false;

  /** Undefined while another run goes on. */
  run(run: Run): Promise<CliResult> | undefined {
    if (this.#isBusy) return undefined;
    this.#isBusy = true;
    return this.#carryOut(run).finally(() => {
      this.#isBusy = false;
    });
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise((settle) => child.once('exit', settle));
    child.disconnect();
    await ended;
  }

  #carryOut(run: Run): Promise<CliResult> {
    this.#child ??= spawn(process.execPath, [host], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const child = this.#child;
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('a process without its output');
    const said = { stdout: '', stderr: '' };
    return new Promise((settle, reject) => {
      const end = (result: CliResult) => {
        for (const stream of [stdout, stderr]) stream.removeAllListeners('data');
        child.off('error', reject).off('close', onClose);
        settle(result);
      };
      const onClose = (code: number | null) => {
        this.#child = undefined;
        end({ code, ...said });
      };
      const heard = (name: 'stdout' | 'stderr') => (chunk: string) => {
        said[name] += chunk;
        const [talk = '', code, after] = said.stderr.split('\0');
        if (after === undefined || !said.stdout.endsWith('\0')) return;
        end({ code: Number(code), stdout: said.stdout.slice(0, -1), stderr: talk });
      };
      stdout.setEncoding('utf8').on('data', heard('stdout'));
      stderr.setEncoding('utf8').on('data', heard('stderr'));
      child.once('error', reject).once('close', onClose);
      child.send(run);
    });
  }
}

let shared: SharedProcess | undefined;

/** From now on, the runs of this test file that nothing else runs beside share a process. */
export function shareProcess(): void {
  const own = new SharedProcess();
  shared = own;
  afterAll(() => own.end());
}

export function sharedRun(run: Run): Promise<CliResult> | undefined {
  return shared?.run(run);
}
