import { cutToWidth } from '../../text/layout.ts';
import { createPaint } from '../terminal/paint.ts';
import { Phase } from './phase.ts';
import type { Progress } from './progress.ts';

interface TerminalProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly color: boolean;
}

/** The signs of a phase that continues, one after the other. */
const frames = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];

/** The milliseconds between two frames. A phase that ends before the first one is not shown. */
const frameTime = 100;

/** Returns to the start of the line, and clears it. */
const startOver = '\r\u001b[K';

/** Progress as a line that changes in place. Phases follow each other; each has a separate line. */
export function terminalProgress({ stream, color }: TerminalProgressOptions): Progress {
  const paint = createPaint(color);
  let phase: Phase | undefined;
  let timer: NodeJS.Timeout | undefined;
  let drawn = 0;
  let isStopped = false;
  const draw = (sign: string, title: string, end = '') => {
    // A line that wraps could not be cleared.
    stream.write(`${startOver}${sign} ${cutToWidth(title, (stream.columns || 80) - 3)}${end}`);
    drawn += 1;
  };
  const finish = () => {
    clearInterval(timer);
    phase?.finish();
    if (phase && drawn > 0) draw(phase.isFailed ? paint.failed('✖') : paint.create('✔'), phase.title, '\n');
    phase = undefined;
    drawn = 0;
  };
  return {
    emit: (event) => {
      if (isStopped) return;
      if (event.type !== 'phase-started' && event.type !== 'phase-finished') return phase?.note(event);
      finish();
      if (event.type === 'phase-finished') return;
      const started = new Phase(event);
      phase = started;
      if (started.total === 0) return;
      timer = setInterval(() => draw(paint.update(frames[drawn % frames.length] ?? ''), started.title), frameTime);
      timer.unref();
    },
    stop: () => {
      isStopped = true;
      finish();
    },
  };
}
