import { canonicalJson } from '../../json/json.ts';
import { mostManifests, type Packed, packer, withMembers } from '../../json/packed.ts';
import { addressOf, type Desired, inOrganization, type Target } from '../../kinds/desired.ts';
import { type Secrecy, secrecyOf } from '../../kinds/sensitive.ts';
import type { Observation, PlanOptions, Reading } from '../../plan/observation.ts';
import { type PlannedResource, planResource } from '../../plan/resource-plan.ts';
import { isCreate } from '../../plan/target.ts';
import { type Written, withWritten } from '../../plan/written.ts';
import type { StoredRecord } from '../../record/store.ts';
import type { Connections } from '../connections.ts';
import type { FingerprintKeys } from '../fingerprint-keys.ts';
import { organizationIds, waitingFor } from '../organizations.ts';
import { KeptChanges } from './kept-changes.ts';
import type { ReadAhead } from './read-ahead.ts';
import { readLive } from './read-live.ts';

interface PlanAheadContext {
  /** Only what it has begun to read is planned ahead. */
  readonly readAhead: ReadAhead;
  readonly connections: Connections;
  readonly keys: FingerprintKeys;
  readonly options: Omit<PlanOptions, 'secrecy'>;
}

/** A resource as it was planned ahead. */
interface PlannedAhead {
  /** What was read of one that may have to be planned again. */
  readonly reading?: Packed<Reading>;
  /** Undefined where all manifests have to be known. */
  readonly planned: PlannedResource | undefined;
}

/** What is kept of it until it is asked for. */
interface KeptPlan extends Pick<PlannedAhead, 'reading'> {
  readonly stored: StoredRecord;
  readonly query: Target['query'];
  readonly planned: Omit<PlannedResource, 'observation'> | undefined;
}

/** So many resources may wait for their answers. */
const mostWaiting = 128;

/** Nothing is shown before it is known what the secrets are. */
const noSecrets = secrecyOf([]);

/**
 * Plans the agents of a large project while its later manifests are still being looked at, so that the tree, the record and the answer
 * of each are there for a moment only. What it planned counts only for a resource of which nothing came out that changes it; all
 * else is planned when its turn comes.
 */
export class PlanAhead {
  readonly #context: PlanAheadContext;
  readonly #organizations: ReadonlyMap<string, string>;
  readonly #planned = new Map<string, KeptPlan>();
  readonly #pack = packer<Reading>();
  readonly #changes = new KeptChanges();
  readonly #waiting: Promise<void>[] = [];
  /** Once all were offered. */
  #settled: Promise<unknown> | undefined;

  constructor(context: PlanAheadContext) {
    this.#context = context;
    this.#organizations = organizationIds(context.readAhead.records);
  }

  /** A resource with its tree at hand; waits where too many do. */
  async offer(resolved: Desired<Target>, written: Written): Promise<void> {
    const { readAhead, keys } = this.#context;
    const stored = readAhead.records.get(addressOf(resolved));
    const isSettled = waitingFor(resolved, this.#organizations) === undefined;
    if (stored === undefined || !isSettled || !readAhead.hasBegun(resolved)) return;
    const desired = inOrganization(await keys.keyed(resolved), this.#organizations);
    if (isCreate(desired, stored.record)) return;
    const { sections, sensitive } = desired;
    const planning = this.#plan(desired, { stored, written, whole: { ...desired, sections, sensitive } });
    // It is planned, and fails, when its turn comes.
    this.#waiting.push(planning.catch(() => {}));
    if (this.#waiting.length > mostWaiting) await this.#waiting.shift();
  }

  /** What was planned, or at least read, of the resource as it is with this record; it counts once. */
  async take(desired: Desired, stored: StoredRecord | undefined, secrecy: Secrecy): Promise<PlannedAhead | undefined> {
    this.#settled ??= Promise.all(this.#waiting);
    await this.#settled;
    const address = addressOf(desired);
    const found = this.#planned.get(address);
    this.#planned.delete(address);
    if (found === undefined || found.stored !== stored) return undefined;
    if (canonicalJson(found.query) !== canonicalJson(desired.target.query)) return undefined;
    const { reading, planned: kept } = found;
    const planned = kept && withMembers(kept, { observation: { desired, record: stored.record } });
    return { ...(reading && { reading }), planned: planned && showsSecret(planned, secrecy) ? undefined : planned };
  }

  async #plan(
    desired: Desired,
    { stored, written, whole }: { readonly stored: StoredRecord; readonly written: Written; readonly whole: Desired },
  ): Promise<void> {
    const { readAhead, connections, options } = this.#context;
    const { service, connectionOf } = connections;
    const known = { desired: whole, record: stored.record };
    const reading = await readLive({ service, connectionOf, readAhead }, known);
    const observation: Observation = { ...known, ...(reading && { reading }) };
    const found = withWritten(planResource(observation, { ...options, secrecy: noSecrets, orphans: [] }), written);
    const { action, changes, warnings } = found.planned;
    const isSaid = action !== 'none' || changes.length + warnings.length > 0;
    const planned =
      action === 'none' || action === 'update' ? withMembers(found, { observation: undefined }) : undefined;
    this.#keep(addressOf(desired), {
      stored,
      query: desired.target.query,
      planned,
      ...(reading !== undefined && isSaid && { reading: this.#pack(reading) }),
    });
  }

  #keep(address: string, plan: KeptPlan): void {
    const compacted = ({ planned, ...rest }: KeptPlan) => ({
      ...rest,
      planned: planned && this.#changes.kept(planned),
    });
    // Those before are compacted, too, once there are thousands.
    if (this.#planned.size === mostManifests)
      for (const [known, its] of this.#planned) this.#planned.set(known, compacted(its));
    this.#planned.set(address, this.#planned.size < mostManifests ? plan : compacted(plan));
  }
}

/** Whether the plan of a resource, or the record that it was made from, has to be masked. */
function showsSecret({ planned, observation: { record } }: PlannedResource, { redact }: Secrecy): boolean {
  const { changes, warnings, reasons } = planned;
  if (changes.length + warnings.length + reasons.length === 0) return false;
  const text = canonicalJson([planned, record]);
  return redact(text) !== text;
}
