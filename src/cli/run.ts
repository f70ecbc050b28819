import yargs, { type Argv } from 'yargs';
import { AgentformError } from '../errors.ts';
import { reportFailure } from './boundary.ts';
import { addApplyCommand } from './commands/apply.ts';
import { addEmulatorCommand } from './commands/emulator.ts';
import { addPlanCommand } from './commands/plan.ts';
import { addRecordCommand } from './commands/record.ts';
import { addValidateCommand } from './commands/validate.ts';
import { type Console, createConsole } from './console.ts';

/** The command line: parses, runs one command, and turns every failure into a message and an exit code. */
export async function run(args: readonly string[], version: string): Promise<void> {
  const console = createConsole(process, args);
  try {
    refuseLeakyDebugging(process.env.NODE_DEBUG);
    await parser(version, console).parseAsync([...args]);
  } catch (error) {
    process.exitCode = await reportFailure(error, console);
  }
}

/** Node's own debug output of HTTP prints whole URLs, and the token is in the query. */
function refuseLeakyDebugging(sections: string | undefined): void {
  if (!/undici|fetch|\*/i.test(sections ?? '')) return;
  throw new AgentformError('usage', 'NODE_DEBUG would print tokens with every request; unset it, and use --debug');
}

/** All commands with their options; also what the reference in the docs is made from. */
export function parser(version: string, console: Console): Argv {
  const commands = [addValidateCommand, addPlanCommand, addApplyCommand, addRecordCommand, addEmulatorCommand];
  return commands
    .reduce((own, add) => add(own, console), yargs())
    .scriptName('agentform')
    .usage('$0 COMMAND\n\nKeeps the configuration of conversational agents in git: validate, plan, apply.')
    .version(version)
    .alias('help', 'h')
    .parserConfiguration({ 'camel-case-expansion': false, 'dot-notation': false })
    .strict()
    .demandCommand(1, 'name a command')
    .recommendCommands()
    .wrap(Math.min(process.stdout.columns ?? 100, 110))
    .epilogue(
      'Exit codes: 0 done, 1 failed, 2 changes pending (with --exit-code), 3 refused.\nA first manifest: README.md. How plans come about: docs/plans.md.',
    )
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new AgentformError('usage', `${sentenceOf(message)}; see agentform --help`);
    });
}

/** What yargs says, in one line and in our form. */
function sentenceOf(message: string): string {
  const line = message
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return line.charAt(0).toLowerCase() + line.slice(1);
}
