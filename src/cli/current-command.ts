import type { Argv } from 'yargs';

/** As yargs keeps it for its plugins; its types do not show it. */
interface Internals {
  getInternalMethods(): { getContext(): { readonly commands: readonly string[] } };
}

function hasInternals(yargs: Argv): yargs is Argv & Internals {
  return 'getInternalMethods' in yargs;
}

/** The command that yargs has got to: `agentform`, `agentform record`, `agentform record adopt`. */
export function currentCommand(yargs: Argv): string {
  const commands = hasInternals(yargs) ? yargs.getInternalMethods().getContext().commands : [];
  const names = commands.map((command) => command.split(' ')[0]);
  return ['agentform', ...names].join(' ');
}
