import type { ImportLedger } from '../../apply/events.ts';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import {
  type Command,
  environmentOptions,
  inAction,
  listOption,
  type Parsed,
  readingOptions,
  switchOption,
  textOption,
  yesOption,
} from '../../cli/options.ts';
import { AgentformError } from '../../errors.ts';
import { withoutUndefined } from '../../json/json.ts';
import type { RequestedAgent } from './agent.ts';
import type { FleetImport } from './fleet/ask.ts';
import type { ImportOptions } from './open-import.ts';

export const importSyntax = { usage: 'import [AGENT_ID]', options: importOptions };

export const importCommand: Command<ReturnType<typeof importOptions>> = {
  syntax: importSyntax,
  describe: 'Create manifests and records for existing agents',
  examples: [
    ['$0 import camp_1 --name front-desk', 'Write agents/front-desk.yaml, after asking for the description'],
    [
      '$0 import camp_2 --name night -e production --token-secret NIGHT_TOKEN --description "Answers at night"',
      'Import an agent with a separate token',
    ],
    ['$0 import --from ids.csv -e production', 'Import many agents; after an interruption, run the command again'],
    [
      '$0 import --fleet dental --from clients.csv -e production',
      'Create a fleet with a template and overrides from the agents in a table',
    ],
  ],

  run,
};

async function asking(what: FleetImport, console: Console): Promise<FleetImport> {
  const { askForTemplate, requireTerminal } = await import('./fleet/ask.ts');
  return {
    ...what,
    requireAnswer: () => requireTerminal(console),
    offer: (offered) => askForTemplate(offered, console),
  };
}

const importFormats: Renderers<ImportLedger, 'text' | 'json'> = {
  text: async (ledger, { answerStyle }) => (await import('./text.ts')).renderImportText(ledger, answerStyle),
  json: inJson((ledger) => ledger),
};

function importOptions() {
  return {
    ...environmentOptions(),
    ...readingOptions(),
    AGENT_ID: { type: 'string', describe: 'Id of the agent on the service' },
    name: inAction(textOption('Name of the agent in the project, such as front-desk')),
    description: inAction(
      textOption(
        'Description of the agent; without this option, import asks on a terminal, because the service does not return it',
      ),
    ),
    path: inAction(
      textOption(
        'Path of the manifest (default: agents/NAME.yaml, or a path that matches `manifests` in agentform.yaml)',
      ),
    ),
    'token-secret': inAction(textOption("Process variable with the agent's token (default: the environment's token)")),
    query: inAction(
      listOption(
        "Query parameter of the agent's target, as name=value, such as targetAccountId=17 with a reseller's token",
      ),
    ),
    from: {
      type: 'string',
      inAction: true,
      requiresArg: true,
      describe:
        'CSV file of agents, with columns id and name, and optionally description, token-secret and query; ' +
        'with --fleet, every other column is a variable',
    },
    fleet: inAction(
      textOption(
        'Fleet to create from the table in --from. If the fleet exists, only the new rows of its table are imported',
      ),
    ),
    yes: yesOption('Write the template of a new fleet without asking'),
    force: inAction(switchOption('Overwrite existing manifests, texts and records')),
    format: formatOption(importFormats, 'Format of the result'),
  } as const;
}

type ImportArguments = Parsed<ReturnType<typeof importOptions>>;

/** Runs an import, prints the ledger and sets the exit code. After Ctrl-C, finishes the requests in flight. */
async function run(options: ImportArguments, console: Console): Promise<void> {
  const { AGENT_ID: id, yes, ...given } = options;
  const asked = whatToImport({ ...given, id });
  const what = 'fleet' in asked && !yes ? await asking(asked, console) : asked;
  const { exitCodeOfImport, importAgents } = await import('./import.ts');
  const signal = interruptSignal(console);
  const describe = (agent: RequestedAgent) => askDescription(agent, given, console);
  const ledger = await withHost(console, options, (host) => importAgents(host, { ...given, what, signal, describe }));
  await answerIn(options.format, { renderers: importFormats, answer: ledger }, console);
  console.process.exitCode = exitCodeOfImport(ledger);
}

/**
 * Returns an agent's description from the option or a prompt. Throws if no prompt is possible: for a list, or without a
 * terminal.
 */
async function askDescription(
  agent: RequestedAgent,
  { description, from }: Pick<ImportArguments, 'description' | 'from'>,
  console: Console,
): Promise<string> {
  if (description !== undefined) return description;
  if (!console.interactive || from !== undefined) throw descriptionMissing(agent, { isList: from !== undefined });
  const { isCancel, text } = await import('@clack/prompts');
  const { visibleLine } = await import('../../text/visible.ts');
  const title = agent.title === undefined ? agent.id : `${agent.id} (${agent.title})`;
  const answer = await text({
    message: `Description of ${visibleLine(console.redact(title))}? The service does not return descriptions`,
    validate: (value) => (value?.trim() ? undefined : 'every agent needs a description'),
    output: console.process.stderr,
  });
  if (!isCancel(answer)) return answer;
  throw new AgentformError('declined', 'nothing was imported: no description was given');
}

interface AskedImport
  extends Partial<Pick<ImportArguments, 'name' | 'fleet' | 'from' | 'path' | 'description' | 'tokenSecret'>>,
    Pick<ImportArguments, 'query'> {
  readonly id?: string | undefined;
}

/**
 * Decides whether to import a single agent, a list or a fleet. Throws `usage` if options are missing or contradictory.
 */
export function whatToImport(asked: AskedImport): ImportOptions['what'] {
  const { id, name, from, path, query, description, tokenSecret } = asked;
  if (description?.trim() === '') throw new AgentformError('usage', 'a description cannot be empty');
  if (asked.fleet !== undefined) return fleetToImport(asked.fleet, asked);
  if (from !== undefined) {
    const ofOne = { AGENT_ID: id, '--name': name, '--token-secret': tokenSecret, '--query': query[0] };
    refuseGiven(ofOne, '--from; use the columns of the list');
    refuseGiven({ '--path': path }, '--from, which writes each manifest to its default path');
    return { list: from };
  }
  if (id === undefined) {
    throw new AgentformError('usage', 'give the id of the agent to import, or a list of agents with --from');
  }
  if (name === undefined) {
    throw new AgentformError('usage', `give ${id} a name in the project with --name, such as --name front-desk`);
  }
  return { id, name, query, ...withoutUndefined({ description, tokenSecret }) };
}

function fleetToImport(
  fleet: string,
  { id, name, from, path, query, description, tokenSecret }: AskedImport,
): FleetImport {
  refuseGiven({ AGENT_ID: id, '--name': name, '--path': path }, '--fleet');
  if (from === undefined)
    throw new AgentformError('usage', 'give the fleet table with --from, such as --from clients.csv');
  return { fleet, list: from, query, ...withoutUndefined({ description, tokenSecret }) };
}

/** Throws `usage` if an option for a single agent was given. */
function refuseGiven(ofOne: Readonly<Record<string, string | undefined>>, other: string): void {
  const [given] = Object.entries(ofOne).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  throw new AgentformError('usage', `${given} is for a single agent and cannot be combined with ${other}`);
}

/** Returns the error for a missing description if no prompt is possible. */
export function descriptionMissing({ id }: RequestedAgent, { isList }: { readonly isList: boolean }): AgentformError {
  const remedy = isList
    ? 'fill in the `description` column, or set --description TEXT for all agents without one'
    : 'set it with --description TEXT';
  return new AgentformError('usage', `${id} needs a description, which the service does not return; ${remedy}`);
}
