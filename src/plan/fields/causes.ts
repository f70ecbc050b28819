// The truth tables for differences. W is the wanted value, H the live value, and L the last applied value. – means
// absent.
import type { Change } from '../../schemas/plan-types.ts';

export interface CauseVerdict {
  readonly op: 'set' | 'unset';
  readonly cause: Change['cause'];
}

/** The relation between the wanted, live and last applied values of a readable field or of a whole list element. */
interface SidesCompared {
  readonly wanted: boolean;
  readonly live: boolean;
  readonly last: boolean;
  readonly liveIsLast: boolean;
  readonly wantedIsLast: boolean;
  /** Whether the wanted text contains every live edit in addition to the edits in the manifest. */
  readonly wantedHoldsLive: boolean;
}

/**
 * Decides the cause of a difference between wanted (W) and live (H), given last applied (L). Returns undefined if no
 * change is needed. A field is unset only if the last apply set it. A field that was never applied is not managed.
 *
 * | W | H      | L | verdict         |
 * |---|--------|---|-----------------|
 * | 1 | –      | – | set, manifest   |
 * | 2 | 1      | 1 | set, manifest   |
 * | 1 | 2 or – | 1 | set, drift      |
 * | 3 | 2 or – | 1 | set, conflict; or set, manifest if text 3 includes the edits from 1 to 2 |
 * | 2 | 1      | – | set, adopt      |
 * | – | 1      | 1 | unset, manifest |
 * | – | 2      | 1 | unset, conflict |
 * | – | –      | 1 | nothing         |
 * | – | any    | – | nothing         |
 */
export function causeOfDifference({
  wanted,
  live,
  last,
  liveIsLast,
  wantedIsLast,
  wantedHoldsLive,
}: SidesCompared): CauseVerdict | undefined {
  if (!wanted) {
    if (!live || !last) return undefined;
    return { op: 'unset', cause: liveIsLast ? 'manifest' : 'conflict' };
  }
  if (!last) return { op: 'set', cause: live ? 'adopt' : 'manifest' };
  if (liveIsLast || wantedHoldsLive) return { op: 'set', cause: 'manifest' };
  return { op: 'set', cause: wantedIsLast ? 'drift' : 'conflict' };
}

/**
 * Decides the cause for a write-only field, whose live value is unknown. `touched` means that the agent may have been
 * edited since the last apply.
 *
 * | W | L      | touched | verdict         |
 * |---|--------|---------|-----------------|
 * | 1 | 1      | no      | nothing         |
 * | 1 | 1      | yes     | set, unverified |
 * | 2 | 1 or – | any     | set, manifest   |
 * | – | 1      | any     | unset, manifest |
 */
export function causeOfUnreadable(relation: {
  readonly wanted: boolean;
  readonly last: boolean;
  readonly wantedIsLast: boolean;
  readonly touched: boolean;
}): CauseVerdict | undefined {
  if (!relation.wanted) return relation.last ? { op: 'unset', cause: 'manifest' } : undefined;
  if (!relation.wantedIsLast) return { op: 'set', cause: 'manifest' };
  return relation.touched ? { op: 'set', cause: 'unverified' } : undefined;
}
