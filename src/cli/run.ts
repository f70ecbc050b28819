import yargs, { type Argv } from 'yargs';
import { AgentformError } from '../errors.ts';
import { refuseLeakyDebugging } from '../reconcile/node-debug.ts';
import { reportFailure } from './boundary.ts';
import { addApplyCommand } from './commands/apply.ts';
import { addCompletionCommand, completionFlag } from './commands/completion.ts';
import { addDriftCommand } from './commands/drift.ts';
import { addEmulatorCommand } from './commands/emulator.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addImportCommand } from './commands/import.ts';
import { addInboxCommand } from './commands/inbox.ts';
import { addInitCommand } from './commands/init.ts';
import { addPlanCommand } from './commands/plan.ts';
import { addPublishCommand } from './commands/publish.ts';
import { addRecordCommand } from './commands/record.ts';
import { addShowCommand } from './commands/show.ts';
import { addTaskCommand } from './commands/task.ts';
import { addValidateCommand } from './commands/validate.ts';
import { type Console, createConsole } from './console.ts';
import { currentCommand } from './current-command.ts';
import { keepCursor } from './interrupt.ts';
import { givenTwice } from './whole-option.ts';

/** The command line: parses, runs one command, and turns every failure into a message and an exit code. */
export async function run(args: readonly string[], version: string): Promise<void> {
  const console = createConsole(process, args, version);
  keepCursor(console);
  try {
    refuseLeakyDebugging(process.env);
    if (args[0] === completionFlag) {
      const { complete } = await import('./completion.ts');
      return await complete(args.slice(1), parser(console), console);
    }
    await parser(console).parseAsync([...args]);
  } catch (error) {
    process.exitCode = await reportFailure(error, console);
  }
}

/** All commands with their options; also what the reference in the docs is made from. */
export function parser(console: Console): Argv {
  const commands = [
    addInitCommand,
    addValidateCommand,
    addPlanCommand,
    addApplyCommand,
    addDriftCommand,
    addImportCommand,
    addShowCommand,
    addExplainCommand,
    addRecordCommand,
    addTaskCommand,
    addInboxCommand,
    addPublishCommand,
    addEmulatorCommand,
    addCompletionCommand,
  ];
  const own = commands.reduce((parser, add) => add(parser, console), yargs());
  return own
    .scriptName('agentform')
    .usage('$0 COMMAND\n\nKeeps the configuration of conversational agents in git: validate, plan, apply.')
    .version(console.version)
    .alias('help', 'h')
    .parserConfiguration({ 'camel-case-expansion': false, 'dot-notation': false })
    .strict()
    .check(refuseRepeated, true)
    .demandCommand(1, 'name a command')
    .recommendCommands()
    .example('$0 init', 'Make a project in this folder')
    .example('$0 plan', 'Show what would change')
    .example('$0 apply -e production', 'Change it, after asking')
    .wrap(Math.min(process.stdout.columns ?? 100, 110))
    .epilogue('Exit codes: 0 done, 1 failed, 2 changes pending (with --exit-code), 3 refused.')
    .exitProcess(false)
    .fail((message, error) => {
      // What a check says comes as a text in the place of the error.
      if (error instanceof Error && error.name !== 'YError') throw error;
      const sentence = sentenceOf(message ?? error?.message ?? '');
      throw new AgentformError('usage', `${sentence}; see ${currentCommand(own)} --help`);
    });
}

function refuseRepeated(options: Readonly<Record<string, unknown>>): true | string {
  const lists = ['_', 'names', 'overwrite', 'fault', 'attach', 'query', 'update', 'field', 'allow-host'];
  const isRepeated = (name: string) => Array.isArray(options[name]) && !lists.includes(name);
  const repeated = Object.keys(options).find((name) => name.length > 1 && isRepeated(name));
  return repeated === undefined || givenTwice(repeated);
}

/** What yargs says, in one line and in our form. */
function sentenceOf(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  const line = lines
    .filter((text) => text !== '')
    .join(' ')
    .replace(/\.$/, '')
    .replace(/^Did you mean (.*)\?$/, 'Unknown command: did you mean $1');
  return line.charAt(0).toLowerCase() + line.slice(1);
}
