import type { Console } from '../../cli/console.ts';
import { cacheIn } from '../../cli/host.ts';
import { type Command, cacheOption, type Parsed } from '../../cli/options.ts';

export const lspCommand: Command<ReturnType<typeof lspOptions>> = {
  syntax: { usage: 'lsp', options: lspOptions },
  describe: 'Run a language server that shows problems in an editor; needs no network and no secrets',
  examples: [['$0 lsp --stdio', 'The command to configure in an editor']],
  run,
};

function lspOptions() {
  return {
    stdio: { type: 'boolean', describe: 'Use standard input and output, the only mode; editors pass this flag' },
    ...cacheOption,
  } as const;
}

async function run(options: Parsed<ReturnType<typeof lspOptions>>, console: Console): Promise<void> {
  const { serve } = await import('../../lsp/server.ts');
  const { env, stdin, stdout } = console.process;
  if (stdin.isTTY) {
    console.say(
      'This server waits for messages from an editor. To check the project here, run `agentform validate`.\n',
    );
  }
  serve({
    version: console.version,
    env,
    cache: await cacheIn(env, options),
    now: () => new Date(),
    input: stdin,
    output: stdout,
  });
}
