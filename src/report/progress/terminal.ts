import type { TerminalProgressOptions } from './listr.ts';
import { Phase } from './phase.ts';
import type { Progress } from './progress.ts';

/** Progress as a line that changes in place. Phases follow each other; each has a separate display. */
export function terminalProgress(options: TerminalProgressOptions): Progress {
  let phase: Phase | undefined;
  let displayed: Promise<void> = Promise.resolve();
  let isStopped = false;
  return {
    emit: (event) => {
      if (isStopped) return;
      if (event.type !== 'phase-started' && event.type !== 'phase-finished') return phase?.note(event);
      phase?.finish();
      if (event.type === 'phase-finished') return;
      phase = new Phase(event);
      displayed = showAfter(displayed, phase, options);
    },
    stop: () => {
      isStopped = true;
      // A finished phase ends its display before anything else can run.
      if (phase !== undefined && !phase.isFinished) {
        phase.finish();
        close(phase);
      }
      return displayed;
    },
  };
}

function close({ closer }: Phase): void {
  closer.isClosed = true;
  closer.close();
}

/**
 * Shows the phase after the earlier display has ended. listr2 is only loaded here, because that takes as long as a
 * small command. A phase that has ended by then is not shown. A broken display must not break the run.
 */
async function showAfter(before: Promise<void>, phase: Phase, options: TerminalProgressOptions): Promise<void> {
  await before;
  const isOver = () => phase.closer.isClosed || phase.isFinished;
  if (isOver()) return;
  try {
    const { showPhase } = await import('./listr.ts');
    if (!isOver()) await showPhase(phase, options);
  } catch {
    close(phase);
  }
}
