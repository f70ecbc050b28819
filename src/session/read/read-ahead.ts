import { canonicalJson } from '../../json/json.ts';
import { mostManifests, type Packed, packer } from '../../json/packed.ts';
import type { Campaign } from '../../kinds/definition.ts';
import { addressOf, inOrganization, type Target, type TargetedResource } from '../../kinds/desired.ts';
import { knownId } from '../../plan/target.ts';
import { canBeRead } from '../../plan/verdicts/blocks.ts';
import type { StoredRecord } from '../../record/store.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { Connections } from '../connections.ts';
import type { FingerprintKeys } from '../fingerprint-keys.ts';
import { organizationIds, waitingFor } from '../organizations.ts';

/** So many agents are waited for before the first read, so that a small project is checked whole before it. */
const leastAgents = 32;

interface StartedRead {
  readonly id: string;
  readonly baseUrl: string;
  readonly token: Secret;
  readonly query: Readonly<Record<string, string>>;
  /** Somebody waits for the answer. */
  isTaken: boolean;
  /** What came; undefined if the read is not worth its while. */
  readonly answer: Promise<Packed<Campaign> | undefined>;
}

interface ReadContext {
  readonly keys: FingerprintKeys;
  readonly connections: Connections;
}

/**
 * Reads the agents of a large project while its later manifests are still being looked at. What it read counts only
 * for a resource that comes out with the same target and id; all else is read when its turn comes.
 */
export class ReadAhead {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly #organizations: ReadonlyMap<string, string>;
  readonly #context: ReadContext;
  readonly #begun = new Map<string, StartedRead>();
  readonly #pack = packer<Campaign>();
  readonly #waiting: TargetedResource<Target>[] = [];
  #isOpen = false;

  constructor(records: ReadonlyMap<string, StoredRecord>, context: ReadContext) {
    this.records = records;
    this.#organizations = organizationIds(records);
    this.#context = context;
  }

  /** An agent of whose manifest nothing is wrong so far. */
  offer(aim: TargetedResource<Target>): void {
    this.#waiting.push(aim);
    this.#isOpen ||= this.#waiting.length >= leastAgents;
    if (this.#isOpen) for (const one of this.#waiting.splice(0)) this.#begin(one);
  }

  hasBegun(aim: TargetedResource<Target>): boolean {
    return this.#begun.has(addressOf(aim));
  }

  /** The read that was begun for the resource, if there is one; it counts once. */
  async take({ target, ...aim }: TargetedResource, id: string): Promise<Campaign | undefined> {
    const begun = this.#begun.get(addressOf(aim));
    this.#begun.delete(addressOf(aim));
    if (begun?.id !== id || !isSameTarget(begun, target)) return undefined;
    begun.isTaken = true;
    return (await begun.answer)?.again();
  }

  #begin(aim: TargetedResource<Target>): void {
    const desired = inOrganization(aim, this.#organizations);
    const record = this.records.get(addressOf(aim))?.record;
    const id = knownId(desired, record);
    if (id === undefined) return;
    const { baseUrl, token, query } = desired.target;
    const read = this.#read(desired, { id, record });
    const begun: StartedRead = {
      id,
      baseUrl,
      token,
      query,
      isTaken: false,
      answer: read.then((campaign) => campaign && this.#kept(campaign, begun)),
    };
    // Whoever takes it hears of a failure; where nobody does, the run has ended for another reason.
    begun.answer.catch(() => {});
    this.#begun.set(addressOf(aim), begun);
  }

  /** Thousands of answers that nobody waits for are as large as everything else together. */
  #kept(campaign: Campaign, { isTaken }: StartedRead): Packed<Campaign> {
    return !isTaken && this.#begun.size > mostManifests ? this.#pack(campaign) : { again: () => campaign };
  }

  async #read(
    aim: TargetedResource<Target>,
    { id, record }: { readonly id: string; readonly record: ResourceRecord | undefined },
  ): Promise<Campaign | undefined> {
    const desired = await this.#context.keys.keyed(aim);
    const waitsFor = waitingFor(aim, this.#organizations);
    const known = { desired, ...(record && { record }), ...(waitsFor && { waitsFor }) };
    return canBeRead(known) ? this.#context.connections.service.getAgent(desired.target, id) : undefined;
  }
}

function isSameTarget(begun: StartedRead, { baseUrl, token, query }: Target): boolean {
  const isSameAgent = begun.baseUrl === baseUrl && begun.token.reveal() === token.reveal();
  return isSameAgent && canonicalJson(begun.query) === canonicalJson(query);
}
