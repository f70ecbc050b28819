import type { Argv } from 'yargs';
import { callOptions, confirmSending, yesOption } from '../../../cli/call-options.ts';
import type { Console } from '../../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../../cli/formats.ts';
import { withHost } from '../../../cli/host.ts';
import { interruptSignal } from '../../../cli/interrupt.ts';
import { type Arguments, wholeOption } from '../../../cli/options.ts';
import { printWarnings } from '../../../cli/problem-formats.ts';
import { AgentformError, exitCodes } from '../../../errors.ts';
import { shellWord } from '../../../text/wording.ts';
import type { Assumed, RowRange } from './decisions.ts';
import type { UploadEnd } from './text.ts';
import type { CheckedUpload, UploadResult } from './upload.ts';

export function addTaskUploadCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('upload FILE', 'Check a CSV file of tasks, then queue all of them', builder, (options) =>
    uploadCommand(options, console),
  );
}

const uploadFormats: Renderers<UploadEnd, 'text' | 'json'> = {
  async text(end) {
    return (await import('./text.ts')).renderUploadEnd(end);
  },
  async json(end) {
    return (await import('../text.ts')).renderUploadJson(end);
  },
};

function builder(yargs: Argv) {
  return yesOption(callOptions(yargs))
    .positional('FILE', {
      type: 'string',
      demandOption: true,
      describe: 'CSV file with a header row; see docs/tasks.md',
    })
    .option('dry-run', {
      type: 'boolean',
      default: false,
      describe: 'Also let the service validate the rows; queues nothing',
    })
    .option(
      'batch',
      wholeOption({ name: 'batch', describe: 'Maximum number of rows in a request (default: 5000)', least: 1 }),
    )
    .option('resume', { type: 'boolean', default: false, describe: 'Continue an interrupted upload' })
    .option('assume-queued', {
      type: 'string',
      describe:
        'With --resume: treat these rows with an unclear outcome, such as 9-12,20, as queued; check the service first',
    })
    .option('assume-not-queued', {
      type: 'string',
      describe: 'With --resume: treat these rows with an unclear outcome as not queued, and send them again',
    })
    .option('format', formatOption(uploadFormats, 'Format of the result'))
    .example('$0 task upload tasks.csv --dry-run', 'Validate locally and on the service; queue nothing')
    .example('$0 task upload tasks.csv -e production --yes', 'Queue all rows without confirmation')
    .example('$0 task upload tasks.csv -e production --resume', 'Continue after an interruption')
    .example(
      '$0 task upload tasks.csv --resume --assume-queued 13-16 --assume-not-queued 9-12',
      'Decide which rows with an unclear outcome were queued',
    );
}

type UploadArguments = Arguments<typeof builder>;

async function uploadCommand(options: UploadArguments, console: Console): Promise<void> {
  const assumed = assumption(options);
  const { uploadTasks } = await import('./upload.ts');
  const { createUploadProgress } = await import('./progress.ts');
  const interactive = console.live && !options.debug;
  const bar = createUploadProgress({ stream: console.process.stderr, interactive, clock: () => performance.now() });
  const signal = interruptSignal(console);
  signal.addEventListener('abort', () => {
    bar.clear();
    console.say('Interrupted: finishing requests in flight. Press Ctrl-C again to stop immediately.\n');
  });
  try {
    const result = await withHost(console, options, (host) =>
      uploadTasks(host, {
        ...options,
        file: options.FILE,
        dryRun: options['dry-run'],
        batchRows: options.batch,
        assumed,
        signal,
        onProgress: bar.show,
        onWarnings: (found) => printWarnings(found, console),
        confirm: (upload) => {
          bar.clear();
          return approved(upload, options, console);
        },
      }),
    );
    bar.clear();
    await answer(result, options, console);
  } finally {
    bar.clear();
  }
}

function assumption(options: UploadArguments): Assumed {
  const queued = rowsOf('assume-queued', options['assume-queued']);
  const notQueued = rowsOf('assume-not-queued', options['assume-not-queued']);
  if (!options.resume && (queued !== undefined || notQueued !== undefined)) {
    throw new AgentformError('usage', `--assume-${queued === undefined ? 'not-queued' : 'queued'} needs --resume`);
  }
  return { queued, notQueued };
}

async function approved(upload: CheckedUpload, { yes }: UploadArguments, console: Console): Promise<boolean> {
  const { renderUpload } = await import('./text.ts');
  console.say(renderUpload(upload));
  return upload.dryRun || confirmSending(`Queue these tasks in ${upload.environment}?`, yes, console);
}

/** Rows that failed, or were left undone, beat those that nobody has decided about. */
async function answer(result: UploadResult, options: UploadArguments, console: Console): Promise<void> {
  const end = { ...result, command: commandLine(options, result.upload.environment) };
  await answerIn(options.format, { renderers: uploadFormats, answer: end }, console);
  if (result.failed !== undefined || result.interrupted) console.process.exitCode = exitCodes.failed;
  else if (result.undecided.length > 0) console.process.exitCode = exitCodes.refused;
}

/** Typed in the same folder, it is the same upload. A name that begins with a dash would be read as an option. */
function commandLine({ FILE, project, query }: UploadArguments, environment: string): string {
  const parts = [FILE.startsWith('-') ? `./${FILE}` : FILE, '-e', environment];
  if (project !== '.') parts.push('--project', project);
  for (const pair of query) parts.push('--query', pair);
  return `agentform task upload ${parts.map(shellWord).join(' ')}`;
}

/** Reads what an option that takes rows was given: ranges such as `9-12,20`, or `all` where it stands alone. */
export function rowsOf(name: string, given: string | undefined): readonly RowRange[] | 'all' | undefined {
  if (given === '') return 'all';
  // `--no-assume-queued` is false, whatever the type says.
  if (typeof given !== 'string') return undefined;
  return given.split(',').map((part) => {
    const [first = '', last = first, ...more] = part.trim().split('-');
    const [firstRow, lastRow] = [rowOf(first), rowOf(last)];
    if (more.length === 0 && firstRow <= lastRow) return { firstRow, lastRow };
    throw new AgentformError('usage', `--${name} takes rows such as 9-12,20, not ${JSON.stringify(shown(given))}`);
  });
}

/** A number has no leading zero, so that the `1,024` of a message is not read as rows 1 and 24. */
function rowOf(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
}

function shown(given: string): string {
  return given.length > 60 ? `${given.slice(0, 59)}…` : given;
}
