import { formatNumber } from '../../../text/wording.ts';
import { rowsText } from './text.ts';
import type { UploadStep } from './upload.ts';

interface UploadProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** Whether the stream is a terminal. */
  readonly interactive: boolean;
  /** Milliseconds since any fixed time. */
  readonly clock: () => number;
}

export interface UploadProgress {
  readonly show: (step: UploadStep) => void;
  /** Removes the line before other output. */
  readonly clear: () => void;
  /** Keeps the line as the last progress of the upload. */
  readonly leave: () => void;
}

const barWidth = 24;
const pauseMs = 100;
/** Without a terminal, only a check that takes longer than this prints a line at each tenth. */
const quietMs = 2_000;

/**
 * A bar that is overwritten on a terminal; lines elsewhere. The rows of each request are always printed, because after
 * a kill only they show the progress.
 */
export function createUploadProgress({ stream, interactive, clock }: UploadProgressOptions): UploadProgress {
  return interactive ? terminalBar(stream, clock) : plainLines(stream, clock);
}

function terminalBar(stream: NodeJS.WriteStream, clock: () => number): UploadProgress {
  let isShown = false;
  let last = Number.NEGATIVE_INFINITY;
  const end = (text: string) => {
    if (isShown) stream.write(text);
    isShown = false;
  };
  return {
    show: (step) => {
      if (step.phase === 'check' && step.done < step.total && clock() - last < pauseMs) return;
      last = clock();
      isShown = true;
      const filled = Math.round(shareOf(step) * barWidth);
      stream.write(`\r\u001b[2K${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${stepText(step)}`);
    },
    clear: () => end('\r\u001b[2K'),
    leave: () => end('\n'),
  };
}

function plainLines(stream: NodeJS.WriteStream, clock: () => number): UploadProgress {
  const started = clock();
  let last = -1;
  return {
    show: (step) => {
      const tenth = Math.floor(shareOf(step) * 10);
      if (step.phase === 'check' && (tenth === last || (last < 0 && clock() - started < quietMs))) return;
      last = tenth;
      stream.write(`${stepText(step)}\n`);
    },
    clear: () => {},
    leave: () => {},
  };
}

function stepText(step: UploadStep): string {
  if (step.phase === 'check') return `checking ${Math.floor(shareOf(step) * 100)} %`;
  return `${step.dryRun ? 'validating' : 'sending'} ${rowsText(step)} of ${formatNumber(step.rows)}`;
}

/** The completed part of the file: checked, or acknowledged. */
function shareOf(step: UploadStep): number {
  if (step.phase === 'send') return (step.firstRow - 1) / step.rows;
  return step.total === 0 ? 1 : Math.min(1, step.done / step.total);
}
