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
    const suffix = isInterrupted ? ` (${interruptedText})` : '';
    head.show(`${verb} ${countsText(counts, total)}${suffix}${ending}`);
  };
  const verbs = phaseWords[phase];
  showHead(verbs.during);
  return {
    head,
    rows,
    note: (event) => {
      if (event.type === 'resource-started') rowOf(event)?.show(visibleLine(addressOf(event)));
      const ended = endedStep(event);
      if (ended?.line !== undefined) rowOf(ended.resource)?.finish(ended.line, ended.ending !== 'done');
      if (ended !== undefined) counts[ended.ending] += 1;
      if (event.type === 'interrupted') isInterrupted = true;
      // The next request that is answered ends the notice of a throttled one.
      if (event.type === 'throttled') showHead(verbs.during, `, ${throttledText(event)}`);
      else if (ended !== undefined || event.type === 'interrupted') showHead(verbs.during);
    },
    finish: () => {
      isInterrupted = false;
      showHead(verbs.after, ` in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      for (const row of rows) row.finish();
      head.finish(undefined, counts.failed > 0);
    },
  };
}

type Ending = 'done' | 'failed' | 'skipped';

interface EndedStep {
  readonly ending: Ending;
  readonly resource: { readonly kind: string; readonly name: string };
  /** For the row of the resource, where it has one. */
  readonly line?: string;
}

/** How a resource ended, if the event says so. */
function endedStep(event: RunEvent): EndedStep | undefined {
  if (event.type === 'resource-read') return { ending: event.failed ? 'failed' : 'done', resource: event };
  if (event.type === 'resource-applied') {
    return { ending: endingOf(event.entry.outcome), resource: event.entry, line: entryLine(event.entry) };
  }
  if (event.type === 'resource-published') {
    return { ending: endingOf(event.entry.outcome), resource: event.entry, line: publishedLine(event.entry) };
  }
  if (event.type === 'resource-imported') return { ending: endingOf(event.entry.outcome), resource: event.entry };
  return undefined;
}

function countsText({ done, failed, skipped }: Readonly<Record<Ending, number>>, total: number): string {
  const failures = failed > 0 ? `, ${formatNumber(failed)} failed` : '';
  const omissions = skipped > 0 ? `, ${formatNumber(skipped)} not attempted` : '';
  return `${formatNumber(done)} of ${formatNumber(total)}${failures}${omissions}`;
}

function endingOf(outcome: (LedgerEntry | PublishEntry | ImportEntry)['outcome']): Ending {
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
