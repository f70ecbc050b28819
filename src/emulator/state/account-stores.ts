import type { JsonObject } from '../../json/json.ts';

/** An organization, with the settings from the request that created the organization. Credentials are masked. */
export interface StoredOrganization {
  /** The value of `targetAccountId`: an integer, as in a member's `permittedAccountIds`. */
  readonly id: number;
  /** The id of the organization's account. */
  readonly account: string;
  /** The id of the reseller account that created the organization and has access to it. */
  readonly reseller: string;
  readonly settings: JsonObject;
}

/** A person who was invited to an account. */
export interface StoredMember {
  readonly id: number;
  readonly account: string;
  readonly email: string;
  readonly role: string;
  /** The accounts that the member may use. An empty list permits all accounts. */
  readonly permittedAccountIds: readonly number[];
  readonly invitations: number;
}

export interface MemberEdit {
  readonly email?: string;
  readonly role?: string;
  readonly permittedAccountIds?: readonly number[];
}

const firstMemberId = 5001;

export class MemberStore {
  readonly #byId = new Map<number, StoredMember>();

  constructor(members: readonly StoredMember[] = []) {
    for (const member of members) this.#byId.set(member.id, member);
  }

  all(): readonly StoredMember[] {
    return [...this.#byId.values()];
  }

  find(id: number): StoredMember | undefined {
    return this.#byId.get(id);
  }

  /** Invites a person. A repeated invitation to the same address updates the member and increases `invitations`. */
  invite(account: string, { email, ...edit }: MemberEdit & { readonly email: string }): StoredMember {
    const known = this.all().find((member) => member.account === account && member.email === email);
    const fresh = { id: this.#nextId(), account, email, role: 'admin', permittedAccountIds: [], invitations: 0 };
    const member = { ...(known ?? fresh), ...edit };
    return this.#keep({ ...member, invitations: member.invitations + 1 });
  }

  update(member: StoredMember, edit: MemberEdit): StoredMember {
    return this.#keep({ ...member, ...edit });
  }

  #nextId(): number {
    return nextId(this.all(), firstMemberId);
  }

  #keep(member: StoredMember): StoredMember {
    this.#byId.set(member.id, member);
    return member;
  }
}

/** Returns the first id after all ids in a list, and at least `first`. */
export function nextId(items: readonly { readonly id: number }[], first: number): number {
  return items.reduce((next, { id }) => Math.max(next, id + 1), first);
}

export interface StoredAgentUrl {
  readonly account: string;
  /** The user name of the agent, as given in the request. */
  readonly targetUsername: string;
  readonly slug: string;
}

/** The URLs of all agents. An agent has at most one URL, and a slug belongs to at most one agent. */
export class AgentUrlStore {
  #all: readonly StoredAgentUrl[];

  constructor(urls: readonly StoredAgentUrl[] = []) {
    this.#all = urls;
  }

  all(): readonly StoredAgentUrl[] {
    return this.#all;
  }

  isTaken(url: StoredAgentUrl): boolean {
    return this.#all.some((other) => other.slug === url.slug && !isSameAgent(other, url));
  }

  set(url: StoredAgentUrl): void {
    this.#all = [...this.#all.filter((other) => !isSameAgent(other, url)), url];
  }
}

function isSameAgent(one: StoredAgentUrl, other: StoredAgentUrl): boolean {
  return one.account === other.account && one.targetUsername === other.targetUsername;
}

/** A customer's phone number, and the agent that answers it. */
export interface StoredPhoneNumber {
  /** The number in E.164 format. */
  readonly number: string;
  /** The id of the reseller that assigned the number. */
  readonly reseller: string;
  readonly account: string;
  readonly agentId: string;
}

/** A text that an agent may use in conversations with one person. */
export interface StoredContext {
  readonly account: string;
  readonly context: string;
  /** A phone number or user name, or null if the request has no target. */
  readonly target: string | null;
}
