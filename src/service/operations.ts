import { FormData } from 'undici';
import { type Check, checkedBy } from '../json/check.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { components } from '../schemas/service-types.ts';
import {
  serviceAgentAnswer,
  serviceAgentUpdated,
  serviceAgentUrlSet,
  serviceConversations,
  serviceOrganizationCreated,
  serviceOutcome,
  serviceRoom,
  serviceTaskCreated,
  serviceTasksUploaded,
} from '../schemas/service-validators.js';
import { isLongEnough } from '../secrets/redact.ts';
import { Secret } from '../secrets/secret.ts';
import type { Call } from './call.ts';
import { segment } from './destination.ts';

export type Campaign = components['schemas']['Campaign'];
export type AgentUpdated = components['schemas']['AgentUpdated'];
export type AgentUrlSet = components['schemas']['AgentUrlSet'];
export type OrganizationCreated = components['schemas']['OrganizationCreated'];
export type Outcome = components['schemas']['Outcome'];
export type Room = components['schemas']['Room'];
export type TaskCreated = components['schemas']['TaskCreated'];
export type TasksUploaded = components['schemas']['TasksUploaded'];
/** The rooms of a page that are left out, because they are not as specified. */
export interface MalformedRooms {
  readonly rooms: number;
  /** The first problem with them. */
  readonly problem: string;
}
/** A page of the inbox. */
export type Conversations = components['schemas']['Conversations'] & { readonly malformed?: MalformedRooms };
type AgentAnswer = components['schemas']['AgentAnswer'];

/** The properties that all calls of an operation share. */
export type CallOf<T> = Omit<Call<T>, 'body' | 'query' | 'sensitive' | 'extraMs'>;

const hidden = { showTexts: false } as const;
const checkAgent = checkedBy<AgentAnswer>(serviceAgentAnswer, hidden);
const checkOutcome = checkedBy<Outcome>(serviceOutcome, hidden);
const checkPage = checkedBy<Conversations>(serviceConversations, hidden);

/** Checks a page of the inbox. A malformed room does not hide the others, unless the page has no other room. */
function checkConversations(answer: unknown): ReturnType<Check<Conversations>> {
  const checked = checkPage(answer);
  if (checked.fits || !isJsonObject(answer) || !Array.isArray(answer.rooms)) return checked;
  const rooms = answer.rooms.filter((room) => serviceRoom(room));
  const rest = checkPage({ ...answer, rooms });
  if (!rest.fits || rooms.length === 0) return checked;
  const malformed = { rooms: answer.rooms.length - rooms.length, problem: checked.problem };
  return { fits: true, value: { ...rest.value, malformed } };
}

/** A create is not repeatable, because a second call would create a second resource. */
const post = { method: 'POST', repeatable: false } as const;
const replacing = { method: 'POST', repeatable: true } as const;

/**
 * The operations, by their ids in schemas/service.openapi.json. `publishAgent` is not specified, so the project sets
 * its path.
 */
