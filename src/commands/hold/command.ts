import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import { environmentOptions, selectedNames, selectionOptions } from '../../cli/options.ts';
import type { HeldResources } from './hold.ts';

export function addHoldCommand(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) =>
    targets(own)
      .option('reason', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'Reason, in one line; shown wherever the hold blocks a change',
      })
      .option('until', {
        type: 'string',
        requiresArg: true,
        describe: 'Time when the hold ends, or a day, which begins at 00:00 UTC (default: until unhold)',
      })
      .example("$0 hold front-desk -e production --reason 'demo for the board'", 'Keep an agent as it is')
      .example("$0 hold '*' -e production --reason 'no changes at Christmas' --until 2026-12-27", 'Freeze everything');
  const describe = 'Prevent apply from changing resources, until they are released or a date passes';
  return yargs.command('hold [names..]', describe, builder, async (options) => {
    const { hold } = await import('./hold.ts');
    const { heldText } = await import('./text.ts');
    await answer(console, async (signal) =>
      heldText(await onHost(console, (host) => hold(host, { ...options, signal }))),
    );
  });
}

export function addUnholdCommand(yargs: Argv, console: Console): Argv {
  const builder = (own: Argv) => targets(own).example('$0 unhold front-desk -e production', 'Release a held agent');
  const describe = 'Release resources that are on hold';
  return yargs.command('unhold [names..]', describe, builder, async (options) => {
    const { unhold } = await import('./hold.ts');
    const { releasedText } = await import('./text.ts');
    await answer(console, async (signal) =>
      releasedText(await onHost(console, (host) => unhold(host, { ...options, signal }))),
    );
  });
}

function targets(yargs: Argv) {
  return selectionOptions(environmentOptions(yargs)).positional('names', {
    ...selectedNames,
    describe: 'Resources to select, by name, Kind/name or glob',
  });
}

const onHost = (console: Console, work: Parameters<typeof withHost<HeldResources>>[2]) =>
  withHost(console, { debug: false }, work);

async function answer(console: Console, work: (signal: AbortSignal) => Promise<string>): Promise<void> {
  const signal = interruptSignal(console);
  console.answer(await work(signal));
}
