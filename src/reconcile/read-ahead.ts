import type { Campaign } from '../kinds/agent.ts';
import { type Aim, addressOf, inOrganization } from '../kinds/desired.ts';
import type { Secret } from '../kinds/secret.ts';
import { isReadWorthwhile } from '../plan/blocks.ts';
import { knownId, sameQuery } from '../plan/target.ts';
import type { StoredRecord } from '../record/store.ts';
import type { ServiceClient } from '../service/client.ts';
import { organizationIds, waitingFor } from './organizations.ts';

/** So many agents are waited for before the first read, so that a small project is checked whole before it. */
const leastAgents = 32;

interface Begun {
  readonly id: string;
  readonly baseUrl: string;
  readonly token: Secret;
  readonly query: Readonly<Record<string, string>>;
  readonly campaign: Promise<Campaign>;
}

/**
 * Reads the agents of a large project while its later manifests are still being looked at. What it read counts only
 * for a resource that comes out with the same target and id; all else is read when its turn comes.
 */
export class ReadAhead {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly #organizations: ReadonlyMap<string, string>;
  readonly #service: () => ServiceClient;
  readonly #begun = new Map<string, Begun>();
  readonly #waiting: Aim[] = [];
  #isOpen = false;

  /** The service is opened by the first read. */
  constructor(records: ReadonlyMap<string, StoredRecord>, service: () => ServiceClient) {
    this.records = records;
    this.#organizations = organizationIds(records);
    this.#service = service;
  }

  /** An agent of whose manifest nothing is wrong so far. */
  offer(aim: Aim): void {
    this.#waiting.push(aim);
    this.#isOpen ||= this.#waiting.length >= leastAgents;
    if (this.#isOpen) for (const one of this.#waiting.splice(0)) this.#begin(one);
  }

  /** The read that was begun for the resource, if there is one; it counts once. */
  take({ target, ...aim }: Aim, id: string): Promise<Campaign> | undefined {
    const begun = this.#begun.get(addressOf(aim));
    this.#begun.delete(addressOf(aim));
    const isSame = begun?.id === id && isSameTarget(begun, target);
    return isSame ? begun.campaign : undefined;
  }

  #begin(aim: Aim): void {
    const desired = inOrganization(aim, this.#organizations);
    const record = this.records.get(addressOf(aim))?.record;
    const waitsFor = waitingFor(aim, this.#organizations);
    const id = knownId(desired, record);
    if (id === undefined || !isReadWorthwhile({ desired, ...(record && { record }), ...(waitsFor && { waitsFor }) }))
      return;
    const { baseUrl, token, query } = desired.target;
    const campaign = this.#service().getAgent(desired.target, id);
    // Whoever takes it hears of a failure; where nobody does, the run has ended for another reason.
    campaign.catch(() => {});
    this.#begun.set(addressOf(aim), { id, baseUrl, token, query, campaign });
  }
}

function isSameTarget(begun: Begun, { baseUrl, token, query }: Aim['target']): boolean {
  return begun.baseUrl === baseUrl && begun.token.reveal() === token.reveal() && sameQuery(begun.query, query);
}
