import TestSequencer from '@jest/test-sequencer';

/** The slowest suites in the order of their processor time. A missing suite is only started later. */
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
  'e2e/stores.test.ts',
  'record/stores.test.ts',
  'e2e/rollback/stores.test.ts',
  'e2e/interrupt.test.ts',
  'e2e/action/apply.test.ts',
  'e2e/action/plan.test.ts',
  'e2e/action/by-hand.test.ts',
  'e2e/shared-process.test.ts',
  'session/colleague.stores.test.ts',
  'secrets/encoded.test.ts',
  'e2e/action/trust.test.ts',
  'e2e/changed-since.test.ts',
  'record/git/store.test.ts',
  'emulator/tasks.test.ts',
  'e2e/git-store/apply.test.ts',
  'record/newer-versions.test.ts',
  'testing/play.test.ts',
  'e2e/secrets.test.ts',
  'e2e/action/by-hand-rollback.test.ts',
  'e2e/promotion.stores.test.ts',
  'e2e/habits.test.ts',
  'e2e/postgres.test.ts',
  'emulator/operations/task-file.test.ts',
  'record/git/branch.test.ts',
  'e2e/kinds.test.ts',
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
