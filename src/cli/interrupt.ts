import { writeSync } from 'node:fs';
import { exitCodes } from '../errors.ts';
import type { Console } from './console.ts';

export interface Interrupt {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

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
  return {
    signal: controller.signal,
    release: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
}

const showCursor = '\u001b[?25h';

/** Progress hides the cursor and holds back what others write, so that the last words go past it. */
function stopAtOnce({ process, live }: Console): never {
  const text = 'stopped at once: what was in flight may have been done or not';
  writeSync(process.stderr.fd, `${live ? `${showCursor}\n` : ''}${text}\n`);
  return process.exit(exitCodes.failed);
}

/** Settles at Ctrl-C or SIGTERM. */
export function waitForInterrupt({ process }: Console): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}
