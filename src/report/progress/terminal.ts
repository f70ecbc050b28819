import type { RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { cutToWidth } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { formatNumber, present } from '../../text/wording.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import {
  endingOf,
  interruptedText,
  type Progress,
  type ProgressOptions,
  phaseWords,
  throttledText,
} from './progress.ts';

/**
 * Shows each phase of a run as one line with counts, which changes while the phase runs. The cursor is never hidden,
 * because a signal may end the process at any time.
 */
export function terminalProgress({ stream, color }: ProgressOptions): Progress {
  const paint = createPaint(color);
  let phase: Phase | undefined;
  let isStopped = false;
  return {
    emit: (event) => {
      if (isStopped) return;
      if (event.type !== 'phase-started' && event.type !== 'phase-finished') return phase?.note(event);
      phase?.finish();
      phase = event.type === 'phase-started' ? new Phase(event, { stream, paint }) : undefined;
    },
    stop: () => {
      isStopped = true;
      phase?.leave();
    },
  };
}

/** The time between two versions of a line, in milliseconds. A phase that ends earlier shows nothing. */
const pauseMs = 100;

const startOfLine = '\r\u001b[2K';

class Phase {
  readonly #stream: ProgressOptions['stream'];
  readonly #paint: Paint;
  readonly #total: number;
  readonly #verbs: (typeof phaseWords)[keyof typeof phaseWords];
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #counts = { done: 0, failed: 0, skipped: 0 };
  /** The current work, such as the resource that the run writes. */
  #current = '';
  #shown = '';

  constructor(
    { phase, total }: Extract<RunEvent, { type: 'phase-started' }>,
    { stream, paint }: Pick<ProgressOptions, 'stream'> & { readonly paint: Paint },
  ) {
    this.#stream = stream;
    this.#paint = paint;
    this.#total = total;
    this.#verbs = phaseWords[phase];
    this.#timer = total === 0 ? undefined : setInterval(() => this.#show(), pauseMs).unref();
  }

  note(event: RunEvent): void {
    const ended = endingOf(event);
    if (ended !== undefined) this.#counts[ended.how] += 1;
    // The next event replaces the notice about a throttled request.
    this.#current = '';
    if (event.type === 'resource-started') this.#current = `: ${addressOf(event)}`;
    if (event.type === 'throttled') this.#current = `, ${throttledText(event)}`;
    if (event.type === 'interrupted') this.#end(this.#paint.warning(interruptedText));
  }

  /** Keeps the line as it is, because the phase did not end. */
  leave(): void {
    clearInterval(this.#timer);
    if (this.#shown !== '') this.#stream.write('\n');
    this.#shown = '';
  }

  finish(): void {
    clearInterval(this.#timer);
    if (this.#shown === '') return;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const sign = this.#counts.failed > 0 ? this.#paint.failed('✗') : this.#paint.create('✓');
    this.#end(`${sign} ${this.#line(this.#verbs.after)} in ${seconds.toFixed(1)} s`);
  }

  #show(): void {
    const line = visibleLine(`${this.#line(this.#verbs.during)}${this.#current}`);
    if (line === this.#shown) return;
    this.#shown = line;
    // A line that fills the terminal would continue on the next line, and could not be replaced.
    this.#stream.write(`${startOfLine}${cutToWidth(line, (this.#stream.columns || 80) - 1)}`);
  }

  /** Replaces the line by a final one. A later version starts another line. */
  #end(text: string): void {
    this.#shown = '';
    this.#stream.write(`${startOfLine}${text}\n`);
  }

  #line(verb: string): string {
    const { done, failed, skipped } = this.#counts;
    return present(
      `${verb} ${formatNumber(done)} of ${formatNumber(this.#total)}`,
      failed > 0 && `${formatNumber(failed)} failed`,
      skipped > 0 && `${formatNumber(skipped)} not attempted`,
    ).join(', ');
  }
}
