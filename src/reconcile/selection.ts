import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';

interface Named {
  readonly kind: string;
  readonly name: string;
}

/**
 * Which resources the names given by a user select: `front-desk`, `Agent/front-desk`, or with `*` and `?` as in a
 * shell. No name at all selects everything.
 */
export function selector(names: readonly string[]): (address: string) => boolean {
  const patterns = names.map((name) => ({ name, withKind: name.includes('/') }));
  return (address) =>
    patterns.length === 0 ||
    patterns.some(({ name, withKind }) => matchesGlob(name, withKind ? address : address.replace(/^[^/]*\//, '')));
}

/** Every name must select something: a misspelt one is not to pass as "nothing to do". */
export function requireMatches(names: readonly string[], resources: readonly Named[]): void {
  const unmatched = names.filter((name) => !resources.map(addressOf).some(selector([name])));
  if (unmatched.length === 0) return;
  const known = resources.map(addressOf).slice(0, 10).join(', ');
  const more = resources.length > 10 ? `, and ${resources.length - 10} more` : '';
  throw new AgentformError(
    'selection-empty',
    `no resource matches ${unmatched.join(', ')}; the project has ${known === '' ? 'none' : known}${more}`,
    { facts: { unmatched } },
  );
}

/**
 * Whether the whole text matches. Where what follows a star does not go on, only that star takes one character more,
 * never an earlier one, so that many stars cost no more than the product of both lengths.
 */
function matchesGlob(glob: string, text: string): boolean {
  let [inGlob, inText, star, starEnd] = [0, 0, -1, 0];
  while (inText < text.length) {
    const expected = glob[inGlob];
    if (expected === '*') {
      [star, starEnd] = [inGlob, inText];
      inGlob += 1;
    } else if (expected === '?' || expected === text[inText]) {
      inGlob += 1;
      inText += 1;
    } else if (star >= 0) {
      starEnd += 1;
      [inGlob, inText] = [star + 1, starEnd];
    } else return false;
  }
  return /^\**$/.test(glob.slice(inGlob));
}
