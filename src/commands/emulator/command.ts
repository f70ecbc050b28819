import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { waitForInterrupt } from '../../cli/interrupt.ts';
import { type Arguments, wholeOption } from '../../cli/options.ts';

export function addEmulatorCommand(yargs: Argv, console: Console): Argv {
  return yargs.command(
    'emulator',
    'Run the service on this machine, for trying things out and for tests',
    builder,
    (options) => emulatorCommand(options, console),
  );
}

function builder(yargs: Argv) {
  return yargs
    .option('port', {
      ...wholeOption({ name: 'port', describe: 'Port to listen on; 0 takes a free one', least: 0, most: 65_535 }),
      default: 4010,
    })
    .option('host', { type: 'string', default: '127.0.0.1', requiresArg: true, describe: 'Address to listen on' })
    .option('allow-host', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: "A further name that it answers to, such as a container's; localhost and --host are allowed anyway",
    })
    .option('data', {
      type: 'string',
      requiresArg: true,
      describe: 'File that keeps everything from run to run; without it the data end with the emulator',
    })
    .option('accounts', {
      type: 'string',
      requiresArg: true,
      describe:
        'JSON file with the accounts, a list of { id, token, reseller, parent, agentId }; without it any token does',
    })
    .option('fault', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: 'A fault to play, such as rate-limit:every=4,retryAfter=1',
    })
    .example('$0 emulator', 'Listen on http://127.0.0.1:4010 and accept any token')
    .example(
      '$0 emulator --data emulator.json --fault server-error:every=4',
      'Keep the data, fail one request in four',
    );
}

async function emulatorCommand(
  { port, host, 'allow-host': allowedHosts, data, accounts, fault }: Arguments<typeof builder>,
  console: Console,
): Promise<void> {
  const { parseFault, readAccounts, startEmulator } = await import('../../emulator/index.ts');
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
    `The emulator listens on ${emulator.baseUrl}; state and faults are at ${emulator.baseUrl}/__emulator/state\n`,
  );
  console.say('Press Ctrl-C to end it.\n');
  await waitForInterrupt(console);
  await emulator.close();
}
