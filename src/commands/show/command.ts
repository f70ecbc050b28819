import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption } from '../../cli/formats.ts';
import { type Arguments, expandOption, fullOption, projectOptions } from '../../cli/options.ts';
import { planFormats } from '../../cli/plan-formats.ts';
import { printWarnings } from '../../cli/problem-formats.ts';

export function addShowCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'show <plans..>',
    'Show a plan saved by `plan --out`, or join those of all shards, in any format',
    builder,
    (options) => showCommand(options, console),
  );
}

function builder(yargs: Argv) {
  const formats = formatOption(
    planFormats,
    'Output format; markdown suits a pull request, html is a page to look at, github and gitlab annotate the manifests',
  );
  return expandOption(fullOption(projectOptions(yargs)).option('format', formats))
    .positional('plans', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'File written by `plan --out`; several if they are the shards of one plan',
    })
    .example('$0 show plan.json', 'Show the plan as text')
    .example('$0 show plan.json --format markdown', 'Show it as a pull request comment')
    .example('$0 show plan.json --format html > plan.html', 'Write it as a page')
    .example('$0 show plan-*.json --format json > plan.json', 'Join the plans of all shards, for `apply --plan`');
}

async function showCommand({ plans, ...options }: Arguments<typeof builder>, console: Console): Promise<void> {
  const { show } = await import('./show.ts');
  const result = await show({ env: console.process.env }, { plans, project: options.project });
  await printWarnings(result, console);
  await answerIn(options.format, { renderers: planFormats, answer: { ...options, result } }, console);
}
