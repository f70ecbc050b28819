import type { Json } from '../json/json.ts';
import type { FieldSchema, KindName } from '../schemas/fields.ts';
import { type Kind, unsetValue } from './definition.ts';
import { agent } from './definitions/agent.ts';
import { agentUrl } from './definitions/agent-url.ts';
import { context } from './definitions/context.ts';
import { member } from './definitions/member.ts';
import { organization } from './definitions/organization.ts';
import { phoneNumber } from './definitions/phone-number.ts';
import { type FieldPath, fieldAt, settingNamed } from './field-path.ts';

const kinds: Readonly<Record<KindName, Kind>> = {
  Agent: agent,
  Organization: organization,
  Member: member,
  AgentUrl: agentUrl,
  PhoneNumber: phoneNumber,
  Context: context,
};

export function kindNamed(name: KindName): Kind {
  return kinds[name];
}

/** Whether a kind in a plan or record exists. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}

/** The kind of a resource in a plan, a ledger or a record; undefined for one of another version of agentform. */
export function kindOf({ kind }: { readonly kind: string }): Kind | undefined {
  return isKindName(kind) ? kinds[kind] : undefined;
}

/** The noun for resources: that of their kind if they share one, that of agents if there are none, else `resource`. */
export function nounOf(resources: readonly { readonly kind: string }[]): string {
  const nouns = new Set(resources.map((resource) => kindOf(resource)?.noun ?? 'resource'));
  const [noun = agent.noun, ...others] = nouns;
  return others.length === 0 ? noun : 'resource';
}

/**
 * The field whose rules compare the values at a path. An extra setting is compared like the setting of that name, if
 * there is one.
 */
export function comparedAs(kind: KindName, path: FieldPath): FieldSchema | undefined {
  return path[0] === 'extraSettings' ? settingNamed(kind, path[1] ?? '') : fieldAt(kind, path);
}

/** The documented default at a path: of the field, or of a member of an object or list element. */
export function defaultAt(kind: KindName, path: FieldPath): unknown {
  const field = comparedAs(kind, path);
  if (field?.members === undefined) return field?.default;
  return field.members.find((member) => member.name === path.at(-1))?.default;
}

/** The unset value of this path; undefined if there is none and the field is released. */
export function unsetValueAt(kind: KindName, path: FieldPath): Json | undefined {
  return unsetValue(comparedAs(kind, path));
}
