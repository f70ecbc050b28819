import type { Console } from '../../cli/console.ts';
import {
  type Command,
  colorOption,
  listOption,
  type Parsed,
  readingOptions,
  switchOption,
  textOption,
  yesOption,
} from '../../cli/options.ts';
import { AgentformError } from '../../errors.ts';
import { withoutUndefined } from '../../json/json.ts';
import { defaultStore, storeDefinitions, storeNames } from '../../record/store-table.ts';
import { joinWithOr } from '../../text/wording.ts';
import type { ImportOptions } from '../import/import.ts';

/** Runs an import with its output and exit code. It is passed in, because commands do not import each other's skins. */
type ImportRun = (options: ImportInto, console: Console) => Promise<void>;

type ImportInto = Omit<ImportOptions, 'signal' | 'describe'> &
  Pick<InitArguments, 'debug' | 'description' | 'from'> & { readonly format: 'text' };

export function initCommand(runImport: ImportRun): Command<ReturnType<typeof initOptions>> {
  return {
    usage: 'init [DIR]',
    describe: 'Create a project that validates immediately',
    options: initOptions,
    examples: [
      ['$0 init', 'Create a project in this folder; prompts for missing values'],
      ['$0 init clinic --name front-desk --yes', 'Create a project in the folder clinic without questions'],
      ['$0 init --base-url https://service.example.com', 'Add the environment production, with no agent yet'],
      [
        '$0 init --base-url https://service.example.com --import camp_1 --name front-desk',
        'Import an existing agent; its token is in the process variable AGENT_TOKEN',
      ],
    ],

    run: (options, console) => createProject(options, console, runImport),
  };
}

export function initOptions() {
  return {
    ...readingOptions(),
    DIR: { type: 'string', default: '.', describe: 'Project folder' },
    name: textOption('Name of the first agent (default: front-desk)'),
    title: textOption('Title of the sample agent (default: derived from its name)'),
    'base-url': textOption('Base URL of the service in production; without it, only the emulator is set up'),
    sample: {
      type: 'boolean',
      describe: 'Write a sample agent (default without --base-url); --no-sample omits it',
      default: undefined,
    },
    import: textOption('Id of an existing agent to import; needs --base-url'),
    from: textOption('CSV file of agents to import, as for `import --from`; needs --base-url'),
    description: textOption('Description of imported agents, which the service does not return; asked for if missing'),
    'token-secret': textOption("Process variable with the imported agent's token (default: AGENT_TOKEN)"),
    query: listOption('Query parameter of the imported agent, as name=value'),
    record: {
      choices: storeNames,
      describe: `Where to keep records: ${joinWithOr(storeDefinitions.map(({ label }) => label.toLowerCase()))} (default: ${defaultStore({ forJobs: true })} with workflows and a git remote, else ${defaultStore()})`,
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

type InitArguments = Parsed<ReturnType<typeof initOptions>>;

async function createProject(options: InitArguments, console: Console, runImport: ImportRun): Promise<void> {
  const { defaultName, production } = await import('./answers.ts');
  const { hasRemote, init, isProject } = await import('./init.ts');
  const { DIR: folder, baseUrl, name, title, sample, record, workflows, force } = options;
  const given = {
    name,
    title,
    baseUrl,
    sample,
    importing: whatToImport({ ...options, name: name ?? defaultName }),
    record,
    workflows,
  };
  const isAsked = console.interactive && !options.yes && (force || !isProject(folder));
  const ask = async () =>
    (await import('./questions.ts')).askForProject(given, console, { hasRemote: await hasRemote(folder) });
  const answers = isAsked ? await ask() : given;
  const result = await init({ ...answers, folder, force }, console.process.env);
  const { renderInitFiles, renderInitNext } = await import('./text.ts');
  const style = { color: console.answerColor };
  console.answer(renderInitFiles(result, style));
  const { importing } = answers;
  if (importing !== undefined) {
    const { DIR: project, from, description, concurrency, debug } = options;
    const where = { project, environment: production, force, concurrency };
    await runImport({ ...where, what: importing, from, description, debug, format: 'text' }, console);
    console.answer('\n');
  }
  console.answer(renderInitNext(result, { ...style, imported: importing !== undefined }));
}

/** The requested import: a single agent or a list. Undefined if none was requested. */
function whatToImport(options: InitArguments & { readonly name: string }): ImportOptions['what'] | undefined {
  const { import: id, from: list, name, description, tokenSecret, query } = options;
  if (id !== undefined && list === undefined) {
    return { id, name, query, ...withoutUndefined({ description, tokenSecret }) };
  }
  const single = { '--import': id, '--token-secret': tokenSecret, '--query': query[0] };
  const [stray] = Object.entries(single).find(([, value]) => value !== undefined) ?? [];
  if (stray !== undefined && list !== undefined) {
    throw new AgentformError(
      'usage',
      `${stray} is for a single agent and cannot be combined with --from; use the columns of the list`,
    );
  }
  const left = stray ?? (description === undefined ? undefined : '--description');
  if (left !== undefined && list === undefined) {
    throw new AgentformError('usage', `${left} is only for imported agents; add --import AGENT_ID`);
  }
  return list === undefined ? undefined : { list };
}
