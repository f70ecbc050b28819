import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { exitCodes } from '../errors.ts';
import { abortBySignals } from '../interruption.ts';
import type { Console } from './console.ts';

/**
 * Creates an AbortSignal that the first Ctrl-C or SIGTERM aborts, so that requests in flight are finished and recorded.
 * A second Ctrl-C or SIGTERM ends the process. `unclear` describes which requests may then have been carried out.
 */
export function interruptSignal(
  { process, live }: Console,
  unclear = () => 'requests in flight may or may not have taken effect',
): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) {
      // Bypasses the progress display, because the display would delay the message.
      writeSync(process.stderr.fd, `${live ? '\n' : ''}stopped immediately: ${unclear()}\n`);
      process.exit(exitCodes.failed);
    }
    controller.abort();
  };
  abortBySignals(controller.signal, {
    install: () => process.on('SIGINT', onSignal).on('SIGTERM', onSignal),
    remove: () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  });
  return controller.signal;
}

/**
 * Makes SIGINT and SIGTERM end the process if it is the first process of a container. Such a process ignores signals
 * without a handler.
 */
export function endAsFirstProcess({ process }: Pick<Console, 'process'>): void {
  if (process.pid !== 1) return;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
}

/** Resolves at Ctrl-C or SIGTERM. */
export function waitForInterrupt({ process }: Console): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}
