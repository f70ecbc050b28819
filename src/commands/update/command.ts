import { confirm } from '../../cli/confirm.ts';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import {
  type Command,
  environmentOptions,
  inAction,
  listOption,
  type Parsed,
  readingOptions,
  selectionOptions,
  switchOption,
  textOption,
  yesOption,
} from '../../cli/options.ts';
import type { ManifestUpdates } from './check.ts';
import type { Favoured } from './fields.ts';

export const updateSyntax = { usage: 'update [names..]', options: updateOptions };

export const updateCommand: Command<ReturnType<typeof updateOptions>> = {
  syntax: updateSyntax,
  describe: 'Copy live values from the service back into the manifests',
  examples: [
    ['$0 update front-desk', 'Copy dashboard edits into YAML and Markdown'],
    [
      "$0 update front-desk --field 'skills[calendar].instructions'",
      'Copy one field, even if the manifest changed it too',
    ],
    ['$0 update front-desk --ours', "Merge live edits, and keep the manifest's lines where both sides changed them"],
    ['$0 update front-desk --dry-run', 'Show the edits without writing files'],
  ],
  run,
};

interface UpdateAnswer {
  readonly result: ManifestUpdates;
  readonly state: 'planned' | 'written';
  /** Whether the edits were already shown before the prompt. */
  readonly isShown: boolean;
}

const updateFormats: Renderers<UpdateAnswer, 'text' | 'json'> = {
  async text({ result, state, isShown }, { answerStyle }) {
    const { renderUpdateEnd, renderUpdateText } = await import('./text.ts');
    return (isShown ? renderUpdateEnd : renderUpdateText)(result, { ...answerStyle, state });
  },
  json: inJson(({ result }) => result),
};

function updateOptions() {
  return {
    ...environmentOptions(),
    ...readingOptions(),
    ...selectionOptions,
    names: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Names, Kind/name or globs of the manifests to update; at least one, or --selector',
    },
    field: inAction(
      listOption('Update only this field, written as in a plan (default: every field that changed on the service)'),
    ),
    yes: yesOption('Do not ask for confirmation when other resources or environments change too'),
    theirs: inAction(
      switchOption('In lines that changed both on the service and in the manifest, use the live version'),
    ),
    ours: {
      ...inAction(
        switchOption("In lines that changed both on the service and in the manifest, use the manifest's version"),
      ),
      excludes: { theirs: 'use one of them' },
    },
    to: inAction(
      textOption(
        'Allow edits to this base or text, which other resources use too (default: edit only files that no other resource uses)',
      ),
    ),
    own: inAction(
      switchOption(
        'After a rollback of several resources, write an override for each instead of changing their template',
      ),
    ),
    'dry-run': switchOption('Show the edits and write nothing'),
    format: formatOption(updateFormats, 'Format of the result'),
  } as const;
}

type UpdateArguments = Parsed<ReturnType<typeof updateOptions>>;

async function run(options: UpdateArguments, console: Console): Promise<void> {
  const { update } = await import('./update.ts');
  let isShown = false;
  const signal = interruptSignal(console, () => 'only some of the files may have been written');
  const result = await withHost(console, options, (host) =>
    update(host, {
      ...options,
      signal,
      fields: options.field,
      favoured: favouredOf(options),
      confirm: (prepared) => {
        isShown = !options.yes;
        return approved(prepared, options, console);
      },
    }),
  );
  const state = options.dryRun ? 'planned' : 'written';
  await answerIn(options.format, { renderers: updateFormats, answer: { result, state, isShown } }, console);
  const { exitCodeOfUpdate } = await import('./update.ts');
  console.process.exitCode = exitCodeOfUpdate(result);
}

/** Returns the side that the options choose for lines that both sides changed. */
export function favouredOf(options: Partial<Record<Favoured, boolean | undefined>>): Favoured | undefined {
  return (['ours', 'theirs'] as const).find((side) => options[side]);
}

async function approved(prepared: ManifestUpdates, { yes }: UpdateArguments, console: Console): Promise<boolean> {
  if (yes) return true;
  if (console.interactive) {
    const { renderUpdateText } = await import('./text.ts');
    console.say(`${renderUpdateText(prepared, { ...console.sayStyle, state: 'planned' })}\n`);
  }
  return confirm(
    'This also changes other settings, resources or environments. Write the files?',
    console,
    `nothing was written: ${elsewhere(prepared)} would also change, and there is no terminal to confirm this. To see the changes, add --dry-run. To write the files, add --yes`,
  );
}

function elsewhere({ alsoChanged }: ManifestUpdates): string {
  const [first, ...more] = alsoChanged.flatMap(({ address, environment, paths }) =>
    paths.map((path) => `${path} of ${address} in ${environment}`),
  );
  return `${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}
