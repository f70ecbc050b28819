import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import type { Command } from '../../cli/options.ts';
import { type Arguments, environmentOptions, readingOptions, verboseOption } from '../../cli/options.ts';
import { AgentformError } from '../../errors.ts';
import type { Explanation } from './explain.ts';
import type { KindExplanation } from './kind.ts';

export const explainCommand: Command<ReturnType<typeof builder>> = {
  usage: 'explain NAME [PATH]',
  describe: "Show where a field's value comes from and why the plan changes it, or what a kind of resource may declare",
  builder,
  run,
};

const explanationFormats: Renderers<Explanation & { readonly verbose: boolean }, 'text' | 'json'> = {
  async text({ verbose, ...explanation }, { answerColor: color, width }) {
    return (await import('./text.ts')).renderExplanationText(explanation, { color, width, verbose });
  },
  async json({ verbose: _, ...explanation }) {
    return (await import('./text.ts')).renderExplanationJson(explanation);
  },
};

const kindFormats: Renderers<KindExplanation, 'text' | 'json'> = {
  async text(explanation, { width }) {
    return (await import('./kind.ts')).renderKindText(explanation, { width });
  },
  async json(explanation) {
    return (await import('../../report/json.ts')).asJson(explanation);
  },
};

function builder(yargs: Argv) {
  return readingOptions(environmentOptions(yargs))
    .positional('NAME', { type: 'string', demandOption: true, describe: 'Resource, by name or Kind/name, or a kind' })
    .positional('PATH', {
      type: 'string',
      describe: 'Field as shown in a plan; a section, list or list element shows all its fields (default: every field)',
    })
    .option('format', formatOption(explanationFormats))
    .option('verbose', verboseOption)
    .example('$0 explain front-desk settings.title', 'Show the desired, live and last applied value, and the reason')
    .example('$0 explain front-desk "skills[calendar].instructions" -e staging', 'Explain a field of a list element')
    .example('$0 explain front-desk skills', 'Explain every field of a list')
    .example('$0 explain agent settings.agentVoice', 'Describe a setting of a kind; needs no project');
}

async function run(
  { NAME: name, PATH: path, format, verbose, ...options }: Arguments<typeof builder>,
  console: Console,
): Promise<void> {
  const { explainKind, kindMeant, settingHint } = await import('./kind.ts');
  const kind = kindMeant(name);
  if (kind !== undefined) return answerIn(format, { renderers: kindFormats, answer: explainKind(kind, path) }, console);
  const { explain } = await import('./explain.ts');
  const explanation = await withHost(console, options, (host) => explain(host, { ...options, name, path })).catch(
    (error: unknown) => {
      const hint =
        path === undefined && error instanceof AgentformError && error.code === 'selection-empty'
          ? settingHint(name)
          : '';
      throw hint === '' ? error : new AgentformError('selection-empty', `no resource matches ${name}${hint}`);
    },
  );
  await answerIn(format, { renderers: explanationFormats, answer: { ...explanation, verbose } }, console);
}
