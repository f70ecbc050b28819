import { readFile } from 'node:fs/promises';
import { AgentformError, reasonOf } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { isJsonObject } from '../kinds/json.ts';
import { planDigest, resourceDigest } from '../plan/digest.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { planFile } from '../schemas/plan-validators.js';

/** The newest format of plans that this agentform reads, and the one it writes. */
const planFormatVersion = 1;

/** Reads a saved plan and checks that nobody altered what its digests cover. */
export async function readSavedPlan(path: string): Promise<Plan> {
  const plan = checkedPlan(parsedJson(await textOf(path), path), path);
  const altered = plan.resources.find((resource) => resourceDigest(resource) !== resource.digest);
  if (altered === undefined && planDigest(plan.resources) === plan.digest) return plan;
  const what = altered === undefined ? 'its digest does' : `the digest of ${addressOf(altered)} does`;
  throw new AgentformError('plan-mismatch', `the plan ${path} was altered: ${what} not fit its contents; plan again`);
}

/** A plan whose reads failed says too little to be applied later. */
export function refuseIncomplete(plan: Plan, path: string): void {
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

function parsedJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, 'it is not JSON', cause);
  }
}

function checkedPlan(value: unknown, path: string): Plan {
  const version = isJsonObject(value) ? value.formatVersion : undefined;
  if (typeof version === 'number' && version > planFormatVersion) {
    throw unreadable(path, `it has format version ${version} and this agentform reads up to ${planFormatVersion}`);
  }
  if (isPlan(value)) return value;
  const [violation] = planFile.errors ?? [];
  throw unreadable(
    path,
    `${violation?.instancePath || '/'} ${violation?.message ?? 'does not fit the schema of plans'}`,
  );
}

function isPlan(value: unknown): value is Plan {
  return planFile(value);
}

function unreadable(path: string, why: string, cause?: unknown): AgentformError {
  return new AgentformError('plan-unreadable', `the plan ${path} cannot be read: ${why}`, { cause });
}
