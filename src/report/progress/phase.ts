import type { RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { formatNumber } from '../../text/wording.ts';
import { endingOf, interruptedText, phaseWords, throttledText } from './progress.ts';

/**
 * One line of a progress display, without control characters. It keeps its state itself, because the display may open
 * later or never.
 */
export class Step {
  /** Undefined: not to be shown yet. */
  title: string | undefined;
  isFailed = false;
  isFinished = false;
  /** Called with every new title. */
  watch: (title: string) => void = () => undefined;
  #settle: () => void = () => undefined;
  readonly finished = new Promise<void>((settle) => {
    this.#settle = settle;
  });

  show(text: string): void {
    const title = visibleLine(text);
    if (this.isFinished || title === this.title) return;
    this.title = title;
    this.watch(title);
  }

  /** The first call counts. */
  finish(title = this.title, isFailed = false): void {
    if (this.isFinished) return;
    if (title !== undefined) this.show(title);
    this.isFinished = true;
    this.isFailed = isFailed;
    this.#settle();
  }
}

/** The maximum number of rows. More are unreadable and slow in listr2, so one line with counts replaces them. */
const mostRows = 20;

/** Follows the events of one phase, whether or not a display shows it yet. */
export class Phase {
  readonly head = new Step();
  /** One row for each resource, or none. A row appears when work on its resource begins. */
  readonly rows: readonly Step[];
  /** Ends an open display immediately, and prevents one from opening later. */
  readonly closer = { isClosed: false, close: (): void => undefined };
  readonly #taken = new Map<string, Step>();
  readonly #counts = { done: 0, failed: 0, skipped: 0 };
  readonly #total: number;
  readonly #verbs: (typeof phaseWords)[keyof typeof phaseWords];
  readonly #startedAt = performance.now();
  #ending = '';

  constructor({ phase, total }: Extract<RunEvent, { type: 'phase-started' }>) {
    this.rows = Array.from({ length: phase !== 'read' && total <= mostRows ? total : 0 }, () => new Step());
    this.#total = total;
    this.#verbs = phaseWords[phase];
    this.closer.isClosed = total === 0;
    this.#showHead(this.#verbs.during);
  }

  note(event: RunEvent): void {
    const ended = endingOf(event);
    if (event.type === 'resource-started') {
      const address = visibleLine(addressOf(event));
      this.#rowOf(address)?.show(address);
    }
    if (ended !== undefined) {
      this.#rowOf(ended.address)?.finish(ended.line, ended.how !== 'done');
      this.#counts[ended.how] += 1;
    }
    if (event.type === 'interrupted') this.#ending = ` (${interruptedText})`;
    // The next answered request ends the notice about a throttled one.
    if (event.type === 'throttled') this.#showHead(this.#verbs.during, `${this.#ending}, ${throttledText(event)}`);
    else if (ended !== undefined || event.type === 'interrupted') this.#showHead(this.#verbs.during);
  }

  finish(): void {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    this.#showHead(this.#verbs.after, ` in ${seconds.toFixed(1)} s`);
    for (const row of this.rows) row.finish();
    this.head.finish(undefined, this.#counts.failed > 0);
  }

  #showHead(verb: string, ending = this.#ending): void {
    const { done, failed, skipped } = this.#counts;
    const failures = failed > 0 ? `, ${formatNumber(failed)} failed` : '';
    const omissions = skipped > 0 ? `, ${formatNumber(skipped)} not attempted` : '';
    this.head.show(`${verb} ${formatNumber(done)} of ${formatNumber(this.#total)}${failures}${omissions}${ending}`);
  }

  /** The next free row if the resource has none yet. */
  #rowOf(address: string): Step | undefined {
    const row = this.#taken.get(address) ?? this.rows[this.#taken.size];
    if (row !== undefined) this.#taken.set(address, row);
    return row;
  }
}
