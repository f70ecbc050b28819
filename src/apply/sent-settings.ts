import type { JsonObject } from '../kinds/json.ts';
import { fieldAt, parsePath } from '../kinds/path.ts';
import type { KindName } from '../schemas/fields.ts';
import type { Change } from '../schemas/plan-types.ts';
import type { FieldResult, SentSettings } from './events.ts';

export interface SentWrite {
  readonly kind: KindName;
  readonly changes: readonly Change[];
  readonly body: JsonObject;
  readonly results: readonly FieldResult[];
}

/**
 * How many settings a request carried, and how many of them were to become other than they are known to have been. A
 * request carries every declared setting, whatever changed; a change that no declared setting is part of, such as an
 * unset, was sent too.
 */
export function sentSettings({ kind, changes, body, results }: SentWrite): SentSettings {
  const made = changes.filter(({ op }) => op !== 'release');
  const unset = made.filter(({ op }) => op === 'unset');
  const paths = results.map(({ path }) => path).filter((path) => !unset.some((change) => isAt(change.path, path)));
  const declared = paths.filter((path) => bodyName(kind, path) in body);
  const alone = made.filter(({ path }) => !declared.some((one) => isAt(path, one)));
  const changed = made.filter(({ cause }) => cause !== 'unverified');
  return { changed: changed.length, sent: declared.length + alone.length };
}

/** Whether a field lies at the path of a change, or in it. */
function isAt(path: string, field: string): boolean {
  return field === path || field.startsWith(`${path}.`);
}

/** The member of the request that carries a setting. */
function bodyName(kind: KindName, text: string): string {
  const path = parsePath(text);
  return fieldAt(kind, path)?.name ?? path[1] ?? '';
}
