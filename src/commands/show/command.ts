import { existsSync } from 'node:fs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, isFormatOf, type Renderers } from '../../cli/formats.ts';
import { cacheIn } from '../../cli/host.ts';
import { type Command, environmentOptions, fullOption, type Parsed } from '../../cli/options.ts';
import { planFormats } from '../../cli/plan-formats.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import { AgentformError } from '../../errors.ts';
import { isName } from '../../json/check.ts';
import type { RenderResult } from '../render/render.ts';

export const showCommand: Command<ReturnType<typeof showOptions>> = {
  syntax: { usage: 'show <what..>', options: showOptions },
  describe: 'Show a plan saved by `plan --out`, in any format, or the resolved manifest of a resource',
  examples: [
    ['$0 show plan.json', 'Show the plan as text'],
    ['$0 show plan.json --format markdown', 'Show the plan as a pull request comment'],
    ['$0 show plan.json --format html > plan.html', 'Write the plan as a web page'],
    ['$0 show Agent/front-desk -e production', 'Print the manifest with everything that it extends and includes'],
  ],
  run,
};

const inYaml: Renderers<RenderResult>['yaml'] = async (result) =>
  (await import('../../report/manifest-yaml.ts')).renderManifestsYaml(result);

const manifestFormats: Renderers<RenderResult, 'text' | 'yaml' | 'json'> = {
  text: inYaml,
  yaml: inYaml,
  json: inJson(({ environment, manifests }) => ({ environment, manifests })),
};

function showOptions() {
  const formats = formatOption(
    { ...planFormats, ...manifestFormats },
    'Output format; markdown is for pull requests, html is a web page, github and gitlab annotate the manifests; yaml is for manifests',
  );
  return {
    ...environmentOptions(),
    full: fullOption,
    format: formats,
    what: {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'File written by `plan --out`, or resources by name or Kind/name',
    },
  } as const;
}

async function run({ what, ...options }: Parsed<ReturnType<typeof showOptions>>, console: Console): Promise<void> {
  const { project, environment, format } = options;
  const { env } = console.process;
  if (what.every(isResource)) {
    if (!isFormatOf(manifestFormats, format)) throw notIn(format, 'a manifest');
    const { render } = await import('../render/render.ts');
    const result = await render(
      { env, cache: await cacheIn(env, { cache: true }) },
      { project, environment, names: what },
    );
    await printWarnings(result, console);
    return answerIn(format, { renderers: manifestFormats, answer: result }, console);
  }
  if (!isFormatOf(planFormats, format)) throw notIn(format, 'a plan');
  const [plan = '', ...others] = what;
  if (others.length > 0) throw new AgentformError('usage', 'show accepts one saved plan, or names of resources');
  const { show } = await import('./show.ts');
  const result = await show({ env }, { plan, project });
  await printWarnings(result, console);
  await answerIn(format, { renderers: planFormats, answer: { ...options, result } }, console);
}

/**
 * Whether an argument names a resource, such as `Agent/front-desk` or `front-desk`. A file with that name takes
 * precedence.
 */
function isResource(text: string): boolean {
  const [name = '', ...kind] = text.split('/').reverse();
  return isName(name) && kind.length <= 1 && /^(?:[A-Z]\w*)?$/.test(kind[0] ?? '') && !existsSync(text);
}

function notIn(format: string, what: string): AgentformError {
  return new AgentformError('usage', `${what} cannot be shown as ${format}`);
}
