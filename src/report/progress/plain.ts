import type { Emit, ImportEntry, LedgerEntry, PhaseName, PublishEntry, RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import { sentText } from '../ledger/text.ts';
import { createPaint, type Paint, printable } from '../terminal/paint.ts';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** The stream is a terminal and somebody watches it. */
  readonly interactive: boolean;
  readonly color: boolean;
  /** Without a terminal: tells the start of each phase and every read, too. */
  readonly verbose?: boolean;
}

export interface Progress {
  readonly emit: Emit;
  /**
   * Ends the display; it may be called at any time and more than once. The promise settles when nothing more will be
   * written. In the middle of a phase, the cursor is shown and no timer runs by the time it returns, so that the process
   * may exit at once.
   */
  stop(): Promise<void>;
}

/** What somebody who interrupted a run has to know. */
export const interruptedText = 'interrupted: finishing requests in flight; press Ctrl-C again to stop immediately';

interface PlainProgressOptions extends Pick<ProgressOptions, 'color' | 'verbose'> {
  readonly stream: { write(text: string): unknown };
}

/** Progress as lines, for logs. Reads are told only if they fail. */
export function plainProgress({ stream, color, verbose = false }: PlainProgressOptions): Progress {
  const paint = createPaint(color);
  let isStopped = false;
  return {
    emit: (event) => {
      const line = isStopped ? undefined : eventLine(event, paint, verbose);
      if (line !== undefined) stream.write(printable(`${line}\n`, color));
    },
    stop: async () => {
      isStopped = true;
    },
  };
}

/** `applied Agent/front-desk (1 setting changed, 3 sent)`. */
export function entryLine(entry: LedgerEntry): string {
  const address = visibleLine(addressOf(entry));
  const message = entry.message === undefined ? '' : `: ${visibleLine(entry.message)}`;
  if (entry.outcome !== 'applied') return `${entry.outcome} ${address}${message}`;
  return `applied ${address} (${sentText(entry)})`;
}

/** `published Agent/front-desk`. */
export function publishedLine(entry: PublishEntry): string {
  const message = entry.message === undefined ? '' : `: ${visibleLine(entry.message)}`;
  const outcome = entry.outcome === 'published' ? 'published' : `publishing ${entry.outcome}`;
  return `${outcome} ${visibleLine(addressOf(entry))}${message}`;
}

/** What a phase does, while it does it and when it is done. */
export const phaseWords = {
  read: { during: 'Reading', after: 'Read' },
  apply: { during: 'Applying', after: 'Applied' },
  publish: { during: 'Publishing', after: 'Published' },
  import: { during: 'Importing', after: 'Imported' },
} as const satisfies Record<PhaseName, unknown>;

function eventLine(event: RunEvent, paint: Paint, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'phase-started':
      return verbose
        ? `${phaseWords[event.phase].during.toLowerCase()} ${counted(event.total, 'resource')}`
        : undefined;
    case 'resource-read':
      if (event.failed) return paint.failed(`could not read ${visibleLine(addressOf(event))}`);
      return verbose ? `read ${visibleLine(addressOf(event))}` : undefined;
    case 'resource-applied':
      return appliedLine(event.entry, paint, verbose);
    case 'resource-published':
      return event.entry.outcome === 'published'
        ? publishedLine(event.entry)
        : paint.failed(publishedLine(event.entry));
    case 'resource-imported':
      return importedLine(event.entry, paint, verbose);
    case 'interrupted':
      return paint.warning(interruptedText);
    case 'resource-started':
    case 'phase-finished':
      return undefined;
  }
}

function appliedLine(entry: LedgerEntry, paint: Paint, verbose: boolean): string | undefined {
  if (entry.outcome === 'unchanged') return verbose ? entryLine(entry) : undefined;
  return entry.outcome === 'applied' ? entryLine(entry) : paint.failed(entryLine(entry));
}

function importedLine(entry: ImportEntry, paint: Paint, verbose: boolean): string | undefined {
  const line = `${entry.outcome} ${visibleLine(addressOf(entry))}`;
  if (entry.outcome === 'imported') return line;
  if (entry.outcome === 'present') return verbose ? line : undefined;
  return paint.failed(entry.message === undefined ? line : `${line}: ${visibleLine(entry.message)}`);
}
