import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import type { Paint } from './paint.ts';

/** A sign before a line, its meaning for the legend, and its colour. */
export interface PlanSymbol {
  readonly sign: string;
  readonly meaning: string;
  readonly brush: keyof Paint;
}

const signs = {
  create: { sign: '+', meaning: 'create', brush: 'create' },
  update: { sign: '~', meaning: 'change', brush: 'update' },
  unset: { sign: '-', meaning: 'take away', brush: 'unset' },
  release: { sign: '=', meaning: 'stop managing', brush: 'release' },
  none: { sign: '·', meaning: 'unchanged', brush: 'faint' },
  blocked: { sign: '!', meaning: 'blocked', brush: 'blocked' },
  failed: { sign: '✗', meaning: 'failed', brush: 'failed' },
  orphan: { sign: '?', meaning: 'orphan', brush: 'faint' },
} as const satisfies Record<string, PlanSymbol>;

export function symbolOfAction(action: ResourcePlan['action']): PlanSymbol {
  return signs[action];
}

/** A set of what was not there reads as a creation. */
export function symbolOfChange({ op, from, cause }: Change): PlanSymbol {
  if (op === 'unset') return signs.unset;
  if (op === 'release') return signs.release;
  return from === undefined && cause !== 'unverified' ? signs.create : signs.update;
}
