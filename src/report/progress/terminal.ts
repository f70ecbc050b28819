import type { TerminalProgressOptions } from './listr.ts';
import { createPhase, type DisplayCloser, type Phase } from './phase.ts';
import type { Progress } from './progress.ts';

interface View {
  readonly phase: Phase;
  readonly closer: DisplayCloser;
}

/** Progress as rows that change in place. Phases follow each other; each has a separate display. */
export function terminalProgress(options: TerminalProgressOptions): Progress {
  let view: View | undefined;
  let written: Promise<void> = Promise.resolve();
  let isStopped = false;
  const endPhase = () => view?.phase.finish();
  return {
    emit: (event) => {
      if (isStopped) return;
      if (event.type === 'phase-finished') return endPhase();
      if (event.type !== 'phase-started') return view?.phase.note(event);
      endPhase();
      view = { phase: createPhase(event), closer: { isClosed: event.total === 0, close: () => undefined } };
      written = showAfter(written, view, options);
    },
    stop: () => {
      isStopped = true;
      // A finished phase ends its display before anything else can run.
      if (view !== undefined && !view.phase.head.isFinished) {
        endPhase();
        close(view.closer);
      }
      return written;
    },
  };
}

export function close(closer: DisplayCloser): void {
  closer.isClosed = true;
  closer.close();
}

/**
 * Shows the phase once the display before it has ended. listr2 is loaded here and not at the start, because loading it
 * takes as long as a small command. A phase that is over by then is not shown. A display that breaks must not break the
 * run.
 */
async function showAfter(
  before: Promise<void>,
  { phase, closer }: View,
  options: TerminalProgressOptions,
): Promise<void> {
  await before;
  const isOver = () => closer.isClosed || phase.head.isFinished;
  if (isOver()) return;
  try {
    const { showPhase } = await import('./listr.ts');
    if (!isOver()) await showPhase(phase, closer, options);
  } catch {
    close(closer);
  }
}
