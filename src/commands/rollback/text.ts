import { addressOf } from '../../kinds/desired.ts';
import { type Remedy, remedyIn } from '../../notices/notice.ts';
import { remedyText } from '../../report/notices.ts';
import { listSome } from '../../text/wording.ts';
import type { ApplyResult } from './rollback.ts';

/** The commands that go on from there. */
export function rollbackRemedies({ ledger: { environment, entries } }: ApplyResult): Remedy[] {
  const restored = entries.filter(({ outcome }) => outcome === 'applied').map(addressOf);
  const [only = '', ...others] = restored;
  const word = others.length > 0 ? 'NAMES' : only;
  return restored.length === 0 ? [] : [remedyIn(environment, 'update', word), remedyIn(environment, 'unhold', word)];
}

/** What comes next: the manifests still ask for what was rolled back. Empty where nothing was. */
export function rollbackNotice(result: ApplyResult): string {
  const { entries } = result.ledger;
  const restored = entries.filter(({ outcome }) => outcome === 'applied').map(addressOf);
  if (restored.length === 0) {
    const isThere = entries.length > 0 && entries.every(({ outcome }) => outcome === 'unchanged');
    const [have, which] = entries.length === 1 ? ['has', 'that version'] : ['have', 'those versions'];
    return isThere
      ? `Nothing to roll back: ${listSome(entries.map(addressOf), 3)} already ${have} the values of ${which}.\n`
      : '';
  }
  const names = listSome(restored, 3);
  const verb = restored.length === 1 ? 'is' : 'are';
  const [update = '', unhold = ''] = rollbackRemedies(result).map(remedyText);
  return (
    `${names} ${verb} held: apply leaves ${restored.length === 1 ? 'it' : 'them'} as restored until the manifest changes.\n` +
    `To copy the restored values into the manifest, run ${update}.\n` +
    `To apply the manifest as it is, first run ${unhold}.\n`
  );
}
