import type { RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { formatNumber } from '../../text/wording.ts';
import { endingOf, interruptedText, phaseWords, throttledText } from './progress.ts';

/** One phase of a run, described by a line with counts. Its display may open later or never. */
export class Phase {
  title = '';
  isFailed = false;
  isFinished = false;
  watch: (title: string) => void = () => undefined;
  /** Ends an open display immediately, and prevents one from opening later. */
  readonly closer = { isClosed: false, close: (): void => undefined };
  #settle: () => void = () => undefined;
  readonly finished = new Promise<void>((settle) => {
    this.#settle = settle;
  });
  readonly #counts = { done: 0, failed: 0, skipped: 0 };
  readonly #total: number;
  readonly #verbs: (typeof phaseWords)[keyof typeof phaseWords];
  readonly #startedAt = performance.now();
  #current = '';
  #ending = '';

  constructor({ phase, total }: Extract<RunEvent, { type: 'phase-started' }>) {
    this.#total = total;
    this.#verbs = phaseWords[phase];
    this.closer.isClosed = total === 0;
    this.#show(this.#verbs.during);
  }

  note(event: RunEvent): void {
    const ended = endingOf(event);
    if (event.type === 'resource-started') this.#current = `: ${addressOf(event)}`;
    if (ended !== undefined) {
      this.#counts[ended.how] += 1;
      this.#current = '';
    }
    if (event.type === 'interrupted') this.#ending = ` (${interruptedText})`;
    // The next event replaces the notice about a throttled request.
    const wait = event.type === 'throttled' ? `, ${throttledText(event)}` : '';
    this.#show(this.#verbs.during, `${this.#current}${this.#ending}${wait}`);
  }

  finish(): void {
    if (this.isFinished) return;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    this.#show(this.#verbs.after, ` in ${seconds.toFixed(1)} s`);
    this.isFinished = true;
    this.isFailed = this.#counts.failed > 0;
    this.#settle();
  }

  #show(verb: string, ending = ''): void {
    const { done, failed, skipped } = this.#counts;
    const failures = failed > 0 ? `, ${formatNumber(failed)} failed` : '';
    const omissions = skipped > 0 ? `, ${formatNumber(skipped)} not attempted` : '';
    const counts = `${formatNumber(done)} of ${formatNumber(this.#total)}${failures}${omissions}`;
    const title = visibleLine(`${verb} ${counts}${ending}`);
    if (title === this.title) return;
    this.title = title;
    this.watch(title);
  }
}
