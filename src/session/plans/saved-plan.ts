import { AgentformError, reasonOf } from '../../errors.ts';
import { ledgerForm, readText } from '../../files/output-file.ts';
import { checkedBy } from '../../json/check.ts';
import { readDocument } from '../../json/document.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../../json/json.ts';
import { mostManifests, packer, withPacked } from '../../json/packed.ts';
import { addressOf } from '../../kinds/desired.ts';
import { expandPlan, type WrittenPlan } from '../../plan/compact.ts';
import { planChecksum, resourceDigest } from '../../plan/digest.ts';
import { assemblePlan, byKindAndName } from '../../plan/plan.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { planFile } from '../../schemas/plan-validators.js';
import type { Problem } from '../../yaml/problem.ts';

const newest = 3;
const check = checkedBy<WrittenPlan>(planFile, { showTexts: true });

/** More than any project's plan has. */
const mostBytes = 64 * 2 ** 20;

export interface SavedPlan {
  /** With every change at its resource, however it was written. */
  readonly plan: Plan;
  /** The one that it was written in. */
  readonly formatVersion: number;
  /** What somebody who relies on the plan has to know about it. */
  readonly warnings: readonly Problem[];
}

/** The same plan, to be kept until the end of the run: an apply compares digests, and hardly ever asks for the changes of thousands. */
export function keptPlan(plan: Plan): Plan {
  if (plan.resources.length <= mostManifests) return plan;
  const pack = packer<Change[]>();
  return { ...plan, resources: plan.resources.map((one) => withPacked(one, { changes: pack(one.changes) })) };
}

/** Reads a saved plan; one that does not agree with itself is refused. */
export async function readSavedPlan(path: string): Promise<SavedPlan> {
  let written: JsonObject = {};
  const reading = readDocument(await planText(path), {
    newest,
    check: (json) => {
      if (isJsonObject(json)) written = json;
      return check(versionOf(json) === newest ? json : movedUp(json));
    },
  });
  if (!reading.fits) throw unreadable(path, ledgerForm.isOne(written) ? ofLedger : reading.problem);
  const found = contentsOf(reading.value, written);
  if (typeof found === 'string') {
    throw new AgentformError('plan-altered', `the plan ${path} was altered: ${found}; plan again`);
  }
  const formatVersion = versionOf(written);
  return { plan: found, formatVersion, warnings: formatVersion === 1 ? [withoutChecksum(path)] : [] };
}

/**
 * The plan that was written, or where it does not agree with itself, as the end of a sentence. For one of an older
 * format version, also how it was written: the checksum covers that, to the letter.
 *
 * What a person reads of a plan and what an apply takes from it are different members of it. Whoever alters a plan must
 * not be able to alter the one without the other: counts follow from the resources, actions from the changes, digests
 * from both, and the checksum covers what is left. An altered plan with a checksum made for it says the same of its
 * writes everywhere, and an apply still compares its digests with those of the plan that it makes itself.
 */
export function contentsOf(
  { checksum, ...contents }: WrittenPlan,
  written: { readonly formatVersion?: unknown } = contents,
): Plan | string {
  const plan = expandPlan(contents);
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
  if (versionOf(written) > 1 && checksum !== planChecksum(written)) {
    return 'its checksum does not match its contents';
  }
  return plan;
}

/** What `apply --report` saves is easily taken for a plan. */
const ofLedger =
  'it is the ledger of an apply, which does not hold earlier values; name the plan that `agentform plan --out FILE` saved';

/** An update has changes or a rename, a create may do without, and nothing else has any. */
function hasActionOfChanges({ action, changes, renamedFrom }: ResourcePlan): boolean {
  return action === 'create' || (action === 'update') === (changes.length > 0 || renamedFrom !== undefined);
}

/** Agentform 0.1 wrote version 1. With a checksum, it is a newer one that somebody altered. */
function versionOf(json: unknown): number {
  if (!isJsonObject(json)) return newest;
  if (json.formatVersion === 1) return Object.hasOwn(json, 'checksum') ? newest : 1;
  return json.formatVersion === 2 ? 2 : newest;
}

/** Version 2 had no groups, and neither version 1 nor early builds of version 2 had records that are dropped. */
function movedUp(json: unknown): unknown {
  if (!isJsonObject(json)) return json;
  const { summary } = json;
  const counts = isJsonObject(summary) ? { forget: 0, ...summary } : summary;
  return { ...json, formatVersion: newest, summary: counts };
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
