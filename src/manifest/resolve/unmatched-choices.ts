import { addressOf } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import { type ProjectTest, testsFor } from '../../testing/project-test.ts';
import { nearest } from '../../text/suggest.ts';
import { hasWildcard } from '../../text/wildcard.ts';
import { quote } from '../../text/wording.ts';
import { errorAt, type Problem } from '../../yaml/problem.ts';
import type { Gathered } from '../fleet/gather-manifests.ts';
import type { ManifestIdentity } from './resolution.ts';

interface Choosing {
  /** What the environment has. */
  readonly agents: readonly ManifestIdentity[];
  readonly environment: string;
  /** The environment requires its Tests to pass. */
  readonly isRequired: boolean;
}

/**
 * What a Test says that it is about and the environment has nothing of: its cases would pass unplayed. That is an error for a
 * name that no environment has, and for a required Test that is about nobody at all.
 */
export function unmatchedChoices(
  { tests, elsewhere }: Pick<Gathered, 'tests' | 'elsewhere'>,
  { agents: named, environment, isRequired }: Choosing,
): Problem[] {
  const meant = testsFor(tests, environment);
  if (meant.length === 0) return [];
  const agents = named.filter((one) => kindOf(one)?.takesCalls);
  const others = elsewhere.filter((one) => kindOf(one)?.takesCalls);
  const names = [...agents, ...others].map(({ name }) => name);
  const suggestion = (text: string) => {
    const renamed = agents.find(({ renamedFrom }) => renamedFrom.some(({ name }) => name === text))?.name;
    const meant = renamed ?? nearest(text, names);
    return meant === undefined ? '' : `; did you mean '${meant}'?`;
  };
  const problemsOf = ({ file, choices }: ProjectTest): Problem[] => {
    const missing = choices.filter(({ includes }) => !agents.some(includes));
    const isUnplayed = isRequired && missing.length === choices.length && missing.length > 0;
    const unplayed = `so the cases of ${addressOf(file)} are not played`;
    return missing.map(({ text, at }): Problem => {
      const isName = file.selector === undefined && !hasWildcard(text);
      const isElsewhere = isName ? others.some(({ name }) => name === text) : others.length > 0;
      if (isName && !isElsewhere) {
        return errorAt(at, 'test-agent', `no environment has an Agent ${quote(text)}, ${unplayed}${suggestion(text)}`);
      }
      const message = `no Agent of the environment matches ${quote(text)}, ${unplayed}`;
      if (isUnplayed && !isElsewhere) {
        return errorAt(at, 'test-agent', `${message}, and ${environment} requires its Tests`);
      }
      return { severity: 'warning', rule: 'test-unmatched', message, at };
    });
  };
  return meant.flatMap(problemsOf);
}
