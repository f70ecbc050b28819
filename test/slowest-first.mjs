import TestSequencer from '@jest/test-sequencer';

/**
 * The slowest suites in the order of their processor time. If a suite is missing in this list, it only starts later.
 */
const slowest = [
  'long/limits.test.ts',
  'long/month/month.test.ts',
  'long/rollout-schedules.test.ts',
  'long/thousands.test.ts',
  'long/history.test.ts',
  'long/browser.test.ts',
  'long/git-store/interrupt.test.ts',
  'long/interrupt.test.ts',
  'long/git-store/together.test.ts',
  'long/commands/record/move.test.ts',
  'long/record-move.test.ts',
  'long/older-record.test.ts',
  'long/older-commit.test.ts',
  'long/rollback/rollback.test.ts',
  'long/git-store/failures.test.ts',
  'session/sound-verdicts.laws.test.ts',
  'long/record/postgres/store.test.ts',
  'long/session/base/ancestry.test.ts',
  'editor/vscode.test.ts',
  'e2e/action/answers.test.ts',
  'e2e/kinds.test.ts',
  'e2e/new-agents.test.ts',
  'record/git/store.test.ts',
  'e2e/secrets.test.ts',
  'report/markdown/plan.test.ts',
  'session/read/read-resources.test.ts',
  'commands/import/fleet.test.ts',
  'record/git/branch.test.ts',
  'commands/apply/answers.test.ts',
  'e2e/update-own.test.ts',
  'e2e/habits.test.ts',
  'record/newer-versions.test.ts',
  'e2e/action/plan.test.ts',
  'cli/options.test.ts',
  'sources.test.ts',
  'e2e/interrupt.test.ts',
  'e2e/changed-since.test.ts',
  'commands/status/status.test.ts',
  'e2e/rollback/stores.test.ts',
  'session/colleague.stores.test.ts',
  'e2e/postgres.test.ts',
  'e2e/update.test.ts',
  'e2e/environments.test.ts',
  'record/stores.test.ts',
  'session/base/base-texts.test.ts',
  'commands/rollback/versions.test.ts',
  'e2e/action/by-hand.test.ts',
  'secrets/redact.test.ts',
  'e2e/task-upload.test.ts',
  'record/git/remote.test.ts',
  'e2e/stores.test.ts',
  'emulator/tasks.test.ts',
  'secrets/encoded.test.ts',
  'e2e/action/trust.test.ts',
  'e2e/live-edits.test.ts',
  'e2e/import/list.test.ts',
  'e2e/agency-day.test.ts',
  'lsp/edits.test.ts',
  'e2e/hostile-console.test.ts',
  'e2e/proxy.test.ts',
  'session/required-tests.test.ts',
];

/**
 * Starts the slowest suites first, so that all workers end at about the same time, even on a machine without earlier
 * runs.
 */
export default class SlowestFirst extends TestSequencer {
  sort(suites) {
    const place = ({ path }) => {
      const at = slowest.findIndex((name) => path.endsWith(`/test/${name}`));
      return at < 0 ? slowest.length : at;
    };
    return super.sort(suites).sort((one, other) => place(one) - place(other));
  }
}
