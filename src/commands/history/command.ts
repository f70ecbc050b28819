import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import {
  type Command,
  environmentOptions,
  type Parsed,
  selectionOptions,
  switchOption,
  textOption,
} from '../../cli/options.ts';
import type { Notice } from '../../notices/notice.ts';
import type { Blame } from '../../schemas/blame-types.ts';
import type { History } from '../../schemas/history-types.ts';

export const historyCommand: Command<ReturnType<typeof historyOptions>> = {
  syntax: { usage: 'history [names..]', options: historyOptions },
  describe: 'Show what changed on the service, when and by whom, and which dashboard edits were undone',
  examples: [
    ['$0 history front-desk -e production', 'List the events of one agent, newest first'],
    ['$0 history front-desk settings.welcomeMessage -p', 'Show how the greeting of an agent changed'],
    ['$0 history -l ring=early --since 2026-11-01', 'For agents with this label, list the events since November 1'],
    [
      '$0 history --since 2026-11-01 --until 2026-11-30 --format html > november.html',
      'Write the events of November as a web page, for a client',
    ],
    ['$0 history -e production --format jsonl', 'Print one event per line, oldest first, for a log collector'],
  ],
  run: runHistory,
};

const historyFormats: Renderers<History & { readonly patch: boolean }, 'text' | 'json' | 'jsonl' | 'csv' | 'html'> = {
  text: async ({ patch, ...history }, { answerStyle }) =>
    (await import('./text.ts')).renderHistoryText(history, { ...answerStyle, patch }),
  json: inJson(({ patch: _, ...history }) => history),
  jsonl: async (history) => (await import('./text.ts')).historyLines(history),
  csv: async (history) => (await import('./text.ts')).renderHistoryCsv(history),
  html: async (history) => (await import('./document.ts')).renderHistoryHtml(history),
};

function historyOptions() {
  return {
    ...environmentOptions(),
    ...selectionOptions,
    names: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe:
        'Resources to select, by name, Kind/name or glob; then a setting, to show only changes to that setting (default: all)',
    },
    since: textOption('Show only events since this day or time, such as 2026-11-01 or 2026-11-01T08:00Z'),
    until: textOption('Show only events up to and including this day or time'),
    patch: { ...switchOption('Show each change as a diff'), alias: 'p' },
    format: formatOption(historyFormats, 'Output format; html is a web page, and csv is safe to open in a spreadsheet'),
  } as const;
}

async function runHistory(options: Parsed<ReturnType<typeof historyOptions>>, console: Console): Promise<void> {
  const { history } = await import('./history.ts');
  const found = await withHost(console, { debug: false, cache: true }, (host) => history(host, options));
  await answerIn(options.format, { renderers: historyFormats, answer: { ...found, patch: options.patch } }, console);
  await sayWarnings(found, console);
}

export const blameCommand: Command<ReturnType<typeof blameOptions>> = {
  syntax: { usage: 'blame NAME PATH', options: blameOptions },
  describe: 'Show when each line of an applied text went live, and who wrote it',
  examples: [
    ['$0 blame front-desk settings.agentInstructions -e production', 'Show who wrote each line of the instructions'],
  ],
  run: runBlame,
};

const blameFormats: Renderers<Blame, 'text' | 'json'> = {
  text: async (found) => (await import('./text.ts')).renderBlameText(found),
  json: inJson((found) => found),
};

function blameOptions() {
  return {
    ...environmentOptions(),
    NAME: { type: 'string', demandOption: true, describe: 'Resource (name or Kind/name)' },
    PATH: { type: 'string', demandOption: true, describe: 'Path of a text setting, as in a plan' },
    format: formatOption(blameFormats),
  } as const;
}

async function runBlame(
  { NAME: name, PATH: path, format, ...options }: Parsed<ReturnType<typeof blameOptions>>,
  console: Console,
): Promise<void> {
  const { blame } = await import('./blame.ts');
  const found = await withHost(console, { debug: false, cache: true }, (host) =>
    blame(host, { ...options, name, path }),
  );
  await answerIn(format, { renderers: blameFormats, answer: found }, console);
  await sayWarnings(found, console);
}

async function sayWarnings({ warnings = [] }: { readonly warnings?: Notice[] }, console: Console): Promise<void> {
  if (warnings.length === 0) return;
  const { sentencesOf } = await import('../../report/notices.ts');
  for (const sentence of sentencesOf(warnings)) console.say(`warning: ${sentence}\n`);
}
