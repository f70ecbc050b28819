import type { ApplyContext } from '../../src/apply/resource-apply.ts';
import { AgentformError } from '../../src/errors.ts';
import { addressOf } from '../../src/kinds/desired.ts';
import type { StoredRecord } from '../../src/record/store.ts';

/**
 * An independent implementation, in memory, of a store that shares records late. Other runs see only shared records. If
 * two runs change the same record, the change that is shared first wins.
 */
export interface LateStore {
  readonly store: ApplyContext['store'];
  /** A log of the shared changes. */
  readonly shared: string[];
  /** The addresses of the shared records. */
  readonly known: () => string[];
  /** Makes another run share a record of this address before the run under test shares its own. */
  readonly overtake: (address: string) => void;
  /** The error that later attempts to share records throw. */
  unreachable: Error | undefined;
}

export function lateStore(): LateStore {
  const saved = new Map<string, StoredRecord>();
  const overtaken = new Set<string>();
  const shared: string[] = [];
  let known: string[] = [];
  let versions = 0;
  const expectVersion = (address: string, expected: string | undefined) => {
    if (saved.get(address)?.version !== expected) throw moved([address]);
  };
  const late: LateStore = {
    shared,
    known: () => known,
    overtake: (address) => void overtaken.add(address),
    unreachable: undefined,
    store: {
      sharesAtOnce: false,
      read: async (key) => saved.get(addressOf(key)),
      async save(record, expected) {
        expectVersion(addressOf(record), expected);
        versions += 1;
        saved.set(addressOf(record), { record, version: `v${versions}` });
        return `v${versions}`;
      },
      async remove(key, expected) {
        expectVersion(addressOf(key), expected);
        saved.delete(addressOf(key));
      },
      async share(what) {
        if (late.unreachable !== undefined) throw late.unreachable;
        shared.push(what);
        const lost = [...saved.keys()].filter((address) => overtaken.has(address));
        for (const address of lost) saved.set(address, { ...theirs(saved, address), version: 'theirs' });
        overtaken.clear();
        known = [...saved.keys()];
        if (lost.length > 0) throw moved(lost);
      },
    },
  };
  return late;
}

function theirs(saved: ReadonlyMap<string, StoredRecord>, address: string): Pick<StoredRecord, 'record'> {
  const stored = saved.get(address);
  if (stored === undefined) throw new Error(`${address} is not saved`);
  return { record: { ...stored.record, commit: 'theirs' } };
}

function moved(records: readonly string[]): AgentformError {
  const facts = { records, reason: `${records.join(', ')} was changed by somebody else` };
  return new AgentformError('record-moved', 'records moved', { facts });
}

/**
 * Replaces some members of a store. The other members still use the original store, which they would not do in a copy.
 */
export function storeWith<Store extends object>(store: Store, replaced: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(name in replaced ? replaced : target, name);
      return typeof member === 'function' && !(name in replaced) ? member.bind(target) : member;
    },
  });
}
