import TestSequencer from '@jest/test-sequencer';

/** What takes longest, in its order. What is missing here only starts later. */
const slowest = [
  'e2e/month/month.test.ts',
  'e2e/action/apply.test.ts',
  'e2e/action/plan.test.ts',
  'e2e/secrets.test.ts',
  'e2e/limits.test.ts',
  'e2e/task-upload.test.ts',
  'e2e/action/comments.test.ts',
  'e2e/older-commit.test.ts',
  'e2e/git-store/together.test.ts',
  'e2e/package.test.ts',
  'e2e/moved.test.ts',
  'e2e/update.test.ts',
  'docs/recipes.test.ts',
  'e2e/hostile-console.test.ts',
  'e2e/independent/life.test.ts',
  'e2e/kinds.test.ts',
  'e2e/action/trust.test.ts',
  'e2e/cases.test.ts',
  'e2e/interrupt.test.ts',
  'e2e/independent/guards.test.ts',
  'e2e/action/by-hand.test.ts',
  'fuzz/answers.test.ts',
  'e2e/action/hostile.test.ts',
  'manifest/hostile.test.ts',
  'e2e/action/offline.test.ts',
  'e2e/independent/settings.test.ts',
  'e2e/record-move.test.ts',
  'commands/update/update.laws.test.ts',
  'e2e/masked-frames.test.ts',
  'e2e/explain.test.ts',
  'e2e/lifecycle.test.ts',
  'e2e/action/records.test.ts',
  'e2e/upgrade.test.ts',
  'e2e/unclear.test.ts',
  'e2e/inbox.test.ts',
  'e2e/older-record.test.ts',
  'e2e/init.test.ts',
  'e2e/task-create.test.ts',
  'commands/import/import.laws.test.ts',
  'record/newer-versions.test.ts',
  'record/git/store.test.ts',
  'regexes.test.ts',
  'e2e/github-format.test.ts',
  'secrets/redact.test.ts',
  'record/kills.test.ts',
  'e2e/show.test.ts',
  'fuzz/lost-answers.test.ts',
  'fuzz/records.test.ts',
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
