import TestSequencer from '@jest/test-sequencer';

/** What takes longest, in its order, but what waits for much beside what computes. What is missing here only starts later. */
const slowest = [
  'e2e/action/apply.test.ts',
  'e2e/action/plan.test.ts',
  'e2e/git-store/interrupt.test.ts',
  'record/postgres/store.test.ts',
  'e2e/stores.test.ts',
  'e2e/rollback/stores.test.ts',
  'record/stores.test.ts',
  'e2e/git-store/together.test.ts',
  'e2e/action/comments.test.ts',
  'e2e/action/by-hand.test.ts',
  'e2e/interrupt.test.ts',
  'e2e/action/hostile.test.ts',
  'e2e/action/drift-pull-request.test.ts',
  'manifest/resolve/outlines.test.ts',
  'session/base/changed-since.test.ts',
  'e2e/rollback/rollback.test.ts',
  'e2e/shared-process.test.ts',
  'e2e/rollback/kills.test.ts',
  'docs/recipes.test.ts',
  'manifest/hostile.test.ts',
  'e2e/action/trust.test.ts',
  'e2e/cases.test.ts',
  'record/git/store.test.ts',
  'fuzz/answers.test.ts',
  'record/kills.test.ts',
  'e2e/older-commit.test.ts',
  'secrets/redact.test.ts',
  'e2e/action/by-hand-update.test.ts',
  'e2e/action/by-hand-import.test.ts',
  'fuzz/lost-answers.test.ts',
  'e2e/action/postgres.test.ts',
  'e2e/action/records.test.ts',
  'e2e/action/offline.test.ts',
  'emulator/tasks.test.ts',
  'e2e/record-move.test.ts',
  'e2e/lifecycle.test.ts',
  'fuzz/manifests.test.ts',
  'e2e/git-store/apply.test.ts',
  'e2e/git-store/failures.test.ts',
  'commands/import/import.laws.test.ts',
  'fuzz/records.test.ts',
  'regexes.test.ts',
  'e2e/action/checkout.test.ts',
  'e2e/action/by-hand-environments.test.ts',
  'record/git/remote.test.ts',
  'commands/update/update.laws.test.ts',
  'fuzz/plans.test.ts',
  'e2e/secrets.test.ts',
  'session/base/ancestry.test.ts',
  'e2e/task-upload.test.ts',
  'record/newer-versions.test.ts',
];

/** Starts the slowest suites first, so that all workers end together, on a machine that has never run them too. */
export default class SlowestFirst extends TestSequencer {
  sort(suites) {
    const place = ({ path }) => {
      const at = slowest.findIndex((name) => path.endsWith(`/test/${name}`));
      return at < 0 ? slowest.length : at;
    };
    return super.sort(suites).sort((one, other) => place(one) - place(other));
  }
}
