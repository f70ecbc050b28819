import type { Check } from '../../json/check.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import {
  AgentUrlStore,
  ContextStore,
  MemberStore,
  OrganizationStore,
  PhoneNumberStore,
  type StoredAgentUrl,
  type StoredContext,
  type StoredMember,
  type StoredOrganization,
  type StoredPhoneNumber,
} from './account-stores.ts';
import { AgentStore, type StoredAgent } from './agent-store.ts';
import { RoomStore, type SeededRoom } from './room-store.ts';
import { isStoredTasks, type StoredTasks, TaskStore } from './task-store.ts';

/** Everything that the service keeps; one store per kind of thing. */
export interface State {
  readonly agents: AgentStore;
  readonly organizations: OrganizationStore;
  readonly members: MemberStore;
  readonly contexts: ContextStore;
  readonly agentUrls: AgentUrlStore;
  readonly phoneNumbers: PhoneNumberStore;
  readonly rooms: RoomStore;
  readonly tasks: TaskStore;
}

/** The state as in the data file. */
export interface StateData {
  readonly formatVersion: number;
  readonly agents: readonly StoredAgent[];
  readonly organizations: readonly StoredOrganization[];
  readonly members: readonly StoredMember[];
  readonly contexts: readonly StoredContext[];
  readonly agentUrls: readonly StoredAgentUrl[];
  readonly phoneNumbers: readonly StoredPhoneNumber[];
  readonly rooms: readonly SeededRoom[];
  readonly tasks: StoredTasks;
}

export const stateFormat = 1;

export function createState(data?: StateData): State {
  return {
    agents: new AgentStore(data?.agents),
    organizations: new OrganizationStore(data?.organizations),
    members: new MemberStore(data?.members),
    contexts: new ContextStore(data?.contexts),
    agentUrls: new AgentUrlStore(data?.agentUrls),
    phoneNumbers: new PhoneNumberStore(data?.phoneNumbers),
    rooms: new RoomStore(data?.rooms),
    tasks: new TaskStore(data?.tasks),
  };
}

export function dataOf(state: State): StateData {
  return {
    formatVersion: stateFormat,
    agents: state.agents.all(),
    organizations: state.organizations.all(),
    members: state.members.all(),
    contexts: state.contexts.all(),
    agentUrls: state.agentUrls.all(),
    phoneNumbers: state.phoneNumbers.all(),
    rooms: state.rooms.all(),
    tasks: state.tasks.data(),
  };
}

/** Checks that a value, read from a file, is what `dataOf` gives. */
export const checkStateData: Check<StateData> = (value) =>
  isStateData(value) ? { fits: true, value } : { fits: false, problem: formatProblem(value) ?? 'it does not fit' };

function isStateData(value: unknown): value is StateData {
  return formatProblem(value) === undefined;
}

function formatProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'it is not a data file of the emulator';
  if (value.formatVersion !== stateFormat) return 'it is not a data file of the emulator, which has a formatVersion';
  const odd = partChecks.find(([name, fits]) => !fits(value[name]));
  return odd && `${odd[0]} does not hold what the emulator keeps there`;
}

type PartCheck = readonly [name: string, fits: (value: Json | undefined) => boolean];

const partChecks: readonly PartCheck[] = [
  ['agents', (value) => isListOf(value, isStoredAgent)],
  ['organizations', (value) => isListOf(value, hasTexts('account', 'reseller'), hasInteger('id'))],
  ['members', (value) => isListOf(value, hasTexts('account', 'email', 'role'), hasInteger('id'))],
  ['contexts', (value) => isListOf(value, hasTexts('account', 'context'))],
  ['agentUrls', (value) => isListOf(value, hasTexts('account', 'targetUsername', 'slug'))],
  ['phoneNumbers', (value) => isListOf(value, hasTexts('number', 'reseller', 'account', 'agentId'))],
  ['rooms', (value) => isListOf(value, hasTexts('roomId'))],
  ['tasks', isStoredTasks],
];

type ItemCheck = (item: Json) => boolean;

function isListOf(value: Json | undefined, ...checks: readonly ItemCheck[]): boolean {
  return Array.isArray(value) && value.every((item: Json) => checks.every((fits) => fits(item)));
}

function hasTexts(...names: readonly string[]): ItemCheck {
  return (item) => isJsonObject(item) && names.every((name) => typeof item[name] === 'string');
}

function hasInteger(name: string): ItemCheck {
  return (item) => isJsonObject(item) && Number.isSafeInteger(item[name]);
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
