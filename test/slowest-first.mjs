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
  'e2e/secrets.test.ts',
  'e2e/kinds.test.ts',
  'record/git/store.test.ts',
  'commands/apply/answers.test.ts',
  'commands/import/fleet.test.ts',
  'sources.test.ts',
  'record/newer-versions.test.ts',
  'e2e/typed-credentials.test.ts',
  'e2e/action/plan.test.ts',
  'commands/status/status.test.ts',
  'e2e/habits.test.ts',
  'action/github/plan-comment.test.ts',
  'e2e/update.test.ts',
  'e2e/new-agents.test.ts',
  'e2e/update-own.test.ts',
  'e2e/changed-since.test.ts',
  'e2e/cases.test.ts',
  'e2e/action/trust.test.ts',
  'record/stores.test.ts',
  'e2e/action/apply.test.ts',
  'e2e/rollback/stores.test.ts',
  'e2e/action/policies.test.ts',
  'e2e/interrupt.test.ts',
  'e2e/task-upload.test.ts',
  'cli/options.test.ts',
  'e2e/update-merge.test.ts',
  'session/colleague.stores.test.ts',
  'e2e/promotion.stores.test.ts',
  'e2e/environments.test.ts',
  'e2e/import/manifest.test.ts',
  'e2e/live-edits.test.ts',
  'e2e/older-commit.test.ts',
  'commands/task/upload/upload.test.ts',
  'action/github/answers.test.ts',
  'e2e/independent/life.test.ts',
  'e2e/rollback/rollback.test.ts',
  'e2e/git-store/apply.test.ts',
  'report/markdown/plan.test.ts',
  'session/base/base-texts.test.ts',
  'e2e/action/by-hand.test.ts',
  'session/sound-verdicts.test.ts',
  'e2e/independent/wrong-agent.test.ts',
  'e2e/status.test.ts',
  'e2e/unclear.test.ts',
  'commands/rollback/versions.test.ts',
  'e2e/startup.test.ts',
  'session/required-tests.test.ts',
  'session/read/read-resources.test.ts',
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
