import type { JsonObject } from '../kinds/json.ts';

/** An organization with what was sent to create it, credentials masked. */
export interface StoredOrganization {
  /** What `targetAccountId` names. Account ids are integers: see `permittedAccountIds` of a member. */
  readonly id: number;
  /** Id of the account that it is. */
  readonly account: string;
  /** Id of the account that created it and may act for it. */
  readonly reseller: string;
  readonly settings: JsonObject;
}

const firstId = 1001;

/** The organizations that were created; two of one name are two. */
export class OrganizationStore {
  readonly #all: StoredOrganization[];

  constructor(organizations: readonly StoredOrganization[] = []) {
    this.#all = [...organizations];
  }

  all(): readonly StoredOrganization[] {
    return this.#all;
  }

  /** An id above all others. */
  nextId(): number {
    return this.#all.reduce((next, { id }) => Math.max(next, id + 1), firstId);
  }

  add(organization: StoredOrganization): void {
    this.#all.push(organization);
  }
}
