import type { Emit, ImportEntry, LedgerEntry, PhaseName, PublishEntry, RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { sentText } from '../ledger.ts';
import { joinedSentences } from '../notices.ts';
import { createPaint, type Paint, printable } from '../terminal/paint.ts';

export interface Progress {
  readonly emit: Emit;
  /**
   * Ends the display. This function may be called at any time, and repeatedly. When it returns, the cursor is visible
   * and no timer is running, so the process may exit. The promise settles after the last write.
   */
  stop(): Promise<void>;
}

interface PlainProgressOptions {
  readonly stream: { write(text: string): unknown };
  readonly color: boolean;
}

/** Shows progress as lines, for logs. Reads are shown only if they fail. */
export function plainProgress({ stream, color }: PlainProgressOptions): Progress {
  const paint = createPaint(color);
  let isStopped = false;
  return {
    emit: (event) => {
      const line = isStopped ? undefined : eventLine(event, paint);
      if (line !== undefined) stream.write(printable(`${line}\n`, color));
    },
    stop: async () => {
      isStopped = true;
    },
  };
}

function eventLine(event: RunEvent, paint: Paint): string | undefined {
  if (event.type === 'throttled') return paint.warning(throttledText(event));
  if (event.type === 'interrupted') return paint.warning(interruptedText);
  const { how, line } = endingOf(event) ?? {};
  return line === undefined || how === 'done' ? line : paint.failed(line);
}

export const interruptedText = 'interrupted: finishing requests in flight; press Ctrl-C again to stop immediately';

/** Returns the note about throttled requests, such as `waiting 12 s: the service limits requests`. */
export function throttledText({ waitMs }: { readonly waitMs: number }): string {
  return `waiting ${Math.ceil(waitMs / 1000)} s: the service limits requests`;
}

export const phaseWords = {
  read: { during: 'Reading', after: 'Read' },
  apply: { during: 'Applying', after: 'Applied' },
  publish: { during: 'Publishing', after: 'Published' },
  import: { during: 'Importing', after: 'Imported' },
} as const satisfies Record<PhaseName, unknown>;

interface Ending {
  readonly how: 'done' | 'failed' | 'skipped';
  /** The line for logs, as in `applied Agent/front-desk (3 sent)`. Absent if the result says the same. */
  readonly line?: string;
}

/** Returns how the work on a resource ended, if the event reports it. Returns undefined for other events. */
export function endingOf(event: RunEvent): Ending | undefined {
  switch (event.type) {
    case 'resource-read':
      return event.failed
        ? { how: 'failed', line: `could not read ${visibleLine(addressOf(event))}` }
        : { how: 'done' };
    case 'resource-applied': {
      const { entry } = event;
      return endingOfEntry(entry, entry.outcome, entry.outcome === 'applied' ? ` (${sentText(entry)})` : undefined);
    }
    case 'resource-published': {
      const { outcome } = event.entry;
      return endingOfEntry(event.entry, outcome === 'published' ? outcome : `publishing ${outcome}`);
    }
    case 'resource-imported':
      return endingOfEntry(event.entry, event.entry.outcome);
    default:
      return undefined;
  }
}

const doneOutcomes: readonly string[] = ['applied', 'published', 'imported'];
const skippedOutcomes: readonly string[] = ['not attempted', 'on hold', 'left out'];

/** Closes the line with `sent` or the reasons. The result groups resources without a line by reason. */
function endingOfEntry(entry: LedgerEntry | PublishEntry | ImportEntry, outcome: string, sent?: string): Ending {
  if (entry.outcome === 'unchanged' || entry.outcome === 'present') return { how: 'done' };
  if (skippedOutcomes.includes(entry.outcome)) return { how: 'skipped' };
  const { reasons = [] } = entry;
  if (reasons.some(({ code }) => code === 'read-failed')) return { how: 'failed' };
  const why = joinedSentences(reasons);
  return {
    how: doneOutcomes.includes(entry.outcome) ? 'done' : 'failed',
    line: `${outcome} ${visibleLine(addressOf(entry))}${sent ?? (why === '' ? '' : `: ${visibleLine(why)}`)}`,
  };
}