export const operations = {
  getAgent: {
    operation: 'getAgent',
    words: 'reading the agent',
    method: 'GET',
    path: '/api/v2/agent',
    repeatable: true,
    check: (answer: unknown): ReturnType<Check<Campaign>> => {
      const checked = checkAgent(answer);
      return checked.fits ? { fits: true, value: checked.value.campaign } : checked;
    },
  },
  updateAgent: {
    ...post,
    operation: 'updateAgent',
    words: 'writing the agent',
    path: '/api/v2/agent',
    check: checkedBy<AgentUpdated>(serviceAgentUpdated, hidden),
  },
  publishAgent: {
    ...replacing,
    operation: 'publishAgent',
    words: 'publishing the agent',
    check: checkOutcome,
  },
  setAgentUrl: {
    ...replacing,
    operation: 'setAgentUrl',
    words: 'setting the URL of the agent',
    path: '/api/v2/agentUrl',
    check: checkedBy<AgentUrlSet>(serviceAgentUrlSet, hidden),
  },
  createOrganization: {
    ...post,
    operation: 'createOrganization',
    words: 'creating the organization',
    path: '/api/v2/createOrganization',
    check: checkedBy<OrganizationCreated>(serviceOrganizationCreated, hidden),
  },
  inviteMember: {
    ...post,
    operation: 'inviteMember',
    words: 'inviting the member',
    path: '/api/v2/member',
    check: checkOutcome,
  },
  updateMember: {
    operation: 'updateMember',
    words: 'updating the member',
    method: 'PUT',
    path: '/api/v2/member',
    repeatable: true,
    check: checkOutcome,
  },
  addContext: {
    ...post,
    operation: 'addContext',
    words: 'adding the context',
    path: '/api/v2/context',
    check: checkOutcome,
  },
  assignPhoneNumber: {
    ...replacing,
    operation: 'assignPhoneNumber',
    words: 'assigning the phone number',
    path: '/api/v2/phoneNumber/byo/assign',
    check: checkOutcome,
  },
  listConversations: {
    operation: 'listConversations',
    words: 'listing the conversations',
    method: 'GET',
    path: '/api/v2/conversations',
    repeatable: true,
    check: checkConversations,
  },
  createTask: {
    ...post,
    operation: 'createTask',
    words: 'creating the task',
    path: '/api/v2/tasks',
    check: checkedBy<TaskCreated>(serviceTaskCreated, hidden),
    isAnswerOpen: true,
  },
  uploadTasks: {
    ...post,
    operation: 'uploadTasks',
    path: '/api/v2/tasks/csv',
    check: checkedBy<TasksUploaded>(serviceTasksUploaded, hidden),
    isAnswerOpen: true,
  },
} as const;

/** Returns the call that reads an agent. If `ids` is given, the response must have one of these ids. */
export function getAgent(agentId: string, ids?: readonly (string | undefined)[]): Call<Campaign> {
  const { getAgent: operation } = operations;
  const check = (answer: unknown): ReturnType<Check<Campaign>> => {
    const checked = operation.check(answer);
    if (!checked.fits || ids === undefined || ids.includes(checked.value.id)) return checked;
    return { fits: false, problem: 'campaign.id is the id of another agent' };
  };
  return { ...operation, path: `${operation.path}/${segment(agentId)}`, check };
}

/** The reseller of a new organization, and the query parameter that contains its id. */
export interface Reseller {
  readonly parameter: string;
  readonly id: string;
}

export function createOrganization({ parameter, id }: Reseller, body: JsonObject): Call<OrganizationCreated> {
  return { ...operations.createOrganization, query: { [parameter]: id }, body, sensitive: credentialsIn(body) };
}

/**
 * Finds the credentials in a body. These are strings and numbers in `numberingProviders[].config` and
 * `integrations[].appData` that are long enough to search for.
 */
function credentialsIn({ numberingProviders, integrations }: JsonObject): string[] {
  const credentials = [...membersOf(numberingProviders, 'config'), ...membersOf(integrations, 'appData')];
  return credentials.flatMap(nestedTexts).filter((text) => isLongEnough(new Secret(text)));
}

function membersOf(list: Json | undefined, name: string): Json[] {
  return Array.isArray(list) ? list.map((item: Json) => (isJsonObject(item) ? (item[name] ?? null) : null)) : [];
}

function nestedTexts(value: Json): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(nestedTexts);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** A CSV file of tasks with a header row. */
export interface TaskUpload {
  /** The file, for example from openAsBlob. The upload streams this file. */
  readonly csv: Blob;
  readonly fileName: string;
  /** Whether the service should only validate the tasks. */
  readonly dryRun: boolean;
}

/** The slowest upload rate at which uploads must succeed, in bytes per millisecond. */
const slowestRate = 100;

/** Returns the call that uploads tasks. Only a dry run is repeatable. */
export function uploadTasks({ csv, fileName, dryRun }: TaskUpload): Call<TasksUploaded> {
  const formData = new FormData();
  formData.append('csv', csv.slice(0, csv.size, 'text/csv'), fileName);
  formData.append('dryRun', String(dryRun));
  return {
    ...operations.uploadTasks,
    words: `${dryRun ? 'validating' : 'uploading'} the tasks of ${fileName}`,
    body: formData,
    repeatable: dryRun,
    extraMs: Math.ceil(csv.size / slowestRate),
  };
}
