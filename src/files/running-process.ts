import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCodeOf } from '../errors.ts';

/** Identifies the process that wrote a file. */
export interface ProcessMark {
  readonly host: string;
  readonly pid: number;
  /** The system boot and the process namespace to which `pid` belongs. Set only on Linux. */
  readonly namespace?: string;
  /** The start time of the process, in clock ticks since that boot. Set only on Linux. */
  readonly started?: string;
}

export function thisProcess(): ProcessMark {
  const namespace = ownNamespace();
  const started = startedAt(process.pid);
  return {
    host: ownHost(),
    pid: process.pid,
    ...(namespace !== undefined && started !== undefined && { namespace, started }),
  };
}

/**
 * Returns whether a process is running. A process ID alone is not enough, because IDs are reused, and processes in
 * different containers often have the same ID. Returns undefined if the process is on another machine or in another
 * namespace. Also returns undefined if the result depends on the start time, but the start time is not visible.
 */
export function isRunning({ host, pid, namespace, started }: ProcessMark): boolean | undefined {
  if (host !== ownHost() || namespace !== (namespace && ownNamespace())) return undefined;
  const start = namespace && startedAt(pid);
  if (start !== undefined) return start === started;
  return exists(pid) ? undefined : false;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) === 'EPERM';
  }
}

/** Returns the name of this machine in at most 255 characters, with dashes in place of unusual characters. */
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

/**
 * Reads the start time of a process, the 22nd field in its `stat` file. The second field is the program name, which may
 * contain anything. Returns an empty string for a zombie, which keeps its process ID until its parent reaps it. Returns
 * undefined if the file is unreadable.
 */
function startedAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : fields[19];
  } catch {
    return undefined;
  }
}
