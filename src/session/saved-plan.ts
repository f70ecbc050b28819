import { AgentformError, reasonOf } from '../errors.ts';
import { readText } from '../files/output-file.ts';
import { checkedBy } from '../json/check.ts';
import { readDocument } from '../json/document.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import type { Problem } from '../manifest/syntax/problem.ts';
import { resourceDigest } from '../plan/digest.ts';
import { assemblePlan, byKindAndName } from '../plan/plan.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { planFile } from '../schemas/plan-validators.js';

const newest = 2;
const check = checkedBy<Plan>(planFile, { showTexts: true });

/** More than any project's plan has. */
const mostBytes = 64 * 2 ** 20;

export interface SavedPlan {
  readonly plan: Plan;
  /** What somebody who relies on the plan has to know about it. */
  readonly warnings: readonly Problem[];
}

/** Reads a saved plan; one that does not agree with itself is refused. */
export async function readSavedPlan(path: string): Promise<SavedPlan> {
  let isOlder = false;
  const reading = readDocument(await planText(path), {
    newest,
    check: (json) => {
      if (!isVersion1(json)) return check(json);
      isOlder = true;
      // It knows of no records that are dropped.
      const summary = isJsonObject(json.summary) ? { ...json.summary, forget: 0 } : json.summary;
      return check({ ...json, formatVersion: newest, checksum: '', summary });
    },
  });
  if (!reading.fits) throw unreadable(path, reading.flaw);
  const plan = isOlder ? { ...reading.value, checksum: assemblePlan(reading.value).checksum } : reading.value;
  const disagreement = disagreementIn(plan);
  if (disagreement === undefined) return { plan, warnings: isOlder ? [withoutChecksum(path)] : [] };
  throw new AgentformError('plan-altered', `the plan ${path} was altered: ${disagreement}; plan again`);
}

/**
 * Where a plan that was saved does not agree with itself, as the end of a sentence; undefined where it does.
 *
 * What a person reads of a plan and what an apply takes from it are different members of it. Whoever alters a plan must
 * not be able to alter the one without the other: counts follow from the resources, actions from the changes, digests
 * from both, and the checksum covers what is left. An altered plan with a checksum made for it says the same of its
 * writes everywhere, and an apply still compares its digests with those of the plan that it makes itself.
 */
export function disagreementIn(plan: Plan): string | undefined {
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
  return assembled.checksum === plan.checksum ? undefined : 'its checksum does not match its contents';
}

/** An update has changes or a rename, a create may do without, and nothing else has any. */
function hasActionOfChanges({ action, changes, renamedFrom }: ResourcePlan): boolean {
  return action === 'create' || (action === 'update') === (changes.length > 0 || renamedFrom !== undefined);
}

/** Agentform 0.1 wrote these. With a checksum, it is a plan of version 2 that somebody altered. */
function isVersion1(json: unknown): json is JsonObject {
  return isJsonObject(json) && json.formatVersion === 1 && !Object.hasOwn(json, 'checksum');
}

function withoutChecksum(path: string): Problem {
  const message =
    `the plan ${path} was saved by agentform 0.1, without a checksum: its changes and counts match, but its causes, ` +
    'reasons and warnings may have been altered; plan again before you rely on them';
  return { severity: 'warning', rule: 'plan-older', message };
}

/** A plan whose reads failed, or that was made without any, says too little to be applied later. */
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
