import type { ChildProcess } from 'node:child_process';

/** The first processes of the groups of the git that runs now. */
const running = new Set<ChildProcess>();
const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Git in a group of its own goes on when this process ends, and may wait for a remote for ever: as long as it runs, it ends
 * with this process. Signals are listened to before it starts, so that one that comes meanwhile ends it as well.
 */
export function startedWithThisProcess<Child extends ChildProcess>(start: () => Child): Child {
  if (running.size === 0) listen();
  try {
    const child = start();
    running.add(child);
    return child.once('close', () => {
      running.delete(child);
      stopIfIdle();
    });
  } catch (error) {
    stopIfIdle();
    throw error;
  }
}

function stopIfIdle(): void {
  if (running.size === 0) stopListening();
}

/** Ends all of it. */
export function endGit(): void {
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

function listen(): void {
  process.on('exit', endGit);
  for (const signal of signals) process.on(signal, endBySignal);
}

function stopListening(): void {
  process.off('exit', endGit);
  for (const signal of signals) process.off(signal, endBySignal);
}

/** Where nobody else answers a signal, the process ends by it, as it would have. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  endGit();
  stopListening();
  process.kill(process.pid, signal);
}
