#!/usr/bin/env node
declare const AGENTFORM_VERSION: string;

// Scripts check the installed version, so printing it does not load yargs.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  process.stdout.write(`${AGENTFORM_VERSION}\n`);
} else if (!hasWorkingFolder()) {
  process.stderr.write('error: the current folder no longer exists; change to another folder (usage)\n');
  process.exitCode = 1;
} else {
  const { runProgram } = await import('./commands/program.ts');
  await runProgram(process.argv.slice(2), AGENTFORM_VERSION);
}

/** Whether the current folder exists. Otherwise, loading yargs would fail. */
function hasWorkingFolder(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

export {};
