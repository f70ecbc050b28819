import type { Console } from '../../cli/console.ts';
import { inEnvironments, onlyEnvironment } from '../../cli/environments.ts';
import { formatOption } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import {
  baseOption,
  type Command,
  environmentsServiceOptions,
  fullOption,
  guardOptions,
  type Parsed,
  type Syntax,
  switchOption,
  textOption,
} from '../../cli/options.ts';
import { planAnnotations, planFormats } from '../../cli/plan-formats.ts';
import { annotationsOfFailure, answeringFailure, printWarnings } from '../../cli/problem-formats.ts';
import { decisionsOf } from '../../plan/decisions.ts';
import { isPlanned } from '../../plan/pending.ts';
import type { PlanResult } from '../../session/plans/plan-result.ts';
import { shellWord } from '../../text/wording.ts';

export const planSyntax: Syntax<ReturnType<typeof planOptions>> = {
  usage: 'plan [names..]',
  options: planOptions,
  check({ out, environment, format }) {
    if (out !== undefined) onlyEnvironment(environment, '--out');
    // A Code Quality report is a single list, and a page is a single file, so only one environment is possible.
    if (format === 'gitlab' || format === 'html') onlyEnvironment(environment, `--format ${format}`);
    return true;
  },
};

export const planCommand: Command<ReturnType<typeof planOptions>> = {
  syntax: planSyntax,
  describe: 'Show what an apply would change; changes nothing on the service',
  examples: [
    ['$0 plan', 'Plan everything in the default environment'],
    ['$0 plan -e production front-desk', 'Plan one agent in production'],
    ['$0 plan -e staging,production', 'Plan two environments, one after the other'],
    ['$0 plan --out plan.json && $0 apply --plan plan.json', 'Save the plan, then apply exactly that plan'],
    ['$0 plan --changed-since origin/main', 'Plan only the resources that a branch changes, and read no others'],
    ['$0 plan --offline --base origin/main', 'Show what a branch changes, without the service'],
    ['$0 plan --format html > plan.html', 'Write the plan as a web page, for people who do not use a terminal'],
    ['$0 plan --format github', 'In a workflow: annotate the lines of the manifests'],
  ],
  run,
};

function planOptions() {
  const formats = formatOption(
    planFormats,
    'Output format: markdown for pull requests, html for a web page, github or gitlab to annotate the manifests',
  );
  return {
    ...environmentsServiceOptions(),
    ...guardOptions,
    full: fullOption,
    format: formats,
    out: textOption('Also save the plan to this file, for `apply --plan`'),
    offline: {
      ...switchOption('Compare the manifests with those of a base commit; needs no service and no secrets'),
      excludes: { 'changed-since': 'name the commit with --base' },
    },
    base: {
      ...baseOption,
      describe: `${baseOption.describe}; with --offline, also the commit to compare with (default: HEAD)`,
    },
    'exit-code': switchOption('Exit with 2 if changes are pending'),
  } as const;
}

function run(options: Parsed<ReturnType<typeof planOptions>>, console: Console): Promise<void> {
  const { format, project, out } = options;
  const problemFormat = format === 'github' || format === 'gitlab' ? format : undefined;
  return answeringFailure(problemFormat, { project, console }, () =>
    inEnvironments(
      options,
      {
        async run(environment) {
          const asked = { ...options, environment, decisions: decisionsOf(options) };
          const result = await withHost(console, options, async (host) =>
            options.offline
              ? (await import('./offline.ts')).planOffline(host, { ...asked, base: options.base ?? 'HEAD' })
              : (await import('./plan.ts')).plan(host, asked),
          );
          await printWarnings(result, console);
          return { ...options, result };
        },
        renderers: planFormats,
        async exitCodeOf({ result: { plan } }) {
          const { exitCodeOfPlan } = await import('../../session/plans/plan-result.ts');
          return exitCodeOfPlan(plan, { pendingCounts: options.exitCode });
        },
        onAnswer: out === undefined ? undefined : ({ result }) => save(result, { console, path: out }),
        annotate: async (outcome) =>
          'error' in outcome
            ? annotationsOfFailure(outcome.error, { project, console })
            : (await planAnnotations(outcome.answer, console)).annotations,
      },
      console,
    ),
  );
}

async function save({ plan }: PlanResult, { console, path }: { readonly console: Console; readonly path: string }) {
  const { savePlan } = await import('./plan.ts');
  const { planJson } = await import('../../report/json.ts');
  await savePlan(plan, path, planJson(plan));
  const next = plan.resources.some(isPlanned)
    ? `To apply it, run: agentform apply --plan ${shellWord(path)}`
    : 'The plan has nothing to apply.';
  console.say(`Saved the plan to ${path}. ${next}\n`);
}
