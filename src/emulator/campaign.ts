import { isJsonObject, type Json, type JsonObject } from '../kinds/json.ts';
import { type FieldSchema, fieldsByKind } from '../schemas/fields.ts';
import type { StoredAgent } from './agent-store.ts';

/** Says whether the agent runtime has the skill of that slug. */
export type IsInstalled = (slug: string) => boolean;

const readableFields = fieldsByKind.Agent.filter((field) => field.readable);

/**
 * The agent as GET shows it: the readable settings of the draft under their names in the read response, and what the
 * service calculates. A setting that is not set shows its documented default, a list `[]`, anything else null.
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

/** `actions[].name` stands for a list of objects called `actions`. */
function shownName(field: FieldSchema): string {
  return field.readAs.split('[]')[0] ?? field.readAs;
}

function shownValue(field: FieldSchema, draft: JsonObject, isInstalled: IsInstalled): Json {
  const value = draft[field.name] ?? unsetValue(field);
  if (field.shape === 'value' || !Array.isArray(value)) return value;
  if (field.name === 'actions') return value.map(shownAction);
  if (field.name === 'skills') return value.filter(isJsonObject).map((skill) => shownSkill(skill, isInstalled));
  return value;
}

function unsetValue(field: FieldSchema): Json {
  const isList = field.shape === 'set' || field.shape === 'map';
  // The field table is generated from JSON, so a default in it is JSON.
  return (field.default as Json | undefined) ?? (isList ? [] : null);
}

function shownAction(name: Json): JsonObject {
  return { name, instructions: '', placeholder: '', allowed: true };
}

function shownSkill(skill: JsonObject, isInstalled: IsInstalled): JsonObject {
  const { slug = null, instructions = null } = skill;
  const usable = isInstalled(String(slug));
  return { slug, instructions, allowed: true, usable, reason: usable ? null : `skill ${slug} is not installed` };
}
