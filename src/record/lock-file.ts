import { type Lock, lockFile } from '../files/lock.ts';
import { type Shard, shardText } from '../kinds/shard.ts';

export interface LockPlace {
  /** The folder below which nothing may be a link. */
  readonly root: string;
  /** The folder of the locks, from there. */
  readonly folder: string;
  /** The end of their names. */
  readonly suffix: string;
}

/**
 * Takes the lock of an environment, or of one of its shards. Shards of one number lock each other out no more than two
 * environments do; a run over all of the environment, or with shards of another number, does.
 */
export function lockEnvironment(
  { root, folder, suffix }: LockPlace,
  environment: string,
  shard: Shard | undefined,
): Promise<Lock> {
  return lockFile(root, `${folder}/${scopeName(environment, shard)}${suffix}`, {
    what: lockedNoun(environment, shard),
    rival: (name) => {
      const other = scopeOf(name, environment, suffix);
      return other !== undefined && other.shard?.of !== shard?.of ? lockedNoun(environment, other.shard) : undefined;
    },
  });
}

/** The purpose of a lock of an environment or a shard, as a noun. */
export function lockedNoun(environment: string, shard: Shard | undefined): string {
  const whole = `the environment ${environment}`;
  return shard === undefined ? whole : `shard ${shardText(shard)} of ${whole}`;
}

/** The name of a file for an environment or one of its shards: names of environments have no dots. */
export function scopeName(environment: string, shard: Shard | undefined): string {
  return shard === undefined ? environment : `${environment}.${shard.number}-of-${shard.of}`;
}

/** The environment or shard of a file name; undefined for any other file. */
export function scopeOf(name: string, environment: string, suffix: string): { readonly shard?: Shard } | undefined {
  if (!name.startsWith(environment) || !name.endsWith(suffix)) return undefined;
  const rest = name.slice(environment.length, name.length - suffix.length);
  if (rest === '') return {};
  const [, number, of] = /^\.([1-9]\d{0,3})-of-([1-9]\d{0,3})$/.exec(rest) ?? [];
  return number === undefined ? undefined : { shard: { number: Number(number), of: Number(of) } };
}
