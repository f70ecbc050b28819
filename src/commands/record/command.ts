import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { type Arguments, environmentOptions, projectOptions } from '../../cli/options.ts';
import type { ListedRecord } from './record.ts';

export function addRecordCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('record', 'Look at and mend the record of what was applied', (own) =>
    [addList, addShow, addLog, addAdopt, addForget, addRename, addMove]
      .reduce((parser, add) => add(parser, console), own)
      .demandCommand(1, 'name a command of record: list, show, log, adopt, forget, rename or move')
      .example('$0 record list -e production', 'Every record of production')
      .example('$0 record show Agent/front-desk', 'What was applied to an agent last time'),
  );
}

type Common = Arguments<typeof environmentOptions>;

function addList(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    environmentOptions(own)
      .option('format', { choices: ['text', 'json'] as const, default: 'text' as const, describe: 'How to show them' })
      .example('$0 record list -e production', 'Every record of production');
  return yargs.command('list', 'List the records of an environment', builder, (options) => list(options, console));
}

async function list(
  { format, ...options }: Common & { readonly format: 'text' | 'json' },
  console: Console,
): Promise<void> {
  const { listRecords } = await import('./record.ts');
  const records = await listRecords(hostOf(console), options);
  if (format === 'json') return console.data(`${JSON.stringify(records, null, 2)}\n`);
  if (records.length === 0) return console.answer('No records: nothing was applied in this environment.\n');
  const { renderTable } = await import('../../report/terminal/table.ts');
  const headers = ['resource', 'id', 'host', 'fields', 'applied', 'state'];
  console.answer(renderTable(headers, records.map(rowOf), { color: console.answerColor, width: console.width }));
}

function rowOf({ record, state }: ListedRecord): string[] {
  const { kind, name, id = '-', host, fields, appliedAt = '-' } = record;
  return [`${kind}/${name}`, id, host, String(Object.keys(fields).length), appliedAt, state];
}

function addShow(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    addressOption(own)
      .example('$0 record show Agent/front-desk', 'What was applied to an agent last time')
      .example('$0 record show Agent/front-desk@4f2c01d9', 'What a commit of record log had recorded');
  return yargs.command('show ADDRESS', 'Show one record as JSON', builder, async ({ ADDRESS, ...options }) => {
    const { showRecord } = await import('./record.ts');
    console.data(`${JSON.stringify(await showRecord(hostOf(console), { ...options, address: ADDRESS }), null, 2)}\n`);
  });
}

function addLog(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    environmentOptions(own)
      .positional('ADDRESS', { type: 'string', describe: 'Kind/name, such as Agent/front-desk; all if left out' })
      .option('format', { choices: ['text', 'json'] as const, default: 'text' as const, describe: 'How to show it' })
      .example('$0 record log -e production', 'Every apply to production, newest first')
      .example('$0 record log Agent/front-desk', 'What was applied to one agent, when, by whom, from which commit');
  const describe = 'Show which commits changed the records of an environment';
  return yargs.command('log [ADDRESS]', describe, builder, (options) => log(options, console));
}

async function log(
  { format, ADDRESS, ...options }: Common & { readonly format: 'text' | 'json'; readonly ADDRESS?: string | undefined },
  console: Console,
): Promise<void> {
  const { recordLog } = await import('./record.ts');
  const entries = await recordLog(hostOf(console), { ...options, address: ADDRESS });
  if (format === 'json') return console.data((await import('../../report/json.ts')).asJson(entries));
  if (entries.length === 0) return console.answer('No commit has records of that.\n');
  const { renderRecordLog } = await import('./log-text.ts');
  console.answer(renderRecordLog(entries, { color: console.answerColor, width: console.width }));
}

