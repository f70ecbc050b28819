import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

/** The first processes of the groups of the git that runs now. */
const running = new Set<ChildProcess>();

/** Git in a group of its own would go on when this process exits, and may wait for a remote for ever. */
export function endedOnExit<Child extends ChildProcess>(child: Child): Child {
  if (running.size === 0) process.on('exit', endGit);
  running.add(child);
  return child.once('close', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endGit);
  });
}

function endGit(): void {
  for (const child of running) endGroup(child);
}

/** Ends all that a process started. */
export function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/**
 * Runs "$@" until it ends, or until file descriptor 3 is closed: then the whole process group is killed. The other end of
 * it is in the process that started this one, which needs no handler of signals and may even be killed. A shell gives what
 * runs in the background no input unless it is named otherwise.
 */
const bound = `
exec 4<&0
"$@" <&4 3<&- 4<&- &
program=$!
{ read -r _ <&3; kill -KILL 0; } &
watcher=$!
wait $program
code=$?
kill -KILL $watcher
exit $code`;

/** Starts a program in a group of its own that ends with this process, however that ends. */
export function spawnBound(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const stdio = [...(Array.isArray(options.stdio) ? options.stdio : []), 'pipe' as const];
  const child = spawn('/bin/sh', ['-c', bound, 'sh', program, ...args], { ...options, detached: true, stdio });
  const [, , , tie] = child.stdio;
  // It is closed from the other side when the program has ended.
  tie?.on('error', () => undefined);
  return child;
}
