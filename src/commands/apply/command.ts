import type { Argv } from 'yargs';
import { confirm } from '../../cli/confirm.ts';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import { type Arguments, allowances, guardOptions, serviceOptions } from '../../cli/options.ts';
import { sayWarnings } from '../../cli/problem-formats.ts';
import { exitCodes } from '../../errors.ts';
import type { ApplyPlanned, ApplyResult } from './apply.ts';

export function addApplyCommand(yargs: Argv, console: Console): Argv {
  return yargs.command('apply [names..]', 'Show the plan, ask for confirmation and apply it', builder, (options) =>
    applyCommand(options, console),
  );
}

const ledgerFormats: Renderers<ApplyResult['ledger'], 'text' | 'json'> = {
  async text(ledger, { answerColor: color, width }) {
    return (await import('../../report/ledger/text.ts')).renderLedgerText(ledger, { color, width });
  },
  async json(ledger) {
    return (await import('../../report/json.ts')).renderLedgerJson(ledger);
  },
};

function builder(yargs: Argv) {
  return guardOptions(serviceOptions(yargs))
    .option('yes', { alias: 'y', type: 'boolean', default: false, describe: 'Skip the confirmation' })
    .option('plan', {
      type: 'string',
      requiresArg: true,
      describe: 'Apply exactly this saved plan, without confirmation',
    })
    .option('overwrite', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: "Resolve this resource's conflicts by applying the manifest; takes Kind/name",
    })
    .option('publish', {
      type: 'boolean',
      default: false,
      describe: 'Publish the agents after the apply, using service.publish in agentform.yaml',
    })
    .option('format', formatOption(ledgerFormats, 'Format of the ledger'))
    .option('report', { type: 'string', requiresArg: true, describe: 'Also write the ledger to this file as JSON' })
    .example('$0 apply', 'Show the plan, ask for confirmation, apply')
    .example('$0 apply -e production --yes', 'Apply without confirmation, as after a merge')
    .example('$0 apply -e production --yes --publish', 'Apply, then publish the drafts')
    .example('$0 apply --plan plan.json', 'Apply the plan saved by `plan --out plan.json`');
}

type ApplyArguments = Arguments<typeof builder>;

async function applyCommand(options: ApplyArguments, console: Console): Promise<void> {
  const { apply } = await import('./apply.ts');
  const interrupt = interruptSignal(console);
  try {
    const result = await withHost(console, options, (host) =>
      apply(host, {
        ...options,
        ...allowances(options),
        savedPlan: options.plan,
        signal: interrupt.signal,
        confirm: (planned) => approved(planned, options, console),
      }),
    );
    await answer(result, options, console);
  } finally {
    interrupt.release();
  }
}

/** A saved plan was approved when it was saved; `--yes` approves what is shown. */
async function approved(planned: ApplyPlanned, options: ApplyArguments, console: Console): Promise<boolean> {
  const { plan, publishes } = planned;
  const style = { color: console.sayColor, width: console.width };
  await sayWarnings(planned, console);
  const { renderPlanText } = await import('../../report/plan/text.ts');
  console.say(`${renderPlanText(plan, style)}\n`);
  const { changesNothing } = await import('./apply.ts');
  const writes = !changesNothing(plan);
  if (publishes !== undefined) {
    const { renderWaitingDrafts } = await import('../../report/ledger/publish.ts');
    console.say(`${renderWaitingDrafts({ writes, waiting: publishes }, style)}\n`);
  }
  const isIdle = !writes && (publishes ?? []).length === 0;
  if (options.yes || options.plan !== undefined || isIdle) return true;
  const question = publishes === undefined ? 'Apply this plan' : 'Apply this plan and publish';
  return confirm(
    `${question} to ${plan.environment}?`,
    console,
    'nothing was applied: no terminal to confirm on; use --yes or --plan FILE',
  );
}

async function answer({ ledger }: ApplyResult, { format, report }: ApplyArguments, console: Console): Promise<void> {
  await answerIn(format, { renderers: ledgerFormats, answer: ledger }, console);
  const { exitCodeOfLedger } = await import('../../session/exit-code.ts');
  const code = exitCodeOfLedger(ledger);
  if (code !== exitCodes.done) console.process.exitCode = code;
  if (report === undefined) return;
  const { saveLedger } = await import('./apply.ts');
  await saveLedger(report, await ledgerFormats.json(ledger, console));
}
