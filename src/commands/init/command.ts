import type { Console } from '../../cli/console.ts';
import { type Command, colorOption, type Parsed, switchOption, textOption, yesOption } from '../../cli/options.ts';
import { defaultStore, storeDefinitions, storeNames } from '../../record/store-table.ts';
import { joinWithOr, lowerFirst } from '../../text/wording.ts';

export const initCommand: Command<ReturnType<typeof initOptions>> = {
  syntax: { usage: 'init [DIR]', options: initOptions },
  describe: 'Create a new project',
  examples: [
    ['$0 init', 'Create a project in this folder; prompts for missing values'],
    ['$0 init clinic --name front-desk --yes', 'Create a project in the folder clinic without questions'],
    [
      '$0 init --base-url https://service.example.com',
      'Create a project with the environment production, but no agent yet',
    ],
  ],
  run,
};

function initOptions() {
  return {
    DIR: { type: 'string', default: '.', describe: 'Project folder' },
    name: textOption('Name of the sample agent (default: front-desk)'),
    title: textOption('Title of the sample agent (default: derived from its name)'),
    'base-url': textOption('Base URL of the service in production; without it, the project uses only the emulator'),
    sample: {
      type: 'boolean',
      describe: 'Write a sample agent (default without --base-url); --no-sample omits it',
      default: undefined,
    },
    record: {
      choices: storeNames,
      describe: `Where to keep records: ${joinWithOr(Object.values(storeDefinitions).map(({ label }) => lowerFirst(label)))} (default: ${defaultStore({ forJobs: true })} with workflows and a git remote, else ${defaultStore()})`,
    },
    workflows: {
      type: 'boolean',
      describe: 'Write GitHub workflows; --no-workflows omits them',
      default: undefined,
    },
    force: switchOption("Replace agentform's existing files; without it, existing files are kept"),
    yes: yesOption('Do not ask questions; use the defaults'),
    ...colorOption,
  } as const;
}

async function run(options: Parsed<ReturnType<typeof initOptions>>, console: Console): Promise<void> {
  const { hasRemote, init, isProject } = await import('./init.ts');
  const { DIR: folder, force, yes, ...given } = options;
  const isAsked = console.interactive && !yes && (force || !isProject(folder));
  const ask = async () =>
    (await import('./questions.ts')).askForProject(given, console, {
      hasRemote: await hasRemote(folder),
      wasProject: isProject(folder),
      force,
    });
  const answers = isAsked ? await ask() : given;
  const { renderInit } = await import('./text.ts');
  console.answer(renderInit(await init({ ...answers, folder, force }), console.answerStyle));
}
