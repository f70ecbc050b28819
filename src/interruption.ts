import { setImmediate as turn } from 'node:timers/promises';
import { interruptedEarly } from './errors.ts';

/** Functions that install and remove the handlers for SIGINT and SIGTERM. */
interface SignalHandlers {
  readonly install: () => void;
  readonly remove: () => void;
}

/**
 * Without a handler, a signal ends the process, even during an endless loop. A handler would run only after the loop.
 * So handlers are installed only while a run waits, or must finish its work.
 */
class Attention {
  readonly #handlers: SignalHandlers;
  #holders = 0;
  #pauses = 0;
  #isInstalled = false;

  constructor(handlers: SignalHandlers) {
    this.#handlers = handlers;
  }

  change({ holders = 0, pauses = 0 }: { readonly holders?: number; readonly pauses?: number }): void {
    this.#holders += holders;
    this.#pauses += pauses;
    const isWanted = this.#holders > 0 && this.#pauses === 0;
    if (isWanted === this.#isInstalled) return;
    this.#isInstalled = isWanted;
    if (isWanted) this.#handlers.install();
    else this.#handlers.remove();
  }
}

const attentions = new WeakMap<AbortSignal, Attention>();

/** Declares how process signals abort this AbortSignal. Only `attended` installs the handlers. */
export function abortBySignals(signal: AbortSignal, handlers: SignalHandlers): void {
  attentions.set(signal, new Attention(handlers));
}

/**
 * Lets the work finish: a process signal aborts the AbortSignal, but does not end the process. Node drops a signal that
 * has arrived if its handler is removed before the handler runs. So handlers are removed only after a turn of the event
 * loop.
 */
export async function attended<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
  const attention = signal && attentions.get(signal);
  attention?.change({ holders: 1 });
  try {
    return await work();
  } finally {
    if (attention !== undefined) await turn();
    attention?.change({ holders: -1 });
  }
}

/** Runs a computation that a signal may end even within attended work. The computation must leave nothing half done. */
export async function unattended<Result>(signal: AbortSignal | undefined, compute: () => Result): Promise<Result> {
  const attention = signal && attentions.get(signal);
  if (attention !== undefined) await turn();
  requireUninterrupted(signal);
  attention?.change({ pauses: 1 });
  try {
    return compute();
  } finally {
    attention?.change({ pauses: -1 });
  }
}

/**
 * Waits for a read, or throws `interrupted` as soon as the signal is aborted. An abandoned read ends when its
 * connections are closed.
 */
export function readUntilInterrupted<Result>(
  signal: AbortSignal | undefined,
  result: Promise<Result>,
): Promise<Result> {
  return attended(signal, async () => {
    let stop: (() => void) | undefined;
    const interrupted = new Promise<never>((_, reject) => {
      stop = () => reject(interruptedEarly());
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
    });
    try {
      return await Promise.race([result, interrupted]);
    } finally {
      if (stop !== undefined) signal?.removeEventListener('abort', stop);
    }
  });
}

/** Calls `tell` if the signal is aborted during the work. The signal may outlive the work, as in a service. */
export async function telling<Result>(
  signal: AbortSignal,
  tell: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  signal.addEventListener('abort', tell, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', tell);
  }
}

/** Throws `interrupted` if the signal is already aborted. */
export function requireUninterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interruptedEarly();
}
