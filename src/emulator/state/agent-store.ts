import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { type FieldSchema, fieldsByKind } from '../../schemas/fields.ts';
import { shortHash } from './accounts.ts';

/** An agent with all of its data, whether readable or not. */
export interface StoredAgent {
  readonly id: string;
  /** The id of the account that owns the agent. */
  readonly account: string;
  readonly enabled: boolean;
  /** Whether the agent was ever published. A later write to the draft does not change this. */
  readonly published: boolean;
  /** The time of the last write, in milliseconds since the epoch. The time increases with every write. */
  readonly lastUpdate: number;
  /** The settings as last written. Read operations return these settings. */
  readonly draft: JsonObject;
  /** The draft at the last publish, or null if the agent was never published. */
  readonly publishedSettings: JsonObject | null;
}

/**
 * Changes to an agent. Operations change only settings. Edits through /__emulator may also change the other properties.
 */
export interface AgentEdit {
  readonly settings: JsonObject;
  readonly enabled?: boolean;
  readonly published?: boolean;
}

/** The agents of all accounts. An account has at most one agent. */
export class AgentStore {
  readonly #byId = new Map<string, StoredAgent>();
  readonly #idByAccount = new Map<string, string>();
  /** The agents as they were before their last write or publish, by id. */
  readonly #earlier = new Map<string, StoredAgent>();
  readonly #created = new WeakSet<StoredAgent>();
  #lastTime = 0;

  constructor(agents: readonly StoredAgent[] = []) {
    for (const agent of agents) this.#keep(agent);
  }

  all(): readonly StoredAgent[] {
    return [...this.#byId.values()];
  }

  find(id: string): StoredAgent | undefined {
    return this.#byId.get(id);
  }

  /**
   * Returns the agent as it was before its last write or publish, for lagging reads. Returns undefined if that write
   * created the agent.
   */
  findEarlier(id: string): StoredAgent | undefined {
    return this.#earlier.get(id);
  }

  ofAccount(account: string): StoredAgent | undefined {
    return this.#byId.get(this.#idByAccount.get(account) ?? '');
  }

  /** Creates an empty agent for the account. The default id depends on the account, not on the order of calls. */
  create(account: string, id = `camp_${shortHash(`agent of ${account}`)}`): StoredAgent {
    const lastUpdate = this.#nextTime();
    const agent = this.#keep({
      id,
      account,
      enabled: true,
      published: false,
      lastUpdate,
      draft: {},
      publishedSettings: null,
    });
    this.#created.add(agent);
    return agent;
  }

  /** Writes settings to the draft. Omitted settings keep their values. Lists and objects are replaced whole. */
  write(agent: StoredAgent, { settings, ...states }: AgentEdit): StoredAgent {
    const draft = { ...agent.draft, ...settings };
    if (!this.#created.has(agent)) this.#earlier.set(agent.id, agent);
    return this.#keep({ ...agent, ...states, draft, lastUpdate: this.#nextTime() });
  }

  /** Copies the draft to the published settings. Does not change `lastUpdate`, because the draft stays the same. */
  publish(agent: StoredAgent): StoredAgent {
    this.#earlier.set(agent.id, agent);
    return this.#keep({ ...agent, published: true, publishedSettings: agent.draft });
  }

  #keep(agent: StoredAgent): StoredAgent {
    this.#byId.set(agent.id, agent);
    this.#idByAccount.set(agent.account, agent.id);
    this.#lastTime = Math.max(this.#lastTime, agent.lastUpdate);
    return agent;
  }

  // The time of the next write. Times must increase, even within a millisecond or after the clock was set back.
  #nextTime(): number {
    return Math.max(Date.now(), this.#lastTime + 1);
  }
}

/** Whether the agent runtime has the skill. */
export type IsInstalled = (slug: string) => boolean;

const readableFields = fieldsByKind.Agent.filter((field) => field.readable);

/**
 * Returns the agent as GET returns it: the draft's readable settings under their names in the response, and calculated
 * members. An unset setting has its documented default. Without a documented default, the value is `[]` for a list and
 * null for other settings.
 */
export function campaignOf(agent: StoredAgent, isInstalled: IsInstalled): JsonObject {
  const settings = readableFields.map((field) => [shownName(field), shownValue(field, agent.draft, isInstalled)]);
  return {
    id: agent.id,
    ...Object.fromEntries(settings),
    enabled: agent.enabled,
    published: agent.published,
    activeEventRules: [],
    lastUpdate: agent.lastUpdate,
  };
}

/** Returns the name in the response. `actions[].name` becomes `actions`, a list of objects. */
function shownName(field: FieldSchema): string {
  return field.readAs.split('[]')[0] ?? field.readAs;
}

function shownValue(field: FieldSchema, draft: JsonObject, isInstalled: IsInstalled): Json {
  const value = draft[field.name] ?? unsetValue(field);
  if (field.shape === 'value' || !Array.isArray(value)) return value;
  if (field.name === 'actions') {
    return value.map((name) => ({ name, instructions: '', placeholder: '', allowed: true }));
  }
  if (field.name === 'skills') return value.filter(isJsonObject).map((skill) => shownSkill(skill, isInstalled));
  return value;
}

function unsetValue(field: FieldSchema): Json {
  const isList = field.shape === 'set' || field.shape === 'map';
  // The default is JSON, because the field table was generated from JSON.
  return (field.default as Json | undefined) ?? (isList ? [] : null);
}

function shownSkill(skill: JsonObject, isInstalled: IsInstalled): JsonObject {
  const { slug = null, instructions = null } = skill;
  const usable = isInstalled(String(slug));
  return { slug, instructions, allowed: true, usable, reason: usable ? null : `skill ${slug} is not installed` };
}
