import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { withHost } from '../../cli/host.ts';
import { type Arguments, serviceOptions } from '../../cli/options.ts';
import { sayWarnings } from '../../cli/problem-formats.ts';
import { exitCodes } from '../../errors.ts';
import type { DriftResult } from './drift.ts';

export function addDriftCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'drift [names..]',
    'Show what changed on the service since the last apply; changes nothing',
    builder,
    (options) => driftCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return serviceOptions(yargs)
    .option('format', {
      choices: ['text', 'json', 'markdown'] as const,
      default: 'text' as const,
      describe: 'Output format; markdown suits an issue or a pull request',
    })
    .option('full', { type: 'boolean', default: false, describe: 'Show long texts in full' })
    .option('exit-code', {
      type: 'boolean',
      default: false,
      describe: 'Exit with 2 if a setting drifted or is unverified, or if there are no records',
    })
    .example('$0 drift', 'Check every resource in the default environment')
    .example('$0 drift -e production --exit-code', 'Fail a nightly job after an edit in the dashboard')
    .example('$0 drift front-desk --format markdown', 'Check one agent, formatted for an issue');
}

type DriftArguments = Arguments<typeof builder>;

async function driftCommand(options: DriftArguments, console: Console): Promise<void> {
  const { drift } = await import('./drift.ts');
  const result = await withHost(console, options, (host) => drift(host, options));
  await sayWarnings(result, console);
  await answer(result, options, console);
  const { exitCodeOfDrift } = await import('./drift.ts');
  const code = exitCodeOfDrift(result.drift, { driftCounts: options['exit-code'] });
  if (code !== exitCodes.done) console.process.exitCode = code;
}

async function answer({ drift }: DriftResult, { format, full }: DriftArguments, console: Console): Promise<void> {
  if (format === 'json') return console.data((await import('../../report/json.ts')).renderDriftJson(drift));
  if (format === 'markdown') {
    return console.answer((await import('./markdown.ts')).renderDriftMarkdown(drift));
  }
  const { renderDriftText } = await import('./text.ts');
  console.answer(renderDriftText(drift, { color: console.answerColor, width: console.width, full }));
}
