import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { type Arguments, readingOptions } from '../../cli/options.ts';
import { AgentformError } from '../../errors.ts';
import type { ImportOptions } from '../import/import.ts';

export function addInitCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('init [DIR]', 'Make a project that validates at once', builder, (options) =>
    initCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return readingOptions(yargs)
    .positional('DIR', { type: 'string', default: '.', describe: 'The folder of the project' })
    .option('name', { type: 'string', requiresArg: true, describe: 'Name of the first agent; front-desk if left out' })
    .option('title', {
      type: 'string',
      requiresArg: true,
      describe: 'Title of the sample agent; made from the name if left out',
    })
    .option('base-url', {
      type: 'string',
      requiresArg: true,
      describe: 'Base URL of the service in production; without it there is the emulator only',
    })
    .option('sample', {
      type: 'boolean',
      describe: 'Write a sample agent; without --base-url it is written unless --no-sample says otherwise',
      default: undefined,
    })
    .option('import', {
      type: 'string',
      requiresArg: true,
      describe: 'The id of an agent on the service to import into the project; needs --base-url',
    })
    .option('from', {
      type: 'string',
      requiresArg: true,
      describe: 'A CSV of many agents to import, as import --from takes it; needs --base-url',
    })
    .option('description', {
      type: 'string',
      requiresArg: true,
      describe: 'Description of imported agents, which the service does not show; asked for if left out',
    })
    .option('token-secret', {
      type: 'string',
      requiresArg: true,
      describe: 'The process variable that holds the token of the imported agent, where that is not AGENT_TOKEN',
    })
    .option('query', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: 'name=value: a query parameter of the imported agent',
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
    .example('$0 init --base-url https://service.example.com', 'With an environment production and no agent yet')
    .example(
      '$0 init --base-url https://service.example.com --import camp_1 --name front-desk',
      'With an agent that exists; its token is in the process variable AGENT_TOKEN',
    );
}

type InitArguments = Arguments<typeof builder>;

async function initCommand(options: InitArguments, console: Console): Promise<void> {
  const { defaultName, init, isProject } = await import('./init.ts');
  const { DIR: folder, 'base-url': baseUrl, name, title, sample, record, workflows, force } = options;
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
  const answers = isAsked ? await (await import('./questions.ts')).askForProject(given, console) : given;
  const result = await init({ ...answers, folder, force }, console.process.env);
  const { renderInitFiles, renderInitNext } = await import('./text.ts');
  const style = { color: console.answerColor };
  console.answer(renderInitFiles(result, style));
  const { importing } = answers;
  if (importing !== undefined) {
    await importInto(options, importing, console);
    console.answer('\n');
  }
  console.answer(renderInitNext(result, { ...style, imported: importing !== undefined }));
}

/** One agent by its id, or those of a list, as `import` takes them. */
function whatToImport(options: InitArguments & { readonly name: string }): ImportOptions['what'] | undefined {
  const { import: id, from: list, name, description, 'token-secret': tokenSecret, query } = options;
  if (id !== undefined && list === undefined) {
    return {
      id,
      name,
      query,
      ...(description !== undefined && { description }),
      ...(tokenSecret !== undefined && { tokenSecret }),
    };
  }
  const single = { '--import': id, '--token-secret': tokenSecret, '--query': query[0] };
  const [stray] = Object.entries(single).find(([, value]) => value !== undefined) ?? [];
  if (stray !== undefined && list !== undefined) {
    throw new AgentformError(
      'usage',
      `${stray} is for one agent and does not go with --from; the list has columns for it`,
    );
  }
  const left = stray ?? (description === undefined ? undefined : '--description');
  if (left !== undefined && list === undefined) {
    throw new AgentformError('usage', `${left} is for an agent that is imported; add --import AGENT_ID`);
  }
  return list === undefined ? undefined : { list };
}

async function importInto(options: InitArguments, what: ImportOptions['what'], console: Console): Promise<void> {
  const { production } = await import('./init.ts');
  const { runImport } = await import('../import/command.ts');
  const { DIR: project, from, description, force, concurrency, debug } = options;
  const where = { project, environment: production, force, concurrency };
  await runImport({ ...where, what, from, description, debug, format: 'text' }, console);
}
