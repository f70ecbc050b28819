import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { inEnvironments } from '../../cli/environments.ts';
import { formatOption, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { type Arguments, environmentsServiceOptions, verboseOption } from '../../cli/options.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import type { DriftResult } from './drift.ts';

export function addDriftCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'drift [names..]',
    'Show what changed on the service since the last apply; changes nothing',
    builder,
    (options) => driftCommand(options, console),
  );
}

type DriftAnswer = DriftResult & { readonly full: boolean; readonly verbose: boolean };

const driftFormats: Renderers<DriftAnswer, 'text' | 'json' | 'markdown'> = {
  async text({ drift, full, verbose }, { answerColor: color, width }) {
    return (await import('./text.ts')).renderDriftText(drift, { color, width, full, verbose });
  },
  async json({ drift }) {
    return (await import('../../report/json.ts')).renderDriftJson(drift);
  },
  async markdown({ drift }) {
    return (await import('./markdown.ts')).renderDriftMarkdown(drift);
  },
};

function builder(yargs: Argv) {
  return environmentsServiceOptions(yargs)
    .option('format', formatOption(driftFormats, 'Output format; markdown suits an issue or a pull request'))
    .option('full', { type: 'boolean', default: false, describe: 'Show long texts in full' })
    .option('verbose', verboseOption)
    .option('exit-code', {
      type: 'boolean',
      default: false,
      describe: 'Exit with 2 if a setting drifted or is unverified, or if there are no records',
    })
    .example('$0 drift', 'Check every resource in the default environment')
    .example('$0 drift -e production --exit-code', 'Fail a nightly job after an edit in the dashboard')
    .example("$0 drift -e 'prod-*'", 'Check several environments, one after the other')
    .example('$0 drift front-desk --format markdown', 'Check one agent, formatted for an issue');
}

function driftCommand(options: Arguments<typeof builder>, console: Console): Promise<void> {
  return inEnvironments(
    options,
    {
      async run(environment) {
        const { drift } = await import('./drift.ts');
        const result = await withHost(console, options, (host) => drift(host, { ...options, environment }));
        await printWarnings(result, console);
        return { ...options, ...result };
      },
      renderers: driftFormats,
      async exitCodeOf({ drift }) {
        const { exitCodeOfDrift } = await import('./drift.ts');
        return exitCodeOfDrift(drift, { driftCounts: options['exit-code'] });
      },
    },
    console,
  );
}
