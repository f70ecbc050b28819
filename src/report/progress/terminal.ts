import type { TerminalProgressOptions } from './listr.ts';
import { Phase } from './phase.ts';
import type { Progress } from './progress.ts';

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
      // A finished phase closes its display before any other code runs, so only an unfinished phase is closed here.
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

/** Shows the phase after the previous one. Loading listr2 takes as long as a small command, and may fail. */
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
