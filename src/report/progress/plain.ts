import type { RunEvent } from '../../apply/events.ts';
import { counted } from '../../text/wording.ts';
import { createPaint, type Paint, printable } from '../terminal/paint.ts';
import { endingOf, interruptedText, type Progress, phaseWords, throttledText } from './progress.ts';

interface PlainProgressOptions {
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
  if (event.type === 'throttled') return paint.warning(throttledText(event));
  if (event.type === 'interrupted') return paint.warning(interruptedText);
  if (event.type === 'phase-started' && verbose)
    return `${phaseWords[event.phase].during.toLowerCase()} ${counted(event.total, 'resource')}`;
  const ending = endingOf(event);
  if (ending === undefined || (ending.isQuiet && !verbose)) return undefined;
  return ending.how === 'done' ? ending.line : paint.failed(ending.line);
}
