import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { type Command, callOptions, integerOption, type Parsed, switchOption } from '../../cli/options.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import { exitCodes } from '../../errors.ts';
import type { Inbox } from './inbox.ts';

export const inboxCommand: Command<ReturnType<typeof inboxOptions>> = {
  syntax: { usage: 'inbox', options: inboxOptions },
  describe: 'List the rooms in the priority inbox',
  examples: [
    ['$0 inbox --unread', 'List the first page of unread rooms'],
    ['$0 inbox -e production --all --format csv > inbox.csv', 'Export every room for a spreadsheet'],
  ],
  run,
};

const inboxFormats: Renderers<Inbox, 'text' | 'json' | 'csv'> = {
  text: async (inbox, { answerStyle }) => (await import('./text.ts')).renderInboxText(inbox, answerStyle),
  json: async (inbox) => (await import('./text.ts')).renderInboxJson(inbox),
  csv: async ({ rooms }) => (await import('./text.ts')).renderInboxCsv(rooms),
};

function inboxOptions() {
  return {
    ...callOptions(),
    unread: switchOption('List only rooms with unread messages'),
    page: integerOption({ name: 'page', describe: 'Page to show, counted from 0', min: 0 }),
    'page-size': integerOption({
      name: 'page-size',
      describe: 'Number of rooms per page (default: chosen by the service)',
      min: 1,
    }),
    all: { ...switchOption('List the rooms of every page'), excludes: { page: 'use one of them' } },
    format: formatOption(inboxFormats, 'Output format; csv opens safely in a spreadsheet'),
  } as const;
}

async function run(options: Parsed<ReturnType<typeof inboxOptions>>, console: Console): Promise<void> {
  const { readInbox } = await import('./inbox.ts');
  const inbox = await withHost(console, options, (host) =>
    readInbox(host, {
      ...options,
      onWarnings: (found) => printWarnings(found, console),
    }),
  );
  await answerIn(options.format, { renderers: inboxFormats, answer: inbox }, console);
  const { missingText } = await import('./text.ts');
  console.say(missingText(inbox));
  if (inbox.malformed.length > 0) console.process.exitCode = exitCodes.failed;
}
