import type { PublishLedger } from '../../apply/events.ts';
import { confirm } from '../../cli/confirm.ts';
import type { Console } from '../../cli/console.ts';
import { answerIn, formatOption, inJson, type Renderers } from '../../cli/formats.ts';
import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import { type Command, inAction, type Parsed, serviceOptions, switchOption, yesOption } from '../../cli/options.ts';
import { printWarnings } from '../../cli/problem-formats.ts';
import type { PublishPlanned } from './publish.ts';

export const publishSyntax = { usage: 'publish [names..]', options: publishOptions };

export const publishCommand: Command<ReturnType<typeof publishOptions>> = {
  syntax: publishSyntax,
  describe: 'Publish agent drafts, using service.publish in agentform.yaml',
  examples: [
    ['$0 publish', 'Publish drafts, after listing them and asking for confirmation'],
    ['$0 publish -e production front-desk --yes', 'Publish one agent without confirmation'],
    ['$0 apply -e production --publish', 'Apply and publish in one step'],
  ],
  run,
};

const publishFormats: Renderers<PublishLedger, 'text' | 'json'> = {
  text: async (ledger, { answerStyle }) =>
    (await import('../../report/ledger.ts')).renderPublishLedgerText(ledger, answerStyle),
  json: inJson((ledger) => ledger),
};

function publishOptions() {
  return {
    ...serviceOptions(),
    yes: yesOption(),
    'allow-pending': inAction(switchOption('Publish drafts as they are, even if they differ from their manifests')),
    format: formatOption(publishFormats, 'Format of the result'),
  } as const;
}

type PublishArguments = Parsed<ReturnType<typeof publishOptions>>;

async function run(options: PublishArguments, console: Console): Promise<void> {
  const { publish } = await import('./publish.ts');
  const signal = interruptSignal(console);
  const ledger = await withHost(console, options, (host) =>
    publish(host, {
      ...options,
      signal,
      confirm: (planned) => approved(planned, options, console),
    }),
  );
  await answerIn(options.format, { renderers: publishFormats, answer: ledger }, console);
  const { exitCodeOfPublish } = await import('../../session/plans/plan-result.ts');
  console.process.exitCode = exitCodeOfPublish(ledger);
}

async function approved(planned: PublishPlanned, { yes }: PublishArguments, console: Console): Promise<boolean> {
  await printWarnings(planned, console);
  const { renderPublishPlanText } = await import('../../report/ledger.ts');
  console.say(`${renderPublishPlanText(planned, console.sayStyle)}\n`);
  if (yes || planned.publishing.every(({ action }) => action !== 'publish')) return true;
  return confirm(
    `Publish this in ${planned.environment}?`,
    console,
    'nothing was published: confirmation needs a terminal; use --yes',
  );
}
