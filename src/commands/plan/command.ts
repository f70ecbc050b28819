import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import {
  type Arguments,
  allowances,
  expandOption,
  fullOption,
  guardOptions,
  serviceOptions,
} from '../../cli/options.ts';
import { planFormats } from '../../cli/plan-formats.ts';
import { answeringFailure, sayWarnings } from '../../cli/problem-formats.ts';
import { AgentformError, exitCodes } from '../../errors.ts';
import type { Host } from '../../session/host.ts';
import type { PlanResult } from '../../session/plan-result.ts';

export function addPlanCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'plan [names..]',
    'Show what an apply would change; changes nothing on the service',
    builder,
    (options) => planCommand(options, console),
  );
}

function builder(yargs: Argv) {
  const formats = formatOption(planFormats, 'Output format; markdown suits a pull request, github annotates its files');
  return expandOption(fullOption(guardOptions(serviceOptions(yargs))).option('format', formats))
    .option('out', {
      type: 'string',
      requiresArg: true,
      describe: 'Also save the plan to this file, for `apply --plan`',
    })
    .option('offline', {
      type: 'boolean',
      default: false,
      describe: 'Compare the manifests with those of a base commit; needs no service and no secrets',
    })
    .option('base', {
      type: 'string',
      requiresArg: true,
      describe: 'With --offline: base commit to compare with (default: HEAD)',
    })
    .check(({ base, offline }) => {
      if (base === undefined || offline) return true;
      throw new AgentformError('usage', '--base needs --offline');
    })
    .option('exit-code', { type: 'boolean', default: false, describe: 'Exit with 2 if changes are pending' })
    .example('$0 plan', 'Plan everything in the default environment')
    .example('$0 plan -e production front-desk', 'Plan one agent in production')
    .example('$0 plan --out plan.json && $0 apply --plan plan.json', 'Save the plan, then apply exactly that plan')
    .example('$0 plan --offline --base origin/main', 'Show what a branch changes, without the service')
    .example('$0 plan --format github', 'In a workflow: annotate the lines of the manifests');
}

type PlanArguments = Arguments<typeof builder>;

function planCommand(options: PlanArguments, console: Console): Promise<void> {
  const { format, project } = options;
  return answeringFailure(format === 'github' ? format : undefined, { project, console }, () =>
    showPlan(options, console),
  );
}

async function showPlan(options: PlanArguments, console: Console): Promise<void> {
  const result = await withHost(console, options, (host) => planned(host, options));
  await sayWarnings(result, console);
  await answerIn(options.format, { renderers: planFormats, answer: { ...options, result } }, console);
  if (options.out !== undefined) await save(result, { console, path: options.out });
  const { exitCodeOfPlan } = await import('../../session/exit-code.ts');
  const code = exitCodeOfPlan(result.plan, { pendingCounts: options['exit-code'] });
  if (code !== exitCodes.done) console.process.exitCode = code;
}

async function planned(host: Host, options: PlanArguments): Promise<PlanResult> {
  const { base = 'HEAD', offline } = options;
  if (offline) return (await import('./offline.ts')).planOffline(host, { ...options, base });
  return (await import('./plan.ts')).plan(host, { ...options, ...allowances(options) });
}

async function save({ plan }: PlanResult, { console, path }: { readonly console: Console; readonly path: string }) {
  const { savePlan } = await import('./plan.ts');
  const { renderPlanJson } = await import('../../report/json.ts');
  await savePlan(plan, path, renderPlanJson(plan));
  console.say(`Saved the plan to ${path}. To apply it, run: agentform apply --plan ${path}\n`);
}
