import type { Json } from '../json/json.ts';
import type { FieldSchema, KindName, MemberSchema } from '../schemas/fields.ts';
import { type Kind, unsetValue } from './definition.ts';
import { agent } from './definitions/agent.ts';
import { agentUrl } from './definitions/agent-url.ts';
import { context } from './definitions/context.ts';
import { member } from './definitions/member.ts';
import { organization } from './definitions/organization.ts';
import { phoneNumber } from './definitions/phone-number.ts';
import { type FieldPath, fieldAt, parsePath, settingNamed, textRoleAt } from './field-path.ts';

const kinds: Readonly<Record<KindName, Kind>> = {
  Agent: agent,
  Organization: organization,
  Member: member,
  AgentUrl: agentUrl,
  PhoneNumber: phoneNumber,
  Context: context,
};

/** The kinds of resources that a manifest can declare. */
export const kindNames: readonly KindName[] = Object.keys(kinds).filter(isKindName);

export function kindNamed(name: KindName): Kind {
  return kinds[name];
}

/** Whether this version of agentform knows a kind. Plans and records may name other kinds. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}

/** Finds a kind by name, ignoring case and plural. Returns undefined if there is no such kind. */
export function kindMeant(name: string): KindName | undefined {
  const wanted = name.toLowerCase().replace(/s$/, '');
  return kindNames.find((kind) => kind.toLowerCase() === wanted);
}

/** The kind of a resource in a plan or record. Undefined if this version of agentform does not know the kind. */
export function kindOf({ kind }: { readonly kind: string }): Kind | undefined {
  return isKindName(kind) ? kinds[kind] : undefined;
}

/** The rank of a resource. Resources are applied in the order of their ranks, so that dependencies come first. */
export function rankOf(resource: { readonly kind: string }): number {
  return kindOf(resource)?.rank ?? 0;
}

/** Whether the text at a path of a plan or record instructs the agent or is spoken to callers. */
export function isPrompt(kind: string, path: string): boolean {
  return isKindName(kind) && textRoleAt(kind, parsePath(path)) !== undefined;
}

/**
 * The noun for a list of resources. Returns the noun of their common kind, or `resource` if the kinds differ. Returns
 * `agent` for an empty list.
 */
export function nounOf(resources: readonly { readonly kind: string }[]): string {
  const nouns = new Set(resources.map((resource) => kindOf(resource)?.noun ?? 'resource'));
  const [noun = agent.noun, ...others] = nouns;
  return others.length === 0 ? noun : 'resource';
}

/**
 * The field whose rules compare a value. An extra setting with the name of a known setting is compared like that
 * setting.
 */
export function comparedAs(kind: KindName, path: FieldPath): FieldSchema | undefined {
  return path[0] === 'extraSettings' ? settingNamed(kind, path[1] ?? '') : fieldAt(kind, path);
}

/** The schema of the field at a path, or of the member of an object or list element at the path. */
export function schemaAt(kind: KindName, path: FieldPath): FieldSchema | MemberSchema | undefined {
  const field = comparedAs(kind, path);
  return field?.members === undefined ? field : field.members.find(({ name }) => name === path.at(-1));
}

/** The value that unsets a path. If the result is undefined, the field cannot be unset and is released instead. */
export function unsetValueAt(kind: KindName, path: FieldPath): Json | undefined {
  return unsetValue(comparedAs(kind, path));
}
