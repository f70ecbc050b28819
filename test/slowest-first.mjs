import TestSequencer from '@jest/test-sequencer';

/** The unit tests that start git most often. They begin in small workers, because starting git copies their memory. */
const startsGit = [
  'record/git/store.test.ts',
  'record/newer-versions.test.ts',
  'commands/rollback/versions.test.ts',
  'commands/record/move.test.ts',
  'session/base/base-texts.test.ts',
  'session/colleague.stores.test.ts',
  'record/git/sharing.test.ts',
  'record/git/branch.test.ts',
  'commands/history/history.test.ts',
  'record/git/remote.test.ts',
  'commands/status/status.test.ts',
  'session/required-tests.test.ts',
  'session/base/ancestry.test.ts',
  'commands/rollouts.test.ts',
  'session/base/changed-since.test.ts',
  'session/records/applier.test.ts',
  'session/base/base-rules.test.ts',
  'session/create-race.test.ts',
  'record/open-store.test.ts',
  'record/git/history.test.ts',
  'commands/publish/publish.test.ts',
  'session/unanswered-git.test.ts',
  'session/plans/plan-origin.test.ts',
];

/** Suites that wait for seconds. At the end of a run, they would leave processor cores idle. */
const waits = [
  'docs/recipes.test.ts',
  'e2e/action/checkout.test.ts',
  'e2e/action/drift-pull-request.test.ts',
  'e2e/action/saved-plan.test.ts',
  'docs/walks.test.ts',
  'docs/gitlab.test.ts',
  'e2e/record-forget.test.ts',
  'e2e/proxy.test.ts',
  'e2e/older-record.test.ts',
  'e2e/action/hostile.test.ts',
  'e2e/action/by-hand-rollback.test.ts',
  'e2e/git-store/failures.test.ts',
  'e2e/offline.test.ts',
  'service/retry.test.ts',
  'e2e/closed-pipe.test.ts',
  'e2e/action/by-hand-import.test.ts',
  'service/throttling.test.ts',
  'e2e/action/events.test.ts',
];

/**
 * The slowest suites in the order of their processor time. If a suite is missing in this list, it only starts later.
 */
const slowest = [
  ...startsGit,
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
  'long/record/git/store.test.ts',
  'long/record/newer-versions.test.ts',
  'long/commands/rollback/versions.test.ts',
  'long/commands/record/moved-project.test.ts',
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
  'commands/apply/answers.test.ts',
  'commands/import/fleet.test.ts',
  'sources.test.ts',
  'e2e/typed-credentials.test.ts',
  'e2e/action/plan.test.ts',
  'e2e/habits.test.ts',
  'action/github/plan-comment.test.ts',
  'e2e/update.test.ts',
  'e2e/new-agents.test.ts',
  'e2e/update-own.test.ts',
  'e2e/changed-since.test.ts',
  'e2e/cases.test.ts',
  'e2e/action/trust.test.ts',
  'e2e/action/apply.test.ts',
  'e2e/rollback/stores.test.ts',
  'e2e/action/policies.test.ts',
  'e2e/interrupt.test.ts',
  'e2e/task-upload.test.ts',
  'cli/options.test.ts',
  'e2e/update-merge.test.ts',
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
  'e2e/action/by-hand.test.ts',
  'session/sound-verdicts.test.ts',
  'e2e/independent/wrong-agent.test.ts',
  'e2e/status.test.ts',
  'e2e/unclear.test.ts',
  'e2e/startup.test.ts',
  'session/read/read-resources.test.ts',
  ...waits,
];

/**
 * Starts the suites that start git, and then the slowest, so that all workers end at about the same time, even on a
 * machine without earlier runs.
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
