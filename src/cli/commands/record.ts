import type { Argv } from 'yargs';
import type { ListedRecord } from '../../reconcile/records.ts';
import type { Console } from '../console.ts';
import { type Arguments, environmentOptions } from '../options.ts';

export function addRecordCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('record', 'Look at and mend the record of what was applied', (own) =>
    [addList, addShow, addAdopt, addForget, addRename]
      .reduce((parser, add) => add(parser, console), own)
      .demandCommand(1, 'name a command of record: list, show, adopt, forget or rename'),
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
  const { listRecords } = await import('../../reconcile/records.ts');
  const records = await listRecords({ env: console.process.env }, options);
  if (format === 'json') return console.data(`${JSON.stringify(records, null, 2)}\n`);
  if (records.length === 0) return console.answer('No records: nothing was applied in this environment.\n');
  const { renderTable } = await import('../../report/table.ts');
  const headers = ['resource', 'id', 'host', 'fields', 'applied', 'state'];
  console.answer(renderTable(headers, records.map(rowOf), { color: console.answerColor, width: console.width }));
}

function rowOf({ record, state }: ListedRecord): string[] {
  const { kind, name, id = '-', host, fields, appliedAt = '-' } = record;
  return [`${kind}/${name}`, id, host, String(Object.keys(fields).length), appliedAt, state];
}

function addShow(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    addressOption(own).example('$0 record show Agent/front-desk', 'What was applied to an agent last time');
  return yargs.command('show ADDRESS', 'Show one record as JSON', builder, async ({ ADDRESS, ...options }) => {
    const { showRecord } = await import('../../reconcile/records.ts');
    console.data(`${JSON.stringify(await showRecord({ ...options, address: ADDRESS }), null, 2)}\n`);
  });
}

function addAdopt(yargs: Argv, console: Console): Argv {
  const describe = 'Make the record speak of an agent that exists; the next plan compares afresh';
  const builder = (own: Argv) =>
    addressOption(own)
      .positional('ID', { type: 'string', describe: 'The id on the service; for an Agent target.agentId if left out' })
      .example('$0 record adopt Agent/front-desk camp_1', 'After a create whose answer was lost');
  return yargs.command('adopt ADDRESS [ID]', describe, builder, async ({ ADDRESS, ID, ...options }) => {
    const { adoptRecord } = await import('../../reconcile/adopt-record.ts');
    const { kind, name, id } = await adoptRecord(
      { env: console.process.env },
      { ...options, address: ADDRESS, id: ID },
    );
    const what = id === undefined ? 'its manifest counts as applied' : `it now is ${id}`;
    console.answer(`${kind}/${name} is adopted: ${what}; see agentform plan.\n`);
  });
}

function addForget(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    addressOption(own).example('$0 record forget Agent/old-desk', 'After a manifest was removed for good');
  const describe = 'Drop a record; the service keeps what it has';
  return yargs.command('forget ADDRESS', describe, builder, async ({ ADDRESS, ...options }) => {
    const { forgetRecord } = await import('../../reconcile/records.ts');
    const { kind, name } = await forgetRecord({ ...options, address: ADDRESS });
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
    const { renameRecord } = await import('../../reconcile/records.ts');
    const { kind, name } = await renameRecord({ ...options, from: OLD, to: NEW });
    console.answer(`The record now is of ${kind}/${name}.\n`);
  });
}

function addressOption(yargs: Argv) {
  return environmentOptions(yargs).positional('ADDRESS', {
    type: 'string',
    demandOption: true,
    describe: 'Kind/name, such as Agent/front-desk',
  });
}
