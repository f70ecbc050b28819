/** Somebody who was invited to an account. */
export interface StoredMember {
  readonly id: number;
  readonly account: string;
  readonly email: string;
  readonly role: string;
  /** Empty: no restriction. */
  readonly permittedAccountIds: readonly number[];
  /** How many invitations were sent. */
  readonly invitations: number;
}

export interface MemberEdit {
  readonly email?: string;
  readonly role?: string;
  readonly permittedAccountIds?: readonly number[];
}

const firstId = 5001;

/** The members of all accounts. */
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

  /** Counts one more invitation; an address that was invited to the account before stays the same member. */
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
    return Math.max(firstId - 1, ...this.#byId.keys()) + 1;
  }

  #keep(member: StoredMember): StoredMember {
    this.#byId.set(member.id, member);
    return member;
  }
}
