import type { Console } from '../../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../../cli/formats.ts';
import { withHost } from '../../../cli/host.ts';
import { interruptSignal } from '../../../cli/interrupt.ts';
import {
  type Command,
  callOptions,
  confirmSending,
  integerOption,
  type Parsed,
  sendingYesOption,
  switchOption,
} from '../../../cli/options.ts';
import { printWarnings } from '../../../cli/problem-formats.ts';
import { exitCodes } from '../../../errors.ts';
import type { UploadEnd, UploadProgress } from './text.ts';
import type { CheckedUpload } from './upload.ts';

export const uploadCommand: Command<ReturnType<typeof uploadOptions>> = {
  syntax: { usage: 'upload FILE', options: uploadOptions },
  describe: 'Check a CSV file of tasks, then queue all of them',
  examples: [
    ['$0 task upload tasks.csv --dry-run', 'Validate locally and on the service; queue nothing'],
    ['$0 task upload tasks.csv -e production --yes', 'Queue all rows without confirmation'],
    ['$0 task upload tasks.csv -e production --from-row 5001', 'Continue after row 5000'],
  ],

  run,
};

const uploadFormats: Renderers<UploadEnd, 'text' | 'json'> = {
  text: async (end) => (await import('./text.ts')).renderUploadEnd(end),
  json: async (end) => (await import('./text.ts')).renderUploadJson(end),
};

function uploadOptions() {
  return {
    ...callOptions(),
    yes: sendingYesOption,
    FILE: {
      type: 'string',
      demandOption: true,
      describe: 'CSV file with a header row; see docs/tasks.md',
    },
    'dry-run': switchOption('Validate the rows on the service too, and queue nothing'),
    batch: integerOption({ name: 'batch', describe: 'Maximum number of rows in a request (default: 5000)', min: 1 }),
    'from-row': integerOption({
      name: 'from-row',
      describe: 'First row to send, counting from 1 and skipping the header and empty rows',
      min: 1,
    }),
    format: formatOption(uploadFormats, 'Format of the result'),
  } as const;
}

type UploadArguments = Parsed<ReturnType<typeof uploadOptions>>;

async function run(options: UploadArguments, console: Console): Promise<void> {
  const { uploadTasks } = await import('./upload.ts');
  const { progressBar, progressLines, rowsText } = await import('./text.ts');
  const progress = console.live && !options.debug ? progressBar : progressLines;
  const bar = progress(console.process.stderr, () => performance.now());
  let awaited = 'the request';
  const isDryRun = options.dryRun;
  const signal = interruptSignal(console, () =>
    isDryRun ? 'no task was queued' : `${awaited} may or may not be queued`,
  );
  signal.addEventListener('abort', () => {
    bar.clear();
    console.say(`Interrupted: waiting for the response to ${awaited}. Press Ctrl-C again to stop immediately.\n`);
  });
  try {
    const result = await withHost(console, options, (host) =>
      uploadTasks(host, {
        ...options,
        file: options.FILE,
        batchRows: options.batch,
        signal,
        onProgress: (step) => {
          if (step.phase === 'send') awaited = rowsText(step);
          bar.show(step);
        },
        onWarnings: (found) => printWarnings(found, console),
        confirm: (upload) => approved(upload, { yes: options.yes, console, bar }),
      }),
    );
    bar.clear();
    const words = await suggestedWords(options, result.upload.environment, console.redact);
    await answerIn(options.format, { renderers: uploadFormats, answer: { ...result, ...words } }, console);
    if (result.failed ?? result.unclear ?? result.notSent) console.process.exitCode = exitCodes.failed;
  } catch (error) {
    bar.leave();
    throw error;
  }
}

async function approved(
  upload: CheckedUpload,
  { yes, console, bar }: { readonly yes: boolean; readonly console: Console; readonly bar: UploadProgress },
): Promise<boolean> {
  bar.clear();
  await printWarnings({ ...upload, sourceOf: () => undefined }, console);
  const { renderUpload } = await import('./text.ts');
  console.say(renderUpload(upload));
  return upload.dryRun || confirmSending(`Queue these tasks in ${upload.environment}?`, yes, console);
}

/**
 * Returns the arguments of the suggested commands, for the current folder. Adds `./` to a file name that would be read
 * as an option.
 */
async function suggestedWords(
  { FILE, project, query, batch }: UploadArguments,
  environment: string,
  redact: Console['redact'],
): Promise<Pick<UploadEnd, 'command' | 'account'>> {
  const { hiddenValue } = await import('./text.ts');
  const account = ['-e', environment];
  if (project !== '.') account.push('--project', project);
  for (const pair of query)
    account.push('--query', redact(pair) === pair ? pair : `${pair.split('=')[0]}=${hiddenValue}`);
  const size = batch === undefined ? [] : ['--batch', String(batch)];
  const command = ['task', 'upload', FILE.startsWith('-') ? `./${FILE}` : FILE, ...account, ...size];
  return { command: command.map(redact), account: account.map(redact) };
}
