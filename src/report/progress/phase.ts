import type { ImportEntry, LedgerEntry, PublishEntry, RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { formatNumber } from '../../text/wording.ts';
import { entryLine, interruptedText, phaseWords, publishedLine, throttledText } from './progress.ts';

/** Ends an open display immediately, and keeps one that is not open yet from opening. */
export interface DisplayCloser {
  isClosed: boolean;
  close: () => void;
}

/**
 * More rows than this are unreadable, and cost listr2 more than the work itself: then there is one line with counts.
 */
const mostRows = 20;

export interface Phase {
  readonly head: Step;
  /** One for each resource, or none. A row appears when its resource is taken up. */
  readonly rows: readonly Step[];
  note(event: RunEvent): void;
  finish(): void;
}

type PhaseStarted = Extract<RunEvent, { type: 'phase-started' }>;

/** Follows the events of one phase, whether or not anything shows it yet. */
export function createPhase({ phase, total }: PhaseStarted): Phase {
  const rows = Array.from({ length: phase !== 'read' && total <= mostRows ? total : 0 }, () => createStep());
  const head = createStep();
  const rowOf = rowFinder(rows);
  const counts = { done: 0, failed: 0, skipped: 0 };
  const startedAt = performance.now();
  let isInterrupted = false;
  const showHead = (verb: string, ending = '') => {
    const failed = counts.failed > 0 ? `, ${formatNumber(counts.failed)} failed` : '';
    const skipped = counts.skipped > 0 ? `, ${formatNumber(counts.skipped)} not attempted` : '';
    const suffix = isInterrupted ? ` (${interruptedText})` : '';
    head.show(`${verb} ${formatNumber(counts.done)} of ${formatNumber(total)}${failed}${skipped}${suffix}${ending}`);
  };
  const verbs = phaseWords[phase];
  const settle = (ending: keyof typeof counts) => {
    counts[ending] += 1;
    showHead(verbs.during);
  };
  showHead(verbs.during);
  return {
    head,
    rows,
    note: (event) => {
      if (event.type === 'resource-started') rowOf(event)?.show(visibleLine(addressOf(event)));
      if (event.type === 'resource-read') settle(event.failed ? 'failed' : 'done');
      if (event.type === 'resource-applied') {
        const ending = endingOf(event.entry.outcome);
        rowOf(event.entry)?.finish(entryLine(event.entry), ending !== 'done');
        settle(ending);
      }
      if (event.type === 'resource-published') {
        const ending = endingOf(event.entry.outcome);
        rowOf(event.entry)?.finish(publishedLine(event.entry), ending !== 'done');
        settle(ending);
      }
      if (event.type === 'resource-imported') settle(endingOf(event.entry.outcome));
      // The next request that is answered ends it.
      if (event.type === 'throttled') showHead(verbs.during, `, ${throttledText(event)}`);
      if (event.type === 'interrupted') {
        isInterrupted = true;
        showHead(verbs.during);
      }
    },
    finish: () => {
      isInterrupted = false;
      showHead(verbs.after, ` in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      for (const row of rows) row.finish();
      head.finish(undefined, counts.failed > 0);
    },
  };
}

function endingOf(outcome: (LedgerEntry | PublishEntry | ImportEntry)['outcome']): 'done' | 'failed' | 'skipped' {
  if (['applied', 'unchanged', 'published', 'imported', 'present'].includes(outcome)) return 'done';
  return outcome === 'not attempted' ? 'skipped' : 'failed';
}

/** The row of a resource; the next free one if it has none yet. */
function rowFinder(rows: readonly Step[]) {
  const taken = new Map<string, Step>();
  return (resource: { readonly kind: string; readonly name: string }): Step | undefined => {
    const address = addressOf(resource);
    const row = taken.get(address) ?? rows[taken.size];
    if (row !== undefined) taken.set(address, row);
    return row;
  };
}

/**
 * One line of a progress display, without control characters. It keeps its state itself, because the display may open
 * later or never.
 */
export interface Step {
  /** Undefined: not to be shown yet. */
  readonly title: string | undefined;
  readonly isFailed: boolean;
  readonly isFinished: boolean;
  readonly finished: Promise<void>;
  show(title: string): void;
  /** The first call counts. */
  finish(title?: string, isFailed?: boolean): void;
  /** Called with every new title. */
  watch(listener: (title: string) => void): void;
}

function createStep(): Step {
  const state = { title: undefined as string | undefined, isFailed: false, isFinished: false };
  let listener: ((title: string) => void) | undefined;
  const { promise, resolve } = deferred();
  const show = (text: string) => {
    const title = visibleLine(text);
    if (state.isFinished || title === state.title) return;
    state.title = title;
    listener?.(title);
  };
  return {
    get title() {
      return state.title;
    },
    get isFailed() {
      return state.isFailed;
    },
    get isFinished() {
      return state.isFinished;
    },
    finished: promise,
    show,
    finish: (title, isFailed = false) => {
      if (state.isFinished) return;
      if (title !== undefined) show(title);
      Object.assign(state, { isFinished: true, isFailed });
      resolve();
    },
    watch: (listen) => {
      listener = listen;
    },
  };
}

/** Promise.withResolvers, which Node 20 does not have. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
