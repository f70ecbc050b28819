import type { Argv } from 'yargs';
import type { Console } from '../console.ts';
import type { Arguments } from '../options.ts';

export function addInitCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('init [DIR]', 'Make a project that validates at once', builder, (options) =>
    initCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return yargs
    .positional('DIR', { type: 'string', default: '.', describe: 'The folder of the project' })
    .option('name', { type: 'string', requiresArg: true, describe: 'Name of the first agent; front-desk if left out' })
    .option('title', { type: 'string', requiresArg: true, describe: 'Its title; made from the name if left out' })
    .option('base-url', {
      type: 'string',
      requiresArg: true,
      describe: 'Base URL of the service in production; without it there is the emulator only',
    })
    .option('record', {
      choices: ['file', 'git'] as const,
      describe:
        'Where to keep the record of what was applied: in files, or on a branch of its own, as workflows that apply need it; git with workflows if left out, else file',
    })
    .option('workflows', {
      type: 'boolean',
      describe: 'Write workflows for GitHub; --no-workflows leaves them out',
      default: undefined,
    })
    .option('force', {
      type: 'boolean',
      default: false,
      describe: 'Replace the files of agentform that are there; without it every file that is there is left',
    })
    .option('yes', { alias: 'y', type: 'boolean', default: false, describe: 'Do not ask; take what flags leave open' })
    .option('color', { type: 'boolean', describe: 'Colour; --no-color turns it off', default: undefined })
    .example('$0 init', 'Make a project in this folder; asks on a terminal')
    .example('$0 init clinic --name front-desk --yes', 'Make one in the folder clinic, without asking')
    .example('$0 init --base-url https://service.example.com', 'With an environment production');
}

async function initCommand(options: Arguments<typeof builder>, console: Console): Promise<void> {
  const { init, isProject } = await import('../../reconcile/init.ts');
  const { DIR: folder, 'base-url': baseUrl, name, title, record, workflows, force } = options;
  const given = { name, title, baseUrl, record, workflows };
  const isAsked = console.interactive && !options.yes && (force || !isProject(folder));
  const answers = isAsked ? await (await import('../init-questions.ts')).askForProject(given, console) : given;
  const result = await init({ ...answers, folder, force });
  const { renderInitText } = await import('../../report/init-text.ts');
  console.answer(renderInitText(result, { color: console.answerColor }));
}
