import { withHost } from '../../cli/host.ts';
import { interruptSignal } from '../../cli/interrupt.ts';
import {
  type Command,
  environmentOptions,
  inAction,
  selectedNames,
  selectionOptions,
  textOption,
} from '../../cli/options.ts';

export const holdSyntax = { usage: 'hold [names..]', options: holdOptions };

export const holdCommand: Command<ReturnType<typeof holdOptions>> = {
  syntax: holdSyntax,
  describe: 'Prevent apply from changing resources, until they are released or a date passes',
  examples: [
    ["$0 hold front-desk -e production --reason 'demo for the board'", 'Put an agent on hold'],
    [
      "$0 hold '*' -e production --reason 'no changes at Christmas' --until 2026-12-27",
      'Put every resource on hold until 27 December',
    ],
  ],
  async run(options, console) {
    const { heldText, hold } = await import('./hold.ts');
    const signal = interruptSignal(console);
    const found = await withHost(console, { debug: false }, (host) => hold(host, { ...options, signal }));
    console.answer(heldText(found, options));
  },
};

export const unholdSyntax = { usage: 'unhold [names..]', options: unholdOptions };

export const unholdCommand: Command<ReturnType<typeof unholdOptions>> = {
  syntax: unholdSyntax,
  describe: 'Release resources that are on hold',
  examples: [['$0 unhold front-desk -e production', 'Release an agent from its hold']],
  async run(options, console) {
    const { releasedText, unhold } = await import('./hold.ts');
    const signal = interruptSignal(console);
    const found = await withHost(console, { debug: false }, (host) => unhold(host, { ...options, signal }));
    console.answer(releasedText(found));
  },
};

function unholdOptions() {
  const names = { ...selectedNames, describe: 'Resources to select, by name, Kind/name or glob' } as const;
  return { ...environmentOptions(), ...selectionOptions, names };
}

function holdOptions() {
  return {
    ...unholdOptions(),
    reason: {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      inAction: true,
      describe: 'Reason for the hold, in one line; shown wherever the hold blocks a change',
    },
    until: inAction(
      textOption('End of the hold: a time, or a day, which begins at 00:00 UTC (default: until `unhold`)'),
    ),
  } as const;
}
