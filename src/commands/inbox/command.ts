import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import type { Command } from '../../cli/options.ts';
import { type Arguments, callOptions, integerOption } from '../../cli/options.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import { AgentformError } from '../../errors.ts';
import type { Inbox } from './inbox.ts';

export const inboxCommand: Command<ReturnType<typeof builder>> = {
  usage: 'inbox',
  describe: 'List the rooms of the priority inbox',
  builder,
  run,
};

const inboxFormats: Renderers<Inbox, 'text' | 'json' | 'csv'> = {
  async text(inbox, { answerColor: color, width }) {
    return (await import('./text.ts')).renderInboxText(inbox, { color, width });
  },
  async json(inbox) {
    return (await import('./text.ts')).renderInboxJson(inbox);
  },
  async csv({ rooms }) {
    return (await import('./text.ts')).renderInboxCsv(rooms);
  },
};

function builder(yargs: Argv) {
  return callOptions(yargs)
    .option('unread', { type: 'boolean', default: false, describe: 'List only rooms with unread messages' })
    .option('page', integerOption({ name: 'page', describe: 'Page to show, counted from 0', least: 0 }))
    .option(
      'page-size',
      integerOption({
        name: 'page-size',
        describe: 'Number of rooms per page (default: chosen by the service)',
        least: 1,
      }),
    )
    .option('all', { type: 'boolean', default: false, describe: 'List the rooms of every page' })
    .option('format', formatOption(inboxFormats, 'Output format; csv opens safely in a spreadsheet'))
    .example('$0 inbox --unread', 'List the first page of unread rooms')
    .example('$0 inbox -e production --all --format csv > inbox.csv', 'Export every room for a spreadsheet');
}

type InboxArguments = Arguments<typeof builder>;

async function run(options: InboxArguments, console: Console): Promise<void> {
  if (options.all && options.page !== undefined) {
    throw new AgentformError('usage', '--all and --page cannot be combined; use one of them');
  }
  const { readInbox } = await import('./inbox.ts');
  const inbox = await withHost(console, options, (host) =>
    readInbox(host, {
      ...options,
      pageSize: options['page-size'],
      onWarnings: (found) => printWarnings(found, console),
    }),
  );
  await answerIn(options.format, { renderers: inboxFormats, answer: inbox }, console);
}
