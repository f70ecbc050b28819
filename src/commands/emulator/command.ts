import type { Console } from '../../cli/console.ts';
import { waitForInterrupt } from '../../cli/interrupt.ts';
import { type Command, integerOption, listOption, type Parsed, textOption } from '../../cli/options.ts';

export const emulatorCommand: Command<ReturnType<typeof emulatorOptions>> = {
  syntax: { usage: 'emulator', options: emulatorOptions },
  describe: 'Run a local emulator of the service, for experiments and tests',
  examples: [
    ['$0 emulator', 'Listen on http://127.0.0.1:4010 and accept any token'],
    ['$0 emulator --data emulator.json --fault server-error:every=4', 'Keep the data and fail every fourth request'],
  ],
  run,
};

function emulatorOptions() {
  return {
    port: {
      ...integerOption({ name: 'port', describe: 'Port to listen on; 0 picks a free one', min: 0, max: 65_535 }),
      default: 4010,
    },
    host: { type: 'string', default: '127.0.0.1', requiresArg: true, describe: 'Address to listen on' },
    'allow-host': listOption(
      "Another host name to accept, such as a container's; localhost and --host are always accepted",
    ),
    data: textOption('File that keeps the data between runs; without it, the data is lost when the emulator stops'),
    accounts: textOption(
      'JSON file with a list of accounts { id, token, reseller, parent, agentId }; without it, any token is accepted',
    ),
    fault: listOption('Fault to simulate, such as rate-limit:every=4,retryAfter=1'),
  } as const;
}

async function run(
  { port, host, allowHost: allowedHosts, data, accounts, fault }: Parsed<ReturnType<typeof emulatorOptions>>,
  console: Console,
): Promise<void> {
  const [{ startEmulator }, { parseFault }, { readAccounts }] = await Promise.all([
    import('../../emulator/emulator.ts'),
    import('../../emulator/faults.ts'),
    import('../../emulator/state/accounts.ts'),
  ]);
  const emulator = await startEmulator({
    host,
    port,
    allowedHosts,
    faults: fault.map(parseFault),
    ...(data !== undefined && { dataFile: data }),
    ...(accounts !== undefined && { accounts: await readAccounts(accounts) }),
    onRequest: (line) => console.say(`${line}\n`),
  });
  console.answer(
    `The emulator listens on ${emulator.baseUrl}. To see its agents, open ${emulator.baseUrl}/__emulator/state\n`,
  );
  console.say('Press Ctrl-C to stop it.\n');
  await waitForInterrupt(console);
  await emulator.close();
}
