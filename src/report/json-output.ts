import type { Ledger, PublishLedger } from '../apply/events.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { Explanation } from './explanation.ts';
import type { TakeBack } from './take-back.ts';
import { visibleJson } from './visible-text.ts';

/** The plan as data. */
export function renderPlanJson(plan: Plan): string {
  return asJson(plan);
}

/** What drifted as data. */
export function renderDriftJson(drift: Drift): string {
  return asJson(drift);
}

/** The end of an apply or a publish as data. */
export function renderLedgerJson(ledger: Ledger | PublishLedger): string {
  return asJson(ledger);
}

/** What explain tells, as data. */
export function renderExplanationJson(explanation: Explanation): string {
  return asJson(explanation);
}

/** What taking back did, as data. */
export function renderTakeBackJson(result: TakeBack): string {
  return asJson(result);
}

/** Any value as JSON that is safe on a terminal. */
export function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
