import type { Argv } from 'yargs';
import { AgentformError } from '../../errors.ts';
import type { Console } from '../console.ts';
import { environmentOptions, readingOptions } from '../options.ts';
import { takeBackCommand, takeBackOptions } from './take-back.ts';

export function addImportCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('import', 'Take live values back into the manifests', builder, (options) => {
    if (options.update.length === 0) throw new AgentformError('usage', 'name what is to be updated with --update');
    return takeBackCommand(options, console);
  });
}

function builder(yargs: Argv) {
  return takeBackOptions(readingOptions(environmentOptions(yargs)))
    .option('force', { type: 'boolean', default: false, describe: 'With --field: write a text without its variables' })
    .option('format', { choices: ['text', 'json'] as const, default: 'text' as const, describe: 'How to show it' });
}
