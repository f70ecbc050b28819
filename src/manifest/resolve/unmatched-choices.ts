import { addressOf } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import { type ProjectTest, testsFor } from '../../testing/project-test.ts';
import { quote } from '../../text/wording.ts';
import type { Problem } from '../syntax/problem.ts';
import type { ManifestIdentity } from './resolution.ts';

/** What a Test says that it is about and the environment has nothing of: its cases would pass unplayed. */
export function unmatchedChoices(
  tests: readonly ProjectTest[],
  named: readonly ManifestIdentity[],
  environment: string,
): Problem[] {
  const meant = testsFor(tests, environment);
  if (meant.length === 0) return [];
  const agents = named.filter((one) => kindOf(one)?.takesCalls);
  return meant.flatMap(({ file, choices }) =>
    choices
      .filter(({ includes }) => !agents.some(includes))
      .map(({ text, at }): Problem => {
        const message = `no Agent of the environment matches ${quote(text)}, so the cases of ${addressOf(file)} are not played`;
        return { severity: 'warning', rule: 'test-unmatched', message, at };
      }),
  );
}
