/** A number that a customer brought along, and the agent that answers it. */
export interface StoredPhoneNumber {
  /** E.164. */
  readonly number: string;
  /** Id of the reseller that assigned it. */
  readonly reseller: string;
  readonly account: string;
  readonly agentId: string;
}

/** The numbers of all agents; a number leads to one agent. */
export class PhoneNumberStore {
  readonly #byNumber = new Map<string, StoredPhoneNumber>();

  constructor(numbers: readonly StoredPhoneNumber[] = []) {
    for (const number of numbers) this.assign(number);
  }

  all(): readonly StoredPhoneNumber[] {
    return [...this.#byNumber.values()];
  }

  find(number: string): StoredPhoneNumber | undefined {
    return this.#byNumber.get(number);
  }

  /** A number that led to another agent does so no longer. */
  assign(number: StoredPhoneNumber): void {
    this.#byNumber.set(number.number, number);
  }
}
