import type { Argv } from 'yargs';
import { confirm } from '../../cli/confirm.ts';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import type { Command } from '../../cli/options.ts';
import { type Arguments, environmentOptions, readingOptions, selectionOptions } from '../../cli/options.ts';
import { AgentformError, exitCodes } from '../../errors.ts';
import type { ManifestUpdates } from './check.ts';

export const updateCommand: Command<ReturnType<typeof builder>> = {
  usage: 'update [names..]',
  describe: 'Copy live values from the service back into the manifests',
  builder,
  run,
};

interface UpdateAnswer {
  readonly result: ManifestUpdates;
  readonly state: 'planned' | 'written';
  /** The edits were shown before the question, so only the result is left. */
  readonly isShown: boolean;
}

const updateFormats: Renderers<UpdateAnswer, 'text' | 'json'> = {
  async text({ result, state, isShown }, { answerColor: color, width }) {
    const { renderUpdateEnd, renderUpdateText } = await import('./text.ts');
    return (isShown ? renderUpdateEnd : renderUpdateText)(result, { color, width, state });
  },
  async json({ result }) {
    return (await import('./text.ts')).renderUpdateJson(result);
  },
};

function builder(yargs: Argv) {
  return selectionOptions(readingOptions(environmentOptions(yargs)))
    .positional('names', {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Names, Kind/name or globs of the manifests to update; at least one, or --selector',
    })
    .option('field', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: 'Update only this field, written as in a plan (default: every field that changed on the service)',
    })
    .option('yes', {
      alias: 'y',
      type: 'boolean',
      default: false,
      describe: 'Do not ask when other resources or environments change too',
    })
    .option('theirs', {
      type: 'boolean',
      default: false,
      describe: 'Where the service and the manifest changed the same lines, take the live ones',
    })
    .option('ours', {
      type: 'boolean',
      default: false,
      describe: "Where the service and the manifest changed the same lines, keep the manifest's",
    })
    .option('to', {
      type: 'string',
      requiresArg: true,
      describe: 'Allow edits to this base or text, which other resources use too (default: only unshared files)',
    })
    .option('own', {
      type: 'boolean',
      default: false,
      describe: 'After a rollback of several resources, write an override for each instead of changing their template',
    })
    .option('dry-run', { type: 'boolean', default: false, describe: 'Show the edits and write nothing' })
    .option('format', formatOption(updateFormats, 'Format of the result'))
    .example('$0 update front-desk', 'Copy dashboard edits into YAML and Markdown')
    .example("$0 update front-desk --field 'skills[calendar].instructions'", 'Copy one field, also in a conflict')
    .example('$0 update front-desk --ours', "Merge live edits, and keep the manifest's lines where both changed them")
    .example('$0 update front-desk --dry-run', 'Show the edits first');
}

type UpdateArguments = Arguments<typeof builder>;

async function run(options: UpdateArguments, console: Console): Promise<void> {
  const { update } = await import('./update.ts');
  let isShown = false;
  const result = await withHost(console, options, (host) =>
    update(host, {
      ...options,
      fields: options.field,
      favoured: favouredOf(options),
      dryRun: options['dry-run'],
      confirm: (prepared) => {
        isShown = !options.yes;
        return approved(prepared, options, console);
      },
    }),
  );
  const state = options['dry-run'] ? 'planned' : 'written';
  await answerIn(options.format, { renderers: updateFormats, answer: { result, state, isShown } }, console);
  const { exitCodeOfUpdate } = await import('./update.ts');
  const code = exitCodeOfUpdate(result);
  if (code !== exitCodes.done) console.process.exitCode = code;
}

function favouredOf({ ours, theirs }: UpdateArguments): 'ours' | 'theirs' | undefined {
  if (ours && theirs) throw new AgentformError('usage', 'use either --ours or --theirs');
  if (ours) return 'ours';
  return theirs ? 'theirs' : undefined;
}

async function approved(prepared: ManifestUpdates, { yes }: UpdateArguments, console: Console): Promise<boolean> {
  if (yes) return true;
  if (console.interactive) {
    const { renderUpdateText } = await import('./text.ts');
    const style = { color: console.sayColor, width: console.width };
    console.say(`${renderUpdateText(prepared, { ...style, state: 'planned' })}\n`);
  }
  return confirm(
    'These values change elsewhere, too. Write them?',
    console,
    `nothing was written: ${elsewhere(prepared)} would change too, and there is no terminal to ask on; use --yes, or --dry-run to see them`,
  );
}

function elsewhere({ alsoChanged }: ManifestUpdates): string {
  const [first, ...more] = alsoChanged.map(({ address, environment }) => `${address} in ${environment}`);
  return `${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
