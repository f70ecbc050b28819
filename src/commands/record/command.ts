import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { secretsNamedIn, withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import { type Arguments, environmentOptions, projectOptions } from '../../cli/options.ts';
import { AgentformError } from '../../errors.ts';
import { storeNamed, storeNames } from '../../record/store-table.ts';
import { utcMinutes } from '../../text/time.ts';
import type { ListedRecord, LoggedEntry } from './record.ts';
import type { RecordChangeText } from './text.ts';

export function addRecordCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('record', 'Inspect and repair records', (own) =>
    [addList, addShow, addLog, addAdopt, addForget, addRename, addMove]
      .reduce((parser, add) => add(parser, console), own)
      .demandCommand(1, 'missing record command: use list, show, log, adopt, forget, rename or move')
      .example('$0 record list -e production', 'List every record of production')
      .example('$0 record show Agent/front-desk', 'Show what was last applied to an agent'),
  );
}

type Common = Arguments<typeof environmentOptions>;

function addList(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    environmentOptions(own)
      .option('format', formatOption(listFormats))
      .example('$0 record list -e production', 'List every record of production');
  return yargs.command('list', 'List the records of an environment', builder, async ({ format, ...options }) => {
    const { listRecords } = await import('./record.ts');
    const answer = await listRecords(hostOf(console), options);
    await answerIn(format, { renderers: listFormats, answer }, console);
  });
}

const listFormats: Renderers<readonly ListedRecord[], 'text' | 'json'> = {
  async text(records, { answerColor: color, width }) {
    if (records.length === 0) return 'No records: nothing has been applied in this environment.\n';
    const { renderTable } = await import('../../report/terminal/table.ts');
    const headers = ['resource', 'id', 'host', 'fields', 'applied (UTC)', 'state'];
    return renderTable(headers, records.map(rowOf), { color, width, flexible: [['host']] });
  },
  json,
};

async function json(value: unknown): Promise<string> {
  return (await import('../../report/json.ts')).asJson(value);
}

function rowOf({ record, state }: ListedRecord): string[] {
  const { kind, name, id = '-', host, fields, appliedAt = '' } = record;
  // Records have the time to the millisecond, which is noise in a list; the header names the zone.
  const applied = utcMinutes(appliedAt)?.replace(/ UTC$/, '') ?? '-';
  return [`${kind}/${name}`, id, host, String(Object.keys(fields).length), applied, state];
}

function addShow(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    addressOption(own)
      .example('$0 record show Agent/front-desk', 'Show what was last applied to an agent')
      .example('$0 record show Agent/front-desk@4f2c01d9', 'Show the record at a commit listed by `record log`');
  return yargs.command('show ADDRESS', 'Show one record as JSON', builder, async ({ ADDRESS, ...options }) => {
    const { showRecord } = await import('./record.ts');
    console.data(await json(await showRecord(hostOf(console), { ...options, address: ADDRESS })));
  });
}

function addLog(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    environmentOptions(own)
      .positional('ADDRESS', {
        type: 'string',
        describe: 'Resource as Kind/name, such as Agent/front-desk (default: all)',
      })
      .option('format', formatOption(logFormats))
      .example('$0 record log -e production', 'List every apply to production, newest first')
      .example(
        '$0 record log Agent/front-desk',
        'List the versions of one agent to roll back to, with what each changed',
      );
  const describe = 'Show what changed the records of an environment, or the versions of one record';
  return yargs.command('log [ADDRESS]', describe, builder, async ({ ADDRESS, format, ...options }) => {
    const { recordLog } = await import('./record.ts');
    const answer = await recordLog(hostOf(console), { ...options, address: ADDRESS });
    await answerIn(format, { renderers: logFormats, answer }, console);
  });
}

const logFormats: Renderers<readonly LoggedEntry[], 'text' | 'json'> = {
  async text(entries, { answerColor: color, width }) {
    if (entries.length === 0) return 'No commit changed these records.\n';
    return (await import('./text.ts')).renderRecordLog(entries, { color, width });
  },
  json,
};

function addAdopt(yargs: Argv, console: Console): Argv {
  const describe = 'Link a manifest to an existing resource by id, or mark it as already applied';
  const builder = (own: Argv) =>
    addressOption(own)
      .positional('ID', {
        type: 'string',
        describe: 'Id of the Agent or Organization on the service (default: target.agentId or the recorded id)',
      })
      .example(
        '$0 record adopt Agent/front-desk camp_1',
        'After a create whose answer was lost; the next plan compares everything',
      )
      .example('$0 record adopt Organization/acme 1001', 'The same for an organization; its id is its account number')
      .example(
        '$0 record adopt Member/bookkeeper',
        'Mark the manifest as applied when the invitation was already sent',
      );
  return yargs.command('adopt ADDRESS [ID]', describe, builder, async ({ ADDRESS, ID, ...options }) => {
    const { adoptRecord } = await import('./adopt.ts');
    const adopted = await withHost(console, { debug: false }, (host) =>
      adoptRecord(host, { ...options, address: ADDRESS, id: ID, signal: interruptSignal(console) }),
    );
    answerChange((await import('./text.ts')).adoptedText(adopted), console);
  });
}

