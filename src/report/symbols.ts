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
  update: { sign: '~', meaning: 'update', brush: 'update' },
  set: { sign: '+', meaning: 'set', brush: 'create' },
  unset: { sign: '-', meaning: 'unset', brush: 'unset' },
  release: { sign: '=', meaning: 'release (no longer managed)', brush: 'release' },
  none: { sign: '·', meaning: 'unchanged', brush: 'faint' },
  blocked: { sign: '!', meaning: 'blocked', brush: 'blocked' },
  failed: { sign: '✗', meaning: 'failed', brush: 'failed' },
  orphan: { sign: '?', meaning: 'orphan', brush: 'faint' },
} as const satisfies Record<string, PlanSymbol>;

export function symbolOfAction(action: ResourcePlan['action']): PlanSymbol {
  return signs[action];
}

/** A set of what was not there adds something. In a create that is said already. */
export function symbolOfChange({ op, from, cause }: Change, action?: ResourcePlan['action']): PlanSymbol {
  if (op === 'unset') return signs.unset;
  if (op === 'release') return signs.release;
  if (action === 'create') return signs.create;
  return from === undefined && cause !== 'unverified' ? signs.set : signs.update;
}
