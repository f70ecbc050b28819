import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import {
  type Command,
  inAction,
  type Parsed,
  selectedNames,
  serviceOptions,
  skipPoliciesOption,
  switchOption,
  textOption,
  yesOption,
} from '../../cli/options.ts';
import { ledgerFormats } from '../../cli/plan-formats.ts';
import { reporting } from '../../cli/report-file.ts';
import { decisionsOf } from '../../plan/decisions.ts';
import type { Pieces } from '../../text/lines.ts';

export const rollbackSyntax = { usage: 'rollback [names..]', options: rollbackOptions };

export const rollbackCommand: Command<ReturnType<typeof rollbackOptions>> = {
  syntax: rollbackSyntax,
  describe: 'Restore an earlier version, and put the resources on hold until the manifests are corrected',
  examples: [
    ['$0 rollback front-desk -e production', 'Show the changes, and restore the previous version after confirmation'],
    [
      "$0 rollback front-desk -e production --yes --reason 'callers were cut off'",
      'Roll back without confirmation, with a reason for your colleagues',
    ],
    ["$0 rollback 'desk-*' -e production --to 2026-11-23T02:40Z", 'Restore the values applied at a given time'],
    ['$0 history front-desk -e production', 'List the versions to choose from'],
    ['$0 rollback front-desk -e production --to 4f2c01d9', 'Restore a version that `history` lists'],
    ['$0 rollback -e production --from plan.json', 'Undo the apply of a saved plan'],
    ['$0 update front-desk -e production', 'Next: copy the restored values into the manifest'],
    ['$0 unhold front-desk -e production', 'Or: release the agent, so that the next apply uses the manifest'],
  ],
  run,
};

function rollbackOptions() {
  return {
    ...serviceOptions(),
    to: {
      type: 'string',
      inAction: true,
      requiresArg: true,
      defaultDescription: 'previous',
      describe:
        'Version to restore: previous, a version that `history` lists, or a time such as 2026-11-23T02:40Z (UTC without a zone)',
    },
    names: {
      ...selectedNames,
      describe: 'Resources to roll back, by name, Kind/name or glob (default with --from: all in the plan)',
    },
    from: textOption(
      'Undo the apply of this saved plan, for example if the records have no history; does not accept a file written by --report',
    ),
    reason: inAction(textOption('Reason for the rollback, in one line; shown wherever the hold blocks a change')),
    yes: yesOption(),
    publish: inAction(switchOption('Publish the agents after the rollback, using service.publish in agentform.yaml')),
    ...skipPoliciesOption,
    format: formatOption(ledgerFormats, 'Format of the result'),
    report: textOption('Also write the result, or the failure, to this file as JSON'),
  } as const;
}

type RollbackArguments = Parsed<ReturnType<typeof rollbackOptions>>;

function run(options: RollbackArguments, console: Console): Promise<void> {
  return reporting(options.report, console, (save) => rollBack(options, console, save));
}

async function rollBack(
  options: RollbackArguments,
  console: Console,
  save: ((json: Pieces) => Promise<void>) | undefined,
): Promise<void> {
  const signal = interruptSignal(console);
  const { lacksSecret, rollback } = await import('./rollback.ts');
  const otherwise = 'nothing was rolled back: confirmation needs a terminal; use --yes';
  const consent = { given: options.yes, question: 'Roll back as planned', otherwise };
  const result = await withHost(console, options, (host) =>
    rollback(host, {
      ...options,
      decisions: decisionsOf(options),
      signal,
      // If all values are already restored, there is nothing to show or confirm.
      confirm: async (planned) =>
        planned.plan.resources.every((one) => one.action === 'none' && !lacksSecret(one)) ||
        (await import('../../cli/plan-consent.ts')).consentToPlan(planned, consent, console),
    }),
  );
  await answerIn(options.format, { renderers: ledgerFormats, answer: result }, console);
  const { rollbackNotice } = await import('./rollback.ts');
  console.say(rollbackNotice(result));
  const { exitCodeOfLedger } = await import('../../session/plans/plan-result.ts');
  console.process.exitCode = exitCodeOfLedger(result.ledger);
  await save?.(await ledgerFormats.json(result, console));
}
