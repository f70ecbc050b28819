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
export function interruptSignal({ process }: Console): Interrupt {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.failed);
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    release: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
}

/** Settles at Ctrl-C or SIGTERM. */
export function waitForInterrupt({ process }: Console): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}
