import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { addTaskCreateCommand } from './create-command.ts';
import { addTaskUploadCommand } from './upload/command.ts';

export function addTaskCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'task',
    'Queue calls, texts, emails and pings; tasks run once and are not part of a plan',
    (own) =>
      [addTaskCreateCommand, addTaskUploadCommand]
        .reduce((parser, add) => add(parser, console), own)
        .demandCommand(1, 'missing task command: use create or upload')
        .example('$0 task upload tasks.csv --dry-run', 'Check a CSV file of tasks without queueing any'),
  );
}