function addForget(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    environmentOptions(own)
      .positional('ADDRESS', {
        type: 'string',
        describe: 'Resource as Kind/name; if omitted, all of an --environment that agentform.yaml no longer has',
      })
      .option('yes', { alias: 'y', type: 'boolean', default: false, describe: 'Skip the confirmation' })
      .example('$0 record forget Agent/old-desk', 'After a manifest was removed permanently')
      .example('$0 record forget --environment staging', 'After an environment was removed permanently');
  const describe = 'Delete a record; the resource on the service is not changed';
  return yargs.command('forget [ADDRESS]', describe, builder, async ({ ADDRESS, ...options }) => {
    if (ADDRESS === undefined) return forgetAll(options, console);
    const { forgetRecord, showRecord } = await import('./record.ts');
    await requireConsent(options.yes, console, async () => {
      const { environment, id = 'no id' } = await showRecord(hostOf(console), { ...options, address: ADDRESS });
      return `Delete the record of ${ADDRESS} (${id}) in ${environment}?`;
    });
    const forgotten = await forgetRecord(hostOf(console), {
      ...options,
      address: ADDRESS,
      signal: interruptSignal(console),
    });
    answerChange((await import('./text.ts')).forgottenText(forgotten), console);
  });
}

function addRename(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    environmentOptions(own)
      .positional('OLD', { type: 'string', demandOption: true, describe: 'Old Kind/name' })
      .positional('NEW', {
        type: 'string',
        describe: 'New Kind/name; without it, --environment OLD NEW renames an environment',
      })
      .example('$0 record rename Agent/desk Agent/front-desk', 'After a manifest was renamed')
      .example('$0 record rename --environment staging qa', 'After an environment was renamed in agentform.yaml');
  const describe = 'Rename a record after its manifest was renamed, or the records of an environment';
  return yargs.command('rename OLD [NEW]', describe, builder, async ({ OLD, NEW, ...options }) => {
    if (NEW === undefined) return renameAll({ ...options, to: OLD }, console);
    const { renameRecord } = await import('./record.ts');
    const renamed = await renameRecord(hostOf(console), {
      ...options,
      from: OLD,
      to: NEW,
      signal: interruptSignal(console),
    });
    answerChange((await import('./text.ts')).renamedText(renamed), console);
  });
}

function answerChange({ answer, warnings }: RecordChangeText, console: Console): void {
  console.answer(`${answer}\n`);
  for (const warning of warnings) console.say(`warning: ${warning}\n`);
}

function hostOf({ process, hide }: Console) {
  const now = () => new Date();
  return { env: process.env, now, allowedSecrets: secretsNamedIn(process.env), hideSecrets: hide };
}

function addMove(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    projectOptions(own)
      .option('to', { choices: storeNames, demandOption: true, describe: 'Store to move the records to' })
      .example('$0 record move --to git', 'Move .agentform/records to the branch configured in agentform.yaml');
  const describe = 'Move the records of all environments to another store';
  return yargs.command('move', describe, builder, async (options) => {
    const { moveRecords } = await import('./record.ts');
    const { moved } = await moveRecords(hostOf(console), { ...options, signal: interruptSignal(console) });
    const lines = [...moved].map(([environment, addresses]) => `${environment}: ${addresses.length} moved\n`);
    if (lines.length === 0) return console.answer('No records to move.\n');
    console.answer(lines.join(''));
    const { name, isInProject } = storeNamed(options.to);
    console.say(
      isInProject
        ? `Now put \`record: { store: ${name} }\` into agentform.yaml, and commit it with .agentform/records.\n`
        : 'Commit agentform.yaml, and the removal of the files if they were committed.\n',
    );
  });
}

function addressOption(yargs: Argv) {
  return environmentOptions(yargs).positional('ADDRESS', {
    type: 'string',
    demandOption: true,
    describe: 'Resource as Kind/name, such as Agent/front-desk',
  });
}

async function requireConsent(yes: boolean, console: Console, question: () => Promise<string>): Promise<void> {
  if (yes) return;
  const { confirm } = await import('../../cli/confirm.ts');
  const declined = 'no record was deleted';
  const otherwise = `${declined}: no terminal to confirm on; use --yes`;
  if (!console.interactive || !(await confirm(await question(), console, otherwise)))
    throw new AgentformError(
      'declined',
      console.interactive ? `${declined}: the deletion was not confirmed` : otherwise,
    );
}

async function forgetAll(
  { project, environment, yes }: Common & { readonly yes: boolean },
  console: Console,
): Promise<void> {
  if (environment === undefined) throw new AgentformError('usage', 'name the resource as Kind/name');
  await requireConsent(yes, console, async () => `Delete all records of ${environment}?`);
  const { forgetEnvironment } = await import('./environments.ts');
  const forgotten = await forgetEnvironment(hostOf(console), {
    project,
    environment,
    signal: interruptSignal(console),
  });
  answerChange((await import('./text.ts')).forgottenEnvironmentText(environment, forgotten), console);
}

async function renameAll(
  { project, environment: from, to }: Common & { readonly to: string },
  console: Console,
): Promise<void> {
  if (from === undefined) {
    const usage =
      'name the old and the new Kind/name; to rename an environment, run `agentform record rename --environment OLD NEW`';
    throw new AgentformError('usage', usage);
  }
  const { renameEnvironment } = await import('./environments.ts');
  const renaming = { project, from, to };
  const renamed = await renameEnvironment(hostOf(console), { ...renaming, signal: interruptSignal(console) });
  answerChange((await import('./text.ts')).renamedEnvironmentText(renaming, renamed), console);
}
