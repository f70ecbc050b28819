import type { RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { formatNumber } from '../../text/wording.ts';
import { endingOf, interruptedText, phaseWords, throttledText } from './progress.ts';

/** One phase as a line with counts, without control characters. */
export class Phase {
  title = '';
  readonly total: number;
  readonly #counts = { done: 0, failed: 0, skipped: 0 };
  readonly #verbs: (typeof phaseWords)[keyof typeof phaseWords];
  readonly #startedAt = performance.now();
  #current = '';
  #ending = '';

  constructor({ phase, total }: Extract<RunEvent, { type: 'phase-started' }>) {
    this.total = total;
    this.#verbs = phaseWords[phase];
    this.#show(this.#verbs.during);
  }

  get isFailed(): boolean {
    return this.#counts.failed > 0;
  }

  note(event: RunEvent): void {
    const ended = endingOf(event);
    if (event.type === 'resource-started') this.#current = `: ${addressOf(event)}`;
    if (ended !== undefined) {
      this.#counts[ended.how] += 1;
      this.#current = '';
    }
    if (event.type === 'interrupted') this.#ending = ` (${interruptedText})`;
    // The next event ends the notice about a throttled request.
    const wait = event.type === 'throttled' ? `, ${throttledText(event)}` : '';
    this.#show(this.#verbs.during, `${this.#current}${this.#ending}${wait}`);
  }

  finish(): void {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    this.#show(this.#verbs.after, ` in ${seconds.toFixed(1)} s`);
  }

  #show(verb: string, ending = ''): void {
    const { done, failed, skipped } = this.#counts;
    const failures = failed > 0 ? `, ${formatNumber(failed)} failed` : '';
    const omissions = skipped > 0 ? `, ${formatNumber(skipped)} not attempted` : '';
    const counts = `${formatNumber(done)} of ${formatNumber(this.total)}${failures}${omissions}`;
    this.title = visibleLine(`${verb} ${counts}${ending}`);
  }
}
