import { AgentformError, reasonOf } from '../../errors.ts';
import { ledgerForm, readText } from '../../files/output-file.ts';
import { checkedBy } from '../../json/check.ts';
import { readDocument } from '../../json/document.ts';
import { canonicalJson, isJsonObject } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { bareNotice, type Notice } from '../../notices/notice.ts';
import { expandPlan, type WrittenPlan } from '../../plan/compact.ts';
import { planChecksum, resourceDigest } from '../../plan/digest.ts';
import { assemblePlan, byKindAndName } from '../../plan/plan.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { planFile } from '../../schemas/plan-validators.js';

const newest = 1;
const check = checkedBy<WrittenPlan>(planFile, { showTexts: true });

/** More than any project's plan needs. */
const mostBytes = 64 * 2 ** 20;

/** Reads a saved plan, every change at its resource, however it was written; one that does not agree with itself is refused. */
export async function readSavedPlan(path: string): Promise<Plan> {
  let isLedger = false;
  const reading = readDocument(await planText(path), {
    newest,
    check: (json) => {
      isLedger = isJsonObject(json) && ledgerForm.isOne(json);
      return check(json);
    },
  });
  if (!reading.fits) throw unreadable(path, isLedger ? ofLedger : reading.problem);
  const found = contentsOf(reading.value);
  if (typeof found === 'string') {
    throw new AgentformError('plan-altered', `the plan ${path} was altered: ${found}; plan again`);
  }
  return found;
}

/**
 * The plan that was written, or where it does not agree with itself, as the end of a sentence.
 *
 * A person and an apply read different members of a plan. Altering one must be visible in the other: counts follow from
 * the resources, actions from the changes, digests from both, and the checksum covers what is left. A plan with a
 * forged checksum is consistent about its writes, and an apply still compares its digests with a fresh plan.
 */
export function contentsOf({ checksum, ...contents }: WrittenPlan): Plan | string {
  const plan = expandPlan(withoutMessages(contents));
  if (typeof plan === 'string') return plan;
  for (const [index, resource] of plan.resources.entries()) {
    const address = addressOf(resource);
    const before = plan.resources[index - 1];
    if (before !== undefined && byKindAndName(before, resource) > 0) return `${address} is out of order`;
    if (!hasActionOfChanges(resource)) return `the action of ${address} does not match its changes`;
    if (resourceDigest(resource) !== resource.digest) return `the digest of ${address} does not match its contents`;
  }
  const assembled = assemblePlan(plan);
  if (assembled.digest !== plan.digest) return 'its digest does not match its resources';
  if (canonicalJson(assembled.summary) !== canonicalJson(plan.summary))
    return 'its summary does not match its resources';
  return checksum === planChecksum(contents) ? plan : 'its checksum does not match its contents';
}

/** The sentences of notices are for people who read the file: what it says are the codes and the facts. */
function withoutMessages(plan: Omit<WrittenPlan, 'checksum'>): Omit<WrittenPlan, 'checksum'> {
  const { refusals, requires, groups, resources } = plan;
  return {
    ...plan,
    refusals: refusals.map(bareNotice),
    ...(requires && { requires: requires.map((one) => ({ ...one, notice: bareNotice(one.notice) })) }),
    ...(groups && { groups: groups.map(bare) }),
    resources: resources.map(bare),
  };
}

function bare<Saying extends { reasons?: Notice[]; warnings?: Notice[] }>(
  one: Saying,
): Saying | (Omit<Saying, 'reasons' | 'warnings'> & { reasons?: Notice[]; warnings?: Notice[] }) {
  const { reasons, warnings } = one;
  if ((reasons?.length ?? 0) + (warnings?.length ?? 0) === 0) return one;
  return {
    ...one,
    ...(reasons && { reasons: reasons.map(bareNotice) }),
    ...(warnings && { warnings: warnings.map(bareNotice) }),
  };
}

/** A ledger from `apply --report` is easily mistaken for a plan. */
const ofLedger =
  'it is the ledger of an apply, which does not hold earlier values; name the plan that `agentform plan --out FILE` saved';

/** An update has changes or a rename, a create may do without, and nothing else has any. */
function hasActionOfChanges({ action, changes, renamedFrom }: ResourcePlan): boolean {
  return action === 'create' || (action === 'update') === (changes.length > 0 || renamedFrom !== undefined);
}

/** A plan with failed reads, or made without any, is too incomplete to apply later. */
export function refuseIncomplete(plan: Plan, path: string): void {
  if (plan.offline !== undefined) {
    throw new AgentformError('plan-incomplete', `the plan was not saved to ${path}, because it was made offline`);
  }
  const failed = plan.resources.filter((resource) => resource.action === 'failed');
  if (failed.length === 0) return;
  const names = failed.map(addressOf).join(', ');
  throw new AgentformError('plan-incomplete', `the plan was not saved to ${path}, because reading ${names} failed`);
}

async function planText(path: string): Promise<string> {
  try {
    return await readText(path, mostBytes);
  } catch (cause) {
    throw unreadable(path, reasonOf(cause), cause);
  }
}

function unreadable(path: string, why: string, cause?: unknown): AgentformError {
  return new AgentformError('plan-unreadable', `the plan ${path} cannot be read: ${why}`, { cause });
}
