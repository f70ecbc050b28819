import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { cacheIn } from '../../cli/host.ts';
import type { Command } from '../../cli/options.ts';
import { type Arguments, cacheOption, environmentOptions, selectedNames, selectionOptions } from '../../cli/options.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import type { RenderResult } from './render.ts';

export const renderCommand: Command<ReturnType<typeof builder>> = {
  usage: 'render [names..]',
  describe: 'Print resolved manifests, or write request bodies and texts to files; needs no network and no secrets',
  builder,
  run,
};

const renderFormats: Renderers<RenderResult & { readonly out: string | undefined }, 'text' | 'json' | 'yaml'> = {
  async text({ out, ...result }) {
    if (out === undefined) return (await import('../../report/manifest-yaml.ts')).renderManifestsYaml(result.manifests);
    return (await import('./text.ts')).renderRenderedText({ ...result, out });
  },
  async yaml(result) {
    return (await import('../../report/manifest-yaml.ts')).renderManifestsYaml(result.manifests);
  },
  async json({ out, ...result }) {
    const { environment, resources, manifests, changed } = result;
    const shown = out === undefined ? { manifests } : { resources, changed };
    return (await import('../../report/json.ts')).asJson({ formatVersion: 1, environment, ...shown });
  },
};

function builder(yargs: Argv) {
  return selectionOptions(environmentOptions(yargs))
    .positional('names', selectedNames)
    .option('out', {
      type: 'string',
      requiresArg: true,
      describe: 'Folder to write bodies and texts to; replaces or deletes only files of an earlier render',
    })
    .options(cacheOption)
    .option('format', formatOption(renderFormats))
    .example('$0 render front-desk -e production', 'Print the manifest with everything that it extends and includes')
    .example('$0 render front-desk -e production --out rendered', 'Write the request body and the texts of one agent')
    .example('$0 render --out rendered --format json', 'Also list the files and digests as JSON');
}

async function run(options: Arguments<typeof builder>, console: Console): Promise<void> {
  const { project, environment, names, selector, exclude, out, format } = options;
  const { render } = await import('./render.ts');
  const { env } = console.process;
  const host = { env, cache: cacheIn(env, options) };
  const result = await render(host, { project, environment, names, selector, exclude, out });
  await printWarnings(result, console);
  await answerIn(format, { renderers: renderFormats, answer: { ...result, out } }, console);
}
