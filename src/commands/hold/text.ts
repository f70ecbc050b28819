import { commandIn } from '../../kinds/desired.ts';
import { listSome } from '../../text/wording.ts';
import type { HeldResources } from './hold.ts';

export function heldText({ environment, resources }: HeldResources): string {
  return (
    `Held ${listSome(resources, 5)} in ${environment}. Apply leaves ${resources.length === 1 ? 'it as it is' : 'them as they are'}; to release, ` +
    `run ${commandIn(environment, `unhold ${resources.length === 1 ? resources[0] : 'NAMES'}`)}.\n`
  );
}

export function releasedText({ environment, resources, unchanged }: HeldResources): string {
  if (resources.length === 0)
    return `Nothing to release: ${listSome(unchanged, 5)} ${unchanged.length === 1 ? 'is' : 'are'} not held.\n`;
  return `Released ${listSome(resources, 5)} in ${environment}. Run ${commandIn(environment, 'plan')} to see what applies now.\n`;
}
