import type { Argv } from 'yargs';
import { type Console, createConsole, endInFailure } from '../cli/console.ts';
import { refuseLeakyDebugging } from '../cli/host.ts';
import { endAsFirstProcess } from '../cli/interrupt.ts';
import { addCommands, type Command, type CommandGroup } from '../cli/options.ts';
import { commandsOf, createParser, readArguments } from '../cli/usage.ts';
import { AgentformError } from '../errors.ts';
import { nearest } from '../text/suggest.ts';
import { applyCommand } from './apply/command.ts';
import { completionCommand, completionFlag } from './completion/command.ts';
import { diffCommand } from './diff/command.ts';
import { driftCommand } from './drift/command.ts';
import { emulatorCommand } from './emulator/command.ts';
import { explainCommand } from './explain/command.ts';
import { blameCommand, historyCommand } from './history/command.ts';
import { holdCommand, unholdCommand } from './hold/command.ts';
import { importCommand } from './import/command.ts';
import { inboxCommand } from './inbox/command.ts';
import { initCommand } from './init/command.ts';
import { lspCommand } from './lsp/command.ts';
import { planCommand } from './plan/command.ts';
import { publishCommand } from './publish/command.ts';
import { recordCommands } from './record/command.ts';
import { renderCommand } from './render/command.ts';
import { rollbackCommand } from './rollback/command.ts';
import { showCommand } from './show/command.ts';
import { statusCommand } from './status/command.ts';
import { taskCommands } from './task/command.ts';
import { testCommand } from './test/command.ts';
import { updateCommand } from './update/command.ts';
import { validateCommand } from './validate/command.ts';

/**
 * Runs one command line. Turns every failure into a message and an exit code. `hasFolder` is false if the folder in
 * which the program was started no longer exists.
 */
export async function runProgram(
  args: readonly string[],
  { version, hasFolder }: { readonly version: string; readonly hasFolder: boolean },
): Promise<void> {
  const console = createConsole(process, args, version);
  endAsFirstProcess(console);
  try {
    if (!hasFolder) {
      throw new AgentformError('usage', 'the current folder no longer exists; change to another folder');
    }
    refuseLeakyDebugging(process.env);
    if (args[0] === completionFlag) {
      const { complete } = await import('./completion/completion.ts');
      return await complete(args.slice(1), parser(console), console);
    }
    for (const sentence of misspeltVariables(process.env)) console.say(`warning: ${sentence}\n`);
    const own = parser(console, args);
    await own.parseAsync(readArguments(args, commandsOf(own)));
  } catch (error) {
    const { redactGiven } = await import('./given-secrets.ts');
    console.hide(redactGiven(process.env, args));
    await endInFailure(error, args, console);
  }
}

const commands: readonly (Command | CommandGroup)[] = [
  initCommand,
  validateCommand,
  testCommand,
  renderCommand,
  planCommand,
  applyCommand,
  rollbackCommand,
  holdCommand,
  unholdCommand,
  diffCommand,
  driftCommand,
  historyCommand,
  blameCommand,
  statusCommand,
  importCommand,
  updateCommand,
  showCommand,
  explainCommand,
  recordCommands,
  taskCommands,
  inboxCommand,
  publishCommand,
  emulatorCommand,
  completionCommand,
  lspCommand,
];

/** Declares all commands with their options. The reference docs are generated from this parser. */
export function parser(console: Console, args: readonly string[] = []): Argv {
  const own = createParser({ args, program: 'agentform', hintFor: (command) => `see ${command} --help` });
  return addCommands(own, commands, console)
    .scriptName('agentform')
    .usage('$0 COMMAND\n\nManage the configuration of conversational agents in git: validate, plan, apply.')
    .version(console.version)
    .alias('help', 'h')
    .middleware((options) => {
      const { names, project } = options;
      // A promise here would make yargs forget the current command.
      if (!Array.isArray(names) || !names.some((name) => /,|\.ya?ml$/.test(String(name)))) return undefined;
      return import('../session/selection.ts').then(async ({ namesMeant }) => {
        options.names = await namesMeant(names.map(String), String(project));
      });
    })
    .example('$0 init', 'Create a project in this folder')
    .example('$0 plan', 'Show what would change')
    .example('$0 apply -e production', 'Apply the changes after confirmation')
    .wrap(Math.min(process.stdout.columns || 100, 110))
    .epilogue('Exit codes: 0 done, 1 failed, 2 changes pending (with --exit-code), 3 refused.');
}

const prefix = 'AGENTFORM_';

/**
 * The process variables that agentform reads, with the corresponding options. `AGENTFORM_VAR_NAME` is handled
 * separately.
 */
const processVariables: Readonly<Record<string, string | undefined>> = {
  ALLOWED_HOSTS: undefined,
  CACHE: undefined,
  ENVIRONMENT: '--environment',
  LOG: '--debug',
  PROJECT: '--project',
  SECRETS: undefined,
  SECRETS_FILE: undefined,
};

/** Warns about process variables whose names resemble a known name. */
export function misspeltVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith(prefix) && env[name]);
  return names.flatMap((name) => {
    const own = name.slice(prefix.length);
    if (Object.hasOwn(processVariables, own) || own.startsWith('VAR_')) return [];
    const known = Object.keys(processVariables);
    // A short form such as `ENV` differs too much from its name to be found as a typing error.
    const begun = own.length < 3 ? undefined : known.find((one) => one.startsWith(own));
    const meant = begun ?? nearest(own, known);
    if (meant === undefined) return [];
    const option = processVariables[meant] === undefined ? '' : ` or ${processVariables[meant]}`;
    return [`agentform does not read ${name}; did you mean ${prefix}${meant}${option}?`];
  });
}
