import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from '../json/json.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import { isPending } from './pending.ts';

/**
 * The parts of one resource that an approval covers: its target, the operations and the values before them, a rename,
 * and a dropped record. `lastUpdate`, wording and causes are not part of it, so that they may move without the approval
 * lapsing.
 */
export function resourceDigest(
  resource: Pick<ResourcePlan, 'kind' | 'name' | 'id' | 'target' | 'action' | 'renamedFrom' | 'changes'>,
): string {
  const changes = resource.changes.map(({ op, path, from, to }) => ({ op, path, from, to }));
  return digestOf({ ...pick(resource), changes });
}

/** The parts of a plan that an approval covers: the resources with changes. */
export function planDigest(resources: readonly ResourcePlan[]): string {
  return planDigestOf(resources.filter(isPending).map((resource) => resource.digest));
}

/** The same by the digests of the resources with changes. */
export function planDigestOf(digests: readonly string[]): string {
  return digestOf(digests);
}

function pick({ kind, name, id, target, action, renamedFrom }: Parameters<typeof resourceDigest>[0]) {
  const forgets = action === 'forget' ? true : undefined;
  return { kind, name, id, target, creates: action === 'create', renamedFrom, forgets };
}

function digestOf(value: unknown): string {
  return textDigest(canonicalJson(value));
}

/** The digest of a text. */
export function textDigest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * The last member of a written plan: the checksum of the text before it, for what no digest covers, such as causes and
 * reasons. It has no key, so it does not show who wrote the plan.
 */
export function checksumMember(before: Hash): string {
  return `  "checksum": "sha256:${before.digest('hex')}"`;
}
