// The only file that loads listr2; it is imported when there is something to show.
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
import type { DisplayCloser, Phase, Step } from './phase.ts';

export interface TerminalProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly color: boolean;
}

type Row = ListrTask<ListrContext, ListrRendererFactory>;

/** Shows a phase until it is finished or closed. Other output to the stream meanwhile comes after the display. */
export async function showPhase(
  phase: Phase,
  closer: DisplayCloser,
  { stream, color }: TerminalProgressOptions,
): Promise<void> {
  const processOutput = new CursorKept(stream, stream, { leaveEmptyLine: false });
  const logger = new ListrLogger({ useIcons: true, toStderr: [], processOutput });
  const listr = new Listr<ListrContext, ListrRendererFactory>(headTask(phase), {
    renderer: closableRenderer(closer),
    rendererOptions: { logger, ...(color ? {} : { color: colourless() }) },
    exitOnError: false,
    // The command that runs decides what Ctrl-C means; listr2 would end the process.
    registerSignalListeners: false,
  });
  await listr.run();
}

/** The cursor stays visible, because a signal may end the process at any time, and nothing would restore it. */
class CursorKept extends ProcessOutput {
  override hijack(): void {
    super.hijack();
    this.toStdout(showCursor, false);
  }
}

const showCursor = '\u001b[?25h';

function headTask({ head, rows }: Phase): Row {
  return {
    title: head.title ?? '',
    task: async (_, task) => {
      follow(head, task);
      if (rows.length === 0) return settled(head);
      return task.newListr(rows.map(rowTask), { concurrent: true, exitOnError: false });
    },
  };
}

/** A row without a title is not shown; it gets one when its resource is taken up. */
function rowTask(step: Step): Row {
  return {
    ...(step.title !== undefined && { title: step.title }),
    task: async (_, task) => {
      follow(step, task);
      await settled(step);
    },
  };
}

/** The step may have continued, and even ended, before listr2 started it. */
function follow(step: Step, task: { title: string | undefined }): void {
  const show = (title: string) => {
    task.title = title;
  };
  if (step.title !== undefined) show(step.title);
  step.watch(show);
}

/** listr2 shows the message of the error in place of the title. */
async function settled(step: Step): Promise<void> {
  await step.finished;
  if (step.isFailed) throw new Error(step.title);
}

/**
 * listr2's renderer, changed to end immediately and only once. It counts as independent of a terminal because listr2
 * checks stdout, which may be a pipe while the stream is a terminal.
 */
function closableRenderer(closer: DisplayCloser): ListrRendererFactory {
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
  const plain = (text = '') => text;
  return Object.fromEntries(levels.map((level) => [level, plain])) as Record<
    ListrDefaultRendererLogLevels,
    (text?: string) => string
  >;
}
