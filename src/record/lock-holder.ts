import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds a lock, as its file says. */
export interface LockHolder {
  readonly host: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** Random: tells this lock from any other of a process of the same number. Whoever writes it renews the file. */
  readonly id?: string;
  /** The boot and the process namespace that the process number counts in; on Linux only. */
  readonly namespace?: string;
  /** When the process started, in clock ticks since that boot; on Linux only. */
  readonly started?: string;
}

/** How often a holder renews its file, and after how long without that it counts as gone; in milliseconds. */
export const renewal = { every: 15_000, expires: 120_000 } as const;
/** agentform 0.1 does not renew its locks, and no apply takes that long. */
const dayOfMilliseconds = 86_400_000;

/** What this process writes into a lock that it takes. */
export function thisHolder(): LockHolder {
  const namespace = ownNamespace();
  const started = startOf(process.pid);
  return {
    host: ownHost(),
    pid: process.pid,
    since: new Date().toISOString(),
    id: randomUUID(),
    ...(namespace !== undefined && started !== undefined && { namespace, started }),
  };
}

/** The holder that a lock's text names; undefined if it is not one that agentform wrote. Safe to be shown. */
export function parseHolder(text: string): LockHolder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isHolder(value) ? value : undefined;
}

/**
 * Whether a holder may still be at work. A process number alone says little: it is given again, and in a container it
 * always is the same. So the start of the process decides where it can be seen; elsewhere it is whether the lock was
 * renewed lately. `age` is how long ago the file was written, in milliseconds.
 */
export function isAtWork(holder: LockHolder, age: number): boolean {
  const isRenewed = age < (holder.id === undefined ? dayOfMilliseconds : renewal.expires);
  if (holder.host !== ownHost()) return isRenewed;
  const { pid, namespace, started } = holder;
  if (namespace === undefined) return exists(pid) && (holder.id === undefined ? isNoPredecessor(holder) : isRenewed);
  if (namespace !== ownNamespace()) return isRenewed;
  const start = startOf(pid);
  return start === undefined ? exists(pid) && isRenewed : start === started;
}

/** A process with our number that took its lock before we started has ended. */
function isNoPredecessor({ pid, since }: LockHolder): boolean {
  return pid !== process.pid || Date.parse(since) >= Date.now() - process.uptime() * 1000;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== 'object' || value === null || !('host' in value && 'pid' in value && 'since' in value)) {
    return false;
  }
  const { host, pid, since, id, namespace, started } = value as Record<keyof LockHolder, unknown>;
  return (
    isText(host, /^[\w.-]{1,255}$/) &&
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    isText(since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/) &&
    [id, namespace, started].every((part) => part === undefined || isText(part, /^[\w:[\]-]{1,100}$/))
  );
}

function isText(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}

/** In the form of host names, whatever the machine is called. */
function ownHost(): string {
  return (
    hostname()
      .replace(/[^\w.-]/g, '-')
      .slice(0, 255) || 'unnamed'
  );
}

function ownNamespace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}-${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** The 22nd field; the second, in parentheses, is the name of the program and may hold anything. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
