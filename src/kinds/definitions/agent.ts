import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { type FieldSchema, fieldsByKind } from '../../schemas/fields.ts';
import { type Campaign, type Kind, type LiveAgent, requestBody } from '../definition.ts';
import { type FieldPath, fieldAt, settingNamed } from '../field-path.ts';
import { pathSet } from '../path-map.ts';

const fields = fieldsByKind.Agent;

/** The only value of `type` that the specification allows. */
export const agentType = 'chatAgent';

export const agent: Kind = {
  name: 'Agent',
  noun: 'agent',
  rank: 3,
  // The target alone identifies an agent. When making a plan, agentform knows the tokens and ids, so it can refuse two
  // agents with the same target.
  identity: { settings: [], within: 'target' },
  hasId: true,
  hasIdInTarget: true,
  hasDrafts: true,
  takesCalls: true,
  rollsOut: 'itself',
  live: liveAgent,
  adds: 'first',
  update: 'replaces',
  operations: { create: 'updateAgent', update: 'updateAgent' },
  /** `type` is always sent, in addition to the declared fields. */
  body: ({ sections }, changes) => ({ type: agentType, ...requestBody('Agent', sections, changes) }),
  answered: (answer) => ({ id: isJsonObject(answer) ? String(answer.campaignId) : undefined }),
};

/**
 * Converts a read response to the shape of a manifest. Drops calculated, absent and null members. `extraKeys` names the
 * `extraSettings` to include.
 */
function liveAgent(campaign: Campaign, extraKeys: readonly string[]): LiveAgent {
  const sections: Record<string, Json> = {};
  const hidden: FieldPath[] = [];
  for (const field of fields.filter((candidate) => candidate.readable)) {
    const value = liveValue(field, campaign);
    if (value === unreadable || sharesKey(field, value)) hidden.push(field.path);
    else if (value !== undefined && field.isSection) sections[field.section] = value;
    else if (value !== undefined) {
      const section = sections[field.section];
      sections[field.section] = { ...(isJsonObject(section) ? section : {}), [field.name]: value };
    }
    for (const path of hiddenMembers(field, value)) hidden.push(path);
  }
  const extra = extraKeys.flatMap((key): [string, Json][] => {
    const value = liveExtra(key, campaign);
    return value === undefined ? [] : [[key, value]];
  });
  if (extra.length > 0) sections.extraSettings = Object.fromEntries(extra);
  const unshown = pathSet(hidden);
  return {
    sections,
    isReadable(path) {
      const [section, name] = path;
      if (section === 'extraSettings') return extra.some(([key]) => key === name);
      const field = fieldAt('Agent', path);
      return field?.readable === true && !unshown.has(field.path) && !unshown.has(path);
    },
  };
}

const unreadable = Symbol('unreadable');

function liveValue(field: FieldSchema, campaign: Campaign): Json | undefined | typeof unreadable {
  const [member = '', elementMember] = field.readAs.split('[].');
  const value = (campaign as unknown as JsonObject)[member];
  if (value === undefined || value === null) return undefined;
  if (elementMember !== undefined) return elementsOf(value).map((element) => element[elementMember] ?? null);
  if (field.shape !== 'map') return value;
  const elements = elementsOf(value);
  const key = field.mapKey ?? '';
  // The specification does not define the items of `apps`. If an element lacks the key, the list counts as unreadable.
  if (elements.some((element) => typeof element[key] !== 'string')) return unreadable;
  const names = [key, ...(field.members ?? []).map((member) => member.name)];
  return elements.map((element) => pickPresent(element, names));
}

/** Whether two elements of a keyed list share a key. A manifest or request could contain only one of these elements. */
function sharesKey({ shape, mapKey = '' }: FieldSchema, value: Json | undefined): boolean {
  if (shape !== 'map' || value === undefined) return false;
  const elements = elementsOf(value);
  return new Set(elements.map((element) => element[mapKey])).size < elements.length;
}

function elementsOf(value: Json): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function pickPresent(element: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = element[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The paths of list members that the response does not show. */
function hiddenMembers(field: FieldSchema, value: Json | undefined | typeof unreadable): FieldPath[] {
  if (field.shape !== 'map' || value === unreadable || value === undefined) return [];
  return elementsOf(value).flatMap((element) =>
    (field.members ?? [])
      .filter((member) => !(member.name in element))
      .map((member) => [...field.path, String(element[field.mapKey ?? '']), member.name]),
  );
}

/** The live value of an extra setting. A setting that the specification defines is converted as usual. */
function liveExtra(key: string, campaign: Campaign): Json | undefined {
  const field = settingNamed('Agent', key);
  const shown = campaign as unknown as JsonObject;
  if (field === undefined) return Object.hasOwn(shown, key) ? shown[key] : undefined;
  if (!field.readable) return undefined;
  const value = liveValue(field, campaign);
  if (value === undefined) return field.readAs in campaign ? null : undefined;
  return value === unreadable ? undefined : value;
}
