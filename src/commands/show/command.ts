import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { type Arguments, fullOption, projectOptions } from '../../cli/options.ts';
import { answerPlan, planFormats } from '../../cli/plan-formats.ts';
import { sayWarnings } from '../../cli/problem-formats.ts';

export function addShowCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('show PLAN', 'Show a plan that plan --out saved, in any format', builder, (options) =>
    showCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return fullOption(projectOptions(yargs))
    .positional('PLAN', { type: 'string', demandOption: true, describe: 'The file that plan --out wrote' })
    .option('format', {
      choices: planFormats,
      default: 'text' as const,
      describe: 'How to show it; markdown is for a pull request, github for annotations of files of the project',
    })
    .example('$0 show plan.json', 'The plan as agentform plan showed it')
    .example('$0 show plan.json --format markdown', 'The same as a comment for a pull request');
}

async function showCommand({ PLAN, ...options }: Arguments<typeof builder>, console: Console): Promise<void> {
  const { show } = await import('./show.ts');
  const result = await show({ env: console.process.env }, { plan: PLAN, project: options.project });
  await sayWarnings(result, console);
  await answerPlan(result, options, console);
}
