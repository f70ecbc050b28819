import { formatNumber } from '../../../text/wording.ts';

export interface UploadStep {
  /** `check` counts bytes, `upload` counts rows. */
  readonly phase: 'check' | 'upload';
  readonly done: number;
  readonly total: number;
}

export interface UploadProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** The stream is a terminal and somebody watches it. */
  readonly interactive: boolean;
  /** Milliseconds since any point in time. */
  readonly clock: () => number;
}

export interface UploadProgress {
  readonly show: (step: UploadStep) => void;
  /** Takes the line away; what is said next stands on a line of its own. */
  readonly clear: () => void;
}

const barWidth = 24;
const pauseMs = 100;
/** Without a terminal: a line at each tenth, and only for what takes long enough for somebody to wonder. */
const quietMs = 2_000;

/** A bar that is written over on a terminal; elsewhere a line now and then. */
export function createUploadProgress({ stream, interactive, clock }: UploadProgressOptions): UploadProgress {
  return interactive ? terminalBar(stream, clock) : plainLines(stream, clock);
}

function terminalBar(stream: NodeJS.WriteStream, clock: () => number): UploadProgress {
  let isShown = false;
  let last = Number.NEGATIVE_INFINITY;
  return {
    show: (step) => {
      const isEnd = step.done >= step.total;
      if (!isEnd && clock() - last < pauseMs) return;
      last = clock();
      isShown = true;
      const filled = Math.round(shareOf(step) * barWidth);
      stream.write(`\r\u001b[2K${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${stepText(step)}`);
    },
    clear: () => {
      if (isShown) stream.write('\r\u001b[2K');
      isShown = false;
    },
  };
}

function plainLines(stream: NodeJS.WriteStream, clock: () => number): UploadProgress {
  const started = clock();
  let last = '';
  return {
    show: (step) => {
      const tenth = `${step.phase} ${Math.floor(shareOf(step) * 10)}`;
      if (tenth === last || (clock() - started < quietMs && last === '')) return;
      last = tenth;
      stream.write(`${stepText(step)}\n`);
    },
    clear: () => {},
  };
}

function stepText(step: UploadStep): string {
  const percent = `${Math.floor(shareOf(step) * 100)} %`;
  if (step.phase === 'check') return `checking ${percent}`;
  return `uploading ${percent}, ${formatNumber(step.done)} of ${formatNumber(step.total)} rows`;
}

function shareOf({ done, total }: UploadStep): number {
  return total === 0 ? 1 : Math.min(1, done / total);
}
