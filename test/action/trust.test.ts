import { expect, test } from '@jest/globals';
import { commandNames } from '../../src/action/command-line.ts';
import { requireMerged } from '../../src/action/trust.ts';

/** Requires that a run may carry out a command for an event with these members. */
function required(command: string, event: object, pullRequest = false): () => void {
  // Other members of a run are not read.
  const run = { inputs: { command, pullRequest }, event } as unknown as Parameters<typeof requireMerged>[0];
  return () => requireMerged(run);
}

const before = ['plan', 'validate', 'drift', 'answers'];

test('Before a merge, only commands that change nothing except the pull request may run.', () => {
  for (const command of commandNames) {
    const run = required(command, { trustedCommit: 'base' });
    if (before.includes(command)) run();
    else expect(run).toThrow(`this change is not merged, and ${command} runs only after a merge; merge the change, or`);
    required(command, {})();
  }
  expect(required('drift', { trustedCommit: 'base' }, true)).toThrow(
    'drift with `pull-request: true` runs only after a merge; merge the change, or run drift by hand',
  );
});

test('A change that was merged into a branch other than the default branch does not count as merged.', () => {
  const event = { trustedCommit: 'base', pullRequest: { isMerged: true } };
  expect(required('apply', event)).toThrow('this change is not merged into the default branch, and apply runs only');
});