function addAdopt(yargs: Argv, console: Console): Argv {
  const describe = 'Make the record speak of what is on the service: by its id, or taking the manifest as applied';
  const builder = (own: Argv) =>
    addressOption(own)
      .positional('ID', {
        type: 'string',
        describe: 'The id on the service, of an Agent or Organization; if left out, target.agentId or the recorded one',
      })
      .example(
        '$0 record adopt Agent/front-desk camp_1',
        'After a create whose answer was lost; the next plan compares afresh',
      )
      .example('$0 record adopt Organization/acme 1001', 'The same for an organization; 1001 is its account')
      .example('$0 record adopt Member/bookkeeper', 'The invitation was sent: the manifest counts as applied');
  return yargs.command('adopt ADDRESS [ID]', describe, builder, async ({ ADDRESS, ID, ...options }) => {
    const { adoptRecord } = await import('./adopt.ts');
    const adopting = { ...options, address: ADDRESS, id: ID };
    const { record, lacksId } = await adoptRecord(hostOf(console), adopting);
    const { id } = record;
    const address = `${record.kind}/${record.name}`;
    const what = id === undefined ? 'its manifest counts as applied' : `it now is ${id}`;
    console.answer(`${address} is adopted: ${what}; see agentform plan.\n`);
    if (lacksId) {
      const way = `agentform record adopt ${address} ID -e ${record.environment}`;
      console.say(`warning: its id is not known, so nothing can be put into its account; give it with ${way}\n`);
    }
  });
}

function addForget(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    addressOption(own).example('$0 record forget Agent/old-desk', 'After a manifest was removed for good');
  const describe = 'Drop a record; the service keeps what it has';
  return yargs.command('forget ADDRESS', describe, builder, async ({ ADDRESS, ...options }) => {
    const { forgetRecord } = await import('./record.ts');
    const { kind, name } = await forgetRecord(hostOf(console), { ...options, address: ADDRESS });
    console.answer(`The record of ${kind}/${name} is forgotten; the service keeps what it has.\n`);
  });
}

function addRename(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    environmentOptions(own)
      .positional('OLD', { type: 'string', demandOption: true, describe: 'Kind/name as it was' })
      .positional('NEW', { type: 'string', demandOption: true, describe: 'Kind/name as it is now' })
      .example('$0 record rename Agent/desk Agent/front-desk', 'After the name in a manifest was changed');
  const describe = 'Give the record of a renamed manifest its new name';
  return yargs.command('rename OLD NEW', describe, builder, async ({ OLD, NEW, ...options }) => {
    const { renameRecord } = await import('./record.ts');
    const renaming = { ...options, from: OLD, to: NEW };
    const { record, lost, isDeclared } = await renameRecord(hostOf(console), renaming);
    console.answer(`The record now is of ${record.kind}/${record.name}.\n`);
    if (!isDeclared) console.say(`warning: there is no manifest of ${record.kind}/${record.name}\n`);
    if (lost.length > 0) {
      console.say(
        `warning: it no longer knows what was applied to ${lost.join(', ')}: the secret is unset or changed\n`,
      );
    }
  });
}

function hostOf({ process }: Console) {
  return { env: process.env };
}

function addMove(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    projectOptions(own)
      .option('to', { choices: ['git', 'file'] as const, demandOption: true, describe: 'The store to move them to' })
      .example('$0 record move --to git', 'From .agentform/records to the branch that agentform.yaml names');
  const describe = 'Move the records of all environments to the other store';
  return yargs.command('move', describe, builder, async (options) => {
    const { moveRecords } = await import('./record.ts');
    const { moved } = await moveRecords(hostOf(console), options);
    const lines = [...moved].map(([environment, addresses]) => `${environment}: ${addresses.length} moved\n`);
    if (lines.length === 0) return console.answer('There is nothing to move.\n');
    console.answer(lines.join(''));
    console.say(afterMove[options.to]);
  });
}

const afterMove = {
  git: 'Commit agentform.yaml, and the removal of the files if they were committed.\n',
  file: 'Now put `record: { store: file }` into agentform.yaml, and commit it with .agentform/records.\n',
};

function addressOption(yargs: Argv) {
  return environmentOptions(yargs).positional('ADDRESS', {
    type: 'string',
    demandOption: true,
    describe: 'Kind/name, such as Agent/front-desk',
  });
}
