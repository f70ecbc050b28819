import type { Console } from '../../cli/console.ts';
import { inEnvironments, onlyEnvironment } from '../../cli/environments.ts';
import { formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { type Command, environmentsServiceOptions, type Parsed, switchOption } from '../../cli/options.ts';
import { exitCodes } from '../../errors.ts';
import type { StatusResult } from './status.ts';

export const statusCommand: Command<ReturnType<typeof statusOptions>> = {
  syntax: { usage: 'status [names..]', options: statusOptions },
  describe: 'Show which version each resource has, according to its record; contacts the service only with --live',
  examples: [
    ['$0 status -e production', 'Show which agents are up to date, and which versions the others have'],
    ['$0 status -e production -l ring=early', 'Show only resources with this label'],
    ['$0 status -e production --live', 'Also read the service, to show drift, conflicts and missing resources'],
    ['$0 status -e production --format html > status.html', 'Write a web page'],
    ['$0 status -e production --format csv > status.csv', 'Write a table for a spreadsheet'],
  ],
  run,
};

const statusFormats: Renderers<StatusResult, 'text' | 'json' | 'csv' | 'html'> = {
  text: async (result, { answerStyle }) => (await import('./document.ts')).renderStatusText(result, answerStyle),
  json: inJson(({ status }) => status),
  csv: async (result) => (await import('./document.ts')).renderStatusCsv(result),
  html: async (result) => (await import('./document.ts')).renderStatusHtml(result),
};

function statusOptions() {
  return {
    ...environmentsServiceOptions(),
    format: formatOption(statusFormats, 'Output format; csv opens safely in a spreadsheet, html is a web page'),
    live: switchOption('Also read the service, and show drift'),
  } as const;
}

async function run(options: Parsed<ReturnType<typeof statusOptions>>, console: Console): Promise<void> {
  const { format } = options;
  if (format === 'html' || format === 'csv') onlyEnvironment(options.environment, `--format ${format}`);
  const { status } = await import('./status.ts');
  return inEnvironments(
    options,
    {
      run: (environment) => withHost(console, options, (host) => status(host, { ...options, environment })),
      renderers: statusFormats,
      exitCodeOf: async ({ unread }) => (unread > 0 ? exitCodes.failed : exitCodes.done),
    },
    console,
  );
}
