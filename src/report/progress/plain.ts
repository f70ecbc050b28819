import type { ImportEntry, LedgerEntry, RunEvent } from '../../apply/events.ts';
import { addressOf } from '../../kinds/desired.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import { joinedSentences } from '../notices.ts';
import { createPaint, type Paint, printable } from '../terminal/paint.ts';
import { entryLine, interruptedText, type Progress, phaseWords, publishedLine, throttledText } from './progress.ts';

export interface PlainProgressOptions {
  readonly stream: { write(text: string): unknown };
  readonly color: boolean;
  /** Also prints the start of each phase and every read. */
  readonly verbose?: boolean;
}

/** Progress as lines, for logs. Reads are shown only if they fail. */
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
    case 'throttled':
      return paint.warning(throttledText(event));
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
  const { reasons = [] } = entry;
  return paint.failed(reasons.length === 0 ? line : `${line}: ${visibleLine(joinedSentences(reasons))}`);
}
