/** The public URL of an agent. */
export interface StoredAgentUrl {
  readonly account: string;
  /** User name of the agent, as the request named it. */
  readonly targetUsername: string;
  readonly slug: string;
}

/** The URLs of all agents: an agent has at most one, and so has a slug one agent. */
export class AgentUrlStore {
  #all: readonly StoredAgentUrl[];

  constructor(urls: readonly StoredAgentUrl[] = []) {
    this.#all = urls;
  }

  all(): readonly StoredAgentUrl[] {
    return this.#all;
  }

  /** Whether an agent other than the URL's own has its slug. */
  isTaken(url: StoredAgentUrl): boolean {
    return this.#all.some((other) => other.slug === url.slug && !isSameAgent(other, url));
  }

  /** Replaces the URL that the agent had. */
  set(url: StoredAgentUrl): void {
    this.#all = [...this.#all.filter((other) => !isSameAgent(other, url)), url];
  }
}

function isSameAgent(one: StoredAgentUrl, other: StoredAgentUrl): boolean {
  return one.account === other.account && one.targetUsername === other.targetUsername;
}
