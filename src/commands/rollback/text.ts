import { addressOf, commandIn } from '../../kinds/desired.ts';
import { listSome } from '../../text/wording.ts';
import type { ApplyResult } from './rollback.ts';

/** The next step: the manifests still have the rolled-back values. Empty where nothing was. */
export function rollbackNotice({ ledger: { environment, entries } }: ApplyResult): string {
  const restored = entries.filter(({ outcome }) => outcome === 'applied').map(addressOf);
  if (restored.length === 0) {
    const isThere = entries.length > 0 && entries.every(({ outcome }) => outcome === 'unchanged');
    const [have, which] = entries.length === 1 ? ['has', 'that version'] : ['have', 'those versions'];
    return isThere
      ? `Nothing to roll back: ${listSome(entries.map(addressOf), 3)} already ${have} the values of ${which}.\n`
      : '';
  }
  const names = listSome(restored, 3);
  const [verb, word] = restored.length === 1 ? ['is', restored[0] ?? ''] : ['are', 'NAMES'];
  return (
    `${names} ${verb} held: apply leaves ${restored.length === 1 ? 'it' : 'them'} as restored until the manifest changes.\n` +
    `To copy the restored values into the manifest, run ${commandIn(environment, `update ${word}`)}.\n` +
    `To apply the manifest as it is, first run ${commandIn(environment, `unhold ${word}`)}.\n`
  );
}
