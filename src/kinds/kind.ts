import type { FieldSchema, KindName } from '../schemas/fields.ts';
import {
  agentBody,
  type BodyChange,
  type Campaign,
  type LiveAgent,
  liveAgent,
  settingNamed,
  unsetValue,
} from './agent.ts';
import type { Json, JsonObject } from './json.ts';
import { type FieldPath, fieldAt } from './path.ts';

/** What a kind knows about itself; everything else is the same for all kinds. */
export interface Kind {
  readonly name: KindName;
  /** Kinds of a lower rank are applied first. */
  readonly rank: number;
  /** The body of the write operation. */
  readonly body: (sections: JsonObject, changes: readonly BodyChange[]) => JsonObject;
  /** The read response in the manifest's shape. */
  readonly live: (campaign: Campaign, extraKeys: readonly string[]) => LiveAgent;
}

const kinds: Readonly<Record<KindName, Kind>> = {
  Agent: { name: 'Agent', rank: 3, body: agentBody, live: liveAgent },
};

export function kindNamed(name: KindName): Kind {
  return kinds[name];
}

/** The rank of a kind by its name in a plan. */
export function rankOf(name: string): number {
  return Object.values(kinds).find((kind) => kind.name === name)?.rank ?? 0;
}

/** The field whose rules a path compares by; an extra setting compares as the setting of that name, if there is one. */
export function comparedAs(kind: KindName, path: FieldPath): FieldSchema | undefined {
  return path[0] === 'extraSettings' ? settingNamed(path[1] ?? '') : fieldAt(kind, path);
}

/** The documented default at a path: the field's, or that of the member of an object or of a list's element. */
export function defaultAt(kind: KindName, path: FieldPath): unknown {
  const field = comparedAs(kind, path);
  if (field?.members === undefined) return field?.default;
  return field.members.find((member) => member.name === path.at(-1))?.default;
}

/** What an unset of this path sends; undefined where the service has no such value and the field is released. */
export function unsetValueAt(kind: KindName, path: FieldPath): Json | undefined {
  return unsetValue(comparedAs(kind, path));
}
