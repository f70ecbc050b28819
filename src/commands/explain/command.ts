import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { type Command, environmentOptions, type Parsed, readingOptions, verboseOption } from '../../cli/options.ts';
import type { Explanation } from './explain.ts';
import type { KindExplanation } from './kind.ts';

export const explainCommand: Command<ReturnType<typeof explainOptions>> = {
  syntax: { usage: 'explain NAME [PATH]', options: explainOptions },
  describe: "Show where a field's value comes from and why the plan changes it, or describe the settings of a kind",
  examples: [
    [
      '$0 explain front-desk settings.title',
      'Show the desired, live and last applied values, and why the plan changes the field',
    ],
    ['$0 explain front-desk "skills[calendar].instructions" -e staging', 'Explain a field of a list element'],
    ['$0 explain front-desk skills', 'Explain every field of a list'],
    ['$0 explain agent settings.agentVoice', 'Describe a setting of a kind; needs no project'],
  ],
  run,
};

const explanationFormats: Renderers<Explanation & { readonly verbose: boolean }, 'text' | 'json'> = {
  text: async ({ verbose, ...explanation }, { answerStyle }) =>
    (await import('./text.ts')).renderExplanationText(explanation, { ...answerStyle, verbose }),
  json: inJson(({ verbose: _, ...explanation }) => explanation),
};

const kindFormats: Renderers<KindExplanation, 'text' | 'json'> = {
  text: async (explanation, { answerStyle }) => (await import('./kind.ts')).renderKindText(explanation, answerStyle),
  json: inJson((explanation) => explanation),
};

function explainOptions() {
  return {
    ...environmentOptions(),
    ...readingOptions(),
    NAME: { type: 'string', demandOption: true, describe: 'A resource (name or Kind/name), or a kind' },
    PATH: {
      type: 'string',
      describe:
        'Path of a field, as in a plan, or of a section, list or list element to show all its fields (default: every field)',
    },
    format: formatOption(explanationFormats),
    verbose: verboseOption,
  } as const;
}

async function run(
  { NAME: name, PATH: path, format, verbose, ...options }: Parsed<ReturnType<typeof explainOptions>>,
  console: Console,
): Promise<void> {
  const { kindMeant } = await import('../../kinds/kind.ts');
  const kind = kindMeant(name);
  if (kind !== undefined) {
    const { explainKind } = await import('./kind.ts');
    return answerIn(format, { renderers: kindFormats, answer: explainKind(kind, path) }, console);
  }
  const { explain } = await import('./explain.ts');
  const explanation = await withHost(console, options, (host) => explain(host, { ...options, name, path }));
  await answerIn(format, { renderers: explanationFormats, answer: { ...explanation, verbose } }, console);
}
