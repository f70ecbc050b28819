import type { Emit, ImportEntry, LedgerEntry, PhaseName, PublishEntry, RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Notice } from '../../notices/notice.ts';
import { isAboutReplacing } from '../../plan/verdicts/new-agents.ts';
import { visibleLine } from '../../text/visible.ts';
import { sentText } from '../ledger.ts';
import { joinedSentences } from '../notices.ts';

/** Displays the progress of a run from its events. */
export interface Progress {
  readonly emit: Emit;
  /**
   * Ends the display. May be called at any time and repeatedly. When it returns, the cursor is visible and no timer
   * runs, so the process may exit. The promise settles once nothing more will be written.
   */
  stop(): Promise<void>;
}

/** The note after an interruption. */
export const interruptedText = 'interrupted: finishing requests in flight; press Ctrl-C again to stop immediately';

/** The note about limited requests: `waiting 12 s: the service limits requests`. */
export function throttledText({ waitMs }: { readonly waitMs: number }): string {
  return `waiting ${Math.ceil(waitMs / 1000)} s: the service limits requests`;
}

/** The words for each phase, during and after it. */
export const phaseWords = {
  read: { during: 'Reading', after: 'Read' },
  apply: { during: 'Applying', after: 'Applied' },
  publish: { during: 'Publishing', after: 'Published' },
  import: { during: 'Importing', after: 'Imported' },
} as const satisfies Record<PhaseName, unknown>;

/** The end of the work on one resource. */
interface Ending {
  readonly how: 'done' | 'failed' | 'skipped';
  /** The address, without control characters. */
  readonly address: string;
  /** The line to print, such as `applied Agent/front-desk (1 setting changed, 3 sent)`. */
  readonly line: string;
  /** Whether nothing was written. Logs then leave the line out. */
  readonly isQuiet: boolean;
}

/** The end that an event reports. Undefined for other events. */
export function endingOf(event: RunEvent): Ending | undefined {
  if (event.type === 'resource-read') {
    const { failed } = event;
    const address = visibleLine(addressOf(event));
    const line = `${failed ? 'could not read' : 'read'} ${address}`;
    return { how: failed ? 'failed' : 'done', address, line, isQuiet: !failed };
  }
  if (event.type === 'resource-applied') return endingOfEntry(event.entry, appliedLine(event.entry));
  if (event.type === 'resource-published') {
    const { outcome, reasons } = event.entry;
    return endingOfEntry(event.entry, {
      outcome: outcome === 'published' ? outcome : `publishing ${outcome}`,
      reasons,
    });
  }
  return event.type === 'resource-imported' ? endingOfEntry(event.entry, event.entry) : undefined;
}

interface EntryLine {
  readonly outcome: string;
  readonly reasons?: readonly Notice[] | undefined;
  /** A text to show instead of the reasons. */
  readonly why?: string | undefined;
  /** A text to show in brackets. */
  readonly sent?: string;
}

const doneOutcomes: readonly string[] = ['applied', 'unchanged', 'published', 'imported', 'present'];

function endingOfEntry(
  entry: LedgerEntry | PublishEntry | ImportEntry,
  { outcome, reasons = [], why = joinedSentences(reasons), sent }: EntryLine,
): Ending {
  const address = visibleLine(addressOf(entry));
  const isDone = doneOutcomes.includes(entry.outcome);
  const end = sent === undefined ? (why === '' ? '' : `: ${visibleLine(why)}`) : ` (${sent})`;
  return {
    how: isDone ? 'done' : entry.outcome === 'not attempted' ? 'skipped' : 'failed',
    address,
    line: `${outcome} ${address}${end}`,
    isQuiet: entry.outcome === 'unchanged' || entry.outcome === 'present',
  };
}

/**
 * The line of an entry. Reasons for blocks and conflicts are in the plan above, and the one for skipped creates is in
 * the ledger.
 */
function appliedLine(entry: LedgerEntry): EntryLine {
  const { outcome, reasons, action, conflicts, refused } = entry;
  if (outcome === 'applied') return { outcome, sent: sentText(entry) };
  if (refused && reasons?.some(isAboutReplacing))
    return { outcome: 'left out', why: 'its account may already have an agent' };
  return { outcome, reasons, why: action === 'blocked' ? 'blocked' : conflicts && 'conflict' };
}
