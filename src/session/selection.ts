import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import type { LimitedManifest } from '../manifest/resolve/resolution.ts';
import { matchesWildcard, parseWildcard } from '../text/wildcard.ts';
import { joinWithAnd, listSome } from '../text/wording.ts';

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

/** What names may select in one environment of a project. */
export interface Selectable {
  readonly environment: string;
  readonly all: readonly Named[];
  /** Manifests that are limited to other environments. */
  readonly elsewhere: readonly LimitedManifest[];
  /** Addresses of what is removed for good, which only has a record. */
  readonly removed: readonly string[];
}

/** Every name must select something: a misspelt one is not to pass as "nothing to do". */
export function requireMatches(names: readonly string[], { environment, all, elsewhere, removed }: Selectable): void {
  const known = [...all.map(addressOf), ...removed];
  const unmatched = names.filter((name) => !known.some(selector([name])));
  if (unmatched.length === 0) return;
  const limited = elsewhere.find((one) => selector(unmatched)(addressOf(one)));
  throw new AgentformError(
    'selection-empty',
    limited === undefined
      ? `no resource matches ${unmatched.join(', ')}; the project has ${listSome(all.map(addressOf), 10) || 'none'}`
      : `${addressOf(limited)} is not in the environment ${environment}: its onlyIn limits it to ${joinWithAnd(limited.onlyIn)}`,
    { facts: { unmatched } },
  );
}
