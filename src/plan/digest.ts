import { createHash, hash } from 'node:crypto';
import { canonicalJson, canonicalPieces } from '../json/json.ts';
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
  return digestOf(resources.filter(isPending).map((resource) => resource.digest));
}

/**
 * Covers everything in a written plan except the checksum itself, for members without another digest: causes,
 * knowledge, reasons, warnings, the environment. A plan of an older agentform may have other members than one of this.
 */
export function planChecksum({ checksum: _, ...written }: { checksum?: unknown; formatVersion?: unknown }): string {
  return digestOfPieces(canonicalPieces(written));
}

function pick({ kind, name, id, target, action, renamedFrom }: Parameters<typeof resourceDigest>[0]) {
  const forgets = action === 'forget' ? true : undefined;
  return { kind, name, id, target, creates: action === 'create', renamedFrom, forgets };
}

function digestOf(value: unknown): string {
  return textDigest(canonicalJson(value));
}

/** The digest of a text, as a plan names one. */
export function textDigest(text: string): string {
  return digestOfPieces([text]);
}

/** Equal for equal texts, and short: of thousands of texts, the keys are kept. */
export function keyOfText(text: string): string {
  return text.length > 64 ? hash('sha256', text, 'base64') : text;
}

function digestOfPieces(pieces: Iterable<string>): string {
  const digest = createHash('sha256');
  for (const piece of pieces) digest.update(piece);
  return `sha256:${digest.digest('hex')}`;
}
