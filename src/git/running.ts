/** The process groups of the git that runs now, by the number of their first process. */
const running = new Set<number>();
const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Git in a group of its own goes on when this process ends, and may wait for a remote for ever: as long as it runs, it
 * ends with this process. Answers with what to call once it has ended.
 */
export function endWithThisProcess(pid: number | undefined): () => void {
  if (pid === undefined) return () => undefined;
  if (running.size === 0) listen();
  running.add(pid);
  return () => {
    running.delete(pid);
    if (running.size === 0) stopListening();
  };
}

/** Ends all of it. */
export function endGit(): void {
  for (const pid of running) endGroup(pid);
}

export function endGroup(pid: number | undefined): void {
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
