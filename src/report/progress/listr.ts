// Only this file imports listr2. The library is loaded only when there is progress to show.
import {
  DefaultRenderer,
  Listr,
  type ListrContext,
  ListrDefaultRendererLogLevels,
  ListrLogger,
  type ListrRendererFactory,
  type ListrTask,
  ProcessOutput,
} from 'listr2';
import type { Phase } from './phase.ts';

export interface TerminalProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly color: boolean;
}

type Task = ListrTask<ListrContext, ListrRendererFactory>['task'];

/** Shows a phase until it finishes or its display is closed. Other output to the stream waits until then. */
export async function showPhase(phase: Phase, { stream, color }: TerminalProgressOptions): Promise<void> {
  const processOutput = new CursorKept(stream, stream, { leaveEmptyLine: false });
  const logger = new ListrLogger({ useIcons: true, toStderr: [], processOutput });
  const task: Task = async (_, line) => {
    // The phase may advance or even end before listr2 starts the task.
    line.title = phase.title;
    phase.watch = (title) => {
      line.title = title;
    };
    await phase.finished;
    // listr2 shows the message of an error in place of the title.
    if (phase.isFailed) throw new Error(phase.title);
  };
  const listr = new Listr<ListrContext, ListrRendererFactory>(
    { title: phase.title, task },
    {
      renderer: closableRenderer(phase.closer),
      rendererOptions: { logger, ...(color ? {} : { color: colourless() }) },
      exitOnError: false,
      // The running command decides how to handle Ctrl-C. If listr2 handled it, listr2 would end the process.
      registerSignalListeners: false,
    },
  );
  await listr.run();
}

/** Keeps the cursor visible. A signal may end the process at any time, and nothing would restore a hidden cursor. */
class CursorKept extends ProcessOutput {
  override hijack(): void {
    super.hijack();
    this.toStdout(showCursor, false);
  }
}

const showCursor = '\u001b[?25h';

/**
 * Makes a renderer from listr2's renderer. The new renderer ends immediately and only once. `nonTTY` is set because
 * listr2 checks stdout, which may be a pipe while the stream is a terminal.
 */
function closableRenderer(closer: Phase['closer']): ListrRendererFactory {
  return class extends DefaultRenderer {
    static override nonTTY = true;
    #state: 'new' | 'open' | 'ended' = 'new';

    override async render(): Promise<void> {
      await super.render();
      this.#state = 'open';
      closer.close = () => this.end();
      if (closer.isClosed) this.end();
    }

    override update(): void {
      if (this.#state !== 'ended') super.update();
    }

    override end(): void {
      if (this.#state !== 'open') return;
      this.#state = 'ended';
      super.end();
    }
  };
}

function colourless(): Record<ListrDefaultRendererLogLevels, (text?: string) => string> {
  const levels = Object.values(ListrDefaultRendererLogLevels);
  return Object.fromEntries(levels.map((level) => [level, (text = '') => text])) as Record<
    ListrDefaultRendererLogLevels,
    (text?: string) => string
  >;
}
