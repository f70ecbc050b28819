import type { Change } from '../schemas/plan-types.ts';

/** Whether a change undoes, or meets, an edit that was made on the service since the last apply, and that the read shows. */
export function isLiveEdit({ cause, knowledge }: Pick<Change, 'cause' | 'knowledge'>): boolean {
  return (cause === 'drift' || cause === 'conflict') && knowledge === 'compared';
}
