import { dirname } from 'node:path';
import { reasonOf } from '../../errors.ts';
import { readPlainFile } from '../../files/plain-file.ts';
import { makeFolder, replaceFile } from '../../files/whole-file.ts';
import type { Check } from '../../json/check.ts';
import { readDocument } from '../../json/document.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { emulatorError } from '../errors.ts';
import {
  AgentUrlStore,
  MemberStore,
  type StoredAgentUrl,
  type StoredContext,
  type StoredMember,
  type StoredOrganization,
  type StoredPhoneNumber,
} from './account-stores.ts';
import { AgentStore, type StoredAgent } from './agent-store.ts';
import type { SeededRoom } from './rooms.ts';
import { isStoredTasks, type StoredTasks, TaskStore } from './task-store.ts';

/** All data of the service. */
export interface State {
  readonly agents: AgentStore;
  /** The created organizations. Two organizations may have the same name. */
  readonly organizations: StoredOrganization[];
  readonly members: MemberStore;
  /** The contexts in the order of addition, including duplicates. */
  readonly contexts: StoredContext[];
  readonly agentUrls: AgentUrlStore;
  /** The phone numbers of all agents, by number. Each number belongs to one agent. */
  readonly phoneNumbers: Map<string, StoredPhoneNumber>;
  /** The rooms of all inboxes, in the order of the input. */
  rooms: readonly SeededRoom[];
  readonly tasks: TaskStore;
}

interface StateData {
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

const stateFormat = 1;

export function createState(data?: StateData): State {
  return {
    agents: new AgentStore(data?.agents),
    organizations: [...(data?.organizations ?? [])],
    members: new MemberStore(data?.members),
    contexts: [...(data?.contexts ?? [])],
    agentUrls: new AgentUrlStore(data?.agentUrls),
    phoneNumbers: new Map(data?.phoneNumbers.map((one) => [one.number, one])),
    rooms: data?.rooms ?? [],
    tasks: new TaskStore(data?.tasks),
  };
}

export function dataOf(state: State): StateData {
  return {
    formatVersion: stateFormat,
    agents: state.agents.all(),
    organizations: state.organizations,
    members: state.members.all(),
    contexts: state.contexts,
    agentUrls: state.agentUrls.all(),
    phoneNumbers: [...state.phoneNumbers.values()],
    rooms: state.rooms,
    tasks: state.tasks.data(),
  };
}

/** Checks that a value from a file has the form that `dataOf` produces. */
const checkStateData: Check<StateData> = (value) =>
  isStateData(value)
    ? { fits: true, value }
    : { fits: false, problem: formatProblem(value) ?? 'it does not match the format of a data file' };

function isStateData(value: unknown): value is StateData {
  return formatProblem(value) === undefined;
}

function formatProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'it is not an emulator data file';
  const { formatVersion } = value;
  if (formatVersion === undefined) return 'it is not an emulator data file: formatVersion is missing';
  if (formatVersion !== stateFormat) return `it is not an emulator data file: formatVersion is not ${stateFormat}`;
  const [odd] = partChecks.find(([name, fits]) => !fits(value[name])) ?? [];
  if (odd === undefined) return undefined;
  return value[odd] === undefined ? `${odd} is missing` : `${odd} has unexpected contents`;
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

const maxFileBytes = 64 * 1024 * 1024;

/**
 * Returns the content of a data file, or undefined if the file does not exist yet. Throws `emulator-unusable` if the
 * content is invalid.
 */
export async function readDataFile(path: string): Promise<StateData | undefined> {
  const text = readIfPresent(path);
  return text === undefined ? undefined : parseData(path, text);
}

function readIfPresent(path: string): string | undefined {
  try {
    return readPlainFile(path, maxFileBytes)?.text;
  } catch (error) {
    throw emulatorError(`the emulator's data file ${path} cannot be read: ${reasonOf(error)}`, error);
  }
}

function parseData(path: string, text: string): StateData {
  const result = readDocument(text, { newest: stateFormat, check: checkStateData, maxValues: maxFileBytes });
  if (result.fits) return result.value;
  const remedy = result.newer === undefined ? '; restore or delete the file, or name another one' : '';
  throw emulatorError(`the emulator's data file ${path} cannot be read: ${result.problem}${remedy}`);
}

/**
 * Keeps the state in a file. The file is always complete, because each new version is written beside it and renamed. If
 * the process is killed, the old version remains, perhaps with an unused `.tmp` file.
 */
export class DataFile {
  readonly #path: string;
  readonly #snapshot: () => StateData;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(path: string, snapshot: () => StateData) {
    this.#path = path;
    this.#snapshot = snapshot;
  }

  /**
   * Resolves when the current state is on disk. If a write of an older state is in progress, another write follows. All
   * calls before the start of the second write wait for this write.
   */
  save(): Promise<void> {
    this.#waiting ??= this.idle().then(() => {
      this.#waiting = undefined;
      this.#running = this.#write();
      return this.#running;
    });
    return this.#waiting;
  }

  /** Resolves when no write is in progress, even if the last write failed. */
  idle(): Promise<void> {
    return (this.#waiting ?? this.#running).catch(() => undefined);
  }

  async #write(): Promise<void> {
    const text = `${JSON.stringify(this.#snapshot(), null, 1)}\n`;
    try {
      await makeFolder(dirname(this.#path));
      await replaceFile(this.#path, text, { flush: false });
    } catch (error) {
      throw emulatorError(`the emulator's data file ${this.#path} cannot be written: ${reasonOf(error)}`, error);
    }
  }
}
