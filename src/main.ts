#!/usr/bin/env node
declare const AGENTFORM_VERSION: string;

// Scripts check the installed version, so printing it does not load yargs.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  process.stdout.write(`${AGENTFORM_VERSION}\n`);
} else {
  let hasFolder = true;
  try {
    process.cwd();
  } catch {
    hasFolder = false;
    // Without a current folder, loading yargs would fail.
    process.chdir('/');
  }
  const { runProgram } = await import('./commands/program.ts');
  await runProgram(process.argv.slice(2), { version: AGENTFORM_VERSION, hasFolder });
}

export {};
