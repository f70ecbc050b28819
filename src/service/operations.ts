import { FormData } from 'undici';
import { checkedBy } from '../json/check.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { components } from '../schemas/service-types.ts';
import {
  serviceAgentAnswer,
  serviceAgentUpdated,
  serviceAgentUrlSet,
  serviceConversations,
  serviceOrganizationCreated,
  serviceOutcome,
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
type AgentAnswer = components['schemas']['AgentAnswer'];
type Outcome = components['schemas']['Outcome'];

const checkAgentAnswer = checkedBy<AgentAnswer>(serviceAgentAnswer, { showTexts: false });
const checkAgentUpdated = checkedBy<AgentUpdated>(serviceAgentUpdated, { showTexts: false });
const checkAgentUrlSet = checkedBy<AgentUrlSet>(serviceAgentUrlSet, { showTexts: false });
const checkOutcome = checkedBy<Outcome>(serviceOutcome, { showTexts: false });

export function getAgent(agentId: string): Call<AgentAnswer> {
  return {
    operation: 'getAgent',
    words: `reading agent ${agentId}`,
    method: 'GET',
    path: `/api/v2/agent/${segment(agentId)}`,
    repeatable: true,
    check: checkAgentAnswer,
  };
}

export function updateAgent(body: JsonObject, repeatable: boolean): Call<AgentUpdated> {
  return {
    operation: 'updateAgent',
    words: 'writing the agent',
    method: 'POST',
    path: '/api/v2/agent',
    body,
    repeatable,
    check: checkAgentUpdated,
  };
}

/** The specification has no such operation; the project names its path. */
export function publishAgent(path: string): Call<Outcome> {
  return {
    operation: 'publishAgent',
    words: 'publishing the agent',
    method: 'POST',
    path,
    repeatable: true,
    check: checkOutcome,
  };
}

export function setAgentUrl(body: JsonObject): Call<AgentUrlSet> {
  return {
    operation: 'setAgentUrl',
    words: 'setting the URL of the agent',
    method: 'POST',
    path: '/api/v2/agentUrl',
    body,
    repeatable: true,
    check: checkAgentUrlSet,
  };
}

export type OrganizationCreated = components['schemas']['OrganizationCreated'];

/** The reseller under which an organization is created, and the query parameter that says so. */
export interface Reseller {
  readonly parameter: string;
  readonly id: string;
}

const checkOrganizationCreated = checkedBy<OrganizationCreated>(serviceOrganizationCreated, { showTexts: false });

export function createOrganization({ parameter, id }: Reseller, body: JsonObject): Call<OrganizationCreated> {
  return {
    operation: 'createOrganization',
    words: 'creating the organization',
    method: 'POST',
    path: '/api/v2/createOrganization',
    query: { [parameter]: id },
    body,
    sensitive: credentialsIn(body),
    repeatable: false,
    check: checkOrganizationCreated,
  };
}

/** Texts and numbers of `numberingProviders[].config` and `integrations[].appData`. */
function credentialsIn({ numberingProviders, integrations }: JsonObject): string[] {
  const credentials = [...membersOf(numberingProviders, 'config'), ...membersOf(integrations, 'appData')];
  return credentials.flatMap(textsIn).filter((text) => isLongEnough(new Secret(text)));
}

function membersOf(list: Json | undefined, name: string): Json[] {
  return Array.isArray(list) ? list.map((item: Json) => (isJsonObject(item) ? (item[name] ?? null) : null)) : [];
}

function textsIn(value: Json): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Done twice, it would send two invitations. */
export function inviteMember(body: JsonObject): Call<Outcome> {
  return {
    operation: 'inviteMember',
    words: 'inviting the member',
    method: 'POST',
    path: '/api/v2/member',
    body,
    repeatable: false,
    check: checkOutcome,
  };
}

export function updateMember(body: JsonObject): Call<Outcome> {
  return {
    operation: 'updateMember',
    words: 'updating the member',
    method: 'PUT',
    path: '/api/v2/member',
    body,
    repeatable: true,
    check: checkOutcome,
  };
}

/** Done twice, it would say the same to the agent twice. */
export function addContext(body: JsonObject): Call<Outcome> {
  return {
    operation: 'addContext',
    words: 'adding the context',
    method: 'POST',
    path: '/api/v2/context',
    body,
    repeatable: false,
    check: checkOutcome,
  };
}

export function assignPhoneNumber(body: JsonObject): Call<Outcome> {
  return {
    operation: 'assignPhoneNumber',
    words: 'assigning the phone number',
    method: 'POST',
    path: '/api/v2/phoneNumber/byo/assign',
    body,
    repeatable: true,
    check: checkOutcome,
  };
}

export type Conversations = components['schemas']['Conversations'];
export type Room = components['schemas']['Room'];

const checkConversations = checkedBy<Conversations>(serviceConversations, { showTexts: false });

export function listConversations(query: Readonly<Record<string, string>>): Call<Conversations> {
  return {
    operation: 'listConversations',
    words: 'listing the conversations',
    method: 'GET',
    path: '/api/v2/conversations',
    query,
    repeatable: true,
    check: checkConversations,
  };
}

export type TaskCreated = components['schemas']['TaskCreated'];
export type TasksUploaded = components['schemas']['TasksUploaded'];

/** A CSV file of tasks with a header row. */
export interface TaskUpload {
  /** May lie on a disk, as one of openAsBlob: it is streamed. */
  readonly csv: Blob;
  readonly fileName: string;
  /** The service is to validate only. */
  readonly dryRun: boolean;
}

const checkTaskCreated = checkedBy<TaskCreated>(serviceTaskCreated, { showTexts: false });
const checkTasksUploaded = checkedBy<TasksUploaded>(serviceTasksUploaded, { showTexts: false });

/** What a slow line carries, or a slow service takes in, in bytes a millisecond. */
const slowestRate = 100;

/** Done twice, it would call, write to or mail somebody twice. */
export function createTask(body: JsonObject): Call<TaskCreated> {
  return {
    operation: 'createTask',
    words: 'creating the task',
    method: 'POST',
    path: '/api/v2/tasks',
    body,
    repeatable: false,
    check: checkTaskCreated,
    isAnswerOpen: true,
  };
}

export function uploadTasks({ csv, fileName, dryRun }: TaskUpload): Call<TasksUploaded> {
  const form = new FormData();
  form.append('csv', csv.slice(0, csv.size, 'text/csv'), fileName);
  form.append('dryRun', String(dryRun));
  return {
    operation: 'uploadTasks',
    words: `${dryRun ? 'validating' : 'uploading'} the tasks of ${fileName}`,
    method: 'POST',
    path: '/api/v2/tasks/csv',
    body: form,
    repeatable: dryRun,
    check: checkTasksUploaded,
    isAnswerOpen: true,
    extraMs: Math.ceil(csv.size / slowestRate),
  };
}
