import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { withHost } from '../../cli/host.ts';
import { type Arguments, environmentOptions, readingOptions } from '../../cli/options.ts';

export function addExplainCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'explain NAME PATH',
    "Show where a field's value comes from and why the plan changes it",
    builder,
    (options) => explainCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return readingOptions(environmentOptions(yargs))
    .positional('NAME', { type: 'string', demandOption: true, describe: 'Resource, by name or Kind/name' })
    .positional('PATH', {
      type: 'string',
      demandOption: true,
      describe: 'Field as shown in a plan; a section, list or list element shows all its fields',
    })
    .option('format', { choices: ['text', 'json'] as const, default: 'text' as const, describe: 'Output format' })
    .example('$0 explain front-desk settings.title', 'Show the desired, live and last applied value, and the reason')
    .example('$0 explain front-desk "skills[calendar].instructions" -e staging', 'Explain a field of a list element')
    .example('$0 explain front-desk skills', 'Explain every field of a list');
}

async function explainCommand(
  { NAME: name, PATH: path, format, ...options }: Arguments<typeof builder>,
  console: Console,
): Promise<void> {
  const { explain } = await import('./explain.ts');
  const explanation = await withHost(console, options, (host) => explain(host, { ...options, name, path }));
  if (format === 'json') {
    return console.data((await import('./text.ts')).renderExplanationJson(explanation));
  }
  const { renderExplanationText } = await import('./text.ts');
  console.answer(renderExplanationText(explanation, { color: console.answerColor, width: console.width }));
}
