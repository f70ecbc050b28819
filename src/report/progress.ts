import type { Emit } from '../apply/events.ts';
import { plainProgress } from './progress-plain.ts';
import { terminalProgress } from './progress-terminal.ts';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** The stream is a terminal and somebody watches it. */
  readonly interactive: boolean;
  readonly color: boolean;
  /** Without a terminal: tells the start of each phase and every read, too. */
  readonly verbose?: boolean;
}

export interface Progress {
  readonly emit: Emit;
  /**
   * Ends the display; it may be called at any time and more than once. The promise settles when nothing more will be
   * written. In the middle of a phase, the cursor is shown and no timer runs by the time it returns, so that the process
   * may exit at once.
   */
  stop(): Promise<void>;
}

/** Shows how a run goes on: rows and counters on a terminal, a line for each applied resource elsewhere. */
export function createProgress(options: ProgressOptions): Progress {
  return options.interactive ? terminalProgress(options) : plainProgress(options);
}
