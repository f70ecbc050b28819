import type { Argv } from 'yargs';
import { confirm } from '../../cli/confirm.ts';
import type { Console } from '../../cli/console.ts';
import { withHost } from '../../cli/host.ts';
import { exitCodes } from '../../errors.ts';
import type { ManifestUpdates } from './check.ts';

/** Options of `import --update`. */
export interface TakeBackArguments {
  readonly project: string;
  readonly environment: string | undefined;
  readonly concurrency: number;
  readonly debug: boolean;
  readonly update: readonly string[];
  readonly field: readonly string[];
  readonly yes: boolean;
  readonly force: boolean;
  readonly 'dry-run': boolean;
  readonly format: 'text' | 'json';
}

export function takeBackOptions<Options>(yargs: Argv<Options>) {
  return yargs
    .option('update', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: 'Names, Kind/name or globs: take live values back into the manifests that declare them',
    })
    .option('field', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: 'With --update: only this field, as plans write it; all that moved on the service if left out',
    })
    .option('yes', {
      alias: 'y',
      type: 'boolean',
      default: false,
      describe: 'With --update: do not ask when other resources or environments change too',
    })
    .option('dry-run', { type: 'boolean', default: false, describe: 'With --update: show the edits and write nothing' })
    .example('$0 import --update front-desk', 'What somebody changed in the dashboard, into YAML and Markdown')
    .example("$0 import --update front-desk --field 'skills[calendar].instructions'", 'One field, a conflict too');
}

export async function takeBackCommand(options: TakeBackArguments, console: Console): Promise<void> {
  const { update } = await import('./update.ts');
  let isShown = false;
  const result = await withHost(console, options, (host) =>
    update(host, {
      ...options,
      names: options.update,
      fields: options.field,
      dryRun: options['dry-run'],
      confirm: (prepared) => {
        isShown = !options.yes;
        return approved(prepared, options, console);
      },
    }),
  );
  await answer(result, { ...options, isShown }, console);
  const { exitCodeOfUpdate } = await import('./update.ts');
  const code = exitCodeOfUpdate(result);
  if (code !== exitCodes.done) console.process.exitCode = code;
}

async function approved(prepared: ManifestUpdates, { yes }: TakeBackArguments, console: Console): Promise<boolean> {
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

type Answering = TakeBackArguments & { readonly isShown: boolean };

async function answer(result: ManifestUpdates, options: Answering, console: Console): Promise<void> {
  if (options.format === 'json') {
    return console.data((await import('./text.ts')).renderUpdateJson(result));
  }
  const { renderUpdateEnd, renderUpdateText } = await import('./text.ts');
  const state = options['dry-run'] ? 'planned' : 'written';
  const render = options.isShown ? renderUpdateEnd : renderUpdateText;
  console.answer(render(result, { color: console.answerColor, width: console.width, state }));
}
