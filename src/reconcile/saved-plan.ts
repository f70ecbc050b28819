import { readFile } from 'node:fs/promises';
import { AgentformError, reasonOf } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { readDocument } from '../kinds/document.ts';
import { checkedBy } from '../kinds/shape.ts';
import { planDigest, resourceDigest } from '../plan/digest.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { planFile } from '../schemas/plan-validators.js';

/** The plans that this agentform reads; it writes the newest. */
const form = { newest: 1, check: checkedBy<Plan>(planFile, { showTexts: true }) };

/** Reads a saved plan and checks that nobody altered what its digests cover. */
export async function readSavedPlan(path: string): Promise<Plan> {
  const reading = readDocument(await textOf(path), form);
  if (!reading.fits) throw unreadable(path, reading.flaw);
  const plan = reading.value;
  const altered = plan.resources.find((resource) => resourceDigest(resource) !== resource.digest);
  if (altered === undefined && planDigest(plan.resources) === plan.digest) return plan;
  const what = altered === undefined ? 'its digest does' : `the digest of ${addressOf(altered)} does`;
  throw new AgentformError('plan-mismatch', `the plan ${path} was altered: ${what} not fit its contents; plan again`);
}

/** A plan whose reads failed, or that was made without any, says too little to be applied later. */
export function refuseIncomplete(plan: Plan, path: string): void {
  if (plan.offline !== undefined) {
    throw new AgentformError('plan-incomplete', `the plan is not saved to ${path}, because it was made offline`);
  }
  const failed = plan.resources.filter((resource) => resource.action === 'failed');
  if (failed.length === 0) return;
  const names = failed.map(addressOf).join(', ');
  throw new AgentformError('plan-incomplete', `the plan is not saved to ${path}, because reading ${names} failed`);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, reasonOf(cause), cause);
  }
}

function unreadable(path: string, why: string, cause?: unknown): AgentformError {
  return new AgentformError('plan-unreadable', `the plan ${path} cannot be read: ${why}`, { cause });
}
