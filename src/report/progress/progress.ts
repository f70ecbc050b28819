import type { Emit, ImportEntry, LedgerEntry, PhaseName, PublishEntry, RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Notice } from '../../notices/notice.ts';
import { isAboutReplacing } from '../../plan/verdicts/new-agents.ts';
import { visibleLine } from '../../text/visible.ts';
import { sentText } from '../ledger.ts';
import { joinedSentences } from '../notices.ts';

/** Shows the progress of a run from its events. */
export interface Progress {
  readonly emit: Emit;
  /**
   * Ends the display. It may be called at any time and more than once. The promise settles when nothing more will be
   * written. Even in the middle of a phase, the cursor is visible and no timer runs when it returns, so the process may
   * exit immediately.
   */
  stop(): Promise<void>;
}

/** The notes after an interruption. */
export const interruptedText = 'interrupted: finishing requests in flight; press Ctrl-C again to stop immediately';

/** `waiting 12 s: the service limits requests`. */
export function throttledText({ waitMs }: { readonly waitMs: number }): string {
  return `waiting ${Math.ceil(waitMs / 1000)} s: the service limits requests`;
}

/** The texts of a phase, during and after it. */
export const phaseWords = {
  read: { during: 'Reading', after: 'Read' },
  apply: { during: 'Applying', after: 'Applied' },
  publish: { during: 'Publishing', after: 'Published' },
  import: { during: 'Importing', after: 'Imported' },
} as const satisfies Record<PhaseName, unknown>;

/** How a resource ended. */
export interface Ending {
  readonly how: 'done' | 'failed' | 'skipped';
  /** Its address, without control characters. */
  readonly address: string;
  /** `applied Agent/front-desk (1 setting changed, 3 sent)`. */
  readonly line: string;
  /** Nothing was written, so a log leaves it out. */
  readonly isQuiet: boolean;
}

/** Undefined for events that end nothing. */
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
  /** In place of the reasons. */
  readonly why?: string | undefined;
  /** In brackets. */
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
 * The reasons for blocks and conflicts are in the earlier plan, and the reason for skipped creates is once in the
 * ledger.
 */
function appliedLine(entry: LedgerEntry): EntryLine {
  const { outcome, reasons, action, conflicts, refused } = entry;
  if (outcome === 'applied') return { outcome, sent: sentText(entry) };
  if (refused && reasons?.some(isAboutReplacing)) return { outcome: 'left out', why: 'not known to be new' };
  return { outcome, reasons, why: action === 'blocked' ? 'blocked' : conflicts && 'conflict' };
}
