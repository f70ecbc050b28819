import type { Argv } from 'yargs';
import type { Console } from './console.ts';
import { debugOption, environmentOptions } from './options.ts';

/** Options of the commands that act on an environment and not on manifests. */
export function callOptions(yargs: Argv) {
  return environmentOptions(yargs)
    .option('query', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: 'Extra query parameter as name=value, such as targetAccountId=17 to act for a child account',
    })
    .option('debug', debugOption());
}

export function yesOption<Options>(yargs: Argv<Options>) {
  return yargs.option('yes', {
    alias: 'y',
    type: 'boolean',
    default: false,
    describe: 'Skip the confirmation; required without a terminal',
  });
}

/** Asks before something is sent that cannot be taken back. */
export async function confirmSending(question: string, yes: boolean, console: Console): Promise<boolean> {
  if (yes) return true;
  const { confirm } = await import('./confirm.ts');
  return confirm(question, console, 'nothing was sent: no terminal to confirm on; use --yes');
}
