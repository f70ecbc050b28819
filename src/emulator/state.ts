import { isJsonObject, type Json } from '../kinds/json.ts';
import { AgentStore, type StoredAgent } from './agent-store.ts';

/** Everything that the service keeps; one store per kind of thing. */
export interface State {
  readonly agents: AgentStore;
}

/** The state as it stands in the data file. */
export interface StateData {
  readonly formatVersion: number;
  readonly agents: readonly StoredAgent[];
}

export const stateFormat = 1;

export function createState(data?: StateData): State {
  return { agents: new AgentStore(data?.agents) };
}

export function dataOf(state: State): StateData {
  return { formatVersion: stateFormat, agents: state.agents.all() };
}

/** Whether the value, read from a file of the current format, is what `dataOf` gives. */
export function isStateData(value: Json): value is Json & StateData {
  return isJsonObject(value) && Array.isArray(value.agents) && value.agents.every(isStoredAgent);
}

function isStoredAgent(value: Json): boolean {
  return (
    isJsonObject(value) &&
    typeof value.id === 'string' &&
    typeof value.account === 'string' &&
    typeof value.enabled === 'boolean' &&
    typeof value.published === 'boolean' &&
    Number.isSafeInteger(value.lastUpdate) &&
    isJsonObject(value.draft) &&
    (value.publishedSettings === null || isJsonObject(value.publishedSettings))
  );
}
