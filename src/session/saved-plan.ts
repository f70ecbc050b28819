import { AgentformError, reasonOf } from '../errors.ts';
import { readText } from '../files/output-file.ts';
import { checkedBy } from '../json/check.ts';
import { readDocument } from '../json/document.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import type { Problem } from '../manifest/syntax/problem.ts';
import { disagreementIn } from '../plan/agreement.ts';
import { assemblePlan } from '../plan/plan.ts';
import type { Plan } from '../schemas/plan-types.ts';
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
