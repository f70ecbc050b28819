import type { Fault } from './faults.ts';
import type { OperationId } from './operations/operation.ts';

/** What befalls one request. */
export interface Strike {
  /** Milliseconds of all latencies together. */
  readonly delay: number;
  /** The fault besides latency, if any. */
  readonly fault: Fault | undefined;
}

interface Entry {
  readonly fault: Fault;
  matched: number;
  struck: number;
}

/**
 * Decides which faults strike, by counting requests alone, so that the same requests meet the same faults. Latencies
 * add up; of the other faults that are due the first in the list strikes, and the rest do not use up their `times`.
 */
export class FaultSchedule {
  #entries: readonly Entry[] = [];

  constructor(faults: readonly Fault[] = []) {
    this.replace(faults);
  }

  /** Starts counting anew, with these faults. */
  replace(faults: readonly Fault[]): void {
    this.#entries = faults.map((fault) => ({ fault, matched: 0, struck: 0 }));
  }

  /** The faults, with how many requests each has matched and struck. */
  list(): readonly (Fault & { readonly matched: number; readonly struck: number })[] {
    return this.#entries.map(({ fault, matched, struck }) => ({ ...fault, matched, struck }));
  }

  /** Counts a request of the operation. */
  next(operation: OperationId): Strike {
    const due = this.#entries.filter((entry) => isDue(entry, operation));
    const latencies = due.filter(({ fault }) => fault.kind === 'latency');
    const striking = due.find(({ fault }) => fault.kind !== 'latency');
    for (const entry of [...latencies, ...(striking ? [striking] : [])]) entry.struck += 1;
    const delay = latencies.reduce((sum, { fault }) => sum + (fault.ms ?? 0), 0);
    return { delay, fault: striking?.fault };
  }
}

function isDue(entry: Entry, operation: OperationId): boolean {
  const { operation: only = operation, skip = 0, every = 1, times = Infinity } = entry.fault;
  if (only !== operation) return false;
  entry.matched += 1;
  const turn = entry.matched - skip;
  return turn > 0 && turn % every === 0 && entry.struck < times;
}
