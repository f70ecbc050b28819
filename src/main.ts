#!/usr/bin/env node
declare const AGENTFORM_VERSION: string;

// The version is asked for by scripts that check what is installed, so it does not wait for yargs.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  process.stdout.write(`${AGENTFORM_VERSION}\n`);
} else {
  const { run } = await import('./commands/program.ts');
  await run(process.argv.slice(2), AGENTFORM_VERSION);
}

export {};
