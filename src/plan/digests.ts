import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from '../json/json.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import { isPlanned, plannedAction } from './pending.ts';

/**
 * The digest of the facts that an approval of one resource covers. These are its target, its changes with both values,
 * and whether it is created, renamed or dropped. The digest does not cover `lastUpdate`, wording and causes, so that an
 * approval stays valid when these change. A waiting resource has the digest that it will have once its step is open.
 */
export function resourceDigest({
  kind,
  name,
  id,
  target,
  renamedFrom,
  ...planned
}: Pick<ResourcePlan, 'kind' | 'name' | 'id' | 'target' | 'action' | 'willBe' | 'renamedFrom' | 'changes'>): string {
  const action = plannedAction(planned);
  const does = { creates: action === 'create', forgets: action === 'forget' ? true : undefined };
  const changes = planned.changes.map(({ op, path, from, to }) => ({ op, path, from, to }));
  return textDigest(canonicalJson({ kind, name, id, target, renamedFrom, ...does, changes }));
}

/** The digest that an approval of a plan covers. It includes the resources to write now or in a later step. */
export function planDigest(resources: readonly Pick<ResourcePlan, 'action' | 'digest'>[]): string {
  return textDigest(canonicalJson(resources.filter(isPlanned).map(({ digest }) => digest)));
}

/** The SHA-256 digest of a string. */
export function textDigest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The length of a shortened digest: 96 bits as Base64. */
const shortLength = 16;

/** The first 96 bits of a digest `sha256:HEX`. Finding another change with the same bits is infeasible. */
export function shortDigest(digest: string): string {
  const bytes = Buffer.from(digest.replace(/^sha256:/, ''), 'hex').subarray(0, (shortLength * 3) / 4);
  return bytes.toString('base64');
}

/** Splits a string of concatenated short digests. */
export function shortDigestsIn(joined: string, length = shortLength): string[] {
  const count = Math.floor(joined.length / length);
  return Array.from({ length: count }, (_, at) => joined.slice(at * length, (at + 1) * length));
}

/**
 * The final member of a written plan: a checksum of the preceding text. The checksum also covers parts without a
 * digest, such as causes. The checksum has no key, so it detects damage but not forgery.
 */
export function checksumMember(before: Hash): string {
  return `  "checksum": "sha256:${before.digest('hex')}"`;
}
