import { type Progress, type ProgressOptions, plainProgress } from './plain.ts';
import { terminalProgress } from './terminal.ts';

/** Shows how a run goes on: rows and counters on a terminal, a line for each applied resource elsewhere. */
export function createProgress(options: ProgressOptions): Progress {
  return options.interactive ? terminalProgress(options) : plainProgress(options);
}
