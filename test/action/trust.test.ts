import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CommandName } from '../../src/action/command-line.ts';
import type { Trust } from '../../src/action/trust.ts';

type Run = (trust: Trust, subject: { readonly environment: string; readonly project: string }) => Promise<unknown>;
let commands: Partial<Record<CommandName, Run>>;
const { GITHUB_REPOSITORY } = process.env;

// Modules of the action read the repository's name from the process variable when they are loaded.
beforeAll(async () => {
  process.env.GITHUB_REPOSITORY = 'clinic/agents';
  const { runPublish, runRollback } = await import('../../src/action/commands/apply.ts');
  const { runDrift } = await import('../../src/action/commands/drift.ts');
  const { runImport } = await import('../../src/action/commands/import.ts');
  const { recordCommand } = await import('../../src/action/commands/record.ts');
  const { runUpdate } = await import('../../src/action/commands/update.ts');
  const records = { 'record forget': recordCommand, hold: recordCommand };
  const branches = { update: runUpdate, import: runImport, drift: runDrift };
  commands = { publish: runPublish, rollback: runRollback, ...records, ...branches };
});
afterAll(() => {
  if (GITHUB_REPOSITORY === undefined) delete process.env.GITHUB_REPOSITORY;
});

const names = ['publish', 'rollback', 'record forget', 'hold', 'update', 'import', 'drift'] as const;

test.each(names)(
  'A pull request cannot run %s, which changes more than the pull request, before the merge.',
  async (command) => {
    // The run is refused before other members of the run are read.
    const run = { inputs: { command, pullRequest: true }, event: { trustedCommit: 'base' }, host: {} };
    const trust = { run, project: {}, offline: undefined } as unknown as Trust;
    await expect(commands[command]?.(trust, { environment: 'production', project: '.' })).rejects.toMatchObject({
      code: 'run-refused',
      message: expect.stringContaining('so it does not run before a merge'),
    });
  },
);
