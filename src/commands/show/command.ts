import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption } from '../../cli/formats.ts';
import { type Arguments, expandOption, fullOption, projectOptions } from '../../cli/options.ts';
import { planFormats } from '../../cli/plan-formats.ts';
import { printWarnings } from '../../cli/problem-formats.ts';

export function addShowCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('show PLAN', 'Show a plan saved by `plan --out`, in any format', builder, (options) =>
    showCommand(options, console),
  );
}

function builder(yargs: Argv) {
  const formats = formatOption(
    planFormats,
    "Output format; markdown suits a pull request, github and gitlab annotate the project's files",
  );
  return expandOption(fullOption(projectOptions(yargs)).option('format', formats))
    .positional('PLAN', { type: 'string', demandOption: true, describe: 'File written by `plan --out`' })
    .example('$0 show plan.json', 'Show the plan as text')
    .example('$0 show plan.json --format markdown', 'Show it as a pull request comment');
}

async function showCommand({ PLAN, ...options }: Arguments<typeof builder>, console: Console): Promise<void> {
  const { show } = await import('./show.ts');
  const result = await show({ env: console.process.env }, { plan: PLAN, project: options.project });
  await printWarnings(result, console);
  await answerIn(options.format, { renderers: planFormats, answer: { ...options, result } }, console);
}
