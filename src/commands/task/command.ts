import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import {
  type Command,
  type CommandGroup,
  callOptions,
  confirmSending,
  integerOption,
  listOption,
  type Parsed,
  sendingYesOption,
  textOption,
} from '../../cli/options.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import { exitCodes } from '../../errors.ts';
import type { ReadyTask, TaskResult } from './create.ts';
import { taskTypes } from './task-types.ts';
import { uploadCommand } from './upload/command.ts';

const createCommand: Command<ReturnType<typeof taskOptions>> = {
  syntax: { usage: 'create [FILE]', options: taskOptions },
  describe: 'Queue one task, from options or a file',
  examples: [
    ['$0 task create --type call --target +14155550100 --at "2026-12-01 09:00 Europe/Berlin"', 'Schedule a call'],
    ['$0 task create --type email --target a@example.com --subject Hi --message-file hi.html', 'Send an email'],
    ['$0 task create task.yaml -e production --yes', 'Queue a task from a file, without confirmation'],
  ],

  run,
};

export const taskCommands: CommandGroup = {
  name: 'task',
  describe: 'Queue calls, texts, emails and pings; tasks run once and are not part of a plan',
  commands: () => [createCommand, uploadCommand],
  examples: [['$0 task upload tasks.csv --dry-run', 'Check a CSV file of tasks without queueing any']],
};

const sentTaskFormats: Renderers<TaskResult, 'text' | 'json'> = {
  text: async (result) => (await import('./text.ts')).renderSentTask(result),
  json: inJson(({ environment, outcome, task, answer, message }) => ({ environment, outcome, task, answer, message })),
};

function taskOptions() {
  return {
    ...callOptions(),
    yes: sendingYesOption,
    FILE: { type: 'string', describe: 'YAML file of kind Task; options override it' },
    ...taskFields(),
    format: formatOption(sentTaskFormats, 'Format of the result'),
  } as const;
}

export function taskFields() {
  return {
    type: { ...textOption('Type of the task'), choices: taskTypes },
    target: textOption('Recipient: an E.164 number for a call or text, or an address for an email'),
    subject: textOption('For an email: the subject'),
    message: textOption('For an email: the body, which can be raw HTML'),
    'message-file': textOption('For an email: a file with the body, such as an HTML page'),
    context: textOption('Context for the task'),
    'context-file': textOption('File with the context'),
    greeting: textOption('Greeting for the task'),
    at: textOption('Time: "2026-12-01 09:00 Europe/Berlin", ISO 8601 with an offset, or seconds since 1970'),
    'bridge-to': textOption('For a call: the number to connect to after the target answers'),
    attach: listOption('For an email: a file to attach; can be repeated'),
    'wait-to-greet': { type: 'boolean', describe: 'Wait before the greeting' },
    'account-id': integerOption({ name: 'account-id', describe: 'Account to create the task for' }),
    'bridge-monitor': { type: 'boolean', describe: 'For a call: keep monitoring the bridged call' },
  } as const;
}

type CreateArguments = Parsed<ReturnType<typeof taskOptions>>;

async function run(options: CreateArguments, console: Console): Promise<void> {
  const { createTask } = await import('./create.ts');
  const signal = interruptSignal(console);
  signal.addEventListener('abort', () => console.say('\nInterrupted: waiting for the response.\n'));
  const result = await withHost(console, options, (host) =>
    createTask(host, {
      ...options,
      file: options.FILE,
      flags: options,
      signal,
      onWarnings: (found) => printWarnings(found, console),
      confirm: (ready) => approved(ready, options, console),
    }),
  );
  await answer(result, options, console);
}

async function approved(ready: ReadyTask, { yes }: CreateArguments, console: Console): Promise<boolean> {
  await printWarnings(ready, console);
  const { renderTask } = await import('./text.ts');
  console.say(`${renderTask(ready, console.sayStyle)}\n`);
  return confirmSending(`Queue this task in ${ready.environment}?`, yes, console);
}

/**
 * Prints the result. If the task was not queued, prints the text to standard error. For any other format, also prints
 * the result to standard output.
 */
async function answer(result: TaskResult, { format }: CreateArguments, console: Console): Promise<void> {
  const isQueued = result.outcome === 'queued';
  if (isQueued || format !== 'text') await answerIn(format, { renderers: sentTaskFormats, answer: result }, console);
  if (isQueued) return;
  console.process.exitCode = exitCodes.failed;
  await console.inPieces('say', await sentTaskFormats.text(result, console));
}
