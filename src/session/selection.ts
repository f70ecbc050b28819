import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { matchesWildcard, parseWildcard } from '../text/wildcard.ts';
import { listSome } from '../text/wording.ts';

interface Named {
  readonly kind: string;
  readonly name: string;
}

/**
 * Which resources the names given by a user select: `front-desk`, `Agent/front-desk`, or with `*` and `?` as in a
 * shell. No name at all selects everything.
 */
export function selector(names: readonly string[]): (address: string) => boolean {
  const patterns = names.map((name) => ({ tokens: parseWildcard(name), withKind: name.includes('/') }));
  return (address) =>
    patterns.length === 0 ||
    patterns.some(({ tokens, withKind }) =>
      matchesWildcard(tokens, withKind ? address : address.replace(/^[^/]*\//, '')),
    );
}

/** Every name must select something: a misspelt one is not to pass as "nothing to do". */
export function requireMatches(names: readonly string[], resources: readonly Named[]): void {
  const unmatched = names.filter((name) => !resources.map(addressOf).some(selector([name])));
  if (unmatched.length === 0) return;
  const known = listSome(resources.map(addressOf), 10);
  throw new AgentformError(
    'selection-empty',
    `no resource matches ${unmatched.join(', ')}; the project has ${known || 'none'}`,
    { facts: { unmatched } },
  );
}
