import { writeSync } from 'node:fs';
import { exitCodes } from '../errors.ts';
import { endGit } from '../git/running.ts';
import type { Console } from './console.ts';

export interface Interrupt {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** What of the command that runs answers to signals. The packages below it may listen too, and decide nothing. */
const answering = new Set<() => void>();

/**
 * The first Ctrl-C (or SIGTERM) aborts the signal, so that what is in flight is finished and recorded; the second ends
 * the process. The record is true at both moments: it is saved before a create and after each write.
 */
export function interruptSignal(console: Console): Interrupt {
  const { process } = console;
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) stopAtOnce(console);
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  answering.add(onSignal);
  const release = () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    answering.delete(onSignal);
  };
  return { signal: controller.signal, release };
}

const showCursor = '\u001b[?25h';

/** Progress hides the cursor and holds back what others write, so that the last words go past it. */
function stopAtOnce({ process, live }: Console): never {
  const text = 'stopped immediately: requests in flight may or may not have taken effect';
  writeSync(process.stderr.fd, `${live ? `${showCursor}\n` : ''}${text}\n`);
  return process.exit(exitCodes.failed);
}

/**
 * Gives the terminal its cursor back when a signal ends a command that has no answer of its own to it. The process ends
 * by the signal all the same, so that a shell knows what ended it.
 */
export function keepCursor({ process, live }: Console): void {
  if (!live) return;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const onSignal = () => {
      if (answering.size > 0) return;
      writeSync(process.stderr.fd, `${showCursor}\n`);
      endGit();
      process.removeAllListeners(signal).kill(process.pid, signal);
    };
    process.on(signal, onSignal);
  }
}

/** Settles at Ctrl-C or SIGTERM. */
export function waitForInterrupt({ process }: Console): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      answering.delete(onSignal);
      resolve();
    };
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
    answering.add(onSignal);
  });
}
