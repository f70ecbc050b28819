import type { Ledger } from '../apply/events.ts';
import type { Renderers } from './formats.ts';

/** How an apply or a rollback ended. */
export interface LedgerAnswer {
  readonly ledger: Ledger;
}

export const ledgerFormats: Renderers<LedgerAnswer, 'text' | 'json'> = {
  async text({ ledger }, { answerColor: color, width, process: { stdout, stderr } }) {
    // The plan is talk, the ledger the answer: who keeps the answer alone needs the reasons in it.
    const isBelowPlan = stdout.isTTY === true && stderr.isTTY === true;
    return (await import('../report/ledger/text.ts')).renderLedgerText(ledger, { color, width, isBelowPlan });
  },
  async json({ ledger }) {
    return (await import('../report/json.ts')).ledgerJson(ledger);
  },
};
