import { createHash } from 'node:crypto';

/** One part of an environment's resources, for a separate run. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** More jobs than any matrix has. */
export const mostShards = 1000;

/** Reads `2/4`; undefined for other texts. */
export function parseShard(text: string): Shard | undefined {
  const [, number, of] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const shard = { number: Number(number), of: Number(of) };
  return shard.number <= shard.of && shard.of <= mostShards ? shard : undefined;
}

/** The form that `parseShard` reads. */
export function shardText({ number, of }: Shard): string {
  return `${number}/${of}`;
}

/**
 * Whether a resource belongs to a shard: a hash of its name decides, or of the name that it refers to. So an
 * organization and everything in its account are in one shard, and so are an agent and its phone numbers, independent
 * of the rest of the project.
 */
export function isInShard(
  {
    name,
    organization,
    agent,
  }: { readonly name: string; readonly organization?: string | undefined; readonly agent?: string | undefined },
  { number, of }: Shard,
): boolean {
  const hash = createHash('sha256')
    .update(organization ?? agent ?? name)
    .digest()
    .readUIntBE(0, 6);
  return (hash % of) + 1 === number;
}
