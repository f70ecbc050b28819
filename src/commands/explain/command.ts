import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { withHost } from '../../cli/host.ts';
import { type Arguments, environmentOptions, readingOptions } from '../../cli/options.ts';

export function addExplainCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'explain NAME PATH',
    'Show where a field comes from and why the plan says of it what it says',
    builder,
    (options) => explainCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return readingOptions(environmentOptions(yargs))
    .positional('NAME', { type: 'string', demandOption: true, describe: 'Name or Kind/name of one resource' })
    .positional('PATH', {
      type: 'string',
      demandOption: true,
      describe: 'A field as plans write it, or a section, a list or an element of one for all fields in it',
    })
    .option('format', { choices: ['text', 'json'] as const, default: 'text' as const, describe: 'How to show it' })
    .example('$0 explain front-desk settings.title', 'Desired, live and last applied of a field, and the reason')
    .example('$0 explain front-desk "skills[calendar].instructions" -e staging', 'A field of an element of a list')
    .example('$0 explain front-desk skills', 'Every field of a list');
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
