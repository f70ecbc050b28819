import { interruptedEarly } from '../errors.ts';
import { attended } from '../interruption.ts';

/**
 * What the reading comes to; throws `interrupted` as soon as the signal is aborted. The reading is not waited for then:
 * it ends when its connections are closed.
 */
export function readUntilInterrupted<Result>(
  signal: AbortSignal | undefined,
  reading: Promise<Result>,
): Promise<Result> {
  return attended(signal, () => untilAborted(signal, reading));
}

async function untilAborted<Result>(signal: AbortSignal | undefined, reading: Promise<Result>): Promise<Result> {
  let stop: (() => void) | undefined;
  const interrupted = new Promise<never>((_, reject) => {
    stop = () => reject(interruptedEarly());
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
  });
  try {
    return await Promise.race([reading, interrupted]);
  } finally {
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
  }
}

/** Throws `interrupted` where the signal is aborted already. */
export function requireUninterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interruptedEarly();
}
