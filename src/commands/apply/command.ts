import type { Console } from '../../cli/console.ts';
import { inEnvironments, onlyEnvironment } from '../../cli/environments.ts';
import { formatOption } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import {
  answerOptions,
  baseOption,
  type Command,
  choiceOptions,
  environmentsServiceOptions,
  guardOptions,
  inAction,
  type Parsed,
  type Syntax,
  switchOption,
  textOption,
  yesOption,
} from '../../cli/options.ts';
import { ledgerFormats } from '../../cli/plan-formats.ts';
import { reporting } from '../../cli/report-file.ts';
import type { ExitCode } from '../../errors.ts';
import type { GivenAnswer } from '../../plan/answers.ts';
import { decisionsOf } from '../../plan/decisions.ts';
import type { ApplyPlanned, ApplyResult, Consent } from './apply.ts';

export const applySyntax: Syntax<ReturnType<typeof applyOptions>> = {
  usage: 'apply [names..]',
  options: applyOptions,
  check({ plan, environment }) {
    if (plan !== undefined) onlyEnvironment(environment, '--plan');
    return true;
  },
};

export const applyCommand: Command<ReturnType<typeof applyOptions>> = {
  syntax: applySyntax,
  describe: 'Show the plan, and apply it after confirmation',
  examples: [
    ['$0 apply', 'Apply everything in the default environment'],
    ['$0 apply -e production --yes', 'Apply without confirmation, for example after a merge'],
    ['$0 apply -e production --new Agent/billing', 'Create an agent in an account that has none'],
    ['$0 apply -e production --yes --publish', 'Apply, then publish the drafts'],
    ['$0 apply -e staging,production', 'Apply to staging and, if that succeeds, to production'],
    [
      '$0 apply --changed-since HEAD~1 --yes',
      'Apply what the last commit changed, and earlier changes that were never applied',
    ],
    ['$0 apply -e production --answer Agent/web-chat=keep', 'Keep what was edited in the dashboard in one agent'],
    ['$0 apply --plan plan.json', 'Apply the plan saved by `plan --out plan.json`'],
  ],
  run,
};

export function applyOptions() {
  return {
    ...environmentsServiceOptions(),
    ...guardOptions,
    yes: yesOption(),
    plan: {
      ...textOption('Apply exactly this saved plan, without confirmation'),
      isInput: true,
      excludes: { 'changed-since': 'give --changed-since to `agentform plan` instead' },
    },
    ...choiceOptions,
    ...answerOptions,
    base: baseOption,
    publish: inAction(switchOption('Publish the agents after the apply, using service.publish in agentform.yaml')),
    format: formatOption(ledgerFormats, 'Format of the result'),
    report: textOption('Also write the result, or the failure, to this file as JSON'),
  } as const;
}

type ApplyArguments = Parsed<ReturnType<typeof applyOptions>>;

async function run(options: ApplyArguments, console: Console): Promise<void> {
  const { report } = options;
  const signal = interruptSignal(console);
  const run = async (environment: string | undefined): Promise<ApplyResult> => {
    const { apply } = await import('./apply.ts');
    const answers = await givenAnswers(options);
    return withHost(console, options, (host) =>
      apply(host, {
        ...options,
        decisions: decisionsOf(options),
        answers,
        environment,
        savedPlan: options.plan,
        signal,
        confirm: (planned) => approved(planned, options, console),
      }),
    );
  };
  const steps = { run, renderers: ledgerFormats, exitCodeOf, stopsAtFailure: true } as const;
  await reporting(report, console, (onJson) => inEnvironments(options, { ...steps, onJson }, console));
}

async function givenAnswers({ answer, answers }: ApplyArguments): Promise<GivenAnswer[]> {
  const { typedAnswer } = await import('../../plan/answers.ts');
  const typed = answer.map(typedAnswer);
  if (answers === undefined) return typed;
  const { readAnswers } = await import('./answers.ts');
  return [...typed, ...readAnswers(answers)];
}

async function exitCodeOf({ ledger }: ApplyResult): Promise<ExitCode> {
  return (await import('../../session/plans/plan-result.ts')).exitCodeOfLedger(ledger);
}

/** Confirms an apply. A saved plan counts as approved, and `--yes` approves the displayed plan. */
async function approved(planned: ApplyPlanned, { yes, plan }: ApplyArguments, console: Console): Promise<Consent> {
  const otherwise = 'nothing was applied: confirmation needs a terminal; use --yes or --plan FILE';
  const options = { savedPlan: plan, given: yes || plan !== undefined, question: 'Apply this plan', otherwise };
  return (await import('../../cli/plan-consent.ts')).consentToPlan(planned, options, console);
}
