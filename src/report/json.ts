import type { Ledger, PublishLedger } from '../apply/events.ts';
import { compactPlan, writtenPlan } from '../plan/compact.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { visibleJson } from '../text/visible.ts';

/** The plan as data; what resources share is written once, unless it is to be expanded. */
export function renderPlanJson(plan: Plan, { expand = false }: { readonly expand?: boolean } = {}): string {
  return asJson(writtenPlan(expand ? plan : compactPlan(plan)));
}

/** What drifted as data. */
export function renderDriftJson(drift: Drift): string {
  return asJson(drift);
}

/** The end of an apply or a publish as data. */
export function renderLedgerJson(ledger: Ledger | PublishLedger): string {
  return asJson(ledger);
}

/** Any value as JSON that is safe on a terminal. */
export function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
