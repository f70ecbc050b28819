import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { secretsNamedIn, withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import {
  type Command,
  type CommandGroup,
  environmentOptions,
  givenEnvironmentOptions,
  inAction,
  type Parsed,
  projectOptions,
  type Syntax,
  selectedNames,
  selectionOptions,
  switchOption,
  textOption,
  usualEnvironment,
  yesOption,
} from '../../cli/options.ts';
import { AgentformError } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { storeNames } from '../../record/store-table.ts';
import { minuteOf } from '../../text/time.ts';
import { selectsNothing } from './forget-selection.ts';
import type { ListedRecord, ListedRecords } from './record.ts';
import type { RecordChangeText } from './text.ts';

const listCommand: Command<ReturnType<typeof listOptions>> = {
  syntax: { usage: 'list [names..]', options: listOptions },
  describe: 'List the records of an environment, with holds',
  examples: [
    ['$0 record list -e production', 'List every record of production'],
    ['$0 record list -e production -l ring=canary', 'List only records of agents with this label'],
  ],
  async run({ format, ...options }, console) {
    const { listRecords } = await import('./record.ts');
    const answer = await listRecords(hostOf(console), options);
    await answerIn(format, { renderers: listFormats, answer }, console);
    if (answer.unreadable.length === 0) return;
    const { unknownText } = await import('./text.ts');
    console.say(`warning: ${unknownText(answer)}\n`);
  },
};

function listOptions() {
  return {
    ...environmentOptions(),
    ...selectionOptions,
    names: selectedNames,
    format: formatOption(listFormats),
  } as const;
}

const listFormats: Renderers<ListedRecords, 'text' | 'json'> = {
  async text({ records }, { answerStyle }) {
    if (records.length === 0) return 'No records: nothing has been applied in this environment.\n';
    const { renderTable } = await import('../../report/terminal/table.ts');
    const { heldSince } = await import('../../report/wording.ts');
    const isHeld = records.some(({ held }) => held !== undefined);
    const headers = ['resource', 'id', 'host', 'fields', 'applied (UTC)', 'state', ...(isHeld ? ['hold'] : [])];
    const rows = records.map((one) => [...cellsOf(one), one.held === undefined ? '-' : heldSince(one.held)]);
    return renderTable(headers, rows, { ...answerStyle, flexible: ['host', 'hold'] });
  },
  json: inJson((listed) => listed),
};

function cellsOf({ record, state }: ListedRecord): string[] {
  const { kind, name, id = '-', host, fields, appliedAt } = record;
  const stateText = state === 'orphan' ? 'not in the files' : state;
  return [`${kind}/${name}`, id, host, String(Object.keys(fields).length), minuteOf(appliedAt) ?? '-', stateText];
}

const showCommand: Command<ReturnType<typeof addressOptions>> = {
  syntax: { usage: 'show ADDRESS', options: addressOptions },
  describe: 'Show one record as JSON',
  examples: [
    ['$0 record show Agent/front-desk', 'Show what was last applied to an agent'],
    ['$0 record show Agent/front-desk@4f2c01d9', 'Show the record at a version listed by `history`'],
  ],
  async run({ ADDRESS, ...options }, console) {
    const { showRecord } = await import('./record.ts');
    const { renderJson } = await import('../../report/json.ts');
    console.data(renderJson(await showRecord(hostOf(console), { ...options, address: ADDRESS })));
  },
};

function addressOptions() {
  return {
    ...environmentOptions(),
    ADDRESS: { type: 'string', demandOption: true, describe: 'Resource (name or Kind/name)' },
  } as const;
}

export const adoptSyntax = { usage: 'adopt ADDRESS [ID]', options: adoptOptions };

const adoptCommand: Command<ReturnType<typeof adoptOptions>> = {
  syntax: adoptSyntax,
  describe: 'Link a manifest to an existing resource by id, or mark the manifest as already applied',
  examples: [
    ['$0 record adopt Agent/front-desk camp_1', 'Link an agent that was created although the response was lost'],
    ['$0 record adopt Organization/acme 1001', 'Link an organization; its id is its account number'],
    ['$0 record adopt Member/bookkeeper', 'Mark a member as applied, because the invitation was already sent'],
  ],
  async run({ ADDRESS, ID, ...options }, console) {
    const { adoptRecord } = await import('./adopt.ts');
    const adopted = await withHost(console, { debug: false }, (host) =>
      adoptRecord(host, { ...options, address: ADDRESS, id: ID, signal: interruptSignal(console) }),
    );
    answerChange((await import('./text.ts')).adoptedText(adopted), console);
  },
};

function adoptOptions() {
  return {
    ...addressOptions(),
    ID: {
      type: 'string',
      describe: 'Id of the Agent or Organization on the service (default: target.agentId or the recorded id)',
    },
  } as const;
}

export const forgetSyntax: Syntax<ReturnType<typeof forgetOptions>> = {
  usage: 'forget [names..]',
  options: forgetOptions,
  check({ exclude, ...options }) {
    if (!selectsNothing(options)) return true;
    if (exclude.length > 0) throw new AgentformError('usage', toForget);
    requireOld(options.environment, toForget);
    return true;
  },
};

const forgetCommand: Command<ReturnType<typeof forgetOptions>> = {
  syntax: forgetSyntax,
  describe: 'Delete records, but keep the resources on the service',
  examples: [
    ['$0 record forget Agent/old-desk', 'Delete the record of a permanently removed manifest'],
    ["$0 record forget --unclear 'clinic-*'", 'Delete the records of agents that an interrupted apply did not create'],
    ['$0 record forget --environment staging', 'Delete the records of a permanently removed environment'],
  ],
  async run({ yes, ...given }, console) {
    if (selectsNothing(given)) return forgetAll({ ...given, yes }, console);
    const signal = interruptSignal(console);
    const options = { ...given, environment: given.environment ?? usualEnvironment(), signal };
    const { forgetRecords, recordsToForget } = await import('./record.ts');
    const { forgettingText, forgottenText } = await import('./text.ts');
    const host = hostOf(console);
    if (yes) return answerChange(forgottenText(await forgetRecords(host, options)), console);
    const found = await recordsToForget(host, options);
    if (found.records.length === 0) return answerChange(forgottenText(found), console);
    await requireConsent(console, forgettingText(found));
    // Other records that match the selection by now were not confirmed.
    const confirmed = { ...options, names: found.records.map(addressOf), selector: undefined, exclude: [] };
    answerChange(forgottenText(await forgetRecords(host, confirmed)), console);
  },
};

function forgetOptions() {
  const describe =
    'Resources to select, by name, Kind/name or glob; if nothing is selected, deletes all records of an --environment that is no longer in agentform.yaml';
  return {
    ...givenEnvironmentOptions(),
    ...selectionOptions,
    names: { ...selectedNames, describe },
    unclear: inAction(switchOption('Select only records of creates with an unknown outcome')),
    yes: yesOption(),
  } as const;
}

export const renameSyntax: Syntax<ReturnType<typeof renameOptions>> = {
  usage: 'rename OLD [NEW]',
  options: renameOptions,
  check({ NEW, environment }) {
    if (NEW === undefined) requireOld(environment, toRename);
    return true;
  },
};

const renameCommand: Command<ReturnType<typeof renameOptions>> = {
  syntax: renameSyntax,
  describe: 'Rename a record to match its manifest, or move the records of a renamed environment',
  examples: [
    ['$0 record rename Agent/desk Agent/front-desk', 'Rename a record after its manifest was renamed'],
    [
      '$0 record rename --environment staging qa',
      'Move the records of staging, which is now named qa in agentform.yaml',
    ],
  ],
  async run({ OLD, NEW, ...options }, console) {
    if (NEW === undefined) return renameAll({ ...options, to: OLD }, console);
    const { renameRecord } = await import('./record.ts');
    const environment = options.environment ?? usualEnvironment();
    const renaming = { ...options, environment, from: OLD, to: NEW, signal: interruptSignal(console) };
    answerChange((await import('./text.ts')).renamedText(await renameRecord(hostOf(console), renaming)), console);
  },
};

function renameOptions() {
  return {
    ...givenEnvironmentOptions(),
    OLD: { type: 'string', demandOption: true, describe: 'Old name or Kind/name' },
    NEW: {
      type: 'string',
      describe: 'New name or Kind/name; without it, --environment OLD NEW renames an environment',
    },
  } as const;
}

function answerChange({ answer, warnings = [] }: RecordChangeText, console: Console): void {
  console.answer(`${answer}\n`);
  for (const warning of warnings) console.say(`warning: ${warning}\n`);
}

function hostOf({ process, hide }: Console) {
  const now = () => new Date();
  return { env: process.env, now, allowedSecrets: secretsNamedIn(process.env), hideSecrets: hide };
}

const moveCommand: Command<ReturnType<typeof moveOptions>> = {
  syntax: { usage: 'move', options: moveOptions },
  describe: 'Move the records of all environments to another store, with their history if that store supports it',
  examples: [
    ['$0 record move --to git', 'Move .agentform/records to a branch'],
    ["$0 record move --to postgres --url '${secret.RECORDS_URL}'", 'Move from a branch or files to a database'],
    ['$0 record move --to git --folder apps/clinic', 'Move the records of a project that was in apps/clinic before'],
    ['$0 record move --to file --from git', 'Move records back to files, after changing `record` in agentform.yaml'],
  ],
  async run(options, console) {
    const { moveRecords } = await import('./move.ts');
    const result = await moveRecords(hostOf(console), { ...options, signal: interruptSignal(console) });
    const { movedText } = await import('./text.ts');
    const { answer, messages } = movedText(result);
    console.answer(answer);
    for (const message of messages) console.say(`${message}\n`);
  },
};

function moveOptions() {
  return {
    ...projectOptions(),
    to: { choices: storeNames, demandOption: true, describe: 'Store to move the records to' },
    from: {
      choices: storeNames,
      describe:
        'Store to move from (default: the store in agentform.yaml, or the previous store if agentform.yaml already names --to)',
    },
    folder: textOption('Former path of the project in the repository, to move its records on the record branch'),
    branch: textOption('Record branch, if agentform.yaml does not configure the git store'),
    remote: textOption('Repository with the record branch'),
    url: textOption("URL of the database as '${secret.NAME}', if agentform.yaml does not configure the postgres store"),
    schema: textOption('Schema in the database, for the postgres store'),
  } as const;
}

export const recordCommands: CommandGroup = {
  name: 'record',
  describe: 'Inspect and repair records',
  commands: () => [listCommand, showCommand, adoptCommand, forgetCommand, renameCommand, moveCommand],
  examples: [
    ['$0 record list -e production', 'List every record of production'],
    ['$0 record show Agent/front-desk', 'Show what was last applied to an agent'],
  ],
};

async function requireConsent(console: Console, question: string): Promise<void> {
  const { confirm } = await import('../../cli/confirm.ts');
  const declined = 'no record was deleted';
  const otherwise = `${declined}: confirmation needs a terminal; use --yes`;
  if (!console.interactive || !(await confirm(question, console, otherwise)))
    throw new AgentformError(
      'declined',
      console.interactive ? `${declined}: the deletion was not confirmed` : otherwise,
    );
}

type Common = Parsed<ReturnType<typeof environmentOptions>>;

async function forgetAll(
  { project, environment: given, yes }: Common & { readonly yes: boolean },
  console: Console,
): Promise<void> {
  const environment = requireOld(given, toForget);
  if (!yes) await requireConsent(console, `Delete all records of ${environment}?`);
  const { forgetEnvironment } = await import('./environments.ts');
  const forgotten = await forgetEnvironment(hostOf(console), {
    project,
    environment,
    signal: interruptSignal(console),
  });
  answerChange((await import('./text.ts')).forgottenEnvironmentText(environment, forgotten), console);
}

async function renameAll(
  { project, environment, to }: Common & { readonly to: string },
  console: Console,
): Promise<void> {
  const { renameEnvironment } = await import('./environments.ts');
  const renaming = { project, from: requireOld(environment, toRename), to };
  const renamed = await renameEnvironment(hostOf(console), { ...renaming, signal: interruptSignal(console) });
  answerChange((await import('./text.ts')).renamedEnvironmentText(renaming, renamed), console);
}

const toForget =
  'name the resources as Kind/name, such as Agent/front-desk; to forget an environment, run `agentform record forget --environment OLD`';
const toRename =
  'name the old and the new Kind/name; to rename an environment, run `agentform record rename --environment OLD NEW`';

/** Returns the environment whose records change. Throws if no environment is given. */
function requireOld(environment: string | undefined, otherwise: string): string {
  if (environment === undefined) throw new AgentformError('usage', otherwise);
  return environment;
}
