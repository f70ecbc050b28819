import type { Argv } from 'yargs';
import { AgentformError } from '../../errors.ts';
import type { Console } from '../console.ts';
import type { Arguments } from '../options.ts';

/** What the scripts call, with the words of the line up to the one at the cursor. */
export const completionFlag = '--get-yargs-completions';

const shells = ['bash', 'zsh', 'fish'] as const;

export function addCompletionCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'completion [SHELL]',
    'Print a script that completes commands, options, environments and names',
    builder,
    (options) => completionCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return yargs
    .positional('SHELL', { choices: shells, describe: 'The shell; the one that SHELL names if left out' })
    .example('source <($0 completion bash)', 'In ~/.bashrc; in ~/.zshrc with zsh')
    .example('$0 completion fish > ~/.config/fish/completions/agentform.fish', 'Once');
}

async function completionCommand({ SHELL }: Arguments<typeof builder>, console: Console): Promise<void> {
  const shell = SHELL ?? shellOf(console.process.env.SHELL);
  const { completionScripts } = await import('../completion-scripts.ts');
  console.data(completionScripts[shell]);
}

function shellOf(path: string | undefined): (typeof shells)[number] {
  const found = shells.find((shell) => path?.split('/').at(-1) === shell);
  if (found !== undefined) return found;
  throw new AgentformError('usage', `name the shell, which is one of ${shells.join(', ')}: agentform completion bash`);
}
