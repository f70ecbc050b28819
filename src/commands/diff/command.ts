import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import {
  type Command,
  givenEnvironmentOptions,
  type Parsed,
  selectedNames,
  selectionOptions,
  switchOption,
  textOption,
  usualEnvironment,
} from '../../cli/options.ts';
import { AgentformError, exitCodes } from '../../errors.ts';
import { commandIn } from '../../kinds/desired.ts';
import type { EnvironmentDiff } from '../../schemas/diff-types.ts';

export const diffCommand: Command<ReturnType<typeof diffOptions>> = {
  syntax: { usage: 'diff [names..]', options: diffOptions },
  describe: 'Compare two environments, and show what was last applied to each; does not contact the service',
  examples: [
    ['$0 diff staging production', 'Show how production differs from staging'],
    ['$0 diff -e staging --with production', 'Show how production differs from staging'],
    ['$0 diff front-desk -e staging --with production --full', 'Compare one agent, with its texts in full'],
    ['$0 diff -e staging --with production -l ring=canary', 'Compare only agents with this label'],
  ],
  run,
};

type DiffAnswer = { readonly diff: EnvironmentDiff; readonly full: boolean };

const diffFormats: Renderers<DiffAnswer, 'text' | 'json' | 'markdown'> = {
  text: async ({ diff, full }, { answerStyle }) =>
    (await import('./document.ts')).renderDiffText(diff, { ...answerStyle, full }),
  json: inJson(({ diff }) => diff),
  markdown: async ({ diff }) => (await import('./document.ts')).renderDiffMarkdown(diff),
};

function diffOptions() {
  return {
    ...givenEnvironmentOptions(),
    ...selectionOptions,
    names: selectedNames,
    with: textOption('Environment to compare with'),
    format: formatOption(diffFormats, 'Output format; markdown is for pull requests'),
    full: switchOption('Show long texts in full'),
    'exit-code': switchOption('Exit with 2 if the environments differ in more than variables'),
  } as const;
}

async function run(options: Parsed<ReturnType<typeof diffOptions>>, console: Console): Promise<void> {
  const { diff } = await import('./diff.ts');
  const found = await withHost(console, { debug: false }, (host) => diff(host, { ...options, ...compared(options) }));
  await answerIn(options.format, { renderers: diffFormats, answer: { diff: found, full: options.full } }, console);
  const { differing, onlyFrom, onlyTo } = found.summary;
  if (options.exitCode && differing + onlyFrom + onlyTo > 0) console.process.exitCode = exitCodes.pending;
}

/**
 * The environments to compare and the selection. Without `--with`, the two names are environments, and
 * `AGENTFORM_ENVIRONMENT` is ignored. With `--with`, names select resources.
 */
function compared({ names, environment, with: other }: Parsed<ReturnType<typeof diffOptions>>) {
  if (other !== undefined) return { names, environment: environment ?? usualEnvironment(), with: other };
  const [from, to, ...more] = names;
  if (from !== undefined && to !== undefined && more.length === 0 && environment === undefined)
    return { names: [], environment: from, with: to };
  const message = 'agentform diff needs two environments, as in `agentform diff staging production`';
  const one = environment ?? (to === undefined ? from : undefined);
  throw new AgentformError('usage', `${message}; to see what an apply would change, run ${commandIn(one, 'plan')}`);
}
