import type { Emit, LedgerEntry, PhaseName, PublishEntry } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { isAboutReplacing } from '../../plan/verdicts/new-agents.ts';
import { visibleLine } from '../../text/visible.ts';
import { sentText } from '../ledger.ts';
import { joinedSentences } from '../notices.ts';

/** Shows the progress of a run from its events. */
export interface Progress {
  readonly emit: Emit;
  /**
   * Ends the display; it may be called at any time and more than once. The promise settles when nothing more will be
   * written. In the middle of a phase, the cursor is visible and no timer runs when it returns, so that the process may
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

/**
 * `applied Agent/front-desk (1 setting changed, 3 sent)`. The earlier plan says why a resource is blocked or in
 * conflict; the ledger says once, for all of them, why creates are left out.
 */
export function entryLine(entry: LedgerEntry): string {
  const address = visibleLine(addressOf(entry));
  const { reasons } = entry;
  if (entry.refused && reasons?.some(isAboutReplacing)) return `left out ${address}: not known to be new`;
  const known = entry.action === 'blocked' ? 'blocked' : entry.conflicts === undefined ? undefined : 'conflict';
  const reason = known ?? (reasons && joinedSentences(reasons));
  const message = reason === undefined ? '' : `: ${visibleLine(reason)}`;
  if (entry.outcome !== 'applied') return `${entry.outcome} ${address}${message}`;
  return `applied ${address} (${sentText(entry)})`;
}

/** `published Agent/front-desk`. */
export function publishedLine(entry: PublishEntry): string {
  const message = entry.reasons === undefined ? '' : `: ${visibleLine(joinedSentences(entry.reasons))}`;
  const outcome = entry.outcome === 'published' ? 'published' : `publishing ${entry.outcome}`;
  return `${outcome} ${visibleLine(addressOf(entry))}${message}`;
}

/** The texts of a phase, during and after it. */
export const phaseWords = {
  read: { during: 'Reading', after: 'Read' },
  apply: { during: 'Applying', after: 'Applied' },
  publish: { during: 'Publishing', after: 'Published' },
  import: { during: 'Importing', after: 'Imported' },
} as const satisfies Record<PhaseName, unknown>;
