import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { cacheIn } from '../../cli/host.ts';
import {
  type Command,
  cacheOption,
  environmentOptions,
  type Parsed,
  selectedNames,
  selectionOptions,
  textOption,
} from '../../cli/options.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import type { RenderResult } from './render.ts';

export const renderCommand: Command<ReturnType<typeof renderOptions>> = {
  syntax: { usage: 'render [names..]', options: renderOptions },
  describe: 'Print resolved manifests, or write request bodies and texts to files; needs no network and no secrets',
  examples: [
    ['$0 render front-desk -e production', 'Print the manifest with everything that it extends and includes'],
    ['$0 render front-desk -e production --out rendered', 'Write the request body and the texts of one agent'],
    ['$0 render --out rendered --format json', 'Also list the files and digests as JSON'],
  ],
  run,
};

const renderFormats: Renderers<RenderResult & { readonly out: string | undefined }, 'text' | 'json' | 'yaml'> = {
  async text({ out, ...result }) {
    if (out === undefined) return (await import('../../report/manifest-yaml.ts')).renderManifestsYaml(result);
    return (await import('./render.ts')).renderRenderedText({ ...result, out });
  },
  yaml: async (result) => (await import('../../report/manifest-yaml.ts')).renderManifestsYaml(result),
  async json({ out, ...result }) {
    const { environment, resources, manifests, changed } = result;
    const shown = out === undefined ? { manifests } : { resources, changed };
    return (await import('../../report/json.ts')).jsonDocument({ environment, ...shown });
  },
};

function renderOptions() {
  return {
    ...environmentOptions(),
    ...selectionOptions,
    names: selectedNames,
    out: textOption('Folder to write bodies and texts to; replaces existing files, deletes none'),
    ...cacheOption,
    format: formatOption(renderFormats),
  } as const;
}

async function run(options: Parsed<ReturnType<typeof renderOptions>>, console: Console): Promise<void> {
  const { render } = await import('./render.ts');
  const { env } = console.process;
  const result = await render({ env, cache: await cacheIn(env, options) }, options);
  await printWarnings(result, console);
  await answerIn(options.format, { renderers: renderFormats, answer: { ...result, out: options.out } }, console);
}
